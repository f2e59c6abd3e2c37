"""SORTRANKING, the first half of the paper's method (Chevalley, Schwab, Mehrjou 2025, algorithm 2).

Settings: `epsilon` as given; the paper takes 0.3, on gene regulation 0.5. Wasserstein distances in
control standard deviations. It cannot take a screen without control rows.
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
    """Order by the strongest effects; nothing is drawn from `rng`."""
    return BaselineResult(sort_ranking(measure_effects(data), epsilon).order[None])
