"""The dynamic programme against plain enumeration."""

from __future__ import annotations

import numpy as np
import pytest

from intersort import InputError, d_top
from intersort.theory.optima import (
    mark_optimal,
    optimal_orders,
    reversible_pairs,
    summarise_optima,
)
from intersort.theory.small_cases import all_orders


def by_hand(weights, graph):
    d = len(weights)
    scores = []
    for order in all_orders(d):
        rank = np.argsort(order)
        scores.append(sum(weights[i, j] for i in range(d) for j in range(d) if rank[i] < rank[j]))
    best = all_orders(d)[np.array(scores) == max(scores)]
    return max(scores), best, [d_top(graph, order) for order in best]


@pytest.mark.parametrize("d", [1, 2, 3, 5])
@pytest.mark.parametrize("kind", ["ties", "zeros", "many"])
def test_everything_agrees_with_counting_by_hand(d, kind):
    rng = np.random.default_rng(d)
    high = {"ties": 3, "zeros": 1, "many": 50}[kind]
    weights = rng.integers(-high + 1, high, (4, d, d))
    graphs = rng.random((4, d, d)) < 0.5
    weights[:, np.arange(d), np.arange(d)] = 0
    exact, floats = summarise_optima(weights, graphs), summarise_optima(weights / 7, graphs)
    for case in range(4):
        score, orders, costs = by_hand(weights[case], graphs[case] & ~np.eye(d, dtype=bool))
        assert exact.score[case] == score
        assert floats.score[case] == pytest.approx(score / 7)
        for optima in (exact, floats):
            assert optima.n_optimal[case] == len(orders)
            assert optima.mean_cost[case] == pytest.approx(np.mean(costs))
            assert optima.least_cost[case] == min(costs)
            assert optima.worst_cost[case] == max(costs)
        assert optimal_orders(weights[case]).tolist() == orders.tolist()
        rank = np.argsort(orders, axis=1)
        expected = np.any(rank[:, :, None] > rank[:, None, :], axis=0)
        np.testing.assert_array_equal(reversible_pairs(weights[case : case + 1])[0], expected)


def test_blocks_do_not_change_anything():
    rng = np.random.default_rng(5)
    weights, graphs = rng.standard_normal((700, 9, 9)), rng.random((700, 9, 9)) < 0.3
    whole = summarise_optima(weights, graphs)
    half = summarise_optima(weights[350:], graphs[350:])
    np.testing.assert_array_equal(whole.score[350:], half.score)
    np.testing.assert_array_equal(whole.worst_cost[350:], half.worst_cost)


def test_relabelling_changes_nothing():
    rng = np.random.default_rng(6)
    weights, graph = rng.standard_normal((1, 7, 7)), rng.random((1, 7, 7)) < 0.4
    p = rng.permutation(7)
    moved = np.ix_([0], p, p)
    a, b = summarise_optima(weights, graph), summarise_optima(weights[moved], graph[moved])
    assert a.score[0] == pytest.approx(b.score[0])
    assert a.total_cost[0] == b.total_cost[0]


def test_nearly_equal_orders_count_as_equal():
    weights = np.zeros((1, 2, 2))
    weights[0, 0, 1], weights[0, 1, 0] = 1.0, 1.0 - 1e-12
    assert summarise_optima(weights, weights).n_optimal[0] == 2
    assert mark_optimal(weights).sum() == 2


def test_shapes_and_sizes_are_checked():
    with pytest.raises(InputError, match="stacks of square matrices of one shape"):
        summarise_optima(np.zeros((2, 3, 3)), np.zeros((1, 3, 3)))
    with pytest.raises(InputError, match="Up to 14 variables are possible; got 15"):
        summarise_optima(np.zeros((1, 15, 15)), np.zeros((1, 15, 15)))
