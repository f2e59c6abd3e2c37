"""Rows as they are committed: NAME.csv, and NAME.json that says how each was made."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Kept = tuple[Row, Row, str]
"""A cell, what was measured in it, and the name of how it was made."""


def write_results(
    path: Path, rows: Sequence[Kept], makers: Mapping[str, Any], command: str
) -> None:
    """Write both files. The columns: those of the cells, what was measured, `made`.

    Each file is whole at every moment; the one that explains the other comes first.
    """
    cells = sorted({key for cell, _, _ in rows for key in cell})
    measured = sorted({key for _, values, _ in rows for key in values})
    about = {"command": command, "cell": cells, "made": dict(makers)}
    _replace(path.with_suffix(".json"), json.dumps(about, indent=2) + "\n")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*cells, *measured, "made"])
    for cell, values, made in rows:
        line = [as_text(cell[k]) if k in cell else "" for k in cells]
        line += [as_text(values[k]) if k in values else "" for k in measured]
        writer.writerow([*line, made])
    _replace(path, text.getvalue())


def read_results(path: Path) -> tuple[list[Kept], dict[str, Any]]:
    """The rows that `write_results` wrote, and how each was made."""
    about = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    cells, rows = set(about["cell"]), []
    with open(path, newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            made = line.pop("made")
            known = {key: from_text(text) for key, text in line.items() if text != ""}
            cell = {key: value for key, value in known.items() if key in cells}
            rows.append((cell, {k: v for k, v in known.items() if k not in cells}, made))
    return rows, about["made"]


def as_text(value: Any) -> str:
    """A value for a CSV cell: JSON, but text that cannot be mistaken for it is left bare.

    >>> as_text(0.25), as_text(True), as_text("linear"), as_text("7")
    ('0.25', 'true', 'linear', '"7"')
    """
    bare = isinstance(value, str) and value != "" and from_text(value) is value
    return value if bare else json.dumps(value, allow_nan=False)


def from_text(text: str) -> Any:
    """What `as_text` was given.

    >>> from_text("0.25"), from_text("true"), from_text("linear"), from_text('"7"')
    (0.25, True, 'linear', '7')
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except ValueError:
        return text


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is text, not a number")


def _replace(path: Path, text: str) -> None:
    """Write a file under another name, then rename it."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_text(text, encoding="utf-8", newline="")
    part.replace(path)
