"""Each dataset of an experiment as plain files, so that others' methods can run on it.

DATASET/values.csv.gz    a header of names, then one row a measurement
DATASET/targets.csv      the variable intervened on in each row, empty for control rows
DATASET/graph.csv        the true edges: cause, effect
DATASET/about.json       what was simulated, its seed, the targets of each fraction
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from .screens import FRACTIONS, Drawn, Screen, draw, screen_of
from .task import Task


def export_screens(tasks: Sequence[Task], folder: Path) -> Iterator[Path]:
    """Write every simulated screen that the tasks use, once."""
    screens = dict.fromkeys(screen_of(dict(task.cell)) for task in tasks if "domain" in task.cell)
    for screen in screens:
        path = folder / name_of(screen)
        path.mkdir(parents=True, exist_ok=True)
        write_screen(screen, draw(screen), path)
        yield path


def name_of(screen: Screen) -> str:
    """A folder name that says what is in it.

    >>> name_of(Screen("linear", 30, 1, 4))
    'domain=linear_d=30_edges=1_repetition=4'
    """
    return "_".join(f"{key}={value}" for key, value in screen.cell.items())


def write_screen(screen: Screen, drawn: Drawn, path: Path) -> None:
    """Write the four files of one dataset."""
    d = drawn.values.shape[1]
    names = [f"x{j}" for j in range(d)]
    # No time in the header of the archive: equal data make equal files.
    with open(path / "values.csv.gz", "wb") as raw, gzip.GzipFile("", "wb", 6, raw, 0) as packed:
        packed.write((",".join(names) + "\n").encode())
        for row in drawn.values:
            packed.write((",".join(map(repr, row.tolist())) + "\n").encode())
    labels = ["" if target < 0 else names[target] for target in drawn.targets]
    _write_table(path / "targets.csv", ["target"], [[label] for label in labels])
    edges = [[names[i], names[j]] for i, j in np.argwhere(drawn.adjacency)]
    _write_table(path / "graph.csv", ["cause", "effect"], edges)
    chosen = {f"{f:g}": [names[j] for j in drawn.choose(f)] for f in FRACTIONS}
    about = {"screen": asdict(screen), "seed": screen.seed, "targets_by_fraction": chosen}
    (path / "about.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def _write_table(path: Path, header: list[str], rows: list[list[str]]) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
