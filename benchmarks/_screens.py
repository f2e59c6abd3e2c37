"""Scores and effects that the benchmarks of the orders share: oracle distances in random graphs."""

from __future__ import annotations

import numpy as np

from intersort import Effects, OrderScore, score_orders
from intersort.simulate import choose_targets, random_graph
from intersort.theory.oracle import oracle_distances

EPSILON = 0.3


def draw_effects(d: int, probability: float = 0.5, null: str = "zero", seed: int = 0) -> Effects:
    """Effects in an Erdős–Rényi graph with 1.5 edges per variable; every descendant shows."""
    graph = random_graph(d, edges_per_variable=1.5, rng=seed)
    intervened = np.arange(d)
    if probability < 1:
        intervened = choose_targets(d, probability=probability, rng=seed)
    distance = oracle_distances(graph, intervened, EPSILON, effect="random", null=null, rng=seed)
    return Effects.from_matrix(distance, intervened=intervened)


def draw_score(d: int, probability: float = 0.5, null: str = "zero", seed: int = 0) -> OrderScore:
    """The paper's score of the same, with c = 0.5."""
    return score_orders(draw_effects(d, probability, null, seed), EPSILON)
