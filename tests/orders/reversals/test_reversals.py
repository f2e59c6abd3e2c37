"""Bounds and orders behind the ties: each step against plain NumPy or enumeration."""

from itertools import permutations

import numpy as np
import pytest

from intersort.orders.reversals import _kernels
from intersort.orders.reversals.component import ComponentBound
from intersort.orders.reversals.exact import exact_costs

NOTHING = np.zeros((0, 0), dtype=bool)


def draw_net(d, rng):
    weights = rng.normal(size=(d, d))
    return weights - weights.T


def half_value(net, order):
    return np.triu(net[np.ix_(order, order)], 1).sum() / 2


def test_every_order_loses_what_its_pairs_lose_together():
    rng = np.random.default_rng(0)
    for _ in range(10):
        net = draw_net(6, rng)
        required = np.zeros((6, 6), dtype=bool)
        required[0, 3] = True
        part = ComponentBound(net, required)
        part.improve(1e7, -np.inf, rng)
        losses = part.losses()
        assert np.isinf(losses[0, 3])
        losses[0, 3] = 0
        for order in permutations(range(6)):
            if order.index(0) < order.index(3):
                lost = np.tril(losses[np.ix_(order, order)]).sum()
                assert half_value(net, order) <= part.bound - lost + 1e-9


def test_bound_of_orders_with_a_pair_reversed():
    rng = np.random.default_rng(1)
    none = np.zeros((6, 6), dtype=bool)
    for _ in range(10):
        net = draw_net(6, rng)
        part = ComponentBound(net, none)
        part.improve(1e7, -np.inf, rng)
        costs, order = exact_costs(net / 2, None)
        i, j = order[1], order[4]
        best = half_value(net, order) - costs[i, j]
        bound, spent = part.bound_reversed(int(i), int(j), 1e7, -np.inf)
        assert best - 1e-9 <= bound <= best + 1e-4
        assert spent > 0


def test_detours_and_chains_in_plain_numpy():
    rng = np.random.default_rng(2)
    losses = np.maximum(draw_net(7, rng), 0)
    total = losses.copy()
    _kernels.add_detours(losses, total)
    expected = losses + np.minimum(losses[:, :, None], losses[None, :, :]).sum(axis=1)
    off = ~np.eye(7, dtype=bool)
    np.testing.assert_allclose(total[off], expected[off])
    costs = np.triu(rng.random((7, 7)), 1)
    widened = costs.copy()
    _kernels.widen(widened)
    for _ in range(3):
        costs = np.maximum(costs, np.minimum(costs[:, :, None], costs[None, :, :]).max(axis=1))
    np.testing.assert_allclose(widened, costs)


@pytest.mark.parametrize("known", [False, True])
def test_insertions_cost_what_they_lose(known):
    rng = np.random.default_rng(3)
    net = draw_net(6, rng)
    required = np.zeros((6, 6), dtype=bool)
    required[1, 4] = required[0, 5] = known
    legal = required if known else NOTHING
    order = np.arange(6)
    _kernels.descend(net, legal, order, -1, -1, 1e-9)
    costs = np.full((6, 6), np.inf)
    _kernels.insert_pairs(net, legal, order, costs)
    expected = np.full((6, 6), np.inf)
    for i in range(6):
        for j in range(6):
            moved = order.tolist()
            moved.insert(j, moved.pop(i))
            rank = np.argsort(moved)
            if not any(rank[a] > rank[b] for a, b in np.argwhere(required)):
                v, loss = order[i], half_value(net, order) - half_value(net, moved)
                passed = order[j:i] if j < i else order[i + 1 : j + 1]
                for u in passed:
                    first, second = (u, v) if j < i else (v, u)
                    expected[first, second] = min(expected[first, second], loss)
    np.testing.assert_allclose(costs, expected, atol=1e-9)


def test_a_reversed_pair_is_reversed_and_costs_what_is_said():
    rng = np.random.default_rng(4)
    for _ in range(20):
        net = draw_net(8, rng)
        required = np.zeros((8, 8), dtype=bool)
        required[2, 6] = True
        _, order = exact_costs(net / 2, required)
        rank = np.argsort(order)
        a, b = order[1], order[5]
        if (a, b) == (2, 6):
            continue
        found, costs = np.empty((2, 8), dtype=np.int64), np.empty(2)
        moves = np.zeros(8, dtype=bool)
        _kernels.reverse_pair(net, required, order, rank, a, b, 1e-9, moves, found, costs)
        for other, cost in zip(found, costs, strict=True):
            place = np.argsort(other)
            assert place[b] < place[a]
            assert place[2] < place[6]
            assert cost == pytest.approx(half_value(net, order) - half_value(net, other), abs=1e-9)
