"""Control rows for rivals that look at nothing else, enough of them or a refusal."""

from __future__ import annotations

from .._typing import FloatArray
from .._validation import InputError
from ..data import InterventionalData
from ._rows import CONTROL_ROW, dense_rows


def control_rows(data: InterventionalData, rival: str, *, at_least: int = 2) -> FloatArray:
    """Dense control rows; missing values, in whatever rows are used, are refused.

    >>> import numpy as np
    >>> from intersort import InterventionalData
    >>> from intersort.baselines.control_rows import control_rows
    >>> rows = np.array([[0.0, 1.0], [2.0, 3.0], [9.0, 9.0]])
    >>> data = InterventionalData(rows, np.array([-1, -1, 0]), ("A", "B"))
    >>> control_rows(data, "var_sort")
    array([[0., 1.],
           [2., 3.]])
    """
    values, targets = dense_rows(data, rival)
    control: FloatArray = values[targets == CONTROL_ROW]
    if len(control) < at_least:
        raise InputError(
            f"{rival} looks at control rows (target −1) alone and needs at least {at_least:,}; "
            f"the data have {len(control):,}. Mark more rows as control, or take another rival."
        )
    return control
