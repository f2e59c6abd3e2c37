"""Energy distance: zero only where the two distributions agree, in the root of the data's unit."""

from __future__ import annotations

import numpy as np

from ..._typing import FloatArray


def distance(control_sorted: FloatArray, sample: FloatArray) -> float:
    r"""Root of twice the squared area between the distribution functions.

    .. math:: \left(2 \int (F_{control}(x) - F_{sample}(x))^2 dx\right)^{1/2}

    >>> import numpy as np
    >>> from intersort.effects.distances.energy import distance
    >>> distance(np.array([0.0, 0.0]), np.array([2.0]))
    2.0
    """
    sample_sorted = np.sort(sample)
    points = np.sort(np.concatenate([control_sorted, sample_sorted]))
    left = points[:-1]
    of_control = np.searchsorted(control_sorted, left, side="right") / control_sorted.size
    of_sample = np.searchsorted(sample_sorted, left, side="right") / sample_sorted.size
    return float(np.sqrt(2.0 * np.sum((of_control - of_sample) ** 2 * np.diff(points))))
