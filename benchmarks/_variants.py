"""Try variants of a rival on seeds that no table uses, and say which is best in which domain."""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
from ease_forms import DOMAINS, FIRST_SEED, draw

from intersort import InterventionalData, baselines, simulate
from intersort.metrics import d_top_range

Plan = Mapping[int, tuple[int, tuple[float, ...]]]
"""Number of variables → number of datasets, fractions."""
Settings = Mapping[str, Any]


def try_variants(
    rival: str, variants: Mapping[str, Settings], plan: Plan, fixed: set[str] = frozenset()
) -> list[dict[str, object]]:
    """One row a domain and variant: errors as shares of what a random order gets, and seconds.

    Variants named in `fixed` look at control rows alone, so that one fraction stands for all.
    """
    rows = []
    for domain in DOMAINS:
        of_domain = []
        for name, settings in variants.items():
            row: dict[str, object] = {"domain": domain, "variant": name}
            shares, seconds = [], {}
            for d, (n_datasets, fractions) in plan.items():
                looked_at = fractions[:1] if name in fixed else fractions
                runs = {
                    fraction: [
                        run_once(rival, domain, d, number, fraction, settings)
                        for number in range(n_datasets)
                    ]
                    for fraction in looked_at
                }
                for fraction in fractions:
                    share = float(np.mean([s for s, _ in runs.get(fraction, runs[looked_at[0]])]))
                    row[f"d = {d}, {fraction:.0%}"] = share
                    shares.append(share)
                seconds[f"d = {d}, CPU s"] = float(
                    np.mean([s for r in runs.values() for _, s in r])
                )
            row |= {"mean": float(np.mean(shares))} | seconds
            print(row, flush=True)
            of_domain.append(row)
        best = min(of_domain, key=lambda row: row["mean"])
        rows += [row | {"best": "×" if row is best else ""} for row in of_domain]
    return rows


def run_once(
    rival: str, domain: str, d: int, number: int, fraction: float, settings: Settings
) -> tuple[float, float]:
    """D_top as a share of what a random order gets, and the seconds of one core."""
    values, targets, adjacency = draw(domain, d, number)
    chosen = simulate.choose_targets(d, fraction=fraction, rng=FIRST_SEED + number)
    used = np.isin(targets, np.append(chosen, -1))
    data = InterventionalData.from_arrays(values[used], targets[used], control=-1)
    begin = time.process_time()
    # Not a seed that anything of the dataset was drawn from.
    result = baselines.run(rival, data, rng=[FIRST_SEED, d, number, 1], **settings)
    spent = time.process_time() - begin
    return d_top_range(adjacency, result.orders).mean / (adjacency.sum() / 2), spent


def combine(**choices: tuple[Any, ...]) -> dict[str, dict[str, Any]]:
    """Every combination of settings, named by what it sets."""
    return {
        ", ".join(f"{key} {value}" for key, value in zip(choices, values, strict=True)): dict(
            zip(choices, values, strict=True)
        )
        for values in product(*choices.values())
    }
