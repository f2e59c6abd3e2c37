"""The paper's score of an order (its equation 2)."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from .._typing import ArrayLike, FloatArray, IntArray
from .._validation import InputError, check_names, check_order, shown
from .._warnings import WeakBonusWarning

if TYPE_CHECKING:
    from ..effects.effects import Effects


class Ordered(Protocol):
    """Anything that holds an order, as `CausalOrder` does."""

    @property
    def order(self) -> IntArray:
        """Columns of the variables, causes first."""


@dataclass(frozen=True, eq=False, repr=False)
class OrderScore:
    """What every pair adds to the score of an order that puts its first before its second.

    .. math:: S(\\pi) = \\sum_{i \\in I,\\; \\pi(i) < \\pi(j)} w_{ij}

    Attributes
    ----------
    weights : array of shape (|I|, d)
        ``weights[k, j]`` is gained when ``intervened[k]`` precedes ``j``. The variable's own
        column never counts and holds 0.
    intervened : array of shape (|I|,)
        Sorted columns of the variables that were intervened on; all other rows are 0.
    names : tuple of str
        Names of the d variables.

    Examples
    --------
    >>> import intersort
    >>> effects = intersort.Effects.from_matrix([[0, 2.0], [0.1, 0]])
    >>> score = intersort.score_orders(effects, epsilon=0.3)
    >>> round(score.score([0, 1]), 9), round(score.score([1, 0]), 9)
    (2.7, -0.2)
    """

    weights: FloatArray
    intervened: IntArray
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        expected = (self.intervened.size, len(self.names))
        if self.weights.shape != expected:
            raise InputError(
                f"The weights must have a row for each variable intervened on and a column for "
                f"each variable, shape {expected}; got shape {self.weights.shape}."
            )
        if np.any(self.weights[np.arange(expected[0]), self.intervened]):
            raise InputError(
                "A variable's own column never counts: set weights[k, intervened[k]] to 0."
            )
        check_names(self.names, expected[1])
        check_weights(self.weights)

    @property
    def n_variables(self) -> int:
        """The number d of variables."""
        return len(self.names)

    @property
    def largest_weight(self) -> float:
        """The largest |w|; scores that differ by less than 1e-9 of it count as equal."""
        if self.weights.size == 0:
            return 0.0
        return float(max(self.weights.max(), -self.weights.min()))

    def score(self, order: Ordered | ArrayLike) -> float:
        """Sum of the weights of all pairs that `order` puts first before second.

        `order` is an array of columns, causes first, or a result that holds one.
        """
        checked = check_order(getattr(order, "order", order), self.n_variables)
        rank = np.empty_like(checked)
        rank[checked] = np.arange(checked.size)
        ahead = rank[self.intervened][:, None] < rank[None, :]
        return float(np.sum(self.weights, where=ahead))

    def to_dense(self) -> FloatArray:
        """Expand the weights to d × d, zero in the rows of variables never intervened on."""
        dense = np.zeros((self.n_variables, self.n_variables))
        dense[self.intervened] = self.weights
        return dense

    def __repr__(self) -> str:
        return (
            f"OrderScore of {self.n_variables} variables, {self.intervened.size} intervened on, "
            f"{int(np.count_nonzero(self.weights > 0))} pairs with a positive weight"
        )


def score_orders(effects: Effects, epsilon: ArrayLike, c: float = 0.5) -> OrderScore:
    """Turn distances into the paper's score of orders.

    .. math:: w_{ij} = D_{ij} - \\varepsilon + c \\, d \\, 1[D_{ij} > \\varepsilon]
              \\quad (i \\in I)

    Parameters
    ----------
    effects : Effects
        How far each intervention moves each variable.
    epsilon : float, or array of shape (|I|, d)
        The threshold above which a distance counts as an effect: one number, or one per pair.
    c : float
        Weight of the bonus for every effect that the order honours.

    Returns
    -------
    OrderScore

    Warns
    -----
    WeakBonusWarning
        Where c·d < ε (d − 2), the largest ε if there are several: an optimal order may then give
        up a pair above ε although all of them could be honoured. Where every path shows in the
        distances no more is needed, and the paper's c > ε is more than enough. Where some paths
        do not show, neither is: see :func:`intersort.theory.conditions.smallest_c`.

    References
    ----------
    Chevalley, Schwab, Mehrjou (2025), equation 2.

    Examples
    --------
    >>> import intersort
    >>> effects = intersort.Effects.from_matrix([[0, 2.0], [0.1, 0]])
    >>> intersort.score_orders(effects, epsilon=0.3).weights.round(2)
    array([[ 0. ,  2.7],
           [-0.2,  0. ]])
    """
    from ..effects.effects import check_effects

    check_effects(effects, "score_orders")
    threshold = check_epsilon(epsilon, effects.distance.shape)
    weights = paper_weights(effects, threshold, check_c(c))
    d = len(effects.names)
    largest = _largest_threshold(threshold, effects.intervened)
    if c * d < largest * (d - 2) * (1 - 1e-12):
        enough = math.ceil(1000 * largest * (d - 2) / d) / 1000
        warnings.warn(
            f"c·d = {c * d:g} is below ε (d − 2) = {largest * (d - 2):g}: the best order may give "
            f"up a pair above ε although all could be honoured. Take c of at least {enough:g}.",
            WeakBonusWarning,
            stacklevel=2,
        )
    return OrderScore(weights, effects.intervened, effects.names)


def paper_weights(effects: Effects, threshold: FloatArray, c: float) -> FloatArray:
    """Weights of the paper's score, for a threshold and a c that were checked before."""
    weights: FloatArray = effects.distance - threshold
    weights[effects.distance > threshold] += c * len(effects.names)
    weights[np.arange(effects.intervened.size), effects.intervened] = 0.0
    return weights


def check_weights(weights: FloatArray) -> None:
    """Refuse NaN, infinities, and weights so large that their sum is infinite."""
    if weights.size == 0:
        return
    largest = max(float(weights.max()), -float(weights.min()))
    if not math.isfinite(largest):
        rows, columns = np.nonzero(~np.isfinite(weights))
        raise InputError(
            f"A weight matrix must be finite; {rows.size} of its entries are not: row {rows[0]}, "
            f"column {columns[0]} holds {weights[rows[0], columns[0]]}. Put 0 where nothing is "
            "known of a pair."
        )
    if not math.isfinite(largest * weights.size):
        raise InputError(
            f"The weights are so large (up to {largest:.3g}) that their sum overflows. Divide a "
            "matrix of weights by a constant, which changes no order; in data, look for columns "
            "with a minute spread in the controls and huge values elsewhere."
        )


def check_c(c: float) -> float:
    """Check that c is a finite number that is not negative."""
    try:
        number = float(c)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number) or number < 0:
        raise InputError(
            f"c must be a finite number that is not negative, such as 0.5; got {shown(c)}."
        )
    return number


def check_epsilon(epsilon: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """Check that epsilon is one number or one per pair, finite and not negative."""
    try:
        threshold = np.asarray(epsilon, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"epsilon must be a number such as 0.3, or one per pair; got {shown(epsilon)}."
        ) from None
    if threshold.ndim != 0 and threshold.shape != shape:
        raise InputError(
            f"epsilon must be one number or an array of shape {shape}, one per pair; "
            f"got shape {threshold.shape}."
        )
    if not np.all(np.isfinite(threshold)) or np.any(threshold < 0):
        raise InputError(
            "epsilon must be finite and not negative, everywhere; "
            "take a number above 0, in control standard deviations."
        )
    return threshold


def _largest_threshold(threshold: FloatArray, intervened: IntArray) -> float:
    """The largest epsilon of a pair of two variables; no intervention, no threshold."""
    if intervened.size == 0:
        return 0.0
    if threshold.ndim == 0:
        return float(threshold)
    others = np.ones(threshold.shape, dtype=np.bool_)
    others[np.arange(intervened.size), intervened] = False
    return float(np.max(threshold, where=others, initial=0.0))
