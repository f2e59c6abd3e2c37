"""2-Wasserstein distance: large moves of few samples weigh more than in the paper's distance."""

from __future__ import annotations

import numpy as np

from ..._typing import FloatArray


def distance(control_sorted: FloatArray, sample: FloatArray) -> float:
    r"""Root of the mean squared gap between the quantile functions.

    .. math:: W_2 = \left(\int_0^1 (F_{control}^{-1}(u) - F_{sample}^{-1}(u))^2 du\right)^{1/2}

    >>> import numpy as np
    >>> from intersort.effects.distances.wasserstein2 import distance
    >>> distance(np.array([0.0, 0.0]), np.array([0.0, 2.0]))
    1.4142135623730951
    """
    from .wasserstein import quantile_pieces

    gaps, widths = quantile_pieces(control_sorted, sample)
    largest = float(np.abs(gaps).max())
    if largest == 0.0:
        return 0.0
    return largest * float(np.sqrt(np.sum((gaps / largest) ** 2 * widths)))
