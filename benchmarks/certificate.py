"""Proofs and gaps of find_order on the kinds of data the paper simulates, and on LOLIB's IO family.

Run it as `python benchmarks/certificate.py [30 | 100 | io] ...`. Screens as in the paper: 5,000
control rows, 100 per target, 1 and 2 edges per variable, 25 to 100 % intervened on, ε 0.3 (gene
regulation 0.5), c 0.5; seeds that no reported table of accuracy uses. At d = 30 each instance gets
2 s, at d = 100 it gets 60 s, at IO (INTERSORT_DATA, default ../shared/data) 5 s. Results to
results/certificate_30.csv, certificate_100.csv, certificate_io.csv.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from _results import keep

from intersort import InterventionalData, find_order, measure_effects, score_orders
from intersort.orders.find import _compile
from intersort.scores.paper import OrderScore
from intersort.simulate import choose_targets, random_graph, random_population

DOMAINS = ("linear", "rff", "nn", "gene_regulation")
FRACTIONS = (0.25, 0.5, 0.75, 1.0)
REPETITIONS = {30: 4, 100: 1}
SECONDS = {30: 2.0, 100: 60.0}


def draw(d: int, domain: str, edges: int, fraction: float, repetition: int) -> OrderScore:
    """The paper's score of one simulated screen."""
    rng = np.random.default_rng([40_000, d, DOMAINS.index(domain), edges, repetition])
    graph = random_graph(d, edges_per_variable=edges, rng=rng)
    targets = choose_targets(graph, fraction=fraction, rng=rng)
    values, rows = random_population(graph, domain, rng=rng).screen(5000, 100, targets, rng=rng)
    names = tuple(f"x{column}" for column in range(d))
    effects = measure_effects(InterventionalData(values, rows, names), n_jobs=-1)
    return score_orders(effects, 0.5 if domain == "gene_regulation" else 0.3)


def solve(score: OrderScore, seconds: float) -> dict[str, object]:
    """Gap and time of one problem."""
    begin = time.perf_counter()
    result = find_order(score, time_limit=seconds)
    took = time.perf_counter() - begin
    return {
        "seconds": took,
        "gap_percent": 100 * result.gap,
        "proven": result.is_optimal and took <= seconds,
    }


def screens(d: int) -> list[dict[str, object]]:
    """One row a domain and fraction, and one for all of them."""
    table, everything = [], []
    for domain in DOMAINS:
        for fraction in FRACTIONS:
            runs = [
                solve(draw(d, domain, edges, fraction, repetition), SECONDS[d])
                for edges in (1, 2)
                for repetition in range(REPETITIONS[d])
            ]
            everything += runs
            table.append({"domain": domain, "intervened": fraction} | summarise(runs))
            print(table[-1], flush=True)
    return [*table, {"domain": "all", "intervened": ""} | summarise(everything)]


def summarise(runs: list[dict[str, object]]) -> dict[str, object]:
    """Number proven, gaps and times of several runs."""
    seconds = [float(str(run["seconds"])) for run in runs]
    gaps = [float(str(run["gap_percent"])) for run in runs]
    return {
        "instances": len(runs),
        "proven": sum(bool(run["proven"]) for run in runs),
        "median_gap_percent": float(np.median(gaps)),
        "largest_gap_percent": max(gaps),
        "median_seconds": float(np.median(seconds)),
        "longest_seconds": max(seconds),
    }


def input_output() -> list[dict[str, object]]:
    """Every matrix of the IO family."""
    folder = Path(os.environ.get("INTERSORT_DATA", "../shared/data")) / "lolib" / "IO"
    rows = []
    for path in sorted(folder.iterdir()):
        numbers = path.read_text(encoding="utf-8").split()
        first = next(k for k, word in enumerate(numbers) if word.lstrip("-").isdigit())
        n = int(numbers[first])
        matrix = np.array(numbers[first + 1 : first + 1 + n * n], dtype=float).reshape(n, n)
        rows.append({"instance": path.name, "n": n} | solve(matrix, 5.0))
    total = {"instance": "all", "n": "", "seconds": max(float(str(r["seconds"])) for r in rows)}
    proven = sum(bool(row["proven"]) for row in rows)
    worst = max(float(str(row["gap_percent"])) for row in rows)
    return [*rows, total | {"gap_percent": worst, "proven": f"{proven} of {len(rows)}"}]


def main() -> None:
    """Run what was asked for."""
    warnings.simplefilter("ignore")
    _compile()
    for part in sys.argv[1:] or ["io", "30", "100"]:
        keep(f"certificate_{part}", input_output() if part == "io" else screens(int(part)))


if __name__ == "__main__":
    main()
