"""The rows of a screen as the rivals take them: dense and complete, unused ones left out."""

from __future__ import annotations

import numpy as np

from .._memory import require_memory
from .._typing import FloatArray, IntArray
from .._validation import InputError, first_few
from .._values import is_sparse
from ..data import InterventionalData

CONTROL_ROW = -1


def dense_rows(data: InterventionalData, rival: str) -> tuple[FloatArray, IntArray]:
    """Values and targets of the rows that are used, the values as one dense array of float64.

    >>> import intersort
    >>> values = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
    >>> data = intersort.InterventionalData.from_arrays(values, [-1, 0, -1])
    >>> dense_rows(data, "pc")[1]
    array([-1,  0, -1])
    """
    n_rows, n_columns = data.values.shape
    if is_sparse(data.values):
        require_memory(8.0 * n_rows * n_columns, f"A dense copy of the rows, for {rival},")
        values = np.asarray(data.values.toarray(), dtype=np.float64)
    else:
        values = np.asarray(data.values, dtype=np.float64)
    targets = np.asarray(data.targets, dtype=np.int64)
    used = targets >= CONTROL_ROW
    if not used.all():
        values, targets = values[used], targets[used]
    missing = np.flatnonzero(np.isnan(values).any(axis=0))
    if missing.size:
        raise InputError(
            f"{rival} cannot take missing values; there are some in "
            f"{first_few(data.names[j] for j in missing)}. Drop these rows or columns, or fill "
            "them in."
        )
    return values, targets
