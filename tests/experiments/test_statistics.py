"""Intervals cover what they say, differences are paired, and nothing is decided by accident."""

from __future__ import annotations

import math

import numpy as np
import pytest

from experiments.statistics import Estimate, by, estimate, paired_difference, pairs, verdict

ON = ("dataset",)


def rows_of(values: list[float | None], method: str = "ours") -> list[dict]:
    return [{"dataset": k, "method": method, "d_top": v} for k, v in enumerate(values)]


@pytest.mark.parametrize("n", [3, 10])
@pytest.mark.parametrize("law", ["normal", "counts"])
def test_an_interval_covers_the_mean_95_times_of_100(n: int, law: str) -> None:
    """Over 4,000 draws a share of 0.95 is known to 0.0035; counts are close to normal here."""
    rng = np.random.default_rng(n)
    draws = rng.normal(7, 3, (4000, n)) if law == "normal" else rng.poisson(7, (4000, n))
    found = [estimate(values) for values in draws]
    covered = np.mean([e.low <= 7 <= e.high for e in found])
    assert abs(covered - 0.95) < (0.012 if law == "normal" else 0.02)


def test_a_difference_of_nothing_is_significant_once_in_twenty() -> None:
    """Paired: both methods share the datasets' own difficulty, which drops out."""
    rng = np.random.default_rng(0)
    n_found, widths = 0, []
    for _ in range(2000):
        difficulty = rng.normal(10, 5, 10)
        ours, theirs = (difficulty + rng.normal(0, 1, 10) for _ in range(2))
        difference = paired_difference(rows_of(list(ours)), rows_of(list(theirs)), ON)
        n_found += difference.significant
        widths.append(difference.high - difference.low)
    assert abs(n_found / 2000 - 0.05) < 0.015
    assert np.mean(widths) < 3  # unpaired it would be about 10


def test_a_difference_that_is_there_is_found() -> None:
    ours, theirs = [1.0, 2.0, 3.5, 4.0], [3.0, 4.5, 5.0, 6.5]
    difference = paired_difference(rows_of(ours), rows_of(theirs), ON)
    assert difference.mean == pytest.approx(-2.125)
    assert difference.significant
    assert verdict(difference) == "better"
    assert verdict(paired_difference(rows_of(theirs), rows_of(ours), ON)) == "worse"


def test_rows_without_a_partner_or_a_value_are_left_out() -> None:
    ours = rows_of([1.0, 2.0, None, 4.0, 5.0])
    theirs = rows_of([0.0, None, 7.0, 3.0])
    assert pairs(ours, theirs, ON) == [(1.0, 0.0), (4.0, 3.0)]
    without_key = [{"dataset": 0, "status": "out of time"}]
    assert pairs(ours, without_key, ON) == []


def test_rows_that_the_columns_do_not_tell_apart_are_refused() -> None:
    twice = [*rows_of([1.0, 2.0]), *rows_of([3.0])]
    with pytest.raises(ValueError, match="the columns dataset do not tell these rows apart"):
        pairs(twice, rows_of([1.0]), ON)
    with pytest.raises(ValueError, match="do not tell"):
        paired_difference(rows_of([1.0]), twice, ON)


def test_few_values_decide_nothing() -> None:
    for values in ([], [5.0], [5.0, 6.0]):
        assert not estimate(values).significant
        assert verdict(estimate(values)) == f"not decided (n = {len(values)})"
    assert verdict(estimate([-1.0, 1.0, 0.5])) == "not decided (n = 3)"
    assert math.isnan(estimate([]).mean)


def test_an_estimate_reads_as_text() -> None:
    assert str(estimate([])) == "–"
    assert str(estimate([5.0])) == "5.00 (n = 1)"
    assert str(estimate([1.0, 3.0])) == "2.00 (n = 2)"
    assert str(Estimate(1.0, 0.5, 1.5, 3)) == "1.00 [0.50, 1.50]"
    assert estimate([1.0, None, 3.0]) == estimate([1.0, 3.0])  # type: ignore[list-item]


def test_rows_are_grouped_in_their_order() -> None:
    rows = [{"d": 30, "m": "b"}, {"d": 10, "m": "a"}, {"d": 30, "m": "b"}, {"m": "c"}]
    assert list(by(rows, "d", "m")) == [(30, "b"), (10, "a"), (None, "c")]
    assert [len(part) for part in by(rows, "d", "m").values()] == [2, 1, 1]
