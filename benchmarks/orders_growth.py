"""Growth of the orders: time against the number of variables, with fitted exponents.

Run it as `python benchmarks/orders_growth.py`. It writes the times to results/orders_growth.csv
and draws them on log axes in results/orders_growth.svg (needs the extra `plots`). Oracle distances,
1.5 edges per variable, half of the variables intervened on.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from _growth import draw_growth
from _results import keep
from _screens import EPSILON, draw_effects, draw_score
from orders_speed import pseudo_code

from intersort import exact_order, local_search, sort_ranking


def search_whole(d: int) -> Callable[[], object]:
    """The compiled local search from a random order."""
    score, start = draw_score(d), np.random.default_rng(d).permutation(d)
    return lambda: local_search(score, start)


def search_literally(d: int) -> Callable[[], object]:
    """The pseudo-code with a vectorised score, from the same start."""
    weights, start = draw_score(d).to_dense(), np.random.default_rng(d).permutation(d)
    return lambda: pseudo_code(weights, start.tolist())


def rank(d: int) -> Callable[[], object]:
    """SORTRANKING."""
    effects = draw_effects(d)
    return lambda: sort_ranking(effects, EPSILON)


def solve(d: int) -> Callable[[], object]:
    """The exact order, whose growth is exponential."""
    score = draw_score(d)
    return lambda: exact_order(score)


SERIES = {
    "pseudo-code, vectorised score": (search_literally, [15, 20, 30, 40, 50]),
    "local search": (search_whole, [50, 100, 200, 400, 800]),
    "SORTRANKING": (rank, [250, 500, 1000, 2000, 4000]),
    "exact order": (solve, [12, 14, 16, 18, 20]),
}


def measure(work: Callable[[], object], rounds: int) -> float:
    """Least seconds of several rounds."""
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def main() -> None:
    """Measure, fit, print, keep and draw."""
    rows: list[dict[str, object]] = []
    growth = {}
    for name, (make, sizes) in SERIES.items():
        make(10)()  # compiles
        seconds = [
            measure(make(d), 1 if d > 300 or name.startswith("pseudo") else 5) for d in sizes
        ]
        if name == "exact order":
            factor = np.exp(np.polyfit(sizes, np.log(seconds), 1)[0])
            growth[name] = f"{factor:.2f}ᵈ"
        else:
            growth[name] = f"d^{np.polyfit(np.log(sizes), np.log(seconds), 1)[0]:.1f}"
        rows += [
            {"work": name, "d": d, "seconds": took, "growth": growth[name]}
            for d, took in zip(sizes, seconds, strict=True)
        ]
    keep("orders_growth", rows)
    draw_growth("orders_growth", rows, growth, size="d", label="variables d")


if __name__ == "__main__":
    main()
