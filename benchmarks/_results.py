"""Print a table of measurements and keep it with the command, machine and versions."""

from __future__ import annotations

import csv
import json
import os
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
LIBRARIES = ("numpy", "scipy", "numba")


def keep(name: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Print the rows; write them to results/NAME.csv, how they were made to NAME.json."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    table = [columns, *([show(row.get(column, "")) for column in columns] for row in rows)]
    widths = [max(len(line[place]) for line in table) for place in range(len(columns))]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)))
    RESULTS.mkdir(exist_ok=True)
    with open(RESULTS / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows(table)
    made = {
        "command": f"python benchmarks/{name}.py",
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, shared",
        "versions": {"python": platform.python_version()}
        | {key: version(key) for key in LIBRARIES},
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(made, indent=2) + "\n")


def show(value: object) -> str:
    """Four digits of a number, any other thing as text."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
