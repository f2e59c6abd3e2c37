"""DiffIntersort: its gradient against differences, and cases that it must solve."""

import numpy as np
import pytest

import intersort
from intersort import InputError, baselines, d_top
from intersort.baselines.diffintersort import diffintersort, pull_back, scale_to_one


def sinkhorn(logarithms):
    return np.exp(scale_to_one(logarithms))


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


def test_as_a_rival_it_solves_what_shows(clear_screen):
    data, adjacency = clear_screen
    orders = [baselines.run("diffintersort", data, epsilon=0.3, rng=k).orders[0] for k in (1, 1)]
    np.testing.assert_array_equal(*orders)
    assert d_top(adjacency, orders[0]) <= 1  # it may stop short of the optimum
    score = intersort.score_orders(intersort.measure_effects(data), 0.3, 0.5)
    assert score.score(orders[0]) >= 0.98 * intersort.exact_order(score).score


def test_as_a_rival_it_climbs_the_score_of_its_settings(cut_screen):
    data, _ = cut_screen
    score = intersort.score_orders(intersort.measure_effects(data), 0.05, 0.7)
    expected = diffintersort(score, rng=3).order
    found = baselines.run("diffintersort", data, epsilon=0.05, c=0.7, rng=3)
    np.testing.assert_array_equal(found.orders, [expected])


def test_as_a_rival_it_needs_epsilon_and_control_rows(clear_screen, screen_without_control):
    with pytest.raises(InputError, match="diffintersort needs epsilon"):
        baselines.run("diffintersort", clear_screen[0])
    with pytest.raises(InputError, match="No row is a control"):
        baselines.run("diffintersort", screen_without_control, epsilon=0.3)
