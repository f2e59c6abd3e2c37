"""Growth of the effects: time against variables, rows per target and control rows.

Run it as `python benchmarks/effects_growth.py`. It writes the times to results/effects_growth.csv
and draws them on log axes in results/effects_growth.svg, with the fitted exponents.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from _growth import draw_growth
from _results import keep
from effects_speed import draw, least

from intersort import InterventionalData, measure_effects

SERIES: dict[str, tuple[Callable[[int], InterventionalData], list[int]]] = {
    "variables d (5,000 control rows, 100 a target)": (draw, [50, 100, 200, 400]),
    "rows a target (d = 20, 1,000 control rows)": (
        lambda n: draw(20, 1000, n),
        [200, 800, 3200, 12800],
    ),
    "control rows (d = 20, 50 a target)": (
        lambda n: draw(20, n, 50),
        [2000, 8000, 32000, 128000],
    ),
}


def main() -> None:
    """Measure, fit, print, keep and draw."""
    measure_effects(draw(3))  # compiles
    rows: list[dict[str, object]] = []
    growth = {}
    for name, (make, sizes) in SERIES.items():
        seconds = []
        for size in sizes:
            data = make(size)
            seconds += least(lambda data=data: measure_effects(data))
        exponent = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
        growth[name] = f"exponent {exponent:.2f}"
        rows += [
            {"work": name, "size": size, "seconds": took, "growth": growth[name]}
            for size, took in zip(sizes, seconds, strict=True)
        ]
    keep("effects_growth", rows)
    draw_growth("effects_growth", rows, growth, size="size", label="size of what grows")


if __name__ == "__main__":
    main()
