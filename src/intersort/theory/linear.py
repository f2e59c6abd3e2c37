"""Population distances of a linear Gaussian system: the paper's Lemma 3 without samples."""

from __future__ import annotations

import numpy as np

from .._adjacency import check_variables, read_dag
from .._typing import ArrayLike, FloatArray
from .._validation import InputError


def linear_distances(
    coefficients: ArrayLike,
    intervened: ArrayLike | None = None,
    *,
    intervention_mean: ArrayLike = 2.0,
    intervention_sd: ArrayLike = 1.0,
    noise_sd: ArrayLike = 1.0,
) -> FloatArray:
    r"""1-Wasserstein distances, without sampling error, in observational standard deviations.

    The system is :math:`X_j = \sum_i \beta_{ij} X_i + N_j` with independent Gaussian noise of
    mean 0; do(i) makes :math:`X_i` Gaussian with a mean and sd of its own. All marginals are
    then Gaussian, and for two of them :math:`W_1 = E\,|\mu - \mu' + (\sigma - \sigma') Z|`.

    Parameters
    ----------
    coefficients : array of shape (d, d)
        ``coefficients[i, j]`` is the weight of the edge i → j; without cycles.
    intervened : array of int
        Distinct columns that are intervened on; None is all of them.
    intervention_mean, intervention_sd : float, or array of shape (|I|,)
        The law that do(i) gives to i. An sd of 0 is a constant.
    noise_sd : float, or array of shape (d,)

    Returns
    -------
    array of shape (|I|, d)
        The variable's own column is 0.

    Notes
    -----
    For small systems: every intervention solves a d × d system.

    Examples
    --------
    Where do(i) repeats the law that a root has anyway, nothing moves, although the law has full
    support and both paths carry an effect: Lemmas 2 and 3 of the paper need another law.

    >>> from intersort.theory.linear import linear_distances
    >>> chain = [[0, 0.5, 0], [0, 0, 0.5], [0, 0, 0]]
    >>> linear_distances(chain, [0]).round(3)
    array([[0.   , 0.894, 0.436]])
    >>> linear_distances(chain, [0], intervention_mean=0, intervention_sd=1)
    array([[0., 0., 0.]])
    """
    edges = read_dag(coefficients)
    weights = np.asarray(coefficients, dtype=np.float64)
    rows = check_variables(intervened, edges.n_variables)
    spread = _broadcast(noise_sd, edges.n_variables, "noise_sd")
    means = _broadcast(intervention_mean, rows.size, "intervention_mean")
    sds = _broadcast(intervention_sd, rows.size, "intervention_sd")
    if np.any(spread <= 0) or np.any(sds < 0):
        raise InputError("`noise_sd` must be positive and `intervention_sd` not negative.")
    _, control_sd = _moments(weights, np.zeros_like(spread), spread)
    distance = np.zeros((rows.size, edges.n_variables))
    for k, variable in enumerate(rows):
        cut, own_mean, own_sd = weights.copy(), np.zeros_like(spread), spread.copy()
        cut[:, variable] = 0.0
        own_mean[variable], own_sd[variable] = means[k], sds[k]
        mean, sd = _moments(cut, own_mean, own_sd)
        distance[k] = _gaussian_wasserstein(mean, sd - control_sd) / control_sd
        distance[k, variable] = 0.0
    return distance


def _moments(
    weights: FloatArray, noise_mean: FloatArray, noise_sd: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Mean and sd of every variable: total effects times the noise."""
    total = np.linalg.inv(np.eye(weights.shape[0]) - weights)
    return noise_mean @ total, np.sqrt(noise_sd**2 @ total**2)


def _gaussian_wasserstein(shift: FloatArray, stretch: FloatArray) -> FloatArray:
    """E |shift + stretch · Z|, the mean of a folded normal."""
    from scipy.special import erf

    scale = np.abs(stretch)
    safe = np.where(scale > 0, scale, 1.0)
    ratio = shift / safe
    folded = safe * np.sqrt(2 / np.pi) * np.exp(-(ratio**2) / 2) + shift * erf(ratio / np.sqrt(2))
    return np.asarray(np.where(scale > 0, folded, np.abs(shift)))


def _broadcast(value: ArrayLike, size: int, name: str) -> FloatArray:
    array = np.asarray(value, dtype=np.float64)
    if array.shape not in ((), (size,)) or not np.all(np.isfinite(array)):
        raise InputError(f"`{name}` must be one finite number or {size} of them.")
    return np.broadcast_to(array, (size,)).copy()
