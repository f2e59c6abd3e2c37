"""Where the paper's text and the code that it ran disagree: both readings side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .grid import (
    ON,
    TITLES,
    cell_of,
    difference_of,
    grid_tasks,
    n_datasets,
    over_fractions,
    screens_of,
    solve_grid,
)
from .pages import table
from .screens import DOMAINS, Screen
from .store import Row
from .task import Task

TITLE = "The text's reading and the code's"
ALSO = ("figure2",)
"""Its rows are those of the code's reading."""
METHODS = ("sort_ranking", "intersort_paper", "intersort")
VARIANTS: dict[str, dict[str, str]] = {
    "code": {},
    "text": {"reading": "text"},
    "code, wild type's half response": {"half_response": "wild_type"},
    "code, long sampler": {"sampler": "long"},
    "code, both": {"half_response": "wild_type", "sampler": "long"},
}
"""The first two for every domain, the others for gene regulation."""


def screens(size: str) -> list[Screen]:
    """Figure 2's datasets in every other variant; the graphs and targets are the same in all."""
    found = screens_of(30, size, reading="text")
    for name in list(VARIANTS)[2:]:
        found += screens_of(30, size, ("gene_regulation",), **VARIANTS[name])
    return found


def tasks(size: str) -> list[Task]:
    """Three methods on all of them."""
    return grid_tasks("readings", screens(size), METHODS)


def solve(task: Task) -> dict[str, Any]:
    """One method on one fraction of one dataset."""
    return solve_grid(task)


def variant_of(row: Row) -> str:
    """The name of the variant that a row was made with; Figure 2's rows are the code's."""
    given = {key: row[key] for key in ("reading", "half_response", "sampler") if row.get(key)}
    return next(name for name, settings in VARIANTS.items() if settings == given)


def report(rows: list[Row], folder: Path) -> str:
    """One table a domain."""
    parts = [INTRODUCTION]
    for domain in DOMAINS:
        here = [r for r in rows if r["domain"] == domain and r["method"] in METHODS]
        if here:
            parts += [f"## {TITLES[domain]}", _table(here)]
    return "\n\n".join(parts)


INTRODUCTION = (
    "Where the paper's text and its public code differ, this project can follow either. In "
    "`linear` and `rff` the text sets a target to one constant, the code draws afresh in each row, "
    "and heteroscedastic scales differ; in `nn` the code standardises the inputs of the networks; "
    "in gene regulation the code reads regulators some steps later than the genes below them. "
    "Every figure uses the code's reading; here the text's stands beside it. Gene regulation is "
    "shown besides with the half response (the concentration at which a regulator has half of its "
    "effect) fixed at the wild type's, as a biologist would expect, where the code computes it "
    "anew for each knock-out, and with a sampler that runs for longer, so that its cells are "
    "nearly independent. ε is the paper's throughout. The graphs and targets are the same in all. "
    "Mean D_top with 95 % intervals by the share of variables intervened on; the last column is "
    "the paired difference to the code's reading, each dataset counted once, by its mean over the "
    "shares: ▲ marks a larger error than with the code's reading, ▼ a smaller one, where the "
    "interval leaves 0 out."
)


def _table(rows: list[Row]) -> str:
    fractions = sorted({row["fraction"] for row in rows})
    lines = []
    for method in METHODS:
        found = by_variant([row for row in rows if row["method"] == method])
        n = max((n_datasets(part) for part in found.values()), default=0)
        code = over_fractions(found.get("code", []), fractions)
        for variant, here in found.items():
            cells = [cell_of([r for r in here if r["fraction"] == f], n) for f in fractions]
            mean = over_fractions(here, fractions)
            change = "" if variant == "code" else difference_of(mean, code, ON, n)
            lines.append([method, variant, *cells, change])
    header = ["method", "variant", *[f"{f:.0%}" for f in fractions], "less the code's"]
    return table(header, lines)


def by_variant(rows: list[Row]) -> dict[str, list[Row]]:
    """Rows of the variants that there are, in the order of `VARIANTS`."""
    found = {variant: [r for r in rows if variant_of(r) == variant] for variant in VARIANTS}
    return {variant: part for variant, part in found.items() if part}
