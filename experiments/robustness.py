"""Do units matter? The same data raw, standardised on the controls, and in random units."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import figure2
from .claims import Claim, as_line, overall
from .figure2_claims import OURS
from .grid import (
    DATASET,
    TITLES,
    cell_of,
    difference_of,
    errors,
    grid_tasks,
    n_datasets,
    screens_of,
    solve_grid,
)
from .pages import table
from .screens import DOMAINS, Screen
from .statistics import FEWEST, Estimate, by, estimate, paired_difference
from .store import Row
from .task import Task

TITLE = "Raw, standardised, rescaled"
ALSO = ("figure2",)
"""Its rows are those of the standardised data."""
SCALINGS = ("standardised", "raw", "rescaled")
FRACTIONS = (0.25, 1.0)
METHODS = tuple(method for method in figure2.METHODS if method != "random")
MARGIN = 0.1
"""A change of the error by less than this share of itself is none."""


def screens(size: str) -> list[Screen]:
    """Figure 2's datasets in other units."""
    return [screen for scaling in SCALINGS[1:] for screen in screens_of(30, size, scaling=scaling)]


def tasks(size: str) -> list[Task]:
    """All but the neural rivals."""
    return grid_tasks("robustness", screens(size), METHODS, FRACTIONS)


def solve(task: Task) -> dict[str, Any]:
    """One method on one fraction of one dataset."""
    return solve_grid(task)


def scaling_of(row: Row) -> str:
    """The scaling of a row; Figure 2's are standardised."""
    return str(row.get("scaling", SCALINGS[0]))


def changes(rows: list[Row], method: str) -> list[tuple[Estimate, float]]:
    """A method's error raw and rescaled less standardised, and its mean standardised error.

    One for every domain, share of targets and scaling, also where there are no rows.
    """
    mine = [row for row in rows if row["method"] == method]
    found = {
        (domain, fraction, scaling): part
        for (domain, fraction), here in by(mine, "domain", "fraction").items()
        for scaling in SCALINGS
        if (part := [row for row in here if scaling_of(row) == scaling])
    }
    each = []
    for domain in DOMAINS:
        for fraction in FRACTIONS:
            usual = found.get((domain, fraction, SCALINGS[0]), [])
            for scaling in SCALINGS[1:]:
                other = found.get((domain, fraction, scaling), [])
                difference = paired_difference(other, usual, DATASET)
                each.append((difference, estimate(errors(usual)).mean))
    return each


def is_same(change: Estimate, error: float) -> bool:
    """Whether the whole interval of a change is small beside the error."""
    allowed = MARGIN * error
    return change.n >= FEWEST and -allowed <= change.low and change.high <= allowed


def claims(rows: list[Row]) -> list[Claim]:
    """Does it matter whether the data are standardised?"""
    found = changes(rows, OURS)
    same = sum(is_same(*each) for each in found)
    other = sum(change.significant and not is_same(change, e) for change, e in found)
    largest = max((abs(change.mean) for change, _ in found if change.n), default=None)
    known = "" if largest is None else f", by {largest:.2f} edges on average at most"
    return [
        Claim(
            "Introduction",
            "Intersort is robust to data normalization, where many recent methods fail.",
            f"D_top of `{OURS}` raw and rescaled less standardised, on the same datasets: the same "
            f"in {same} of {len(found)} comparisons (domain × share of targets × scaling), "
            f"significantly different in {other}{known}. Of the rivals change significantly: "
            f"{_who_change(rows)}.",
            overall(same, other, len(found) - same - other),
            f"The same is taken as a whole interval within {MARGIN:.0%} of the error. Distances "
            "are in standard deviations of the controls, whatever the unit; see "
            "[raw, standardised, rescaled](robustness.md).",
        )
    ]


def _who_change(rows: list[Row]) -> str:
    """The rivals with a significant change, and in how many comparisons of those they have."""
    lines, n_all = [], 0
    for method in METHODS:
        known = [change for change, _ in changes(rows, method) if change.n >= FEWEST]
        n_all += len(known)
        n = sum(change.significant for change in known)
        if n and method != OURS:
            lines.append((n, f"`{method}` in {n} of {len(known)}"))
    listed = ", ".join(text for _, text in sorted(lines, key=lambda line: -line[0]))
    return listed or ("none" if n_all else "not run")


def report(rows: list[Row], folder: Path) -> str:
    """One table a domain."""
    parts = [
        (
            "Simulated data can give the order away by their units: a variable further down has "
            "a larger variance (Reisach and others 2021). The same datasets at 30 variables: as "
            "they are (raw), standardised on the control rows as everywhere in the paper, and "
            "standardised and then multiplied by a random number between 0.1 and 10 each "
            "(rescaled). Mean D_top with 95 % intervals, and the paired difference to the "
            "standardised data; ▲ marks a larger error than on standardised data, ▼ a smaller "
            "one, where the interval leaves 0 out. A method whose differences are all 0 does not "
            "look at units."
        ),
        as_line(claims(rows)[0]),
    ]
    for domain in DOMAINS:
        here = [row for row in rows if row["domain"] == domain and row["fraction"] in FRACTIONS]
        if here:
            parts += [f"## {TITLES[domain]}", _table(here)]
    return "\n\n".join(parts)


def _table(rows: list[Row]) -> str:
    n, lines = n_datasets(rows), []
    for method in METHODS:
        for fraction in FRACTIONS:
            mine = [r for r in rows if r["method"] == method and r["fraction"] == fraction]
            if not mine:
                continue
            found = {s: [row for row in mine if scaling_of(row) == s] for s in SCALINGS}
            line = [method, f"{fraction:.0%}", *[cell_of(found[s], n) for s in SCALINGS]]
            usual = found[SCALINGS[0]]
            line += [difference_of(found[s], usual, DATASET, n) for s in SCALINGS[1:]]
            lines.append(line)
    less = [f"{scaling} less standardised" for scaling in SCALINGS[1:]]
    return table(["method", "targets", *SCALINGS, *less], lines)
