r"""EASE: the order that extreme values reveal (Gnecco, Meinshausen, Peters, Engelke 2021).

With F_j the empirical distribution function of x_j, the causal tail coefficient

.. math:: \Gamma_{ij} = \frac{1}{k} \sum_{t \in \text{top}_k(x_i)} F_j(x_{tj})

is the mean of F_j over the k rows in which x_i is largest: in a linear system with heavy tails it
tends to 1 where i is an ancestor of j, and to less where it is not. Among the variables left, the
one whose largest incoming coefficient is smallest comes next.

Taken from the paper: both forms and k = ⌊n^0.4⌋. Settings: `form`, "one_sided" as above, or
"two_sided", which has \|2F − 1\| in place of F for choosing rows and for averaging; it depends on
the domain and has no default. `rows`, "pooled" (default; interventions bring extreme values) or
"control". It knows no targets, and draws nothing from `rng`. It cannot take missing values.
"""

from __future__ import annotations

import numpy as np

from .._typing import FloatArray, IntArray
from .._validation import InputError, shown
from ..data import InterventionalData
from ._rows import dense_rows
from .control_rows import control_rows
from .result import BaselineResult

TAIL_EXPONENT = 0.4


def run(
    data: InterventionalData, *, rng: np.random.Generator, form: str, rows: str = "pooled"
) -> BaselineResult:
    """Order by the causal tail coefficients of all rows, or of the control rows."""
    if form not in ("one_sided", "two_sided"):
        raise InputError(f'form must be "one_sided" or "two_sided"; got {shown(form)}.')
    if rows not in ("pooled", "control"):
        raise InputError(f'rows must be "pooled" or "control"; got {shown(rows)}.')
    values = control_rows(data, "ease") if rows == "control" else dense_rows(data, "ease")[0]
    coefficients = tail_coefficients(values, two_sided=form == "two_sided")
    return BaselineResult(order_by_tails(coefficients)[None])


def tail_coefficients(values: FloatArray, *, two_sided: bool) -> FloatArray:
    """Causal tail coefficients, entry [i, j] of i on j; k is ⌊n^0.4⌋ of the n rows.

    Examples
    --------
    Where the first is largest so is the second, and not the other way round.

    >>> import numpy as np
    >>> values = np.array([[9.0, 8.0], [1.0, 9.0], [2.0, 1.0], [3.0, 2.0]])
    >>> tail_coefficients(values, two_sided=False)[0, 1]
    np.float64(0.75)
    """
    n_rows, d = values.shape
    n_extreme = int(n_rows**TAIL_EXPONENT)
    place = np.empty_like(values)
    for j in range(d):
        place[:, j] = np.searchsorted(np.sort(values[:, j]), values[:, j], side="right") / n_rows
    if two_sided:
        place = np.abs(2 * place - 1)
    coefficients = np.empty((d, d))
    for i in range(d):
        largest = np.argsort(-place[:, i], kind="stable")[:n_extreme]
        coefficients[i] = place[largest].mean(axis=0)
    return coefficients


def order_by_tails(coefficients: FloatArray) -> IntArray:
    """Take next, again and again, the variable on which those left have the least hold.

    >>> import numpy as np
    >>> order_by_tails(np.array([[1.0, 0.7, 0.9], [0.9, 1.0, 0.99], [0.6, 0.6, 1.0]]))
    array([1, 0, 2])
    """
    incoming = np.array(coefficients, dtype=np.float64)
    np.fill_diagonal(incoming, -np.inf)
    left = np.arange(len(incoming))
    order = []
    while left.size:
        hold = incoming[np.ix_(left, left)].max(axis=0)
        first = int(np.argmin(hold))
        order.append(left[first])
        left = np.delete(left, first)
    return np.array(order, dtype=np.int64)
