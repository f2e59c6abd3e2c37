"""By how much errors fall with interventions: paired by dataset, and nothing made of few."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from experiments import falls
from experiments.grid import ON
from experiments.screens import DOMAINS

Make = Callable[..., list[dict[str, Any]]]


def verdict(rows: list[dict[str, Any]]) -> str:
    return falls.claim_of_falls(rows, "ours", where="", says="", why="").verdict


def test_a_fall_is_that_of_the_same_dataset(grid_rows: Make) -> None:
    """The datasets' own difficulty, which differs wildly, drops out."""
    rows = grid_rows({"ours": lambda _, fraction, k: 100.0 * k - 4 * fraction}, domains=["nn"])
    found = falls.falls(rows, "ours", "nn")
    assert [row["fall"] for row in found] == pytest.approx([3.0] * 6)
    assert set(found[0]) == {*ON, "fall"}
    assert falls.fall(rows, "ours", "nn").significant
    backwards = falls.falls(rows[::-1], "ours", "nn")
    assert [row["fall"] for row in backwards] == pytest.approx([3.0] * 6)


def test_a_dataset_that_lacks_an_end_has_no_fall(grid_rows: Make) -> None:
    def error(domain: str, fraction: float, k: int) -> float | None:
        return None if (k, fraction) in ((0, 0.25), (1, 1.0), (2, 0.5)) else 1.0

    rows = grid_rows({"ours": error}, domains=["nn"])
    assert len(falls.falls(rows, "ours", "nn")) == 4  # what lies between the ends is not asked
    assert falls.falls(rows, "ours", "linear") == []
    assert falls.falls(rows, "other", "nn") == []


def test_the_error_left_is_of_datasets_that_have_both_ends(grid_rows: Make) -> None:
    def error(_: str, fraction: float, k: int) -> float | None:
        if k == 5 and fraction == 1:
            return None
        return (100.0 if k == 5 else 8.0) * (0.25 if fraction == 1 else 1.0)

    rows = grid_rows({"ours": error, "none": 0.0}, domains=["nn"])
    assert falls.error_left(rows, "ours", "nn") == 0.25
    assert falls.error_left(rows, "none", "nn") is None
    assert falls.error_left(rows, "absent", "nn") is None


def test_a_step_up_between_the_ends_is_found(grid_rows: Make) -> None:
    errors = {0.25: 9.0, 0.5: 4.0, 0.75: 2.0, 1.0: 3.0}
    rows = grid_rows({"ours": lambda domain, f, k: errors[f]}, domains=["linear"])
    assert falls.rises(rows, "ours") == ["Linear, 75% to 100%"]
    assert falls.rises(grid_rows({"ours": lambda _, f, k: 5 - f}), "ours") == []


def test_the_verdict_follows_the_falls(grid_rows: Make) -> None:
    def falling(_: str, fraction: float, k: int) -> float:
        return 10 - 4 * fraction + 0.1 * k

    def nn_rises(domain: str, fraction: float, k: int) -> float:
        return 10 + (4 if domain == "nn" else -4) * fraction

    def bump(_: str, fraction: float, k: int) -> float:
        return {0.25: 9.0, 0.5: 2.0, 0.75: 3.0, 1.0: 1.0}[fraction]

    assert verdict(grid_rows({"ours": falling})) == "holds"
    assert verdict(grid_rows({"ours": bump})) == "holds partly"
    assert verdict(grid_rows({"ours": nn_rises})) == "holds partly"
    assert verdict(grid_rows({"ours": lambda _, f, k: 1 + f})) == "does not hold"
    assert verdict(grid_rows({"ours": 3.0})) == "not decided"


def test_what_is_missing_is_not_decided(grid_rows: Make) -> None:
    def falling(_: str, fraction: float, k: int) -> float:
        return 10 - 4 * fraction

    assert verdict(grid_rows({"ours": falling}, domains=DOMAINS[1:])) == "holds partly"
    assert verdict(grid_rows({"ours": falling}, n=2)) == "not decided"
    assert verdict(grid_rows({"ours": falling}, fractions=[1.0])) == "not decided"
    assert verdict([]) == "not decided"
