"""The plain versions against brute force and networkx, so that they can be trusted as reference."""

from itertools import combinations, permutations

import networkx as nx
import numpy as np
import pytest

from intersort.orders.plain import (
    exact_order_plainly,
    find_best_graph_plainly,
    local_search_plainly,
    neighbours,
    score_plainly,
    sort_ranking_plainly,
)


def sort_with_networkx(distance, epsilon):
    """SORTRANKING with networkx: all variables put in by column, edges by falling distance."""
    d = len(distance)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(d))
    pairs = [(i, j) for i in range(d) for j in range(d) if i != j]
    for i, j in sorted(pairs, key=lambda pair: distance[pair], reverse=True):
        if distance[i, j] > epsilon and not nx.has_path(graph, j, i):
            graph.add_edge(i, j)
    return list(nx.topological_sort(graph)), set(graph.edges)


def test_sort_ranking_is_that_of_networkx():
    rng = np.random.default_rng(0)
    for trial in range(60):
        d = int(rng.integers(2, 12))
        distance = rng.random((d, d))
        if trial % 2:
            distance = rng.integers(0, 4, size=(d, d)) / 4  # many ties
        order, edges = sort_ranking_plainly(distance, 0.3)
        expected_order, expected_edges = sort_with_networkx(distance, 0.3)
        assert order == expected_order
        assert set(edges) == expected_edges


def test_neighbours_are_the_papers_sigma():
    """σ moves each variable to each of the other d − 1 places, and Σ twice does so again."""
    once = list(neighbours([0, 1, 2, 3], 1))
    assert [moves for _, moves in once] == [[(i, j)] for i in range(4) for j in range(4) if i != j]
    for order, [(i, j)] in once:
        assert order[j] == i
        assert [v for v in order if v != i] == [v for v in range(4) if v != i]
    twice = list(neighbours([0, 1, 2, 3], 2))
    assert len(twice) == len(once) ** 2
    assert [moves for _, moves in twice][:13] == [
        *([(0, 1), (i, j)] for i in range(4) for j in range(4) if i != j),
        [(0, 2), (0, 1)],
    ]


def test_local_search_stops_where_no_neighbour_is_better():
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(5, 5))
    order, moves = local_search_plainly(weights, range(5))
    assert moves
    best = max(score_plainly(weights, other) for other, _ in neighbours(order, 1))
    assert best <= score_plainly(weights, order)


def test_exact_order_is_brute_force(draw):
    rng = np.random.default_rng(2)
    for d in (2, 4, 5):
        weights = draw(d, rng)
        scores = [score_plainly(weights, order) for order in permutations(range(d))]
        best, n_best = exact_order_plainly(weights)
        tolerance = 1e-9 * abs(weights).max()
        assert best == pytest.approx(max(scores), abs=tolerance)
        assert n_best == sum(score >= max(scores) - tolerance for score in scores)


def is_acyclic(d, edges):
    graph = nx.DiGraph(edges)
    graph.add_nodes_from(range(d))
    return nx.is_directed_acyclic_graph(graph)


def test_best_graph_is_the_best_of_all_acyclic_graphs():
    pairs = list(permutations(range(3), 2))
    graphs = [edges for n in range(4) for edges in combinations(pairs, n) if is_acyclic(3, edges)]
    assert len(graphs) == 25  # all there are
    rng = np.random.default_rng(3)
    for _ in range(20):
        distance = rng.random((3, 3))
        best = max(sum(distance[edge] - 0.3 for edge in edges) for edges in graphs)
        value, edges = find_best_graph_plainly(distance, 0.3)
        assert value == pytest.approx(best, abs=1e-12)
        assert is_acyclic(3, edges)
