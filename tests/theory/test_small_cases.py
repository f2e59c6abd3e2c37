"""The enumerations that the theory is checked with."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest

from intersort import InputError
from intersort.theory.small_cases import (
    all_orders,
    all_target_sets,
    graphs_up_to_relabelling,
    paths,
    precedences,
    score_weights,
    upper_triangular_graphs,
)


@pytest.mark.parametrize(
    ("d", "unlabelled", "labelled"),
    [(1, 1, 1), (2, 2, 3), (3, 6, 25), (4, 31, 543), (5, 302, 29281)],
)
def test_numbers_of_acyclic_graphs(d, unlabelled, labelled):
    """OEIS A003087 and A003024."""
    graphs, n_labellings = graphs_up_to_relabelling(d)
    assert len(graphs) == unlabelled
    assert n_labellings.sum() == labelled
    assert not np.any(np.tril(graphs))


def test_no_graph_stands_twice():
    graphs, _ = graphs_up_to_relabelling(4)
    orders = all_orders(4)
    spelled = [{graph[np.ix_(p, p)].tobytes() for p in orders} for graph in graphs]
    assert len(set.union(*spelled)) == sum(len(each) for each in spelled) == 543


def test_orders_target_sets_and_triangular_graphs_are_complete():
    for d in (1, 4, 6):
        assert len(np.unique(all_orders(d), axis=0)) == factorial(d)
    assert all_orders(0).shape == (1, 0)
    assert len(np.unique(all_target_sets(5), axis=0)) == 32
    assert len(np.unique(upper_triangular_graphs(4).reshape(64, -1), axis=0)) == 64


def test_precedences_say_who_comes_first():
    order = np.array([[2, 0, 1]])
    assert np.argwhere(precedences(order)[0]).tolist() == [[0, 1], [2, 0], [2, 1]]


def test_paths_are_the_sum_of_the_powers():
    """The paper's closure: A + A² + … + A^(d − 1), its non-zero entries."""
    graphs, _ = graphs_up_to_relabelling(5)
    numbers = graphs.astype(int)
    total, power = numbers, numbers
    for _ in range(3):
        power = power @ numbers
        total = total + power
    np.testing.assert_array_equal(paths(graphs), total > 0)


def test_score_weights_are_equation_2():
    distance = np.array([[9.0, 0.2, 0.6], [0.5, 9.0, 0.0], [1.0, 1.0, 9.0]])
    weights = score_weights(distance, np.array([True, True, False]), epsilon=0.5, c=0.5)
    expected = [[0, -0.3, 0.1 + 1.5], [0.0, 0, -0.5], [0, 0, 0]]
    np.testing.assert_allclose(weights, expected)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: all_orders(9), "all orders is possible up to 8 variables; got 9"),
        (lambda: graphs_up_to_relabelling(6), "all graphs is possible up to 5 variables; got 6"),
        (lambda: all_target_sets(17), "all sets of targets is possible up to 16 variables"),
    ],
)
def test_too_large_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
