"""Figure 2's rows once more, by the noise of the dataset and by the density of the graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import figure2
from .grid import TITLES, cell_of
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
            "The rows of [Figure 2](figure2.md) at thirty variables, all four fractions "
            "together, split by the noise that the dataset drew (linear and random Fourier "
            "features draw one of three) and by edges per variable. Mean D_top with 95 % "
            "intervals over datasets and fractions; the fractions of one dataset are not "
            "independent, so that the intervals are a guide only."
        )
    ]
    for domain in DOMAINS:
        here = [row for row in rows if row["domain"] == domain]
        if here:
            parts += [f"## {TITLES[domain]}", _table(here)]
    return "\n\n".join(parts)


def _table(rows: list[Row]) -> str:
    noises = sorted({row["noise_drawn"] for row in rows})
    densities = sorted({row["edges"] for row in rows})
    lines = []
    for method in figure2.SHOWN:
        mine = [row for row in rows if row["method"] == method]
        if mine:
            by_noise = [cell_of([r for r in mine if r["noise_drawn"] == noise]) for noise in noises]
            by_density = [cell_of([r for r in mine if r["edges"] == edges]) for edges in densities]
            lines.append([method, *(by_noise if len(noises) > 1 else []), *by_density])
    shown = noises if len(noises) > 1 else []
    return table(["method", *shown, *[f"{e} edges per variable" for e in densities]], lines)
