"""Quality against time: our search, local search, SORTRANKING and DiffIntersort.

Run it as `python benchmarks/search_quality.py [d ...]`. Distances made up from a random graph
(1.5 edges per variable, half of the variables intervened on, effects of random size above ε, null
distances random below it), the paper's score. Local search and DiffIntersort run in a process of
their own and are cut off after 10 minutes (local search beyond 1,000 variables after 2); a method
that was cut off keeps its best where it has a trace, and none where it has not. Times to
results/search_quality.csv, drawn in results/search_quality.svg.
"""

from __future__ import annotations

import csv
import multiprocessing
import sys
import time
from collections.abc import Callable
from queue import Empty

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
import numpy as np
from _results import RESULTS, keep

from intersort import Effects, find_order, local_search, score_orders, sort_ranking
from intersort.baselines.diffintersort import diffintersort
from intersort.scores.paper import OrderScore
from intersort.simulate import choose_targets, random_graph
from intersort.theory.oracle import oracle_distances

SECONDS = {100: 5, 300: 20, 1000: 30, 3000: 60, 10_000: 60}
EPSILON = 0.3
METHODS = ("find_order", "local search", "SORTRANKING", "DiffIntersort")
Trace = list[tuple[float, float]]


def draw(d: int) -> tuple[Effects, OrderScore]:
    """Effects and score of one problem."""
    rng = np.random.default_rng(30_000 + d)
    graph = random_graph(d, edges_per_variable=1.5, rng=rng)
    targets = np.sort(choose_targets(graph, probability=0.5, rng=rng))
    distance = oracle_distances(graph, targets, EPSILON, effect="random", null="random", rng=rng)
    effects = Effects.from_matrix(distance, targets)
    return effects, score_orders(effects, EPSILON)


def search(d: int) -> Trace:
    """Ours, without a certificate: every better order as it was found."""
    _, score = draw(d)
    result = find_order(score, time_limit=SECONDS[d], certify=False)
    return [(seconds, value) for seconds, value, _ in result.trace]


def rank(d: int) -> Trace:
    """The paper's start."""
    effects, _ = draw(d)
    begin = time.perf_counter()
    result = sort_ranking(effects, EPSILON)
    return [(time.perf_counter() - begin, result.score)]


def descend(d: int) -> Trace:
    """The paper's Intersort: SORTRANKING, then local search."""
    effects, score = draw(d)
    begin = time.perf_counter()
    result = local_search(score, sort_ranking(effects, EPSILON))
    return [(time.perf_counter() - begin, result.score)]


def climb(d: int) -> Trace:
    """DiffIntersort from a random start, as its authors run it."""
    _, score = draw(d)
    result = diffintersort(score, time_limit=600)
    return [(seconds, value) for seconds, value, _ in result.trace]


def alone(work: Callable[[int], Trace], d: int, limit: float) -> Trace:
    """Run in a process of its own, after compiling on a toy; nothing if it takes too long."""
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=_answer, args=(work, d, answers))
    process.start()
    try:
        return answers.get(timeout=limit)
    except Empty:
        return []
    finally:
        process.kill()
        process.join()


def _answer(work: Callable[[int], Trace], d: int, answers: multiprocessing.Queue) -> None:
    local_search(np.zeros((30, 30)), np.arange(30))
    sort_ranking(Effects.from_matrix(np.ones((5, 5))), EPSILON)
    answers.put(work(d))


def measure(d: int) -> list[dict[str, object]]:
    """All methods on one problem."""
    traces = {
        "find_order": search(d),
        "SORTRANKING": rank(d),
        "local search": alone(descend, d, 600 if d <= 1000 else 120),
    }
    if d <= 300:
        traces["DiffIntersort"] = alone(climb, d, 700)
    best = max(value for trace in traces.values() for _, value in trace)
    return [
        {"d": d, "method": method, "seconds": seconds, "below_best_percent": 100 * (1 - v / best)}
        for method, trace in traces.items()
        for seconds, v in trace or [(float("nan"), float("nan"))]
    ]


def plot(rows: list[dict[str, str]]) -> None:
    """One panel a size: how far below the best of all, against time."""
    plt.rcParams["svg.hashsalt"] = "intersort"
    sizes = sorted({int(row["d"]) for row in rows})
    figure, panels = plt.subplots(
        1, len(sizes), figsize=(3.1 * len(sizes), 3.4), sharey=True, layout="constrained"
    )
    for axes, d in zip(np.atleast_1d(panels), sizes, strict=True):
        for method, marker in zip(METHODS, "osD^", strict=True):
            points = [
                (max(float(row["seconds"]), 1e-3), max(float(row["below_best_percent"]), 1e-4))
                for row in rows
                if int(row["d"]) == d and row["method"] == method
            ]
            if points:
                axes.loglog(*zip(*points, strict=True), marker, ls="-", ms=4, label=method)
        axes.set_title(f"d = {d:,}", fontsize=10)
        axes.set_xlabel("seconds")
        axes.grid(alpha=0.3)
    np.atleast_1d(panels)[0].set_ylabel("% below the best found")
    handles, labels = np.atleast_1d(panels)[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False)
    figure.savefig(RESULTS / "search_quality.svg", metadata={"Date": None})


def main() -> None:
    """Measure the sizes asked for, keep the others as they were, draw all."""
    sizes = [int(word) for word in sys.argv[1:]] or list(SECONDS)
    kept: list[dict[str, object]] = []
    path = RESULTS / "search_quality.csv"
    if path.exists():
        with open(path, encoding="utf-8") as file:
            kept = [dict(row) for row in csv.DictReader(file) if int(row["d"]) not in sizes]
    for d in sizes:
        kept += measure(d)
        keep("search_quality", sorted(kept, key=lambda row: (int(row["d"]), row["method"])))
    with open(path, encoding="utf-8") as file:
        plot(list(csv.DictReader(file)))


if __name__ == "__main__":
    main()
