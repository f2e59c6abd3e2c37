"""An order of the variables, with its score and the evidence that it is the best."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from .._typing import ArrayLike, BoolArray, IntArray
from .._validation import check_order

if TYPE_CHECKING:
    import pandas as pd

    from ..scores.paper import OrderScore
    from .ties import TieStructure

TOLERANCE = 1e-9
"""Scores that differ by no more than this times the largest |w| count as equal."""

_ROWS_AT_ONCE = 256


@dataclass(frozen=True, eq=False, repr=False)
class CausalOrder:
    """An order of d variables, causes first.

    Attributes
    ----------
    order : array of shape (d,)
        Columns of the variables, causes first.
    score : float
        What the score gives this order.
    names : tuple of str
        Names of the variables, by column.
    upper_bound : float
        No order scores more than this, up to rounding.
    method : str
        What found the order.
    largest_weight : float
        The largest |w|, the scale on which two scores count as equal (1e-9 of it).
    interrupted : bool
        Whether the search was stopped by Ctrl-C and returned what it had.
    trace : tuple of (seconds, score, upper bound)
        How the search went; times differ from run to run.
    ties : TieStructure or None
        Which pairs the score leaves undecided, where that was asked for.
    knowledge_cost : tuple of (least, most) or None
        What honouring the knowledge costs in score.

    Examples
    --------
    >>> import intersort
    >>> result = intersort.local_search([[0, 2.0], [0.5, 0]], initial=[1, 0])
    >>> result
    CausalOrder x0 → x1
      score 2, proven optimal, found by local_search
    >>> result.order, result.rank, result.is_optimal
    (array([0, 1]), array([0, 1]), True)
    """

    order: IntArray
    score: float
    names: tuple[str, ...]
    upper_bound: float
    method: str
    largest_weight: float
    interrupted: bool = field(default=False, kw_only=True)
    trace: tuple[tuple[float, float, float], ...] = field(default=(), kw_only=True)
    ties: TieStructure | None = field(default=None, kw_only=True)
    knowledge_cost: tuple[float, float] | None = field(default=None, kw_only=True)

    @property
    def rank(self) -> IntArray:
        """Position of each variable in the order: 0 for the first cause."""
        rank = np.empty_like(self.order)
        rank[self.order] = np.arange(self.order.size)
        return rank

    @property
    def ordered_names(self) -> tuple[str, ...]:
        """Names of the variables, causes first."""
        return tuple(self.names[column] for column in self.order)

    @property
    def is_optimal(self) -> bool:
        """Whether the score meets its upper bound within 1e-9 of the largest weight."""
        return bool(abs(self.upper_bound - self.score) <= TOLERANCE * self.largest_weight)

    @property
    def gap(self) -> float:
        """How much better an order could be, relative to bound or score, the larger of these."""
        scale = max(abs(self.upper_bound), abs(self.score))
        return (self.upper_bound - self.score) / scale if scale > 0 else 0.0

    def to_frame(self) -> pd.DataFrame:
        """One row a variable, causes first: rank from 1, name and column."""
        import pandas as pd

        return pd.DataFrame(
            {
                "rank": np.arange(1, self.order.size + 1),
                "variable": list(self.ordered_names),
                "column": self.order,
            }
        )

    def _evidence(self) -> str:
        """What is known about the score of this order, for the second line of its repr."""
        proof = "proven optimal"
        if not self.is_optimal:
            proof = f"at most {self.upper_bound:.6g} (gap {100 * self.gap:.2g} %)"
        stopped = ", interrupted" if self.interrupted else ""
        return f"score {self.score:.6g}, {proof}, found by {self.method}{stopped}"

    def _levels(self) -> str:
        """The levels that the ties leave, a line each, where they are known."""
        if self.ties is None:
            return ""
        lines = []
        for level in range(int(self.ties.levels.max(initial=-1)) + 1):
            members = [self.names[v] for v in self.order if self.ties.levels[v] == level]
            shown = members if len(members) <= 12 else [*members[:11], f"… ({len(members)} in all)"]
            lines.append(f"\n  level {level + 1}: {' '.join(shown)}")
        return "".join(lines)

    def __repr__(self) -> str:
        names = self.ordered_names
        if len(names) > 12:
            names = (*names[:6], "…", *names[-5:])
        return f"{type(self).__name__} {' → '.join(names)}\n  {self._evidence()}{self._levels()}"


OrderLike: TypeAlias = CausalOrder | ArrayLike
"""A `CausalOrder`, or the columns of its variables, causes first."""


def as_order(order: OrderLike, n_variables: int) -> IntArray:
    """Take the columns of an order, causes first, as an array of their own."""
    return check_order(order.order if isinstance(order, CausalOrder) else order, n_variables)


def bound_by_pairs(score: OrderScore, required: BoolArray | None = None) -> float:
    """Sum, over all pairs, of the better of its two directions: no order scores more.

    Where one direction is required, that one counts.

    >>> from intersort.scores.weight_matrix import as_order_score
    >>> bound_by_pairs(as_order_score([[0, 3, -1], [1, 0, 2], [4, -2, 0]]))
    9.0
    """
    weights, intervened = score.weights, score.intervened
    others = np.setdiff1d(np.arange(score.n_variables), intervened, assume_unique=True)
    twice = 0.0
    for start in range(0, intervened.size, _ROWS_AT_ONCE):  # no second d × d matrix
        block = slice(start, start + _ROWS_AT_ONCE)
        forward = weights[block][:, intervened]
        backward = weights[:, intervened[block]].T
        twice += float(np.maximum(forward, backward).sum())
        # the other direction of a pair with one intervention is worth 0
        twice += 2 * float(np.maximum(weights[block][:, others], 0.0).sum())
    return twice / 2 if required is None else twice / 2 - _given_up(score, required)


def _given_up(score: OrderScore, required: BoolArray) -> float:
    """What the better directions gain over the required ones, where these are the worse."""
    row_of = np.full(score.n_variables, -1)
    row_of[score.intervened] = np.arange(score.intervened.size)
    # a row of zeros stands for all variables without intervention
    weights = np.vstack([score.weights, np.zeros((1, score.n_variables))])
    a, b = np.nonzero(required)
    net = weights[row_of[b], a] - weights[row_of[a], b]
    return float(np.maximum(net, 0.0).sum())
