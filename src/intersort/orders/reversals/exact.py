"""What it costs to reverse each pair, exactly, for up to 20 variables."""

from __future__ import annotations

import numpy as np

from ..._typing import BoolArray, FloatArray, IntArray
from ..exact import SubsetTable


def exact_costs(dense: FloatArray, required: BoolArray | None) -> tuple[FloatArray, IntArray]:
    """Costs of reversing each pair, and an optimal order, by dynamic programming.

    Returns
    -------
    costs : array of shape (d, d)
        What the optimum loses if b has to precede a; 0 where some optimal order has it so, and
        infinite where a is required to precede b.
    order : array of shape (d,)

    Examples
    --------
    >>> import numpy as np
    >>> exact_costs(np.array([[0, 2.0, 0], [0, 0, 0], [0, 1, 0]]), None)[0]
    array([[0., 2., 0.],
           [0., 0., 0.],
           [0., 1., 0.]])
    """
    from .. import _kernels as order_kernels
    from . import _kernels

    d = dense.shape[0]
    table = SubsetTable(dense, required)
    allowed = dense if required is None else np.where(required.T, -np.inf, dense)
    low = np.zeros((1 << (d // 2), d))
    high = np.zeros((1 << (d - d // 2), d))
    order_kernels.sum_subsets(np.ascontiguousarray(allowed[:, : d // 2].T), low)
    order_kernels.sum_subsets(np.ascontiguousarray(allowed[:, d // 2 :].T), high)
    best = np.full((d, d), -np.inf)
    _kernels.best_by_first(low, high, table.values, np.empty(d, dtype=np.int64), best)
    order = table.best_order()
    if d == 1:
        return np.zeros((1, 1)), order
    costs: FloatArray = best.max() - best.T
    rounding = d * d * float(np.finfo(np.float64).eps) * float(np.abs(dense).max())
    costs[costs <= rounding] = 0.0
    np.fill_diagonal(costs, 0.0)
    return costs, order
