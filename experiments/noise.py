"""Figure 2's rows once more, by the noise of the dataset and by the density of the graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import figure2
from .grid import TITLES, cell_of, over_fractions
from .pages import table
from .screens import DOMAINS
from .store import Row
from .task import Task

TITLE = "By noise and by density"
ALSO = ("figure2",)


def tasks(size: str) -> list[Task]:
    """None: Figure 2's rows are read again."""
    return []


def solve(task: Task) -> dict[str, Any]:
    """Never called."""
    raise NotImplementedError


def report(rows: list[Row], folder: Path) -> str:
    """A table a domain."""
    parts = [
        (
            "The rows of [Figure 2](figure2.md) at thirty variables, split by the noise that the "
            "dataset drew (linear and random Fourier features draw one of three) and by edges per "
            "variable. Mean D_top with 95 % intervals over datasets; the error of a dataset is its "
            "mean over the shares of variables intervened on, as these are not independent of each "
            "other. Ten datasets a domain are few for three noises, and a noise may have met "
            "sparse graphs more often than another: columns differ by that too."
        )
    ]
    for domain in DOMAINS:
        here = [row for row in rows if row["domain"] == domain]
        if here:
            parts += [f"## {TITLES[domain]}", _table(here)]
    return "\n\n".join(parts)


def _table(rows: list[Row]) -> str:
    fractions = sorted({row["fraction"] for row in rows})
    noises = sorted({row["noise_drawn"] for row in rows})
    densities = sorted({row["edges"] for row in rows})
    columns = [("noise_drawn", noise) for noise in noises if len(noises) > 1]
    columns += [("edges", edges) for edges in densities]
    lines = []
    for method in figure2.SHOWN:
        mine = over_fractions([row for row in rows if row["method"] == method], fractions)
        if mine:
            cells = [cell_of([row for row in mine if row[k] == value]) for k, value in columns]
            lines.append([method, *cells])
    names = {1: "1 edge per variable"}
    header = [
        names.get(value, f"{value} edges per variable") if key == "edges" else str(value)
        for key, value in columns
    ]
    return table(["method", *header], lines)
