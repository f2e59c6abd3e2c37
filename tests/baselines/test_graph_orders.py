"""Orders from graphs: topological, random where the graph leaves it open, weakest edges dropped."""

import numpy as np
import pytest

from intersort import d_top, simulate
from intersort.baselines.graph_orders import (
    break_cycles,
    random_topological_order,
    result_from_graph,
)


def graph(d: int, *edges: tuple[int, int]) -> np.ndarray:
    adjacency = np.zeros((d, d), dtype=bool)
    for edge in edges:
        adjacency[edge] = True
    return adjacency


@pytest.mark.parametrize("seed", range(5))
def test_orders_of_the_true_graph_have_no_error_and_differ(seed) -> None:
    adjacency = simulate.random_graph(15, edges_per_variable=1, rng=seed)
    result = result_from_graph(adjacency, np.random.default_rng(seed))
    assert result.orders.shape == (20, 15)
    assert result.status == "ok"
    assert [d_top(adjacency, order) for order in result.orders] == [0] * 20
    assert len({tuple(order) for order in result.orders.tolist()}) > 10


def test_a_graph_without_edges_is_worth_a_random_order() -> None:
    truth = simulate.random_graph(20, edges_per_variable=2, rng=1)
    rng = np.random.default_rng(2)
    result = result_from_graph(graph(20), rng, n_orders=2000)
    errors = np.mean([d_top(truth, order) for order in result.orders])
    # Standard deviation of one order's D_top is about 5, of the mean of 2,000 about 0.11.
    assert errors == pytest.approx(truth.sum() / 2, abs=0.5)


def test_what_the_graph_leaves_open_is_drawn() -> None:
    # 0 → 1 and 2 by itself: 2 comes first, between or last; ready ones are drawn evenly, so it
    # comes first in a half, and in a quarter each of the other two.
    rng = np.random.default_rng(3)
    drawn = [tuple(random_topological_order(graph(3, (0, 1)), rng)) for _ in range(4000)]
    shares = [drawn.count(order) / 4000 for order in [(2, 0, 1), (0, 2, 1), (0, 1, 2)]]
    assert shares == pytest.approx([0.5, 0.25, 0.25], abs=0.03)


def test_relabelling_relabels_the_orders() -> None:
    # Negative control: an order that depended on column numbers would favour one of two twins.
    rng = np.random.default_rng(4)
    twins = graph(4, (3, 0), (3, 2))
    orders = np.array([random_topological_order(twins, rng) for _ in range(2000)])
    place = np.argsort(orders, axis=1)
    assert np.mean(place[:, 0] < place[:, 2]) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("weakest", [(0, 1), (1, 2), (2, 0)])
def test_the_weakest_edge_of_a_cycle_goes(weakest) -> None:
    circle = graph(4, (0, 1), (1, 2), (2, 0), (0, 3))
    strength = np.where(circle, 2.0, 0.0)
    strength[weakest] = 1.0
    rng = np.random.default_rng(5)
    expected = circle.copy()
    expected[weakest] = False
    np.testing.assert_array_equal(break_cycles(circle, rng, strength), expected)
    result = result_from_graph(circle, rng, strength=strength)
    assert result.status == "ok: 1 edge of 4 dropped because it closed a cycle"
    assert {d_top(expected, order) for order in result.orders} == {0}
    np.testing.assert_array_equal(result.adjacency, circle)


def test_without_strength_each_edge_of_a_cycle_goes_as_often() -> None:
    circle = graph(3, (0, 1), (1, 2), (2, 0))
    rng = np.random.default_rng(6)
    dropped = sum(circle & ~break_cycles(circle, rng) for _ in range(1500))
    np.testing.assert_allclose(dropped[circle], 500, atol=75)  # sd 18


def test_equal_strengths_are_drawn_too() -> None:
    both_ways = graph(2, (0, 1), (1, 0))
    rng = np.random.default_rng(7)
    kept = sum(break_cycles(both_ways, rng, np.ones((2, 2)))[0, 1] for _ in range(400))
    assert 150 < kept < 250


def test_several_dropped_edges_are_counted_and_loops_are_none() -> None:
    two_circles = graph(4, (0, 1), (1, 0), (2, 3), (3, 2), (0, 0))
    result = result_from_graph(two_circles, np.random.default_rng(8), n_orders=3)
    assert result.status == "ok: 2 edges of 4 dropped because they closed cycles"
    assert result.orders.shape == (3, 4)


def test_same_seed_same_orders() -> None:
    first, second, third = (
        result_from_graph(graph(9, (0, 1)), np.random.default_rng(seed)).orders
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, second)
    assert (first != third).any()
