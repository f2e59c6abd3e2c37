"""A hundred variables: the paper shows SORTRANKING alone, we set what can follow beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .claims import Claim, as_line
from .falls import claim_of_falls
from .grid import grid_tasks, report_grid, screens_of, solve_grid
from .store import Row
from .task import Task

TITLE = "A hundred variables"
METHODS = ("sort_ranking", "intersort_paper", "mean_shift", "changes", "random")
OURS = ("sort_ranking", "intersort_paper")


def tasks(size: str) -> list[Task]:
    """The grid."""
    return grid_tasks("hundred_variables", screens_of(100, size), METHODS)


def solve(task: Task) -> dict[str, Any]:
    """One method on one fraction of one dataset."""
    return solve_grid(task)


def claims(rows: list[Row]) -> list[Claim]:
    """What the paper draws."""
    return [
        claim_of_falls(
            rows,
            "sort_ranking",
            where="Appendix, 100 variables",
            says="SORTRANKING alone at a hundred variables: its error falls with more "
            "interventions.",
            why="The paper draws it and says nothing of it; see "
            "[a hundred variables](hundred_variables.md).",
        )
    ]


def report(rows: list[Row], folder: Path) -> str:
    """The page."""
    text = (
        "The paper's figure for a hundred variables (appendix) shows SORTRANKING alone. Beside it "
        "here: the paper's whole method (`intersort_paper`), which our search makes affordable at "
        "this size, and the quick rivals; `intersort` is left out for the time that its proofs and "
        "ties take. Settings as in "
        "[Figure 2](figure2.md).\n\n"
    )
    said = as_line(claims(rows)[0]) + "\n\n"
    return text + said + report_grid("hundred_variables", rows, folder, METHODS, OURS)
