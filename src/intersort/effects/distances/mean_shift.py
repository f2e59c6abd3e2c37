"""Shift of the mean: the simplest distance, blind to a change of spread or shape."""

from __future__ import annotations

from ..._typing import FloatArray


def distance(control_sorted: FloatArray, sample: FloatArray) -> float:
    r"""Absolute difference of the means.

    .. math:: |\bar x_{control} - \bar x_{sample}|

    >>> import numpy as np
    >>> from intersort.effects.distances.mean_shift import distance
    >>> distance(np.array([0.0, 2.0]), np.array([4.0]))
    3.0
    """
    return float(abs(control_sorted.mean() - sample.mean()))
