"""The negative control: where nothing affects anything, every rival is as good as a random order.

The label graph knows nothing of the rows, so an order made of the rows is to it as a random one.
The errors of random orders of the same graphs say how far a mean may stray by chance.
"""

from __future__ import annotations

import numpy as np
import pytest

from experiments.rivals import run_rival
from experiments.screens import DOMAINS, Screen, draw
from intersort import baselines
from intersort.baselines.registry import EXTRA_OF
from intersort.metrics import d_top

NEURAL = {name for name, extra in EXTRA_OF.items() if extra == "neural"}
"""Trained side by side for minutes, and tested so in tests/baselines."""
METHODS = sorted(set(baselines.available()) - NEURAL)
SCREENS = [
    Screen(domain, 6, 2, 920_000 + repetition, n_control=300, n_per_target=30, effects=False)
    for domain in DOMAINS
    for repetition in range(3)
]


def with_effects(screen: Screen, **changes: object) -> Screen:
    return Screen(**(screen.cell | {"effects": True} | changes))  # type: ignore[arg-type]


def mean_error(method: str, screens: list[Screen]) -> float:
    """Mean D_top with every variable intervened on, which is where there is most to be seen."""
    rows = []
    for screen in screens:
        drawn = draw(screen)
        row = run_rival(
            method,
            drawn.take(drawn.choose(1.0)),
            drawn.adjacency,
            domain=screen.domain,
            seed=1,
            cpu_seconds=60,
        )
        assert row["status"].startswith("ok"), row["status"]
        rows.append(row)
    return float(np.mean([row["d_top"] for row in rows]))


@pytest.fixture(scope="module")
def by_chance() -> tuple[float, float]:
    """Where the mean error of random orders lies 999 times of 1,000."""
    rng = np.random.default_rng(0)
    graphs = [draw(screen).adjacency for screen in SCREENS]
    means = [np.mean([d_top(g, rng.permutation(len(g))) for g in graphs]) for _ in range(10_000)]
    half = np.mean([g.sum() for g in graphs]) / 2
    assert np.mean(means) == pytest.approx(half, abs=0.05)
    low, high = np.quantile(means, [0.0005, 0.9995])
    return float(low), float(high)


@pytest.mark.parametrize("method", METHODS)
def test_without_effects_a_rival_is_random(method: str, by_chance: tuple[float, float]) -> None:
    low, high = by_chance
    assert low <= mean_error(method, SCREENS) <= high


@pytest.mark.parametrize("method", ["var_sort", "r2_sort"])
def test_raw_units_say_nothing_either(method: str, by_chance: tuple[float, float]) -> None:
    low, high = by_chance
    raw = [Screen(**(screen.cell | {"scaling": "raw"})) for screen in SCREENS]  # type: ignore[arg-type]
    assert low <= mean_error(method, raw) <= high


@pytest.mark.parametrize("method", ["intersort", "intersort_paper", "sort_ranking"])
def test_the_same_would_show_an_effect(method: str, by_chance: tuple[float, float]) -> None:
    assert mean_error(method, [with_effects(screen) for screen in SCREENS]) < by_chance[0]


def test_raw_units_would_show_an_order(by_chance: tuple[float, float]) -> None:
    raw = [with_effects(screen, scaling="raw") for screen in SCREENS]
    assert mean_error("var_sort", raw) < by_chance[0]
