"""The paper's local search from a random order, its second half alone.

Chevalley, Schwab, Mehrjou (2025), algorithm 3: first improvement, one variable moved at a time.

Settings: `epsilon` as given (the paper takes 0.3, on gene regulation 0.5), `c` 0.5, as in the
paper. Wasserstein distances in control standard deviations. It cannot take a screen without
control rows.
"""

from __future__ import annotations

import numpy as np

from .._typing import ArrayLike
from ..data import InterventionalData
from ..effects.measure import measure_effects
from ..orders.local_search import local_search
from ..scores.paper import score_orders
from .result import BaselineResult


def run(
    data: InterventionalData, *, rng: np.random.Generator, epsilon: ArrayLike, c: float = 0.5
) -> BaselineResult:
    """Improve one order drawn from `rng` until no move improves it further."""
    score = score_orders(measure_effects(data), epsilon, c)
    return BaselineResult(local_search(score, rng.permutation(score.n_variables)).order[None])
