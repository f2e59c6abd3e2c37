"""What real screens have and simulated ones lack: counts, dropout, interventions gone astray.

Failed interventions and unequal numbers of rows are arguments of `Population.screen`; soft
interventions are `Soft`.
"""

from __future__ import annotations

import numpy as np

from .._rng import RandomLike, make_rng
from .._typing import ArrayLike, FloatArray, IntArray
from .._validation import InputError, first_few


def add_count_noise(
    values: ArrayLike, *, depth: float = 1.0, cell_spread: float = 0.0, rng: RandomLike = None
) -> IntArray:
    """Count molecules: a Poisson draw around every value, each row seen at its own depth.

    The count in row i has mean depth · s_i · value, where s_i is log-normal with mean 1.

    Parameters
    ----------
    values : array of shape (n, d)
        Expression, 0 or more.
    depth : float
        Molecules counted per unit of expression, on average.
    cell_spread : float
        Standard deviation of log s_i; 0 gives every row the same depth.
    rng : int, numpy.random.Generator, optional
        Randomness; None is seed 0.

    Returns
    -------
    counts : int array of shape (n, d)

    Examples
    --------
    >>> from intersort import simulate
    >>> counts = simulate.add_count_noise(np.full((1000, 2), 3.0), depth=10)
    >>> counts.mean(axis=0).round(), counts.var(axis=0).round(-1)
    (array([30., 30.]), array([30., 30.]))
    """
    expression = _not_negative(values, "Counting")
    if depth < 0 or cell_spread < 0:
        raise InputError(f"depth and cell_spread must be 0 or more; got {depth} and {cell_spread}.")
    generator = make_rng(rng)
    sizes = generator.lognormal(-(cell_spread**2) / 2, cell_spread, len(expression))
    return generator.poisson(depth * sizes[:, None] * expression).astype(np.int64)


def add_dropout(
    values: ArrayLike, *, share: float, steepness: float = 0.0, rng: RandomLike = None
) -> FloatArray:
    """Set a share of the values to zero, low values more often than high ones if asked.

    A value x is lost with probability 1 / (1 + exp(steepness · log(1 + x) − b)), and b is such
    that `share` of all values are lost on average.

    Parameters
    ----------
    values : array of shape (n, d)
        Expression or counts; 0 or more if `steepness` is not 0.
    share : float
        Expected share of values that are lost, at least 0 and below 1.
    steepness : float
        0: all values are lost alike. The larger, the more is lost of the low ones.
    rng : int, numpy.random.Generator, optional
        Randomness; None is seed 0.

    Returns
    -------
    values : array of shape (n, d)

    Examples
    --------
    >>> from intersort import simulate
    >>> table = np.tile([1.0, 50.0], (1000, 1))
    >>> lost = simulate.add_dropout(table, share=0.3, steepness=2) == 0
    >>> lost.mean(axis=0).round(1)
    array([0.6, 0. ])
    """
    table = np.asarray(values, dtype=np.float64)
    if not 0 <= share < 1 or steepness < 0:
        raise InputError(
            "share must be at least 0 and below 1, and steepness 0 or more; "
            f"got {share} and {steepness}."
        )
    height = (
        steepness * np.log1p(_not_negative(table, "Dropout that depends on the values"))
        if steepness
        else 0 * table
    )
    lowest, highest = -50.0, 50.0 + float(height.max(initial=0))
    for _ in range(60):  # the expected share grows with b: halve the interval that holds b
        middle = (lowest + highest) / 2
        if (1 / (1 + np.exp(height - middle))).mean() < share:
            lowest = middle
        else:
            highest = middle
    lost = make_rng(rng).random(table.shape) < 1 / (1 + np.exp(height - lowest))
    return np.where(lost, 0.0, table)


def choose_off_targets(
    n_variables: int, targets: ArrayLike, *, share: float, rng: RandomLike = None
) -> dict[int, list[int]]:
    """Let some interventions hit a second variable, drawn at random, for `Population.screen`.

    Parameters
    ----------
    n_variables : int
        Number of variables, d.
    targets : int array
        The variables intervened on.
    share : float
        Each target has an off-target with this probability, on its own.
    rng : int, numpy.random.Generator, optional
        Randomness; None is seed 0.

    Returns
    -------
    off_targets : dict
        For each target that has one, the other variable that is hit, as a list.

    Examples
    --------
    >>> from intersort import simulate
    >>> simulate.choose_off_targets(100, [3, 7], share=1.0, rng=1)
    {3: [75], 7: [95]}
    """
    if not 0 <= share <= 1 or n_variables < 2:
        raise InputError(
            "Off-targets need a share between 0 and 1 and two variables or more; "
            f"got {share} and {n_variables}."
        )
    generator = make_rng(rng)
    hit = {}
    for target in np.asarray(targets, dtype=np.int64).tolist():
        has_one, other = generator.random() < share, int(generator.integers(n_variables - 1))
        if has_one:
            hit[target] = [other + (other >= target)]
    return hit


def _not_negative(values: ArrayLike, what: str) -> FloatArray:
    """Values as floats, refused when some are below zero."""
    table = np.asarray(values, dtype=np.float64)
    below = table[~(table >= 0)]
    if below.size:
        raise InputError(
            f"{what} needs values of 0 or more; {below.size} of {table.size} are not, among them "
            f"{first_few(below[:5].tolist())}. Gene regulation gives such values; others can be "
            "made so by np.exp(values)."
        )
    return table
