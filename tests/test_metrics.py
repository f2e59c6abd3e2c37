"""D_top, its equivalent forms, and the comparison of two orders."""

from __future__ import annotations

import time
from dataclasses import FrozenInstanceError
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import kendalltau

from intersort import InputError, compare_orders, d_top, d_top_range, order_to_dag
from intersort.metrics import (
    is_causal_order,
    normalised_d_top,
    reorder_adjacency,
    sum_below_diagonal,
)
from intersort.theory.small_cases import all_orders, graph_from_edges, graphs_up_to_relabelling


def test_d_top_is_the_papers_sum():
    rng = np.random.default_rng(0)
    graph = np.triu(rng.random((6, 6)) < 0.5, 1)
    for order in all_orders(6)[::37]:
        rank = np.argsort(order)
        by_hand = sum(graph[i, j] for i in range(6) for j in range(6) if rank[i] > rank[j])
        assert d_top(graph, order) == by_hand
        assert isinstance(d_top(graph, order), int)


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_observation_lemma_1_and_upper_triangular_exactly_for_causal_orders(d):
    """Every graph, every order. The paper prints the sum over i < j; it runs over i > j."""
    printed_form_fails = 0
    for graph in graphs_up_to_relabelling(d)[0]:
        for order in all_orders(d):
            reordered = reorder_adjacency(graph, order)
            missed = d_top(graph, order)
            assert sum_below_diagonal(reordered) == missed == np.tril(reordered).sum()
            printed_form_fails += np.triu(reordered, 1).sum() != missed
            rank = np.argsort(order)
            causal = all(rank[i] < rank[j] for i, j in np.argwhere(graph))
            assert causal == (missed == 0) == np.array_equal(reordered, np.triu(reordered, 1))
            assert causal == is_causal_order(graph, order)
    assert (printed_form_fails > 0) == (d > 1)


def test_order_to_dag_misses_the_d_top_edges_and_no_others():
    graph = graph_from_edges(5, [(0, 3), (0, 4), (1, 2), (2, 3)])
    for order in all_orders(5):
        complete = order_to_dag(order)
        assert np.count_nonzero(graph & ~complete) == d_top(graph, order)
        assert complete.sum() == 10
        assert d_top(complete, order) == 0


def test_normalised_forms():
    chain = graph_from_edges(4, [(0, 1), (1, 2), (2, 3)])
    assert normalised_d_top(chain, [3, 2, 1, 0]) == 0.75
    assert normalised_d_top(chain, [3, 2, 1, 0], by="edges") == 1.0
    assert normalised_d_top(np.zeros((3, 3)), [0, 1, 2], by="edges") == 0.0
    with pytest.raises(InputError, match='`by` must be "variables" or "edges"; got \'pairs\''):
        normalised_d_top(chain, [0, 1, 2, 3], by="pairs")


def test_weights_sparse_matrices_and_results_with_an_order_all_work():
    weighted = np.array([[0, -2.5, 0], [0, 0, 0.1], [0, 0, 0]])
    result = SimpleNamespace(order=np.array([2, 1, 0]))
    assert d_top(weighted, result) == d_top(csr_array(weighted), result) == 2
    assert order_to_dag(result)[2, 0]


@pytest.mark.parametrize(
    ("graph", "order", "message"),
    [
        ([[0, 1]], [0], r"must be square; got shape \(1, 2\)"),
        ([[0, 1], [0, 0]], [0, 0], "each of 0 … 1 exactly once"),
        ([[0, 1], [0, 0]], [0, 1, 2], "An order of 2 variables"),
        ([[0, np.nan], [0, 0]], [0, 1], "NaN or infinite"),
        ([["a", "b"], ["c", "d"]], [0, 1], "holds numbers; got dtype"),
    ],
)
def test_d_top_messages(graph, order, message):
    with pytest.raises(InputError, match=message):
        d_top(graph, order)


def test_kendall_distance_agrees_with_scipy_and_the_pairs_with_counting():
    rng = np.random.default_rng(1)
    for d in (2, 5, 40, 700):
        a, b = rng.permutation(d), rng.permutation(d)
        comparison = compare_orders(a, b)
        rank_a, rank_b = np.argsort(a), np.argsort(b)
        tau = kendalltau(rank_a, rank_b).statistic
        assert comparison.normalised == pytest.approx((1 - tau) / 2)
        pairs = comparison.pairs
        assert len(pairs) == comparison.kendall_distance
        assert np.all(rank_a[pairs[:, 0]] < rank_a[pairs[:, 1]])
        assert np.all(rank_b[pairs[:, 0]] > rank_b[pairs[:, 1]])
        assert len(np.unique(pairs, axis=0)) == len(pairs)


def test_extremes_symmetry_and_repr():
    order = np.array([2, 0, 1])
    assert compare_orders(order, order).kendall_distance == 0
    assert repr(compare_orders(order, order)) == "0 of 3 pairs differ"
    assert compare_orders(order, order).pairs.shape == (0, 2)
    assert compare_orders(order, order[::-1]).normalised == 1.0
    a, b = np.random.default_rng(2).permuted(np.tile(np.arange(30), (2, 1)), axis=1)
    assert compare_orders(a, b).kendall_distance == compare_orders(b, a).kendall_distance
    assert "and" in repr(compare_orders(a, b))
    named = SimpleNamespace(order=order, names=("cause", "effect", "other"))
    assert repr(compare_orders(named, [0, 2, 1])) == (
        "1 of 3 pairs differ; only the first has other before cause"
    )
    with pytest.raises(FrozenInstanceError):
        compare_orders(a, b).kendall_distance = 0


def test_ten_thousand_variables_take_a_moment():
    a = np.arange(10_000)
    start = time.perf_counter()
    comparison = compare_orders(a, a[::-1])
    assert comparison.kendall_distance == 10_000 * 9_999 // 2
    assert repr(comparison) == "49995000 of 49995000 pairs differ (100.0%)"
    assert time.perf_counter() - start < 3


def test_orders_of_different_variables_are_not_compared():
    with pytest.raises(InputError, match="An order of 2 variables"):
        compare_orders([0, 1], [0, 1, 2])
    one = SimpleNamespace(order=[0, 1], names=("a", "b"))
    other = SimpleNamespace(order=[0, 1], names=("b", "a"))
    with pytest.raises(InputError, match="name their variables differently"):
        compare_orders(one, other)


def test_d_top_range_is_d_top_row_by_row():
    rng = np.random.default_rng(11)
    graph = np.triu(rng.random((7, 7)) < 0.4, 1)
    orders = np.array([rng.permutation(7) for _ in range(40)])
    counts = [d_top(graph, order) for order in orders]
    found = d_top_range(graph, orders)
    assert (found.least, found.most) == (min(counts), max(counts))
    assert found.mean == pytest.approx(np.mean(counts))


def test_d_top_range_refuses_what_is_no_table_of_orders():
    with pytest.raises(InputError, match="an order a row, one row or more; got shape"):
        d_top_range(np.zeros((2, 2)), [0, 1])
    with pytest.raises(InputError, match="exactly once"):
        d_top_range(np.zeros((2, 2)), [[0, 0]])
