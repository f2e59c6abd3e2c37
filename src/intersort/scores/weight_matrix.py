"""A bare weight matrix as the score of an order, for whoever has no more than that."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from .._typing import ArrayLike, FloatArray
from .._validation import InputError, first_few, shown
from .paper import OrderScore

ScoreLike: TypeAlias = OrderScore | ArrayLike
"""An `OrderScore`, or a square matrix of weights whose diagonal is ignored."""

_LARGEST_EXACT = 2**53
"""Whole numbers up to here are exact in float64."""


def as_order_score(score_or_matrix: ScoreLike) -> OrderScore:
    """Take a score as it is, and a d × d matrix as the weights of d variables x0, x1, ….

    ``matrix[i, j]`` is gained when i precedes j. The diagonal is ignored, and the matrix is
    copied, never changed.

    Examples
    --------
    >>> as_order_score([[7, 2], [1, 7]]).weights
    array([[0., 2.],
           [1., 0.]])
    """
    if isinstance(score_or_matrix, OrderScore):
        return score_or_matrix
    weights = _read_matrix(score_or_matrix)
    n_variables = weights.shape[0]
    np.fill_diagonal(weights, 0.0)
    names = tuple(f"x{column}" for column in range(n_variables))
    return OrderScore(weights, np.arange(n_variables), names)


def _read_matrix(matrix: ArrayLike) -> FloatArray:
    """Copy a square numeric matrix into float64, or say what it is instead."""
    try:
        given = np.asarray(matrix)
    except ValueError:  # rows of different lengths
        given = np.asarray(0)
    if given.dtype.kind == "O" and given.ndim == 2:
        given = _read_objects(given)
    if given.ndim != 2 or given.shape[0] != given.shape[1]:
        found = f"shape {given.shape}" if given.ndim else f"{type(matrix).__name__}"
        raise InputError(
            f"A weight matrix must be square, one row and one column a variable; got {found}. "
            "From effects, make a score with score_orders(effects, epsilon)."
        )
    if given.shape[0] < 2:
        raise InputError(
            f"A weight matrix of {given.shape[0]} × {given.shape[0]} has nothing to order; "
            "give at least two variables."
        )
    if given.dtype.kind not in "biuf":
        raise InputError(
            f"A weight matrix must hold numbers; this one holds {given.dtype}: "
            f"{first_few(given.ravel()[:6].tolist(), 3)}. Convert it to float first."
        )
    if given.dtype.kind in "iu" and max(int(given.max()), -int(given.min())) > _LARGEST_EXACT:
        raise _overflow(max(int(given.max()), -int(given.min())))
    return np.array(given, dtype=np.float64, order="C")


def _read_objects(given: np.ndarray) -> np.ndarray:
    """Integers beyond 64 bits arrive as objects: refuse these, leave the rest to be named."""
    numbers = [value for value in given.ravel() if isinstance(value, int | np.integer)]
    largest = max((abs(int(value)) for value in numbers), default=0)
    if largest > _LARGEST_EXACT:
        raise _overflow(largest)
    if all(isinstance(value, int | float | np.number) for value in given.ravel()):
        return given.astype(np.float64)
    return given


def _overflow(largest: int) -> InputError:
    return InputError(
        f"The integer weight {shown(largest)} is beyond 2^53, where sums are no longer exact; "
        "divide the matrix by a constant, which changes no order."
    )
