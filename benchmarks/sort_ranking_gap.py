"""How far SORTRANKING's graph falls short of the paper's G_opt, the best acyclic graph.

Run it as `python benchmarks/sort_ranking_gap.py`. S_init of the best graph is the best score of an
order whose pairs are worth max(D − ε, 0), which `exact_order` proves; at d ≤ 5 it is checked
against the enumeration in `intersort.orders.plain`.
"""

from __future__ import annotations

import numpy as np
from _results import keep

from intersort import Effects, exact_order, sort_ranking
from intersort.orders.plain import find_best_graph_plainly

EPSILON = 0.3
KINDS = {
    "uniform": lambda rng, d: rng.uniform(size=(d, d)),
    "exponential": lambda rng, d: rng.exponential(0.5, size=(d, d)),
}


def shortfall(distance: np.ndarray) -> float:
    """Part of the best S_init that SORTRANKING misses."""
    np.fill_diagonal(distance, 0.0)
    best = exact_order(np.maximum(distance - EPSILON, 0.0)).score
    if len(distance) <= 5:
        enumerated, _ = find_best_graph_plainly(distance, EPSILON)
        assert abs(enumerated - best) < 1e-9
    found = sort_ranking(Effects.from_matrix(distance), EPSILON).s_init
    return (best - found) / best if best > 0 else 0.0


def main() -> None:
    """Measure, print and keep."""
    rows = []
    for kind, draw in KINDS.items():
        for d in (3, 4, 5, 8, 12):
            rng = np.random.default_rng(d)
            missed = np.array([shortfall(draw(rng, d)) for _ in range(200)])
            rows.append(
                {
                    "distances": kind,
                    "d": d,
                    "matrices": missed.size,
                    "G_opt reached in": f"{100 * np.mean(missed < 1e-9):.0f} %",
                    "mean shortfall of S_init": f"{100 * missed.mean():.2f} %",
                    "largest": f"{100 * missed.max():.1f} %",
                }
            )
    keep("sort_ranking_gap", rows)


if __name__ == "__main__":
    main()
