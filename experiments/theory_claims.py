"""The paper's lemmas and theorems against the smallest cases that decide them.

A case can refute a statement and not prove it: where one holds, its proof is on the page that each
of these claims names, and the case shows what it depends on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from intersort._typing import ArrayLike, BoolArray
from intersort.metrics import d_top
from intersort.theory.bounds import lemma_6, theorem_2, theorem_3, theorem_4, theorem_4_double_sum
from intersort.theory.conditions import lemma_4_condition, lemma_5_condition, smallest_c
from intersort.theory.faithfulness import check_faithfulness, remark_epsilon
from intersort.theory.latent import latent_projection
from intersort.theory.linear import linear_distances
from intersort.theory.optima import optimal_orders
from intersort.theory.pen_and_paper import expected_d_top
from intersort.theory.small_cases import (
    all_target_sets,
    graph_from_edges,
    graphs_up_to_relabelling,
    paths,
    score_weights,
    upper_triangular_graphs,
)

from .claims import Claim, Verdict

PAGE = "[the paper, checked](../paper_checked.md)"
C = 1.1
SHOWN, NULL = 1.1, 0.9
"""Distances just above and below ε = 1."""
CLOSE = 0.001
"""How far from its limit a sequence may be at its largest size, as a share."""


def claims() -> list[Claim]:
    """Each statement with a case; where the case breaks it, it does not hold."""
    return [
        _lemmas_2_and_3(),
        _remark(),
        _proposition(),
        _theorem_1(),
        _lemma_4(),
        _theorem_2(),
        _lemma_5(),
        _theorem_3(),
        _theorem_4(),
        _lemma_6(),
    ]


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


def _lemmas_2_and_3() -> Claim:
    chain = graph_from_edges(2, [(0, 1)])
    same, other = (
        linear_distances(0.7 * chain, [0], intervention_mean=0, intervention_sd=sd)[0, 1]
        for sd in (1, 1.5)
    )
    return Claim(
        "Lemmas 2 and 3",
        "Interventions of full support on a system whose paths all carry an effect are faithful.",
        f"One edge of weight 0.7, both variables' noise N(0, 1): do(cause) with N(0, 1) moves the "
        f"effect by {same:.2f}, with N(0, 1.5²) by {other:.2f}.",
        word(same == 0),
        "An intervention that repeats the variable's own law moves nothing; a different law is "
        f"enough for Lemma 3 where it was chosen without knowing the weights; {PAGE}.",
    )


def _remark() -> Claim:
    chain = graph_from_edges(3, [(0, 1), (1, 2)])
    distance = linear_distances(0.5 * chain, intervention_mean=[3.3, 3.6, 3])
    limit = remark_epsilon(distance, None, chain)
    faithful_below = float(distance[paths(chain)].min())
    epsilon = (faithful_below + limit) / 2
    check = check_faithfulness(distance, None, chain, epsilon=epsilon)
    hidden = len(check.hidden_pairs)
    return Claim(
        "Section “ε-interventional faithfulness”, remark",
        "What is faithful at ε = 0 is faithful at every ε below the least distance over an edge.",
        f"On a chain of three the least distance over an edge is {limit:.2f}; at ε {epsilon:.2f} "
        f"{hidden} path does not show.",
        word(hidden > 0),
        f"A path of several edges can show less than each of them; {PAGE}.",
    )


def _proposition() -> Claim:
    n_all, n_other = 0, 0
    for graph in graphs_up_to_relabelling(4)[0]:
        for observed in all_target_sets(4):
            places = np.flatnonzero(observed)
            if places.size:
                projected = paths(latent_projection(graph, places).directed)
                n_all += 1
                n_other += bool((projected != paths(graph)[np.ix_(places, places)]).any())
    return Claim(
        "Section “Latent confounders”, proposition",
        "What is faithful to a graph is faithful to its projection on the observed variables.",
        f"In {n_all} projections of the graphs of four variables {n_other} change who is whose "
        "ancestor.",
        word(n_other > 0),
        f"It does not extend to the paper's relaxation, where only children show; {PAGE}.",
    )


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
        f"it, and {with_c} with the smallest c that is enough, which is below ε.",
        word(with_c > 0),
        "The proof takes the distances of pairs without a path to be 0, the definition allows up "
        f"to ε; proven anew for c above 0: {PAGE}.",
    )


def _lemma_4() -> Claim:
    graph = graph_from_edges(5, [(0, 3), (0, 4), (1, 2), (2, 3)])
    orders = best_orders(SHOWN * paths(graph), [0, 1])
    broken = n_broken(orders, graph, lemma_4_condition(graph, [0, 1]))
    return Claim(
        "Lemma 4",
        "Where every path shows, an edge i → j is in order in every optimum if j is intervened on, "
        "or an ancestor of j that is not one of i.",
        f"On five variables {broken} of {len(orders)} optima reverse an edge that it promises.",
        word(broken > 0),
        "The proof moves i and forgets that i's own intervened ancestors have to come along. An "
        f"intervention on i, on j or between them is enough; {PAGE}.",
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
        "Where only children show, an edge i → j is in order in every optimum if j is intervened "
        "on, or a parent of j that is not one of i.",
        f"On four variables {broken} of {len(orders)} optima reverse an edge that it promises.",
        word(broken > 0),
        f"Only an intervention on i itself is enough; {PAGE}.",
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


def _theorem_4() -> Claim:
    d, p_int, p_e = 3, 0.97, 0.5
    null = np.zeros((d, d))
    null[2, :2] = NULL, 0.5
    c, mean = max(1.01, smallest_c(1, d, reach="children")), 0.0
    for graph in upper_triangular_graphs(d):
        chance = p_e ** graph.sum() * (1 - p_e) ** (d * (d - 1) // 2 - graph.sum())
        distance = np.where(graph, SHOWN, null)
        mean += chance * expected_d_top(graph, distance, p_int, epsilon=1, c=c).mean
    bound = theorem_4(d, p_int, p_e)
    return Claim(
        "Theorem 4",
        "Expected D_top over random graphs is at most a closed form in d, p_int and p_e.",
        f"On three variables the mean over graphs, targets and optima is {mean:.5f} where it says "
        f"{bound:.5f}.",
        word(mean > bound),
        "It rests on Lemma 5; no case is known that breaks it where the distances of pairs that "
        f"show nothing are all 0; {PAGE}.",
    )


def _lemma_6() -> Claim:
    p_int, edges, d = 0.5, 1.5, 10_000
    reached = theorem_4_double_sum(d, p_int, 2 * edges / d) / d
    limit = lemma_6(p_int, edges)
    return Claim(
        "Lemma 6",
        "Theorem 4's bound divided by d has a limit where the edges per variable stay the same.",
        f"At {d:,} variables with {edges} edges each the bound divided by d is {reached:.4f}, the "
        f"limit {limit:.4f}.",
        word(abs(reached - limit) > CLOSE * limit),
        f"Its c is twice the edges per variable; as a bound it falls with Theorem 4; {PAGE}.",
    )
