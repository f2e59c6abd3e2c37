"""Intersort to the letter of the paper: SORTRANKING, then local search.

Chevalley, Schwab, Mehrjou (2025). Deriving causal order from single-variable interventions. ICLR.

Settings: `epsilon` as given (the paper takes 0.3, on gene regulation 0.5); `c` 0.5 and `depth` 1
(moves that a step may combine), as in the paper; `distance`, "wasserstein" in the paper, any that
`measure_effects` takes, SORTRANKING and search alike. It cannot take a screen without control
rows.
"""

from __future__ import annotations

import numpy as np

from .._typing import ArrayLike
from ..data import InterventionalData
from ..effects.measure import measure_effects
from ..effects.registry import DistanceLike
from ..orders.local_search import local_search
from ..orders.sort_ranking import sort_ranking
from ..scores.paper import score_orders
from .result import BaselineResult


def run(
    data: InterventionalData,
    *,
    rng: np.random.Generator,
    epsilon: ArrayLike,
    c: float = 0.5,
    depth: int = 1,
    distance: DistanceLike = "wasserstein",
) -> BaselineResult:
    """Sort by the strongest effects and improve; nothing is drawn from `rng`."""
    effects = measure_effects(data, distance)
    start = sort_ranking(effects, epsilon, c)
    found = local_search(score_orders(effects, epsilon, c), start, depth)
    return BaselineResult(found.order[None])
