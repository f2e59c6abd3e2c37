"""Figures 2 and its twins: every rival at the paper's sizes, and pages that say what claims say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from experiments import figure2, hundred_variables, ten_variables
from experiments.screens import DOMAINS, FRACTIONS
from experiments.store import check_row
from experiments.task import Task
from intersort import baselines
from intersort.baselines.registry import EXTRA_OF

Make = Callable[..., list[dict[str, Any]]]
NEURAL = {name for name, extra in EXTRA_OF.items() if extra == "neural"}
SIZES = [(figure2, 30), (ten_variables, 10), (hundred_variables, 100)]


def test_every_rival_is_shown_and_the_neural_ones_are_run_elsewhere() -> None:
    assert set(figure2.SHOWN) == set(baselines.available())
    assert len(set(figure2.SHOWN)) == len(figure2.SHOWN)
    assert set(figure2.SHOWN) - set(figure2.METHODS) == NEURAL
    assert [m for m in figure2.SHOWN if m not in NEURAL] == list(figure2.METHODS)


@pytest.mark.parametrize(("module", "d"), SIZES)
def test_the_grid_is_the_paper_s(module: Any, d: int) -> None:
    cells = [task.cell for task in module.tasks("full")]
    methods = getattr(module, "METHODS", figure2.METHODS)
    assert len(cells) == len(DOMAINS) * 10 * len(FRACTIONS) * len(methods)
    assert {cell["d"] for cell in cells} == {d}
    assert {cell["fraction"] for cell in cells} == set(FRACTIONS)


def test_a_row_says_what_was_measured_and_on_what() -> None:
    task = next(t for t in figure2.tasks("smoke") if t.cell["method"] == "sort_ranking")
    row = figure2.solve(Task("figure2", task.cell))
    assert row["status"] == "ok"
    assert set(row) == {"d_top", "noise_drawn", "score", "seconds", "seed", "status"}
    check_row(dict(task.cell), row)


@pytest.mark.parametrize(("module", "d"), SIZES)
def test_a_page_says_what_its_claims_say(
    module: Any, d: int, grid_rows: Make, tmp_path: Path
) -> None:
    def error(domain: str, fraction: float, k: int) -> float | None:
        return 9 - 4 * fraction + k % 3

    methods = {"sort_ranking": error, "intersort_paper": error, "gies": None, "random": 15.0}
    rows = grid_rows(methods, domains=["linear"], n=3)
    text = module.report(rows, tmp_path)
    for claim in getattr(module, "claims", lambda _: [])(rows):
        assert claim.measured in text
    assert "nan" not in text
    assert "## Linear" in text
    assert "## Neural network" not in text
    if "gies" in getattr(module, "SHOWN", ()):
        assert "| gies | 3 out of time |" in text


def test_sortranking_at_a_hundred_variables(grid_rows: Make) -> None:
    rows = grid_rows({"sort_ranking": lambda _, f, k: 50 - 40 * f, "intersort_paper": 3.0})
    (claim,) = hundred_variables.claims(rows)
    assert claim.verdict == "holds"
    assert "Linear 30.00 [30.00, 30.00]" in claim.measured
    (claim,) = hundred_variables.claims(grid_rows({"intersort_paper": lambda _, f, k: 5 - f}))
    assert claim.verdict == "not decided"
