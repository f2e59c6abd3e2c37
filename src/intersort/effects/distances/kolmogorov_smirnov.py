"""Kolmogorov–Smirnov distance: between 0 and 1, the same for any monotone scale of the data."""

from __future__ import annotations

import numpy as np

from ..._ecdf import largest_gap
from ..._typing import FloatArray


def distance(control_sorted: FloatArray, sample: FloatArray) -> float:
    r"""Largest gap between the two distribution functions.

    .. math:: \sup_x |F_{control}(x) - F_{sample}(x)|

    >>> import numpy as np
    >>> from intersort.effects.distances.kolmogorov_smirnov import distance
    >>> distance(np.array([0.0, 1.0, 2.0, 3.0]), np.array([1.5, 9.0]))
    0.5
    """
    return largest_gap(control_sorted, np.sort(sample))
