"""Which form of EASE for which kind of data: chosen on seeds that no table uses.

Run it as `python benchmarks/ease_forms.py`. Errors are shares of what a random order gets, half the
edges; the form with the lower mean over 10 and 30 variables and the four fractions, on all rows
pooled, is taken for the domain. docs/research/rivals.md discusses the outcome.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from _results import keep

from intersort import InterventionalData, baselines, d_top, simulate

FIRST_SEED = 900_000
N_DATASETS = 20
DOMAINS = ("linear", "rff", "nn", "gene_regulation")
FRACTIONS = (0.25, 0.5, 0.75, 1.0)
FORMS = ("one_sided", "two_sided")


@cache
def draw(domain: str, d: int, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A screen in which every variable is intervened on, standardised, and its graph."""
    seeds = np.random.default_rng([FIRST_SEED, d, number]).spawn(3)
    adjacency = simulate.random_graph(d, edges_per_variable=1 + number % 2, rng=seeds[0])
    population = simulate.random_population(adjacency, domain, rng=seeds[1])
    values, targets = population.screen(5000, 100, np.arange(d), rng=seeds[2])
    control = values[targets == -1]
    return (values - control.mean(axis=0)) / control.std(axis=0), targets, adjacency


def share_of_random(domain: str, d: int, number: int, fraction: float, **settings: str) -> float:
    """D_top as a share of what a random order gets on average."""
    values, targets, adjacency = draw(domain, d, number)
    chosen = simulate.choose_targets(d, fraction=fraction, rng=FIRST_SEED + number)
    used = np.isin(targets, np.append(chosen, -1))
    data = InterventionalData.from_arrays(values[used], targets[used], control=-1)
    order = baselines.run("ease", data, **settings).orders[0]
    return d_top(adjacency, order) / (adjacency.sum() / 2)


def main() -> None:
    """Measure, print and keep."""
    rows = []
    for domain in DOMAINS:
        cells = {
            (form, d, taken): np.array(
                [
                    [share_of_random(domain, d, n, f, form=form, rows=taken) for f in FRACTIONS]
                    for n in range(N_DATASETS)
                ]
            )
            for form, d, taken in product(FORMS, (10, 30), ("pooled", "control"))
        }
        means = {form: np.mean([cells[form, d, "pooled"] for d in (10, 30)]) for form in FORMS}
        best = min(FORMS, key=means.__getitem__)
        for form in FORMS:
            row: dict[str, object] = {"domain": domain, "form": form}
            for d in (10, 30):
                for fraction, share in zip(
                    FRACTIONS, cells[form, d, "pooled"].mean(axis=0), strict=True
                ):
                    row[f"d = {d}, {fraction:.0%}"] = float(share)
                row[f"d = {d}, control rows"] = float(cells[form, d, "control"].mean())
            rows.append(row | {"mean, pooled": means[form], "taken": "×" if form == best else ""})
    keep("ease_forms", rows)


if __name__ == "__main__":
    main()
