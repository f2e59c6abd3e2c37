"""Empirical distribution functions: how far two of them lie apart."""

from __future__ import annotations

import numpy as np

from ._typing import FloatArray


def largest_gap(first_sorted: FloatArray, second_sorted: FloatArray) -> float:
    """Kolmogorov–Smirnov statistic: the largest gap between two distribution functions.

    >>> import numpy as np
    >>> largest_gap(np.array([0.0, 1.0, 2.0, 3.0]), np.array([1.5, 9.0]))
    0.5
    """
    points = np.concatenate([first_sorted, second_sorted])
    of_first = np.searchsorted(first_sorted, points, side="right") / first_sorted.size
    of_second = np.searchsorted(second_sorted, points, side="right") / second_sorted.size
    return float(np.abs(of_first - of_second).max())
