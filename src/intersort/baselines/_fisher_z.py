"""Fisher's z for causal-learn: its own test with the same values, without its detours.

The package takes the tail of the normal law through scipy.stats, which spends more time on checking
its one argument than PC spends on everything else. Here it is taken from scipy.special, which is
what scipy.stats ends in, and answers are remembered by numbers in place of text.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from .._optional import import_extra

NAME = "intersort_fisher_z"


@functools.cache
def register_fisher_z() -> str:
    """Make the test known to causal-learn; the name under which it is."""
    from scipy.special import ndtr

    tests = import_extra("causallearn.utils.cit", "baselines", "The rival pc (causal-learn)")

    class QuickFisherZ(tests.FisherZ):  # type: ignore[misc,name-defined]
        """The package's own test; only the way to the tail differs."""

        def __init__(self, data: Any, **settings: Any) -> None:
            super().__init__(data, **settings)
            self.known: dict[tuple[int, ...], float] = {}

        def __call__(self, X: Any, Y: Any, condition_set: Any = None) -> float:
            first, second = sorted((int(X), int(Y)))
            given = sorted({int(k) for k in (() if condition_set is None else condition_set)})
            key = (first, second, *given)
            if key not in self.known:
                self.known[key] = self._tail(key)
            return self.known[key]

        def _tail(self, chosen: tuple[int, ...]) -> float:
            rows = np.array(chosen)
            inverse = np.linalg.inv(self.correlation_matrix[rows[:, None], rows])
            r = -inverse[0, 1] / math.sqrt(abs(inverse[0, 0] * inverse[1, 1]))
            if abs(r) >= 1:
                r = (1.0 - np.finfo(float).eps) * np.sign(r)
            z = 0.5 * math.log((1 + r) / (1 - r))
            statistic = math.sqrt(self.sample_size - (len(chosen) - 2) - 3) * abs(z)
            return float(2 * (1 - ndtr(statistic)))

    tests.register_ci_test(NAME, QuickFisherZ)
    return NAME
