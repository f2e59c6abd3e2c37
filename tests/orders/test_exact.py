"""The exact optimum against brute force and the plain version; its ties, counted and drawn."""

import math
import re
from itertools import permutations

import numpy as np
import pytest

from intersort import ExactOrder, InputError, OrderScore, exact_order
from intersort.orders.plain import exact_order_plainly


def all_scores(weights):
    d = len(weights)
    orders = np.array(list(permutations(range(d))))
    return orders, np.array([np.triu(weights[np.ix_(o, o)], 1).sum() for o in orders])


def test_brute_force(draw):
    rng = np.random.default_rng(0)
    for d in (2, 3, 4, 5, 6):
        weights = draw(d, rng)
        orders, scores = all_scores(weights)
        tolerance = 1e-9 * abs(weights).max()
        result = exact_order(weights)
        assert result.score == pytest.approx(scores.max(), abs=tolerance)
        optimal = orders[scores >= scores.max() - tolerance]
        assert result.n_optimal == len(optimal)
        assert result.order.tolist() in optimal.tolist()


def test_seven_variables_by_brute_force():
    weights = np.random.default_rng(1).integers(-2, 3, size=(7, 7)).astype(float)
    np.fill_diagonal(weights, 0)
    _, scores = all_scores(weights)
    result = exact_order(weights)
    assert (result.score, result.n_optimal) == (scores.max(), (scores == scores.max()).sum())


def test_the_plain_version(draw):
    rng = np.random.default_rng(2)
    for d in range(2, 10):
        weights = draw(d, rng)
        value, n_optimal = exact_order_plainly(weights)
        result = exact_order(weights)
        assert result.score == pytest.approx(value, abs=1e-9 * abs(weights).max())
        assert result.n_optimal == n_optimal


def test_ties_are_counted_step_by_step():
    """Every order within the tolerance of the optimum, and none beyond d times it."""
    rng = np.random.default_rng(3)
    differ = 0
    for _ in range(60):
        weights = rng.integers(-1, 2, size=(5, 5)) + rng.integers(-9, 10, size=(5, 5)) * 3e-10
        np.fill_diagonal(weights, 0)
        _, scores = all_scores(weights)
        tolerance = 1e-9 * abs(weights).max()
        within = (scores >= scores.max() - tolerance).sum()
        within_d_times = (scores >= scores.max() - 5 * tolerance * (1 + 1e-6)).sum()
        n_optimal = exact_order(weights).n_optimal
        assert within <= n_optimal <= within_d_times
        differ += within != n_optimal
    assert differ  # near-ties were planted, so the two counts are not one and the same


def test_all_orders_of_twenty_variables_are_counted():
    score = OrderScore(np.zeros((0, 20)), np.zeros(0, dtype=np.int64), tuple(map(str, range(20))))
    result = exact_order(score)
    assert result.n_optimal == math.factorial(20)
    assert result.order.tolist() == list(range(20))
    drawn = result.sample_optimal(3)
    assert (np.sort(drawn, axis=1) == np.arange(20)).all()


def test_samples_are_the_optimal_orders_each_as_often():
    weights = np.zeros((5, 5))
    weights[0, 1] = weights[2, 3] = weights[0, 3] = 1.0
    orders, scores = all_scores(weights)
    optimal = orders[scores == 3.0]
    result = exact_order(weights)
    assert result.n_optimal == len(optimal) == 25
    drawn = result.sample_optimal(5000, rng=1)
    assert drawn.dtype == np.int64
    found, counts = np.unique(drawn, axis=0, return_counts=True)
    np.testing.assert_array_equal(found, optimal)
    expected = 5000 / 25
    chi_square = ((counts - expected) ** 2 / expected).sum()
    assert chi_square < 51.2  # the 99.9 % quantile at 24 degrees of freedom


def test_drawing_is_deterministic_and_none_is_seed_zero():
    result = exact_order(np.zeros((4, 4)))
    np.testing.assert_array_equal(result.sample_optimal(9), result.sample_optimal(9, rng=0))
    assert not np.array_equal(result.sample_optimal(9), result.sample_optimal(9, rng=1))
    assert result.sample_optimal(0).shape == (0, 4)


def test_a_unique_optimum_is_drawn_always():
    result = exact_order(np.triu(np.ones((6, 6)), 1))
    assert result.n_optimal == 1
    assert "the only one" in repr(result)
    assert (result.sample_optimal(5) == np.arange(6)).all()


def test_result_is_proven():
    result = exact_order(np.random.default_rng(4).normal(size=(7, 7)))
    assert isinstance(result, ExactOrder)
    assert result.is_optimal
    assert result.upper_bound == result.score
    assert result.method == "exact_order"


@pytest.mark.parametrize(
    ("d", "cost"),
    [
        (21, "about 0.22 seconds and 34 MB"),
        (30, "about 160 seconds and 17 GB"),
        (40, "about 2.5 days and 18 TB"),
        (60, r"about 11,?000 years and 18000 PB"),
        (1000, r"about 10\^288 years and 10\^287 PB"),
    ],
)
def test_refuses_more_than_twenty_with_the_cost(d, cost):
    with pytest.raises(InputError, match="up to 20 variables") as caught:
        exact_order(np.zeros((d, d)))
    assert re.search(cost, str(caught.value)), str(caught.value)
    assert f"{d}! orders are more than 64 bits can count" in str(caught.value)
    assert "Use find_order instead" in str(caught.value)
    assert "local_search" in str(caught.value)


@pytest.mark.parametrize("n", [-1, 1.5, "3", True])
def test_refuses_a_number_of_samples(n):
    with pytest.raises(InputError, match="n must be a whole number of orders"):
        exact_order(np.zeros((2, 2))).sample_optimal(n)
