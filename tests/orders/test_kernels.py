"""Kernels that a wrapper hides: gains kept up to date, and reachability by bits."""

import networkx as nx
import numpy as np

from intersort.orders import _kernels


def test_kept_gains_are_what_each_move_gains():
    """After any move, every variable's gain at every place is what a move there would gain."""
    rng = np.random.default_rng(0)
    for d in (2, 3, 8):
        weights = rng.normal(size=(d, d))
        np.fill_diagonal(weights, 0)
        row_of = np.arange(d)
        for i in range(d):
            for j in range(d):
                if i == j:
                    continue
                order = rng.permutation(d)
                gains = np.zeros((d, d))
                for place in range(d):
                    _kernels._fill_gains(weights, row_of, order, place, gains[order[place]])
                moved = order[i]
                _kernels._shift(order, i, j)
                expected = np.zeros((d, d))
                for place in range(d):
                    other = order[place]
                    _kernels._fill_gains(weights, row_of, order, place, expected[other])
                    if other != moved:
                        improved_before = (gains[other] > 1e-9).any()
                        net = weights[other, moved] - weights[moved, other]
                        improves = _kernels._follow(gains[other], net, place, i, j, 1e-9)
                        improves_now = (expected[other] > 1e-9).any()
                        assert improves or improved_before or not improves_now
                        np.testing.assert_allclose(gains[other], expected[other], atol=1e-12)


def test_gains_are_differences_of_scores():
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(6, 6))
    order = rng.permutation(6)

    def score(some):
        return np.triu(weights[np.ix_(some, some)], 1).sum()

    for i in range(6):
        gains = np.empty(6)
        _kernels._fill_gains(weights, np.arange(6), order, i, gains)
        for j in range(6):
            moved = order.tolist()
            moved.insert(j, moved.pop(i))
            np.testing.assert_allclose(gains[j], score(moved) - score(order), atol=1e-12)


def test_edges_are_accepted_as_long_as_there_is_no_path_back():
    rng = np.random.default_rng(2)
    for d in (3, 64, 130):
        edges = rng.integers(0, d, size=(6 * d, 2))
        edges = edges[edges[:, 0] != edges[:, 1]]
        reach = np.zeros((d, (d + 63) // 64), dtype=np.uint64)
        accepted = np.zeros(len(edges), dtype=np.bool_)
        sources = np.ascontiguousarray(edges[:, 0])
        _kernels.add_edges(sources, np.ascontiguousarray(edges[:, 1]), reach, accepted)
        graph = nx.DiGraph()
        graph.add_nodes_from(range(d))
        for (source, child), taken in zip(edges.tolist(), accepted, strict=True):
            assert taken == (not nx.has_path(graph, child, source))
            if taken:
                graph.add_edge(source, child)
        for v in range(d):
            reached = {u for u in range(d) if reach[v, u >> 6] >> np.uint64(u & 63) & np.uint64(1)}
            assert reached == nx.descendants(graph, v) | {v}
