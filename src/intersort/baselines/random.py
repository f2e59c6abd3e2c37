"""Random order: what no method may fall below. It takes anything and looks at nothing.

Settings: `n_orders`, 20 random orders, whose mean error is reported.
"""

from __future__ import annotations

import numpy as np

from ..data import InterventionalData
from .result import BaselineResult


def run(
    data: InterventionalData, *, rng: np.random.Generator, n_orders: int = 20
) -> BaselineResult:
    """Shuffle the variables."""
    d = len(data.names)
    return BaselineResult(np.array([rng.permutation(d) for _ in range(n_orders)]))
