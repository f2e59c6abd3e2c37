"""Orders by one number per variable, smallest first; what is tied is shuffled."""

from __future__ import annotations

import numpy as np

from .._typing import FloatArray
from .result import BaselineResult

N_ORDERS = 20
TOLERANCE = 1e-9


def result_by_value(values: FloatArray, rng: np.random.Generator) -> BaselineResult:
    """Sort variables by rising value; ties give 20 orders, each with the tied in random order.

    Values tie within 1e-9 of the largest: the variances of standardised columns differ by
    rounding alone, and an order read off rounding errors would be no order by variance.

    >>> import numpy as np
    >>> from intersort.baselines.value_orders import result_by_value
    >>> result_by_value(np.array([2.0, 0.5, 1.0]), np.random.default_rng(0)).orders
    array([[1, 2, 0]])
    >>> result_by_value(np.array([2.0, 1.0, 1.0]), np.random.default_rng(0)).status
    'ok: 2 of 3 variables are tied, in random order'
    """
    d = values.size
    sorted_columns = np.argsort(values, kind="stable")
    gaps = np.diff(values[sorted_columns]) > TOLERANCE * np.abs(values).max()
    levels = np.empty(d, dtype=np.int64)
    levels[sorted_columns] = np.concatenate([[0], np.cumsum(gaps)])
    n_tied = int(np.sum(np.bincount(levels)[levels] > 1))
    if not n_tied:
        return BaselineResult(sorted_columns[None])
    orders = np.array([np.lexsort((rng.random(d), levels)) for _ in range(N_ORDERS)])
    return BaselineResult(orders, status=f"ok: {n_tied} of {d} variables are tied, in random order")
