"""How long each method takes on neural-network data, at ten and at thirty variables, and the ratio.

To be run alone, one task at a time (`--jobs 1`): the rows are times.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import figure2
from .figures import draw_curves
from .grid import SMOKE_D, grid_tasks, solve_grid
from .pages import figure, table
from .screens import FRACTIONS, Screen
from .store import Row
from .task import Task

TITLE = "Training time"
NEURAL = ("dcdi", "pacer")
METHODS = tuple(m for m in figure2.SHOWN if m not in ("random", "local_search", *NEURAL))
DRAWN = (
    "intersort_paper",
    "intersort",
    "sort_ranking",
    "interventional_bic",
    "gies",
    "pc",
    "ease",
    "dcdi",
    "pacer",
)
"""The paper's methods, ours and the strongest besides; the table has all."""
SIZES = (10, 30)
NEURAL_CPU_SECONDS = 1800.0
SMALL = Screen("nn", SMOKE_D, 1, 0, n_control=300, n_per_target=30)
FEW_STEPS = 100
"""Of the neural rivals on the small problem."""


def tasks(size: str) -> list[Task]:
    """One dataset a size, every fraction; the neural rivals last."""
    if size == "smoke":
        return grid_tasks("training_time", [SMALL], (*METHODS, *NEURAL))
    screens = [Screen("nn", d, 2, 0) for d in SIZES]
    quick = grid_tasks("training_time", screens, METHODS)
    return quick + grid_tasks("training_time", screens, NEURAL, cpu_seconds=NEURAL_CPU_SECONDS)


def solve(task: Task) -> dict[str, Any]:
    """Run it, after a small run so that nothing compiled or imported is timed.

    The small run is all there is to a smoke test.
    """
    cell = dict(task.cell)
    few_steps = {"max_steps": FEW_STEPS} if cell["method"] in NEURAL else {}
    small = Task(task.experiment, cell | SMALL.cell, cpu_seconds=task.cpu_seconds)
    row = solve_grid(small, **few_steps)
    return row if cell["d"] == SMOKE_D else solve_grid(task)


def report(rows: list[Row], folder: Path) -> str:
    """Two panels and their ratio."""
    methods = [m for m in figure2.SHOWN if any(row["method"] == m for row in rows)]
    drawn = [m for m in methods if m in DRAWN]
    seconds = {(r["method"], r["d"], r["fraction"]): r["seconds"] for r in rows if "seconds" in r}
    text = (
        "The paper's figure of training times, on neural-network data with two edges per "
        "variable. Measured on the CPU, one core, one problem at a time, nothing else running, "
        "one repetition a fraction, after a first run on a small problem (so that no compilation "
        "is timed); the last digits mean nothing. What the time includes is the same for all: "
        "from the rows to the order."
    )
    parts = [text]
    sizes = sorted({row["d"] for row in rows})
    for d in sizes:
        curves = {m: [(f, seconds[m, d, f]) for f in FRACTIONS if (m, d, f) in seconds]
                  for m in drawn}  # fmt: skip
        name = draw_curves(
            folder / f"training_time_{d}.svg",
            {m: points for m, points in curves.items() if points},
            x_label="share of variables intervened on",
            y_label="seconds",
            log_y=True,
        )
        parts.append(figure(name, f"Seconds from rows to order at {d} variables, log axis."))
    if len(sizes) == 2:
        parts.append(_ratio(seconds, drawn, sizes, folder))
    lines = [[m, d, *[_seconds(rows, m, d, f) for f in FRACTIONS]] for m in methods for d in sizes]
    parts.append("Seconds:")
    parts.append(table(["method", "variables", *[f"{f:.0%}" for f in FRACTIONS]], lines))
    return "\n\n".join(parts)


def _ratio(seconds: dict[Any, float], methods: list[str], sizes: list[int], folder: Path) -> str:
    """How many times longer the larger problem takes."""
    few, many = sizes
    curves = {}
    for m in methods:
        points = [
            (f, seconds[m, many, f] / max(seconds[m, few, f], 1e-4))
            for f in FRACTIONS
            if (m, many, f) in seconds and (m, few, f) in seconds
        ]
        if points:
            curves[m] = points
    name = draw_curves(
        folder / "training_time_ratio.svg",
        curves,
        x_label="share of variables intervened on",
        y_label=f"time at {many} over time at {few}",
        log_y=True,
    )
    return figure(name, f"Time at {many} variables over time at {few}, log axis.")


def _seconds(rows: list[Row], method: str, d: int, fraction: float) -> str:
    """The seconds of one cell, or why there are none."""
    for row in rows:
        if (row["method"], row["d"], row["fraction"]) == (method, d, fraction):
            time = f"{row['seconds']:.3g}" if "seconds" in row else ""
            why = "" if row["status"].startswith("ok") else row["status"].partition(":")[0]
            return " ".join(part for part in (time, f"({why})" if why else "") if part)
    return "not run"
