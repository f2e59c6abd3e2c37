"""Do units matter? The same data raw, standardised on the controls, and in random units."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import figure2
from .grid import DATASET, TITLES, cell_of, grid_tasks, screens_of, solve_grid
from .pages import table
from .screens import DOMAINS, Screen
from .statistics import paired_difference, verdict
from .store import Row
from .task import Task

TITLE = "Raw, standardised, rescaled"
ALSO = ("figure2",)
"""Its rows are those of the standardised data."""
SCALINGS = ("standardised", "raw", "rescaled")
FRACTIONS = (0.25, 1.0)
METHODS = tuple(method for method in figure2.METHODS if method != "random")


def screens(size: str) -> list[Screen]:
    """Figure 2's datasets in other units."""
    return [screen for scaling in SCALINGS[1:] for screen in screens_of(30, size, scaling=scaling)]


def tasks(size: str) -> list[Task]:
    """All but the neural rivals."""
    return grid_tasks("robustness", screens(size), METHODS, FRACTIONS)


def solve(task: Task) -> dict[str, Any]:
    """One method on one fraction of one dataset."""
    return solve_grid(task)


def report(rows: list[Row], folder: Path) -> str:
    """One table a domain."""
    parts = [
        (
            "Simulated data can give the order away by their units: a variable further down has "
            "a larger variance (Reisach and others 2021). The same datasets at 30 variables: as "
            "they are (raw), standardised on the control rows as everywhere in the paper, and "
            "standardised and then multiplied by a random number between 0.1 and 10 each. Mean "
            "D_top with 95 % intervals, and the paired difference to the standardised data; ▲ "
            "marks a larger error, ▼ a smaller one, where the interval leaves 0 out."
        )
    ]
    for domain in DOMAINS:
        here = [row for row in rows if row["domain"] == domain]
        if here:
            parts += [f"## {TITLES[domain]}", _table(here)]
    return "\n\n".join(parts)


def _table(rows: list[Row]) -> str:
    lines = []
    for method in METHODS:
        for fraction in FRACTIONS:
            mine = [r for r in rows if r["method"] == method and r["fraction"] == fraction]
            if not mine:
                continue
            found = {s: [r for r in mine if r.get("scaling", SCALINGS[0]) == s] for s in SCALINGS}
            line = [method, f"{fraction:.0%}", *[cell_of(found[s]) for s in SCALINGS]]
            for scaling in SCALINGS[1:]:
                difference = paired_difference(found[scaling], found[SCALINGS[0]], DATASET)
                mark = {"better": " ▼", "worse": " ▲"}.get(verdict(difference), "")
                line.append(f"{difference}{mark}")
            lines.append(line)
    header = ["method", "targets", *SCALINGS, "raw less", "rescaled less"]
    return table(header, lines)
