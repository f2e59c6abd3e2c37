"""Speed of the orders: local search against the pseudo-code, SORTRANKING and its parts.

Run it as `python benchmarks/orders_speed.py`; the pseudo-code at d = 100 takes minutes. Ours and
theirs run in the same process, the same start leads both to the same order (or this fails).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
from _results import keep
from _screens import EPSILON, draw_effects, draw_score

from intersort import Effects, OrderScore, exact_order, local_search, sort_ranking
from intersort.orders.plain import neighbours
from intersort.orders.sort_ranking import accept_edges, sort_by_generations, sort_pairs

Result = TypeVar("Result")


def timed(work: Callable[[], Result], rounds: int = 1) -> tuple[float, Result]:
    """Least seconds of several rounds, and the result."""
    least = np.inf
    for _ in range(rounds):
        start = time.perf_counter()
        result = work()
        least = min(least, time.perf_counter() - start)
    return least, result


def pseudo_code(weights: np.ndarray, initial: list[int]) -> list[int]:
    """The paper's local search, each neighbour's score computed afresh, as fast as NumPy can."""
    ahead = np.triu(np.ones_like(weights), 1)

    def score(order: list[int]) -> float:
        return float(np.vdot(weights.take(order, 0).take(order, 1), ahead))

    margin = 1e-9 * abs(weights).max()
    current, current_score = initial, score(initial)
    while True:
        for candidate, _ in neighbours(current, 1):
            candidate_score = score(candidate)
            if candidate_score > current_score + margin:
                current, current_score = candidate, candidate_score
                break
        else:
            return current


def against_pseudo_code(score: OrderScore, start: np.ndarray, label: str) -> dict[str, object]:
    """Time both searches from one start."""
    ours, found = timed(lambda: local_search(score, start), rounds=20)
    theirs, expected = timed(lambda: pseudo_code(score.to_dense(), start.tolist()))
    if found.order.tolist() != expected:
        raise AssertionError(f"{label}: the two searches end in different orders")
    return {
        "work": f"local search, d = {score.n_variables}, {label}",
        "seconds": ours,
        "against": "pseudo-code with a vectorised score, same result",
        "theirs": theirs,
        "ratio": theirs / ours,
    }


def sort_ranking_in_parts(effects: Effects, label: str) -> list[dict[str, object]]:
    """Time SORTRANKING whole and its parts: what does sorting cost, what the path checks?"""
    values, intervened, d = effects.distance, effects.intervened, len(effects.names)
    above = values > EPSILON
    whole, result = timed(lambda: sort_ranking(effects, EPSILON), rounds=3)
    sorting, (rows, children) = timed(lambda: sort_pairs(values, intervened, above), rounds=3)
    sources = intervened[rows]
    checking, accepted = timed(lambda: accept_edges(sources, children, d), rounds=3)
    edges = sources[accepted], children[accepted]
    ranking, _ = timed(lambda: sort_by_generations(*edges, d), rounds=3)
    head = f"SORTRANKING, d = {d}, {label}"
    return [
        {"work": f"{head}: {rows.size:,} pairs, {result.graph.sum():,} edges", "seconds": whole},
        {"work": "  of this, sorting the pairs above ε", "seconds": sorting},
        {"work": "  of this, path checks", "seconds": checking},
        {"work": "  of this, topological order", "seconds": ranking},
    ]


def main() -> None:
    """Measure, print and keep."""
    small = draw_effects(5)
    local_search(draw_score(5), sort_ranking(small, EPSILON))  # compiles
    exact_order(draw_score(5))
    rows = []
    for d in (30, 100):
        score = draw_score(d)
        start = sort_ranking(draw_effects(d), EPSILON).order
        rows.append(against_pseudo_code(score, start, "from SORTRANKING"))
        shuffled = np.random.default_rng(0).permutation(d)
        rows.append(against_pseudo_code(score, shuffled, "from a random order"))
    rows += sort_ranking_in_parts(draw_effects(2000, 1.0), "oracle distances, all intervened on")
    distance = np.random.default_rng(0).gamma(1.0, size=(2000, 2000))
    rows += sort_ranking_in_parts(
        Effects.from_matrix(distance + EPSILON), "random distances, all above ε"
    )
    weights = np.random.default_rng(0).normal(size=(20, 20))
    rows.append(
        {"work": "exact order, d = 20", "seconds": timed(lambda: exact_order(weights), 3)[0]}
    )
    keep("orders_speed", rows)


if __name__ == "__main__":
    main()
