r"""SCORE: leaves are where the curvature of the log-density is the same everywhere.

Rolland, Cevher, Kleindessner, Russell, Janzing, Schölkopf, Locatello (2022). Score matching enables
causal discovery of nonlinear additive noise models. ICML. With additive Gaussian noise,
:math:`\partial^2 \log p / \partial x_j^2` is constant exactly if j is a leaf. The diagonal is
estimated at every row by Stein's identities with a Gaussian kernel; the variable where it varies
least is taken as a leaf and removed; repeat.

Settings: `ridge` 0.001 in both regressions and, as bandwidth, the median distance between rows,
zeros of rows with themselves included, all as in the authors' code; `n_rows` 1,000, the size of
their demo, drawn from the control rows for time, which grows with its third power. `normalise`
divides each diagonal by its mean before variances are compared; the authors' code has it and leaves
it off, and so does this, although it helps on some standardised data: `docs/rivals.md` has the
measurement. Their pruning of edges is left out, because it does not change the order.

It looks at control rows alone, without missing values. It takes them on the scale on which they are
given, and the scale matters: standardised, a variable with little noise of its own varies most in
its curvature, leaf or not. Linear mechanisms with Gaussian noise it cannot order, by theory.
"""

from __future__ import annotations

import numpy as np

from .._typing import FloatArray, IntArray
from .._validation import InputError, shown
from ..data import InterventionalData
from .control_rows import control_rows
from .result import BaselineResult

FEWEST_ROWS = 10


def run(
    data: InterventionalData,
    *,
    rng: np.random.Generator,
    n_rows: int = 1000,
    ridge: float = 0.001,
    normalise: bool = False,
) -> BaselineResult:
    """Remove leaf after leaf; `rng` chooses the rows where there are more than `n_rows`."""
    _check_settings(n_rows, ridge)
    rows = control_rows(data, "score_matching", at_least=FEWEST_ROWS)
    if len(rows) > n_rows:
        rows = rows[rng.choice(len(rows), size=n_rows, replace=False)]
    return BaselineResult(order_by_leaves(rows, ridge, normalise)[None])


def _check_settings(n_rows: int, ridge: float) -> None:
    if isinstance(n_rows, bool) or not isinstance(n_rows, int | np.integer) or n_rows < FEWEST_ROWS:
        raise InputError(
            f"n_rows must be a whole number, {FEWEST_ROWS} or more, such as 1000; "
            f"got {shown(n_rows)}."
        )
    if not (np.isfinite(ridge) and ridge > 0):
        raise InputError(f"ridge must be a number above 0, such as 0.001; got {shown(ridge)}.")


def order_by_leaves(rows: FloatArray, ridge: float, normalise: bool) -> IntArray:
    """Fill an order from its end: the variable whose curvature varies least is the next leaf."""
    remaining = list(range(rows.shape[1]))
    leaves = []
    while len(remaining) > 1:
        curvature = log_density_curvature(rows[:, remaining], ridge)
        if normalise:
            curvature /= curvature.mean(axis=0)
        leaves.append(remaining.pop(int(curvature.var(axis=0).argmin())))
    return np.array([*remaining, *reversed(leaves)], dtype=np.int64)


def log_density_curvature(rows: FloatArray, ridge: float) -> FloatArray:
    r"""Estimate :math:`\partial^2 \log p / \partial x_j^2` at every row, one column per j.

    Stein's identities are :math:`E[h \nabla \log p + \nabla h] = 0` and, of second order,
    :math:`E[h (\partial_j^2 \log p + (\partial_j \log p)^2) - \partial_j^2 h] = 0`; with kernels
    for h each is a ridge regression with the same matrix. Sums over rows of differences, and of
    their squares, are matrix products with the kernel, so nothing of rows × rows × variables is
    held.

    >>> import numpy as np
    >>> from intersort.baselines.score_matching import log_density_curvature
    >>> cause, noise = np.random.default_rng(0).normal(size=(2, 500))
    >>> rows = np.column_stack([cause**2 + noise, cause])
    >>> int(log_density_curvature(rows, 0.001).var(axis=0).argmin())
    0
    """
    from scipy.linalg import cho_factor, cho_solve
    from scipy.spatial.distance import cdist

    rows = rows - rows.mean(axis=0)
    squared = cdist(rows, rows, "sqeuclidean")
    width = float(np.median(np.sqrt(squared)))
    if width == 0:
        raise InputError(
            "score_matching needs rows that differ; half of all pairs of control rows are equal in "
            "every variable that is left. It is made for continuous data: take another rival."
        )
    kernel = np.exp(squared / (-2 * width**2)) / width
    total = kernel.sum(axis=1, keepdims=True)
    once, twice = kernel @ rows, kernel @ rows**2
    first = (once - rows * total) / width**2
    second = (rows**2 * total - 2 * rows * once + twice) / width**4 - total / width**2
    kernel[np.diag_indices_from(kernel)] += ridge
    factor = cho_factor(kernel, lower=True, overwrite_a=True)
    slope = cho_solve(factor, first)
    curvature: FloatArray = cho_solve(factor, second) - slope**2
    return curvature
