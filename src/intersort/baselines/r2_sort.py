r"""Order by how well the others explain a variable: :math:`R^2` that grows along the order.

Reisach, Tami, Seiler, Chambaz, Weichwald (2023). A scale-invariant sorting criterion to find a
causal order in additive noise models. NeurIPS. Variables by rising :math:`R^2` of the linear
regression on all others, control rows, as CausalDisco 0.2.4 orders them before it regresses.

No settings. It looks at control rows alone, of which it needs more than variables plus one (with
fewer every :math:`R^2` is 1), without missing values. A constant column has 0: nothing is there to
be explained.
"""

from __future__ import annotations

import numpy as np

from .._typing import FloatArray
from ..data import InterventionalData
from .control_rows import control_rows
from .result import BaselineResult
from .value_orders import result_by_value

WELL_CONDITIONED = 1e10
"""Above, R² of nearly collinear columns is read from least squares, which survives them."""


def run(data: InterventionalData, *, rng: np.random.Generator) -> BaselineResult:
    """Sort by rising R²; ties are drawn from `rng`."""
    rows = control_rows(data, "r2_sort", at_least=len(data.names) + 2)
    return result_by_value(explained_variance(rows), rng)


def explained_variance(rows: FloatArray) -> FloatArray:
    r"""The :math:`R^2` of each column regressed on all others.

    >>> import numpy as np
    >>> from intersort.baselines.r2_sort import explained_variance
    >>> explained_variance(np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]))
    array([0., 0.])
    """
    sd = rows.std(axis=0)
    varies = sd > 0
    explained = np.zeros(sd.size)
    if varies.sum() > 1:
        scaled = (rows[:, varies] - rows[:, varies].mean(axis=0)) / sd[varies]
        correlation = scaled.T @ scaled / len(scaled)
        explained[varies] = _from_correlation(correlation)
    return explained


def _from_correlation(correlation: FloatArray) -> FloatArray:
    """1 − 1 / (C⁻¹)_jj, or least squares, column by column, where C has no inverse to trust."""
    if np.linalg.cond(correlation) < WELL_CONDITIONED:
        explained: FloatArray = 1 - 1 / np.diag(np.linalg.inv(correlation))
        return explained
    everyone = np.arange(len(correlation))
    return np.array([_by_least_squares(correlation, j, everyone != j) for j in everyone.tolist()])


def _by_least_squares(correlation: FloatArray, j: int, others: np.ndarray) -> float:
    coefficients = np.linalg.lstsq(correlation[np.ix_(others, others)], correlation[others, j])[0]
    return float(correlation[others, j] @ coefficients)
