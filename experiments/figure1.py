"""Figure 1: oracle distances on Erdős–Rényi graphs of 5 and 30 variables, with the bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .claims import Claim
from .oracle import figure_tasks, solve_oracle
from .oracle_report import Twin, claims_of, report_twin
from .store import Row
from .task import Task

TITLE = "Figure 1: oracle distances, 5 and 30 variables, and the bounds"
DENSITIES = {5: {"p_e": (0.5, 0.66, 0.75)}, 30: {"p_e": (0.05, 0.1, 0.2)}}
TWIN = Twin(
    name="figure1",
    where="Figure 1",
    graphs="Erdős–Rényi graphs",
    density="p_e",
    guaranteed=True,
)


def tasks(size: str) -> list[Task]:
    """The paper's settings, 20 graphs each, 10 draws of targets each."""
    return figure_tasks("figure1", DENSITIES, size)


def solve(task: Task) -> dict[str, Any]:
    """One method on one design."""
    return solve_oracle(task)


def report(rows: list[Row], folder: Path) -> str:
    """The page."""
    return report_twin(TWIN, rows, folder)


def claims(rows: list[Row]) -> list[Claim]:
    """What the paper says of this figure, and what we found."""
    return claims_of(TWIN, rows)
