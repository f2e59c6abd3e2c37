"""The tables of the paper's appendix, entry by entry, and the graph that they leave out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from intersort import InputError
from intersort.theory.pen_and_paper import count_optima, expected_d_top, pen_and_paper
from intersort.theory.small_cases import graph_from_edges, graphs_up_to_relabelling, paths

PRINTED = {
    "no edge": ([], 0, 0),
    "one edge": ([(0, 1)], 0, Fraction(1, 6)),
    "chain": ([(0, 1), (1, 2)], 0, Fraction(1, 3)),
    "fork": ([(0, 1), (0, 2)], 0, Fraction(1, 3)),
    "triangle": ([(0, 1), (0, 2), (1, 2)], 0, Fraction(1, 3)),
}


@pytest.mark.parametrize(("edges", "two_targets", "one_target"), PRINTED.values(), ids=PRINTED)
def test_every_printed_entry(edges, two_targets, one_target):
    table = pen_and_paper(graph_from_edges(3, edges))
    assert table.mean[2] == two_targets
    assert table.mean[1] == one_target
    assert table.mean[3] == table.worst[3] == 0
    assert table.mean[0] == Fraction(len(edges), 2)
    assert table.worst[0] == len(edges)


def test_the_collider_is_missing_in_the_paper():
    table = pen_and_paper(graph_from_edges(3, [(0, 2), (1, 2)]))
    assert table.mean[1] == table.worst[1] == 0
    assert table.mean[2] == table.worst[2] == 0
    assert len(PRINTED) + 1 == len(graphs_up_to_relabelling(3)[0])


def test_the_tables_are_means_over_ties_not_worst_cases():
    assert pen_and_paper(graph_from_edges(3, [(0, 1)])).worst[1] == Fraction(1, 3)


@pytest.mark.parametrize("reach", ["descendants", "children"])
def test_expectations_agree_with_floating_point_distances(reach):
    graph = graph_from_edges(5, [(0, 3), (0, 4), (1, 2), (2, 3)])
    distance = 2.0 * (paths(graph) if reach == "descendants" else graph)
    table = pen_and_paper(graph, reach=reach)
    expected = expected_d_top(graph, distance, 0.3, epsilon=1.0, c=2.0)
    assert table.expected(0.3) == pytest.approx(expected.mean)
    assert table.expected(0.3, "worst") == pytest.approx(expected.worst)
    assert table.expected(0.3, "least") == pytest.approx(expected.least)


def test_a_fraction_in_is_a_fraction_out():
    table = pen_and_paper(graph_from_edges(3, [(0, 1), (1, 2)]))
    assert table.expected(Fraction(1, 2)) == Fraction(1, 4)
    assert isinstance(table.expected(Fraction(1, 2)), Fraction)
    assert table.expected(0) == 1
    assert table.expected(1) == 0


def test_one_probability_per_variable_weighs_the_sets_of_targets():
    graph = graph_from_edges(2, [(0, 1)])
    expected = expected_d_top(graph, 2.0 * graph, [0.25, 0.5], epsilon=1.0, c=1.0)
    assert (expected.mean, expected.worst) == (0.75 * 0.5 / 2, 0.75 * 0.5)


def test_mean_lies_between_least_and_worst_for_every_graph_of_four_variables():
    for graph in graphs_up_to_relabelling(4)[0]:
        for reach in ("descendants", "children"):
            table = pen_and_paper(graph, reach=reach)
            for least, mean, worst in zip(table.least, table.mean, table.worst, strict=True):
                assert least <= mean <= worst


def test_counting_is_exact_in_integers():
    graph = np.zeros((1, 8, 8), dtype=bool)
    assert count_optima(graph, graph, np.zeros((1, 8), dtype=bool)).n_optimal[0] == 40_320


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pen_and_paper(np.zeros((9, 9))), "possible up to d = 8; got 9"),
        (lambda: pen_and_paper(np.zeros((2, 2)), reach="all"), "`reach` must be"),
        (lambda: pen_and_paper(np.zeros((2, 2))).expected(2), "`p_int` must lie between 0 and 1"),
        (lambda: pen_and_paper(np.zeros((2, 2))).expected(0.5, "best"), "`tie` must be"),
        (
            lambda: expected_d_top(np.zeros((2, 2)), np.zeros((1, 2)), 0.5, epsilon=1, c=1),
            "`distance` must have a row for every variable",
        ),
        (
            lambda: expected_d_top(np.zeros((9, 9)), np.zeros((9, 9)), 0.5, epsilon=1, c=1),
            "possible up to d = 8; got 9",
        ),
    ],
)
def test_messages(call, message):
    with pytest.raises(InputError, match=message):
        call()
