"""This package's own default, `Intersort()` with nothing to choose.

Settings: `effort`, "normal", how much work search and certificate are, as in
:class:`intersort.Intersort`. The threshold is taken from the control rows. It cannot take a screen
without control rows.
"""

from __future__ import annotations

import numpy as np

from ..data import InterventionalData
from .result import BaselineResult


def run(
    data: InterventionalData, *, rng: np.random.Generator, effort: str = "normal"
) -> BaselineResult:
    """Fit the estimator; thresholds and search draw from `rng`."""
    from ..estimator import Intersort  # brings scikit-learn

    fitted = Intersort(effort=effort, random_state=rng).fit_data(data)
    return BaselineResult(fitted.order_[None])
