"""The theory's verdicts are those of the page that checks it, each from the page's own case."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from experiments import theory_claims
from experiments.theory_claims import NULL, SHOWN, C, best_orders, n_broken
from intersort.metrics import d_top
from intersort.theory.bounds import repaired_theorem_2, repaired_theorem_3, repaired_theorem_4
from intersort.theory.conditions import (
    lemma_4_condition,
    lemma_5_condition,
    repaired_lemma_4_condition,
    repaired_lemma_5_condition,
    smallest_c,
)
from intersort.theory.pen_and_paper import expected_d_top
from intersort.theory.small_cases import graph_from_edges, paths, upper_triangular_graphs

PAGE = Path(__file__).resolve().parents[2] / "docs" / "paper_checked.md"
SAYS = {
    "Lemmas 2 and 3": "incomplete",
    "Remark on ε": "wrong",
    "Proposition (hidden variables)": "holds",
    "Theorem 1": "holds for c > ε",
    "Lemma 4, Theorem 2": "false",
    "Lemma 5, Theorem 3": "false",
    "Theorem 4": "false",
    "Lemma 6": "the limit is right",
}
"""What the page's table says, by the first cell of its row."""


@pytest.fixture(scope="module")
def verdicts() -> dict[str, str]:
    return {claim.where: claim.verdict for claim in theory_claims.claims()}


def test_the_page_says_what_this_test_takes_it_to_say() -> None:
    table = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|", PAGE.read_text("utf-8"), re.MULTILINE))
    assert {key: table[key] for key in SAYS} == SAYS


def test_each_verdict_is_the_finding_of_the_page(verdicts: dict[str, str]) -> None:
    by_row = {
        "Section “ε-interventional faithfulness”, remark": "Remark on ε",
        "Section “Latent confounders”, proposition": "Proposition (hidden variables)",
        "Lemma 4": "Lemma 4, Theorem 2",
        "Theorem 2": "Lemma 4, Theorem 2",
        "Lemma 5": "Lemma 5, Theorem 3",
        "Theorem 3": "Lemma 5, Theorem 3",
    }
    for where, word in verdicts.items():
        right = SAYS[by_row.get(where, where)].startswith(("holds", "the limit is right"))
        assert word == ("holds" if right else "does not hold"), where
    assert {by_row.get(where, where) for where in verdicts} == set(SAYS)


def test_every_claim_names_the_page() -> None:
    for claim in theory_claims.claims():
        assert theory_claims.PAGE in claim.why
        assert re.search(r"\d", claim.measured), "a case has numbers"


def test_lemma_4_fails_where_the_repaired_one_holds() -> None:
    graph = graph_from_edges(5, [(0, 3), (0, 4), (1, 2), (2, 3)])
    orders = best_orders(SHOWN * paths(graph), [0, 1])
    assert n_broken(orders, graph, lemma_4_condition(graph, [0, 1])) == 1
    repaired = repaired_lemma_4_condition(graph, [0, 1])
    assert n_broken(orders, graph, repaired) == 0
    assert repaired.any(), "it promises something"


def test_lemma_5_fails_where_the_repaired_one_holds() -> None:
    graph = graph_from_edges(4, [(0, 1), (0, 3), (1, 2), (2, 3)])
    orders = best_orders(SHOWN * graph, [0, 1])
    assert n_broken(orders, graph, lemma_5_condition(graph, [0, 1])) == len(orders) == 1
    repaired = repaired_lemma_5_condition(graph, [0, 1])
    assert n_broken(orders, graph, repaired) == 0
    assert repaired.any(), "it promises something"


def test_theorems_2_and_3_fail_where_the_repaired_ones_hold() -> None:
    graph = graph_from_edges(5, [(0, 4), (1, 3), (2, 3), (3, 4)])
    distance = SHOWN * paths(graph)
    distance[0, [1, 2, 3]] = NULL
    assert expected_d_top(graph, distance, 0.9, epsilon=1, c=C).worst < repaired_theorem_2(
        graph, 0.9
    )
    graph = graph_from_edges(4, [(0, 2), (0, 3), (1, 2), (3, 1)])
    worst = expected_d_top(graph, SHOWN * graph, 0.9, epsilon=1, c=C).worst
    assert worst < repaired_theorem_3(graph, 0.9)


def test_theorem_4_fails_where_the_repaired_one_holds() -> None:
    null = np.zeros((3, 3))
    null[2, :2] = NULL, 0.5
    worst = 0.0
    for graph in upper_triangular_graphs(3):  # each has the chance 1/8, as p_e is 1/2
        distance = np.where(graph, SHOWN, null)
        c = max(1.01, smallest_c(1, 3, reach="children"))
        worst += expected_d_top(graph, distance, 0.97, epsilon=1, c=c).worst / 8
    assert worst < repaired_theorem_4(3, 0.97, 0.5, reach="children")


def test_theorem_1_needs_c() -> None:
    graph = graph_from_edges(3, [(0, 1)])
    distance = np.array([[0, 1.01, 0], [0.5, 0, 1], [1, 0, 0]])
    assert {d_top(graph, order) for order in best_orders(distance, range(3), c=0)} == {1}
    for c in (smallest_c(1, 3), C):
        assert {d_top(graph, order) for order in best_orders(distance, range(3), c=c)} == {0}


def test_a_broken_promise_is_counted_once_an_order() -> None:
    graph = graph_from_edges(3, [(0, 1), (0, 2)])
    orders = [[0, 1, 2], [1, 2, 0], [1, 0, 2]]
    assert n_broken(orders, graph, np.array([True, True])) == 2
    assert n_broken(orders, graph, np.array([False, True])) == 1
    assert n_broken(orders, graph, np.array([False, False])) == 0


def test_one_case_is_enough_to_refute() -> None:
    assert theory_claims.word(broken=True) == "does not hold"
    assert theory_claims.word(broken=False) == "holds"
