"""The paper's lemmas and theorems against the smallest cases that decide them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from intersort._typing import ArrayLike, BoolArray
from intersort.metrics import d_top
from intersort.theory.bounds import theorem_2, theorem_3
from intersort.theory.conditions import lemma_4_condition, lemma_5_condition, smallest_c
from intersort.theory.optima import optimal_orders
from intersort.theory.pen_and_paper import expected_d_top
from intersort.theory.small_cases import graph_from_edges, paths, score_weights

from .claims import Claim, Verdict

PAGE = "[the paper, checked](../paper_checked.md)"
C = 1.1
SHOWN, NULL = 1.1, 0.9
"""Distances just above and below ε = 1."""


def claims() -> list[Claim]:
    """Each statement with a case; where the case breaks it, it does not hold."""
    return [_theorem_1(), _lemma_4(), _theorem_2(), _lemma_5(), _theorem_3()]


def best_orders(distance: ArrayLike, targets: Sequence[int], c: float = C) -> list[list[int]]:
    """Every optimal order of the paper's score at ε = 1."""
    matrix = np.asarray(distance, dtype=np.float64)
    intervened = np.isin(np.arange(len(matrix)), targets)
    weights = score_weights(matrix, intervened, epsilon=1, c=c)
    found: list[list[int]] = optimal_orders(weights).tolist()
    return found


def n_broken(orders: list[list[int]], graph: BoolArray, promised: BoolArray) -> int:
    """How many of the orders reverse an edge whose direction is promised."""
    edges = np.argwhere(graph)[promised]
    return sum(any(o.index(i) > o.index(j) for i, j in edges.tolist()) for o in orders)


def word(broken: bool) -> Verdict:
    """A statement for all cases falls with one."""
    return "does not hold" if broken else "holds"


def _theorem_1() -> Claim:
    graph = graph_from_edges(3, [(0, 1)])
    distance = np.array([[0, 1.01, 0], [0.5, 0, 1], [1, 0, 0]])
    without = min(d_top(graph, order) for order in best_orders(distance, range(3), c=0))
    enough = best_orders(distance, range(3), c=smallest_c(1, 3))
    with_c = max(d_top(graph, order) for order in enough)
    return Claim(
        "Theorem 1",
        "With every variable intervened on, every optimal order is causal (c > ε).",
        f"On three variables every optimum reverses {without} edge where c = 0, as the proof sets "
        f"it, and {with_c} with the smallest c that is enough.",
        word(with_c > 0),
        f"The proof calculates with null distances of 0, the definition allows up to ε; {PAGE}.",
    )


def _lemma_4() -> Claim:
    graph = graph_from_edges(5, [(0, 3), (0, 4), (1, 2), (2, 3)])
    orders = best_orders(SHOWN * paths(graph), [0, 1])
    broken = n_broken(orders, graph, lemma_4_condition(graph, [0, 1]))
    return Claim(
        "Lemma 4",
        "Where every path shows, an intervention on an ancestor of the effect that is none of the "
        "cause orders the edge in every optimum.",
        f"On five variables {broken} of {len(orders)} optima reverse an edge that it promises.",
        word(broken > 0),
        "The proof forgets that the cause's own intervened ancestors have to come along. An "
        f"intervention on either end or between them is enough; {PAGE}.",
    )


def _theorem_2() -> Claim:
    graph = graph_from_edges(5, [(0, 4), (1, 3), (2, 3), (3, 4)])
    distance = SHOWN * paths(graph)
    distance[0, [1, 2, 3]] = NULL
    found = expected_d_top(graph, distance, 0.9, epsilon=1, c=C)
    bound = theorem_2(graph, 0.9)
    return Claim(
        "Theorem 2",
        "Expected D_top is at most Σ (1 − p_int)^|AN_j ∪ {j} \\ AN_i| where every path shows.",
        f"On five variables the mean over optima is {found.mean:.4f}, the worst {found.worst:.4f}, "
        f"where it says {bound:.4f}.",
        word(found.mean > bound),
        f"It rests on Lemma 4; a repaired bound holds; {PAGE}.",
    )


def _lemma_5() -> Claim:
    graph = graph_from_edges(4, [(0, 1), (0, 3), (1, 2), (2, 3)])
    orders = best_orders(SHOWN * graph, [0, 1])
    broken = n_broken(orders, graph, lemma_5_condition(graph, [0, 1]))
    return Claim(
        "Lemma 5",
        "Where only children show, an intervention on a parent of the effect that is none of the "
        "cause orders the edge in every optimum.",
        f"On four variables {broken} of {len(orders)} optima reverse an edge that it promises.",
        word(broken > 0),
        f"Only an intervention on the cause itself is enough; {PAGE}.",
    )


def _theorem_3() -> Claim:
    graph = graph_from_edges(4, [(0, 2), (0, 3), (1, 2), (3, 1)])
    found = expected_d_top(graph, SHOWN * graph, 0.9, epsilon=1, c=C)
    bound = theorem_3(graph, 0.9)
    return Claim(
        "Theorem 3",
        "Expected D_top is at most Σ (1 − p_int)^|Pa_j ∪ {j} \\ Pa_i| where only children show.",
        f"On four variables the mean over optima is {found.mean:.4f} where it says {bound:.4f}.",
        word(found.mean > bound),
        f"It rests on Lemma 5; |E| (1 − p_int) holds; {PAGE}.",
    )
