"""The best order there is, by dynamic programming over the subsets of up to 20 variables."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .._rng import RandomLike, make_rng
from .._typing import BoolArray, FloatArray, IntArray
from .._validation import InputError, shown
from ..scores.weight_matrix import ScoreLike, as_order_score
from .causal_order import TOLERANCE, CausalOrder
from .knowledge import Knowledge, required_pairs

MOST_VARIABLES = 20
"""Beyond, 64-bit integers cannot count the orders, and the tables outgrow the machine."""

_SECONDS_PER_STEP = 5e-9  # 2^d · d steps; see benchmarks/orders_speed.py


@dataclass(frozen=True, eq=False, repr=False)
class ExactOrder(CausalOrder):
    """A provably best order, with the number of orders that are as good.

    Attributes
    ----------
    n_optimal : int
        Number of optimal orders, of those that honour the knowledge if there is any. Two values
        count as equal within 1e-9 of the largest weight, variable by variable from the last to
        the first: every order within that of the optimum is counted, and none further from it
        than d times that.

    Examples
    --------
    >>> import intersort
    >>> result = intersort.exact_order([[0, 2, 0], [0, 0, 0], [0, 1, 0]])
    >>> result
    ExactOrder x0 → x2 → x1
      score 3, proven optimal, one of 2, found by exact_order
    >>> result.sample_optimal(4, rng=1)
    array([[2, 0, 1],
           [0, 2, 1],
           [0, 2, 1],
           [0, 2, 1]])
    """

    n_optimal: int
    _dense: FloatArray = field(repr=False)
    _required: BoolArray | None = field(default=None, repr=False)

    def sample_optimal(self, n: int, *, rng: RandomLike = None) -> IntArray:
        """Draw `n` of the optimal orders, each as likely as any other: an order a row."""
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
            raise InputError(f"n must be a whole number of orders, 0 or more; got {shown(n)}.")
        numbers = make_rng(rng).integers(self.n_optimal, size=int(n))
        return self._table.write_orders(numbers)

    @cached_property
    def _table(self) -> SubsetTable:
        # solved again on first use: 16 MB kept in every result would be worse than 0.1 s
        return SubsetTable(self._dense, self._required)

    def _evidence(self) -> str:
        tied = "the only one" if self.n_optimal == 1 else f"one of {self.n_optimal:,}"
        return f"score {self.score:.6g}, proven optimal, {tied}, found by {self.method}"


class SubsetTable:
    """Value of the best order of every subset of the variables, and the number of such orders.

    The best order of a set ends in one of its variables, and what precedes it is the best order
    of the rest: value(S) = max over v in S of value(S − v) + Σ over u in S of w_uv. What is
    required is honoured by a loss without end for each pair that breaks it.
    """

    def __init__(
        self, dense: FloatArray, required: BoolArray | None = None, tolerance: float = TOLERANCE
    ) -> None:
        from . import _kernels

        d = dense.shape[0]
        self._tolerance = tolerance * float(np.abs(dense).max(initial=0.0))
        if required is not None:
            dense = np.where(required.T, -np.inf, dense)
        self._low = np.zeros((1 << (d // 2), d))
        self._high = np.zeros((1 << (d - d // 2), d))
        _kernels.sum_subsets(np.ascontiguousarray(dense[: d // 2]), self._low)
        _kernels.sum_subsets(np.ascontiguousarray(dense[d // 2 :]), self._high)
        self._values = np.empty(1 << d)
        self._counts = np.empty(1 << d, dtype=np.int64)
        self._buffer = np.zeros(d)
        _kernels.solve_subsets(
            self._low, self._high, self._tolerance, self._values, self._counts, self._buffer
        )

    @property
    def values(self) -> FloatArray:
        """Value of the best order of every subset, one bit a variable."""
        return self._values

    @property
    def n_optimal(self) -> int:
        """Number of orders that are tied with the best one, step by step."""
        return int(self._counts[-1])

    def best_order(self) -> IntArray:
        """An order of the best value; among equals the highest column comes last."""
        from . import _kernels

        order = np.empty(self._buffer.size, dtype=np.int64)
        _kernels.best_order(self._low, self._high, self._values, self._buffer, order)
        return order

    def write_orders(self, numbers: IntArray) -> IntArray:
        """The optimal orders with these numbers, 0 … n_optimal − 1, an order a row."""
        from . import _kernels

        orders = np.empty((numbers.size, self._buffer.size), dtype=np.int64)
        _kernels.unrank_orders(
            self._low,
            self._high,
            self._tolerance,
            self._values,
            self._counts,
            numbers,
            self._buffer,
            orders,
        )
        return orders


def exact_order(score: ScoreLike, *, knowledge: Knowledge | None = None) -> ExactOrder:
    """Find a provably best order of up to 20 variables, and count the equally good ones.

    Parameters
    ----------
    score : OrderScore, or array of shape (d, d)
        What is to be maximised. The diagonal of a matrix is ignored.
    knowledge : Knowledge, optional
        What is known already: only orders that honour it compete and are counted.

    Returns
    -------
    ExactOrder

    Notes
    -----
    Dynamic programming over the 2^d subsets: 16 · 2^d bytes (16 MB at d = 20) and O(2^d d) time.
    Which of several optimal orders is returned depends on the numbering of the variables;
    `ExactOrder.sample_optimal` draws from all of them.

    Examples
    --------
    >>> import intersort
    >>> intersort.exact_order([[0, 3, 1], [2, 0, 4], [3, 1, 0]])
    ExactOrder x1 → x2 → x0
      score 9, proven optimal, the only one, found by exact_order
    """
    problem = as_order_score(score)
    d = problem.n_variables
    if d > MOST_VARIABLES:
        raise InputError(
            f"exact_order handles up to {MOST_VARIABLES} variables, and these are {d}: {d}! orders "
            "are more than 64 bits can count, so the optimal ones cannot be counted or drawn "
            f"(search alone would take about {_duration(d)} and {_memory(d)}). Use find_order "
            "instead, which says how far its order may be from the best, or local_search."
        )
    required = required_pairs(knowledge, problem.names)
    table = SubsetTable(dense := problem.to_dense(), required)
    order = table.best_order()
    value = problem.score(order)
    return ExactOrder(
        order=order,
        score=value,
        names=problem.names,
        upper_bound=value,
        method="exact_order",
        largest_weight=problem.largest_weight,
        n_optimal=table.n_optimal,
        _dense=dense,
        _required=required,
    )


def _duration(d: int) -> str:
    """Time for d variables, in words; in logarithms, because 2^d soon overflows."""
    exponent = d * math.log10(2) + math.log10(_SECONDS_PER_STEP * d)
    for unit, seconds in (("years", 3.156e7), ("days", 86400.0), ("hours", 3600.0)):
        if exponent >= math.log10(2 * seconds):
            return _in_words(exponent - math.log10(seconds), unit)
    return _in_words(exponent, "seconds")


def _memory(d: int) -> str:
    """Memory of the two tables for d variables, in words."""
    exponent = math.log10(16) + d * math.log10(2)
    for unit, size in (("PB", 15), ("TB", 12), ("GB", 9)):
        if exponent >= size:
            return _in_words(exponent - size, unit)
    return _in_words(exponent - 6, "MB")


def _in_words(exponent: float, unit: str) -> str:
    if exponent > 5:
        return f"10^{exponent:.0f} {unit}"
    return f"{float(f'{10**exponent:.2g}'):g} {unit}"
