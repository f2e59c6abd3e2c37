"""Experiments by name: each is a file of this folder with `tasks`, `solve` and `report`."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Protocol

from .store import Row
from .task import Task

NAMES: tuple[str, ...] = (
    "figure1",
    "scale_free",
    "selection",
    "large",
    "depth",
    "optimality",
    "distances",
    "real_data",
    "hidden",
    "correlations",
    "strength",
    "epsilon",
    "wasserstein_rate",
    "ten_variables",
    "figure2",
    "efficiency",
    "noise",
    "hundred_variables",
    "readings",
    "robustness",
    "training_time",
    "neural_tuning",
    "verdict",
)
"""In the order in which `run all` takes them: quick ones first."""


class Experiment(Protocol):
    """What an experiment's file holds."""

    TITLE: str

    def tasks(self, size: str) -> list[Task]:
        """Everything to run, at the paper's size or as a smoke test."""
        ...

    def solve(self, task: Task) -> dict[str, Any]:
        """Make one row."""
        ...

    def report(self, rows: list[Row], folder: Path) -> str:
        """Write the figures to the folder; return the page."""
        ...


def find(name: str) -> Experiment:
    """The file of that name; a name with dots is a module of your own that holds the same."""
    if name not in NAMES and "." not in name:
        raise SystemExit(
            f"experiments: there is no {name!r}; choose from {', '.join(NAMES)} or all"
        )
    module: Any = importlib.import_module(name if "." in name else f"{__package__}.{name}")
    return module  # type: ignore[no-any-return]
