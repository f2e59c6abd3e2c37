"""Which variant of SCORE for which kind of data: chosen on seeds that no table uses.

Run it as `python benchmarks/score_matching_variants.py`. Errors are shares of what a random order
gets, half the edges. The variant with the lower mean over 10 and 30 variables on standardised
control rows is taken for the domain; beside it, what more rows would give, and values as simulated.
docs/rivals.md says why the scale decides.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from _results import keep

from intersort import InterventionalData, baselines, d_top, simulate

FIRST_SEED = 900_000
N_DATASETS = {10: 20, 30: 10}
DOMAINS = ("linear", "rff", "nn", "gene_regulation")
COLUMNS = {
    "d = 10": (10, "standardised", 1000),
    "d = 30": (30, "standardised", 1000),
    "d = 10, 2,000 rows": (10, "standardised", 2000),
    "d = 10, as simulated": (10, "raw", 1000),
}


@cache
def draw(domain: str, d: int, number: int, scaling: str) -> tuple[InterventionalData, np.ndarray]:
    """Control rows beside one row that is none, and the graph."""
    seeds = np.random.default_rng([FIRST_SEED, d, number]).spawn(3)
    adjacency = simulate.random_graph(d, edges_per_variable=1 + number % 2, rng=seeds[0])
    population = simulate.random_population(adjacency, domain, rng=seeds[1])
    values = population.sample(5000, rng=seeds[2])
    if scaling == "standardised":
        values = (values - values.mean(axis=0)) / values.std(axis=0)
    targets = np.append(np.full(5000, -1), 0)
    rows = np.vstack([values, np.zeros(d)])
    return InterventionalData.from_arrays(rows, targets, control=-1), adjacency


def share_of_random(
    domain: str, d: int, number: int, scaling: str, n_rows: int, normalise: bool
) -> float:
    """D_top as a share of what a random order gets on average."""
    data, adjacency = draw(domain, d, number, scaling)
    settings = {"n_rows": n_rows, "normalise": normalise}
    order = baselines.run("score_matching", data, rng=number, **settings).orders[0]
    return d_top(adjacency, order) / (adjacency.sum() / 2)


def main() -> None:
    """Measure, print and keep."""
    rows = []
    for domain in DOMAINS:
        found: list[dict[str, object]] = []
        for normalise in (False, True):
            shares = {
                column: float(
                    np.mean(
                        [
                            share_of_random(domain, d, number, scaling, n_rows, normalise)
                            for number in range(N_DATASETS[d])
                        ]
                    )
                )
                for column, (d, scaling, n_rows) in COLUMNS.items()
            }
            mean = (shares["d = 10"] + shares["d = 30"]) / 2
            found.append({"domain": domain, "normalise": normalise, **shares, "mean": mean})
        least = min(float(str(row["mean"])) for row in found)
        rows += [row | {"taken": "×" if row["mean"] == least else ""} for row in found]
    keep("score_matching_variants", rows)


if __name__ == "__main__":
    main()
