"""Order by variance: what a scale that grows along the order gives away.

Reisach, Seiler, Weichwald (2021). Beware of the simulated DAG! NeurIPS. Variables by rising
variance of the control rows, as CausalDisco 0.2.4 orders them before it regresses.

No settings. Variances are those of the values as given, so standardised data tie everywhere: the
result is then 20 random orders, and says so. It looks at control rows alone, which must be two or
more without missing values.
"""

from __future__ import annotations

import numpy as np

from ..data import InterventionalData
from .control_rows import control_rows
from .result import BaselineResult
from .value_orders import result_by_value


def run(data: InterventionalData, *, rng: np.random.Generator) -> BaselineResult:
    """Sort by rising variance; ties are drawn from `rng`."""
    return result_by_value(control_rows(data, "var_sort").var(axis=0), rng)
