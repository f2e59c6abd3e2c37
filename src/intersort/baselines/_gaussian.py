"""What every rival that regresses needs of the rows, checked before any of them starts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._typing import FloatArray
from .._validation import InputError, first_few


def check_regressions(rows: FloatArray, names: Sequence[str], rival: str) -> None:
    """Refuse rows from which no regression of one column on all others can be had.

    >>> check_regressions(np.array([[0.0, 1.0], [1.0, 1.0]] * 9), ("A", "B"), "pc")
    Traceback (most recent call last):
    ...
    intersort._validation.InputError: pc needs columns that vary; 'B' is the same in all 18 rows \
it looks at. Leave such columns out.
    """
    n_rows, d = rows.shape
    if n_rows <= d + 3:
        raise InputError(
            f"{rival} tests partial correlations and needs more rows than columns + 3; it was "
            f"given {n_rows:,} rows of {d:,} columns. Give more rows or fewer columns."
        )
    constant = np.flatnonzero(np.ptp(rows, axis=0) == 0).tolist()
    if constant:
        is_same = "is the same" if len(constant) == 1 else "are the same"
        raise InputError(
            f"{rival} needs columns that vary; {first_few(names[j] for j in constant)} {is_same} "
            f"in all {n_rows:,} rows it looks at. Leave such columns out."
        )
    rank = int(np.linalg.matrix_rank(np.corrcoef(rows, rowvar=False), hermitian=True))
    if d > 1 and rank < d:
        raise InputError(
            f"{rival} needs columns of which none is a linear combination of others; only {rank:,} "
            f"of {d:,} are independent. Leave out columns that repeat others."
        )
