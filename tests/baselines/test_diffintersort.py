"""DiffIntersort: its gradient against differences, and cases that it must solve."""

import numpy as np
import pytest

import intersort
from intersort.baselines.diffintersort import diffintersort, pull_back, sinkhorn


def test_sinkhorn_is_doubly_stochastic():
    soft = sinkhorn(np.random.default_rng(0).normal(size=(7, 7)))
    np.testing.assert_allclose(soft.sum(axis=0), 1, atol=1e-3)
    np.testing.assert_allclose(soft.sum(axis=1), 1, atol=1e-3)


def test_slope_is_that_of_finite_differences(monkeypatch):
    monkeypatch.setattr("intersort.baselines.diffintersort.CLOSE_ENOUGH", 1e-14)
    rng = np.random.default_rng(1)
    logarithms, slope = rng.normal(size=(5, 5)), rng.normal(size=(5, 5))
    found = pull_back(sinkhorn(logarithms), slope)
    for i in range(5):
        for j in range(5):
            step = np.zeros((5, 5))
            step[i, j] = 1e-6
            difference = sinkhorn(logarithms + step) - sinkhorn(logarithms - step)
            assert found[i, j] == pytest.approx((difference * slope).sum() / 2e-6, abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_solves_what_has_no_conflict(seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(8)
    weights = np.zeros((8, 8))
    weights[np.ix_(order, order)] = np.triu(rng.uniform(1, 2, size=(8, 8)), 1)
    result = diffintersort(weights, rng=seed)
    assert result.score >= 0.98 * intersort.exact_order(weights).score
    assert result.score == pytest.approx(np.triu(weights[np.ix_(result.order, result.order)]).sum())


def test_starts_at_the_initial_order_and_keeps_the_best():
    weights = np.random.default_rng(3).normal(size=(12, 12))
    best = intersort.exact_order(weights)
    assert diffintersort(weights, initial=best).score == pytest.approx(best.score)


def test_stops_when_time_is_over_and_says_so():
    weights = np.random.default_rng(0).normal(size=(40, 40))
    result = diffintersort(weights, time_limit=0.05)
    assert result.interrupted
    assert sorted(result.order) == list(range(40))
