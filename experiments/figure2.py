"""Figure 2: thirty variables, four kinds of data, four fractions, every rival."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .claims import as_line
from .figure2_claims import OURS as PAPER
from .figure2_claims import cell_table, claims, share_table
from .grid import grid_tasks, report_grid, screens_of, solve_grid
from .store import Row
from .task import Task

__all__ = ["METHODS", "OURS", "SHOWN", "TITLE", "claims", "report", "solve", "tasks"]

TITLE = "Figure 2: thirty variables, every rival"
OURS = ("intersort_paper", "intersort")
METHODS = (
    *OURS,
    "sort_ranking",
    "local_search",
    "mean_shift",
    "changes",
    "diffintersort",
    "interventional_bic",
    "permscore",
    "igsp",
    "gies",
    "pc",
    "ease",
    "score_matching",
    "r2_sort",
    "var_sort",
    "random",
)
SHOWN = (*METHODS[:10], "dcdi", "pacer", *METHODS[10:])
"""The neural rivals' rows come from `experiments.neural`, many datasets at once."""


def tasks(size: str) -> list[Task]:
    """The grid."""
    return grid_tasks("figure2", screens_of(30, size), METHODS)


def solve(task: Task) -> dict[str, Any]:
    """One method on one fraction of one dataset."""
    return solve_grid(task)


def report(rows: list[Row], folder: Path) -> str:
    """The page."""
    text = (
        "The paper's Figure 2 (linear, random Fourier features, neural network, gene regulation; "
        "30 variables; ten datasets a domain, five with one and five with two edges per variable; "
        "5,000 control rows and 100 per target, standardised). Methods that give a graph are "
        "judged by the mean over 20 random topological orders of it. ε is the paper's: 0.3, in "
        "gene regulation 0.5; `intersort` takes its own from the data.\n\n"
    )
    said = (
        "## What the paper says of it\n\n"
        + "\n\n".join(as_line(claim) for claim in claims(rows))
        + f"\n\nD_top of `{PAPER}` as a share of that of random orders of the same dataset, with "
        + "95 % intervals:\n\n"
        + share_table(rows)
        + "\n\nCell by cell against the rivals of the paper, paired on the same datasets (✓ as "
        + "the paper says, ✗ the other way round, no mark where the interval holds 0):\n\n"
        + cell_table(rows)
    )
    return text + said + "\n\n" + report_grid("figure2", rows, folder, SHOWN, OURS)
