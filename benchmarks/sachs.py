"""Every number of the page docs/sachs.md: the data of Sachs et al., natural log.

Run it as `python benchmarks/sachs.py`; it finds the data through INTERSORT_DATA. The variants
are what the paper's text leaves open, so they are spelled out here and not in the package.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

import networkx
import numpy as np
import pandas as pd
from _results import keep

import intersort

C = 0.5


def read(folder: Path) -> tuple[intersort.Effects, np.ndarray]:
    """Effects and the adjacency of the 17 consensus edges."""
    table = pd.read_csv(folder / "sachs_wang2017_raw.csv", keep_default_na=False)
    labels = table.pop("intervention")
    values = np.log(table.drop(columns="experiment"))
    data = intersort.InterventionalData.from_arrays(
        values.to_numpy(), labels.to_numpy(), names=list(values.columns), control=""
    )
    adjacency = np.zeros((values.shape[1],) * 2, dtype=int)
    for source, target in pd.read_csv(folder / "edges_consensus17.csv").itertuples(index=False):
        adjacency[values.columns.get_loc(source), values.columns.get_loc(target)] = 1
    return intersort.measure_effects(data), adjacency


def search_by_variables(score: intersort.OrderScore, initial: np.ndarray) -> np.ndarray:
    """First improvement as the paper's text has it: each variable to each place, by column."""
    margin = 1e-9 * score.largest_weight
    current = initial.tolist()
    while True:
        best = score.score(current)
        for variable in range(score.n_variables):
            others = [other for other in current if other != variable]
            places = ([*others[:k], variable, *others[k:]] for k in range(score.n_variables))
            better = next((order for order in places if score.score(order) > best + margin), None)
            if better is not None:
                current = better
                break
        else:
            return np.array(current)


def graph_of(start: intersort.SortRanking, intervened: np.ndarray) -> networkx.DiGraph:
    """The graph of SORTRANKING, its edges put in row by row."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(len(start.names)))
    rows, columns = np.nonzero(start.graph)
    graph.add_edges_from(zip(intervened[rows].tolist(), columns.tolist(), strict=True))
    return graph


def rows_of(effects: intersort.Effects, adjacency: np.ndarray) -> list[dict[str, object]]:
    """The paper's setting, what it leaves open, and other thresholds."""

    def row(what: str, order: np.ndarray, score: intersort.OrderScore) -> dict[str, object]:
        return {
            "what": what,
            "score": f"{score.score(order):.8f}",
            "d_top": intersort.d_top(adjacency, order),
            "order": " ".join(effects.names[column] for column in order),
        }

    score = intersort.score_orders(effects, 1.5, C)
    start = intersort.sort_ranking(effects, 1.5, C)
    graph = graph_of(start, effects.intervened)
    rows = [
        row("SORTRANKING", start.order, score),
        row(
            "SORTRANKING, children of a variable by column",
            list(networkx.topological_sort(graph)),
            score,
        ),
        row(
            "SORTRANKING, always the first free column",
            list(networkx.lexicographical_topological_sort(graph)),
            score,
        ),
        row("local search, positions", intersort.local_search(score, start).order, score),
        row("local search, variables", search_by_variables(score, start.order), score),
    ]
    for epsilon in (0.3, 0.5, 1.0, 1.1, 1.5, 1.8):
        result = intersort.exact_order(intersort.score_orders(effects, epsilon, C))
        orders = np.unique(result.sample_optimal(200 * result.n_optimal), axis=0)
        backwards = [intersort.d_top(adjacency, order) for order in orders]
        assert len(orders) == result.n_optimal
        rows.append(
            {
                "what": f"all {result.n_optimal} optima at epsilon {epsilon}",
                "score": f"{result.score:.8f}",
                "d_top": f"{min(backwards)} to {max(backwards)}, mean {np.mean(backwards):.3g}",
            }
        )
    return rows + other_starts(score, adjacency)


def other_starts(score: intersort.OrderScore, adjacency: np.ndarray) -> list[dict[str, object]]:
    """The local search from 1,000 random orders: how often the optimum, and which D_top there?"""
    rng = np.random.default_rng(0)
    optimum = intersort.exact_order(score).score
    results = [intersort.local_search(score, rng.permutation(11)) for _ in range(1000)]
    at_optimum = [result for result in results if result.score > optimum - 1e-6]
    counts = np.bincount([intersort.d_top(adjacency, result.order) for result in at_optimum])
    shown = ", ".join(f"{k}: {n} times" for k, n in enumerate(counts) if n)
    return [
        {
            "what": f"optimum reached from {len(at_optimum)} of 1,000 random orders",
            "score": f"{optimum:.8f}",
            "d_top": shown,
        }
    ]


def main() -> int:
    """Measure, print and keep."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("INTERSORT_DATA", default)) / "sachs"
    if not folder.exists():
        print(f"no data at {folder}; set INTERSORT_DATA to the folder that holds sachs/")
        return 0
    warnings.simplefilter("ignore", intersort.WeakBonusWarning)  # 0.5 · 11 < 1.5 · 9
    keep("sachs", rows_of(*read(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
