"""Reading graphs, topological orders and descendants as packed bits."""

from __future__ import annotations

import time

import numpy as np
import pytest
from scipy.sparse import csc_array, random_array, triu

from intersort._adjacency import (
    check_variables,
    descendants,
    read_dag,
    read_edges,
    topological_order,
)
from intersort._validation import InputError
from intersort.theory.small_cases import paths


def shuffled_dag(rng, d, density):
    order = rng.permutation(d)
    graph = np.zeros((d, d), dtype=bool)
    graph[np.ix_(order, order)] = np.triu(rng.random((d, d)) < density, 1)
    return graph


def test_edges_come_in_row_major_order_from_dense_and_sparse():
    graph = shuffled_dag(np.random.default_rng(0), 20, 0.2)
    dense, sparse = read_edges(graph), read_edges(csc_array(graph.astype(float)))
    expected = np.argwhere(graph)
    for edges in (dense, sparse):
        np.testing.assert_array_equal(np.stack([edges.source, edges.target], axis=1), expected)
        np.testing.assert_array_equal(edges.to_dense(), graph)


def test_explicit_zeros_of_a_sparse_matrix_are_no_edges():
    stored = csc_array((np.array([0.0, 1.0]), ([0, 1], [1, 2])), shape=(3, 3))
    assert len(read_edges(stored)) == 1


@pytest.mark.parametrize("d", [1, 7, 8, 9, 65])
def test_descendants_agree_with_the_transitive_closure(d):
    graph = shuffled_dag(np.random.default_rng(d), d, 2 / d)
    edges = read_dag(graph)
    np.testing.assert_array_equal(descendants(edges), paths(graph))
    some = np.arange(0, d, 3)
    np.testing.assert_array_equal(descendants(edges, some), paths(graph)[some])
    rank = np.argsort(topological_order(edges))
    assert np.all(rank[edges.source] < rank[edges.target])


def test_descendants_of_ten_thousand_variables_take_a_moment():
    graph = triu(random_array((10_000, 10_000), density=3e-4, rng=0), 1)
    start = time.perf_counter()
    assert descendants(read_dag(graph)).shape == (10_000, 10_000)
    assert time.perf_counter() - start < 10  # 1 s on an idle core


@pytest.mark.parametrize("graph", [[[1]], [[0, 1], [1, 0]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]]])
def test_a_cycle_is_refused_and_named(graph):
    with pytest.raises(InputError, match=r"directed cycle.*columns '0'.*Give an acyclic graph"):
        read_dag(graph)


@pytest.mark.parametrize("variables", [[0, 0], [-1], [3], [0.5], [[0]]])
def test_a_set_of_variables_holds_each_column_once(variables):
    with pytest.raises(InputError, match="`intervened` must hold distinct columns between 0 and 2"):
        check_variables(variables, 3)


def test_a_set_of_variables_may_be_empty_all_or_unsorted():
    assert check_variables([], 3).size == 0
    assert check_variables(None, 3).tolist() == [0, 1, 2]
    assert check_variables([2, 0], 3).tolist() == [0, 2]
