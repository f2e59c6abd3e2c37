"""Each dataset of an experiment as plain files, so that others' methods can run on it.

DATASET/rows.csv.gz   one row a measurement: `target`, the variable intervened on or "control",
                      then the value of each variable
DATASET/graph.csv     the true edges: cause, effect
DATASET/about.json    what was simulated, its seed, and the targets of each fraction: the dataset
                      of a fraction is the control rows and the rows of these targets
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from pathlib import Path

import numpy as np

from .screens import FIRST, FRACTIONS, Drawn, Screen, draw, screen_of
from .task import Task

DONE_WITH_DATA = {"fraction", "method", "distance", "threshold"}
"""Columns of a cell that say what is done with a dataset; all others say which it is."""
CONTROL = "control"


def export_screens(tasks: Sequence[Task], folder: Path) -> Iterator[Path]:
    """Write every screen that the tasks use, once; those that draw data of their own have none."""
    known = {field.name for field in fields(Screen)}
    cells = [{k: v for k, v in t.cell.items() if k not in DONE_WITH_DATA} for t in tasks]
    screens = dict.fromkeys(screen_of(cell) for cell in cells if FIRST <= set(cell) <= known)
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
    """Write the three files of one dataset."""
    names = [f"x{j}" for j in range(drawn.values.shape[1])]
    labels = [*names, CONTROL]  # a target of −1 is the last
    # No time in the header of the archive: equal data make equal files.
    with open(path / "rows.csv.gz", "wb") as raw, gzip.GzipFile("", "wb", 6, raw, 0) as packed:
        packed.write(f"target,{','.join(names)}\n".encode())
        for target, row in zip(drawn.targets, drawn.values.tolist(), strict=True):
            packed.write(f"{labels[target]},{','.join(map(repr, row))}\n".encode())
    with open(path / "graph.csv", "w", newline="", encoding="utf-8") as file:
        edges = [(names[i], names[j]) for i, j in np.argwhere(drawn.adjacency)]
        csv.writer(file, lineterminator="\n").writerows([("cause", "effect"), *edges])
    chosen = {f"{f:g}": [names[j] for j in drawn.choose(f)] for f in FRACTIONS}
    about = {"screen": asdict(screen), "seed": screen.seed, "targets_by_fraction": chosen}
    (path / "about.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
