"""Where the descents of `interventional_bic` should start: afresh, or near the best order so far.

Run it as `python benchmarks/bic_restarts.py`. On seeds that no table uses: how far the best of 20
descents stays above the best score that any of the variants reached on that problem, in nats.
"""

from __future__ import annotations

import time
from itertools import product

import numpy as np
from _results import keep
from ease_forms import DOMAINS, FIRST_SEED, FRACTIONS, draw

from intersort import d_top, simulate
from intersort.baselines.interventional_bic import Search, insert_at_random, sum_products

N_DESCENTS = 20
N_DATASETS = {10: 10, 30: 10}
STARTS = {"fresh": None, "d / 4 insertions": 0.25, "d / 2 insertions": 0.5, "d insertions": 1.0}


def search(domain: str, d: int, number: int, fraction: float, share: float | None) -> list[float]:
    """Least score of 20 descents, D_top of its order, seconds."""
    values, targets, adjacency = draw(domain, d, number)
    chosen = simulate.choose_targets(d, fraction=fraction, rng=FIRST_SEED + number)
    used = np.isin(targets, np.append(chosen, -1))
    rng = np.random.default_rng([FIRST_SEED, number])
    begin = time.thread_time()
    descents = Search(sum_products(values[used], targets[used], 1.0))
    best, least = descents.descend(rng.permutation(d), rng.permutation(d))
    for _ in range(N_DESCENTS - 1):
        start = rng.permutation(d)
        if share is not None:
            start = insert_at_random(best, round(share * d), rng)
        order, value = descents.descend(start, rng.permutation(d))
        if value < least:
            best, least = order, value
    return [least, d_top(adjacency, best), time.thread_time() - begin]


def main() -> None:
    """Measure, print and keep."""
    rows = []
    for d, domain in product(N_DATASETS, DOMAINS):
        found = np.array(
            [
                [[search(domain, d, n, f, share) for f in FRACTIONS] for n in range(N_DATASETS[d])]
                for share in STARTS.values()
            ]
        )
        gap = found[..., 0] - found[..., 0].min(axis=0)
        for k, starts in enumerate(STARTS):
            row: dict[str, object] = {"d": d, "domain": domain, "starts": starts}
            row |= {"nats above the best": float(gap[k].mean())}
            row |= {"within 0.1 nats": f"{np.mean(gap[k] < 0.1):.0%}"}
            for fraction, errors in zip(FRACTIONS, found[k, ..., 1].mean(axis=0), strict=True):
                row[f"D_top {fraction:.0%}"] = float(errors)
            rows.append(row | {"CPU seconds": float(found[k, ..., 2].mean())})
    keep("bic_restarts", rows)


if __name__ == "__main__":
    main()
