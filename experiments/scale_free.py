"""Figure 1 on scale-free graphs: one, two and three edges per variable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .claims import Claim
from .oracle import figure_tasks, solve_oracle
from .oracle_report import Twin, claims_of, report_twin
from .store import Row
from .task import Task

TITLE = "Figure 1 on scale-free graphs"
DENSITIES = {5: {"edges": (1, 2, 3)}, 30: {"edges": (1, 2, 3)}}
TWIN = Twin(
    name="scale_free",
    where="Appendix, scale-free twin of Figure 1",
    graphs="scale-free graphs (Barabási–Albert, edges from the new variable to the old)",
    density="edges per variable",
    guaranteed=False,
    note=(
        "p_e is 2 E(|E|) / (d (d − 1)) from the edges that were drawn. A Barabási–Albert graph "
        "with m edges for each new variable has m (d − m) edges: three per variable do not exist "
        "at d = 5, where m = 2 and m = 3 both give 6 edges and so the same p_e and the same place "
        "on the x axis (the graphs differ: with m = 3 two variables bring 3 edges each, with "
        "m = 2 three bring 2). Theorem 4 assumes Erdős–Rényi graphs and is drawn as a reference, "
        "not as a guarantee; Theorems 2 and 3 are taken graph by graph."
    ),
)


def tasks(size: str) -> list[Task]:
    """The paper's settings, 20 graphs each, 10 draws of targets each."""
    return figure_tasks("scale_free", DENSITIES, size)


def solve(task: Task) -> dict[str, Any]:
    """One method on one design."""
    return solve_oracle(task)


def report(rows: list[Row], folder: Path) -> str:
    """The page."""
    return report_twin(TWIN, rows, folder)


def claims(rows: list[Row]) -> list[Claim]:
    """What the paper says of this figure, and what we found."""
    return claims_of(TWIN, rows)
