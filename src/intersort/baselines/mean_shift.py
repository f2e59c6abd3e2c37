"""SORTRANKING on shifts of the mean: what is left of the method without Wasserstein distances.

Own, as a plain relative of the paper's method: |mean of do(i) rows − mean of control rows| in
control standard deviations, the strongest first, each honoured unless it closes a cycle.

Settings: `epsilon` as given; with the paper's thresholds for comparison 0.3, on gene regulation
0.5. It cannot see an intervention that changes spread or shape alone, and cannot take a screen
without control rows.
"""

from __future__ import annotations

import numpy as np

from .._typing import ArrayLike
from ..data import InterventionalData
from ..effects.measure import measure_effects
from ..orders.sort_ranking import sort_ranking
from .result import BaselineResult


def run(
    data: InterventionalData, *, rng: np.random.Generator, epsilon: ArrayLike
) -> BaselineResult:
    """Order by the strongest shifts; nothing is drawn from `rng`."""
    effects = measure_effects(data, "mean_shift")
    return BaselineResult(sort_ranking(effects, epsilon).order[None])
