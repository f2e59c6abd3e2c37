"""Figure 2's twin at ten variables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import figure2
from .grid import grid_tasks, report_grid, screens_of, solve_grid
from .store import Row
from .task import Task

TITLE = "Ten variables, every rival"


def tasks(size: str) -> list[Task]:
    """The grid."""
    return grid_tasks("ten_variables", screens_of(10, size), figure2.METHODS)


def solve(task: Task) -> dict[str, Any]:
    """One method on one fraction of one dataset."""
    return solve_grid(task)


def report(rows: list[Row], folder: Path) -> str:
    """The page."""
    text = (
        "The paper's figure for ten variables (appendix), made as [Figure 2](figure2.md) is: same "
        "domains, rows, settings and rivals.\n\n"
    )
    return text + report_grid("ten_variables", rows, folder, figure2.SHOWN, figure2.OURS)
