"""The memetic search on instances of LOLIB, beside the best published solver.

Run it as `python benchmarks/lolib.py` on an idle machine (eight minutes; two with the argument
`short`, which leaves out 5 s); with the argument `cpu` time is that of the thread, for a machine
that others use too. RandA1: mean % below the best known value, five seeds, beside MA-EDM in the
same time. IO: seconds until the proven optimum, the slowest of three seeds. The instances are found
through INTERSORT_DATA, by default ../shared/data.
"""

from __future__ import annotations

import csv
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from _results import keep

from intersort import OrderScore
from intersort.orders.memetic import Budget, search_memetically
from intersort.scores.weight_matrix import as_order_score

DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "data"
FOLDER = Path(os.environ.get("INTERSORT_DATA", DEFAULT)) / "lolib"
MA_EDM = {  # mean % below the best known value, run by us
    (0.2, 100): 0.021,
    (0.2, 150): 0.084,
    (0.2, 200): 0.153,
    (1.0, 100): 0.014,
    (1.0, 150): 0.014,
    (1.0, 200): 0.069,
    (5.0, 100): 0.000,
    (5.0, 150): 0.026,
    (5.0, 200): 0.022,
}
SEEDS = range(5)
Clock = Callable[[], float]


def read_instances(family: str) -> list[tuple[str, OrderScore, float]]:
    """Name, score and best known value of every instance of a family."""
    with open(FOLDER / "best_known.csv", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["family"] == family]
    instances = []
    for row in rows:
        numbers = np.array((FOLDER / row["path"]).read_text().split(), dtype=float)
        n = int(numbers[0])
        score = as_order_score(numbers[1 : 1 + n * n].reshape(n, n))
        instances.append((row["instance"], score, float(row["best_known"])))
    return instances


def search(
    score: OrderScore, seconds: float, seed: int, clock: Clock, enough: float = np.inf
) -> tuple[float, float]:
    """Best score within the time, and seconds until it; stop at `enough`."""
    rng = np.random.default_rng(seed)
    initial = rng.permutation(score.n_variables)
    start = clock()
    reached = start
    best = -np.inf
    budget = Budget(deadline=start + seconds, clock=clock)
    for step in search_memetically(score, initial, budget=budget, rng=rng):
        best, reached = step.score, clock()
        if best >= enough:
            break
    return best, reached - start


def compare_random(clock: Clock, limits: list[float]) -> list[dict[str, object]]:
    """RandA1: mean gap by size and time."""
    instances = read_instances("RandA1")
    rows: list[dict[str, object]] = []
    for seconds in limits:
        for n in (100, 150, 200):
            gaps = [
                100 * (1 - search(score, seconds, seed, clock)[0] / best)
                for _, score, best in instances
                if score.n_variables == n
                for seed in SEEDS
            ]
            ours, theirs = float(np.mean(gaps)), MA_EDM[seconds, n]
            rows.append(
                {"work": f"RandA1 n = {n}", "seconds": seconds, "% below best known": ours}
                | {"MA-EDM": theirs}
            )
    return rows


def time_optima(clock: Clock) -> dict[str, object]:
    """IO: the slowest run until the proven optimum, within a second."""
    runs = [
        (search(score, 1.0, seed, clock, best - 1e-6), best)
        for _, score, best in read_instances("IO")
        for seed in SEEDS[:3]
    ]
    missed = sum(found < best - 1e-6 for (found, _), best in runs)
    slowest = max(seconds for (_, seconds), _ in runs)
    return {"work": f"IO, {missed} of {len(runs)} missed, slowest optimum", "seconds": slowest}


def main() -> None:
    """Measure, print and keep."""
    clock = time.thread_time if "cpu" in sys.argv else time.perf_counter
    limits = [0.2, 1.0] if "short" in sys.argv else [0.2, 1.0, 5.0]
    compiling = as_order_score(np.random.default_rng(0).normal(size=(110, 110)))
    list(search_memetically(compiling, np.arange(110), budget=Budget(work=3 * 10**7)))
    rows = [*compare_random(clock, limits), time_optima(clock)]
    rows[0]["clock"] = "of the thread" if clock is time.thread_time else "on the wall"
    keep("lolib", rows)


if __name__ == "__main__":
    main()
