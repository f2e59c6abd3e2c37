"""Speed of the effects: Wasserstein distances against SciPy, sorting, the threshold.

Run it as `python benchmarks/effects_speed.py`. Times are the least of several rounds in one
process; ours and theirs take turns, so that a busy machine slows both. Sorting is counted on
both sides.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np
from _results import keep
from scipy.stats import wasserstein_distance

from intersort import InterventionalData, measure_effects, null_threshold
from intersort.effects import _columns

ROUNDS = 7
TURN = 0.06
"""Seconds of a turn at least: each work finds the caches as it left them."""


def least(*works: Callable[[], object]) -> list[float]:
    """Least seconds of each work, the works taking turns."""
    times = np.full((ROUNDS, len(works)), np.inf)
    for turn in range(ROUNDS):
        for place, work in enumerate(works):
            begin = start = time.perf_counter()
            while start - begin < TURN:
                work()
                end = time.perf_counter()
                times[turn, place] = min(times[turn, place], end - start)
                start = end
    return [float(seconds) for seconds in times.min(axis=0)]


def draw(d: int, n_control: int = 5000, n_rows: int = 100) -> InterventionalData:
    """Normal columns, every variable intervened on, rows in random order."""
    rng = np.random.default_rng(0)
    targets = rng.permutation(np.repeat(np.arange(-1, d), [n_control] + [n_rows] * d))
    names = tuple(f"x{column}" for column in range(d))
    return InterventionalData(rng.normal(size=(targets.size, d)), targets, names)


def against_scipy(d: int) -> dict[str, object]:
    """Time a pair, one thread, against SciPy on 100 of the same pairs."""
    data = draw(d)
    control = np.ascontiguousarray(data.values[data.targets == -1].T)
    pairs = [(k % d, (7 * k + 1) % d) for k in range(100)]
    samples = [np.ascontiguousarray(data.values[data.targets == i, j]) for i, j in pairs]

    def scipy() -> list[float]:
        return [
            wasserstein_distance(control[j], sample)
            for (_, j), sample in zip(pairs, samples, strict=True)
        ]

    ours, theirs = least(lambda: measure_effects(data), scipy)
    return {
        "work": f"W1, 5,000 against 100, d = {d}, all intervened on, one thread",
        "ours": ours / d**2 * 1e6,
        "unit": "µs a pair",
        "against": "SciPy",
        "theirs": theirs / len(pairs) * 1e6,
        "ratio": theirs / ours * d**2 / len(pairs),
    }


def sorting(width: int) -> dict[str, object]:
    """The radix sort of long rows against NumPy's."""
    rows = np.random.default_rng(0).normal(size=(max(4, 200_000 // width), width))
    border = _columns.LONG_ROW
    _columns.LONG_ROW = 0
    ours, theirs = least(lambda: _columns._sort(rows.copy()), lambda: np.sort(rows, axis=1))
    _columns.LONG_ROW = border
    return {
        "work": f"sorting rows of {width}",
        "ours": ours / len(rows) * 1e6,
        "unit": "µs a row",
        "against": "np.sort",
        "theirs": theirs / len(rows) * 1e6,
        "ratio": theirs / ours,
    }


def threshold(d: int) -> dict[str, object]:
    """Time of the null threshold."""
    data = draw(d)
    effects = measure_effects(data)
    return {
        "work": f"null_threshold, d = {d}, all intervened on, one thread",
        "ours": least(lambda: null_threshold(data, effects))[0],
        "unit": "s",
    }


def main() -> None:
    """Measure, print and keep."""
    warnings.simplefilter("error")
    measure_effects(draw(3))  # compiles
    rows = [against_scipy(d) for d in (30, 100, 300)]
    rows += [sorting(width) for width in (500, 2000, 5000, 50_000)]
    rows += [threshold(d) for d in (30, 300)]
    keep("effects_speed", rows)


if __name__ == "__main__":
    main()
