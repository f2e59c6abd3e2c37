"""Turn a screen into what a neural rival is trained on, or say why it cannot be."""

from __future__ import annotations

import numpy as np

from ..._validation import InputError
from ..._values import is_sparse
from ...data import InterventionalData
from .problem import Problem

FEWEST_ROWS = 10


def as_problem(data: InterventionalData, rival: str) -> Problem:
    """All rows that are used, dense, without missing values."""
    values = data.values.toarray() if is_sparse(data.values) else data.values
    problem = Problem(np.asarray(values, dtype=np.float32), data.targets)
    rows = problem.rows()
    if rows.size < FEWEST_ROWS:
        raise InputError(
            f"{rival} holds out a fifth of the rows and needs at least {FEWEST_ROWS}; "
            f"{rows.size} are control rows or rows of a target. Give more rows."
        )
    if not np.isfinite(problem.values[rows]).all():
        raise InputError(
            f"{rival} cannot take missing values. Leave out the rows or columns that have them."
        )
    return problem
