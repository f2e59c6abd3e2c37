"""The best orders of many small weight matrices at once, with everything that is tied.

Dynamic programming over subsets, in plain NumPy over a stack of cases: the theory has its own,
so that the search of `intersort.orders` is never what checks the theory.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._typing import ArrayLike, BoolArray, FloatArray, IntArray
from .._validation import InputError
from .small_cases import all_orders, precedences


@dataclass(frozen=True, eq=False, repr=False)
class Optima:
    """The optimal orders of a stack of n cases, summed up.

    Attributes
    ----------
    score : array of shape (n,)
        The best score.
    n_optimal : array of shape (n,)
        How many orders reach it.
    total_cost, least_cost, worst_cost : arrays of shape (n,)
        Sum, least and largest cost (such as D_top) over the orders that reach it.
    """

    score: FloatArray
    n_optimal: IntArray
    total_cost: FloatArray
    least_cost: FloatArray
    worst_cost: FloatArray

    @property
    def mean_cost(self) -> FloatArray:
        """Mean cost over the orders that reach the best score: ties broken at random."""
        return np.asarray(self.total_cost / self.n_optimal)

    def __repr__(self) -> str:
        return (
            f"Optima of {self.score.size} cases, {int(self.n_optimal.sum())} optimal orders, "
            f"mean cost {self.mean_cost.mean():.4g}, worst {self.worst_cost.mean():.4g}"
        )


def summarise_optima(weights: ArrayLike, backward_cost: ArrayLike) -> Optima:
    """Find the best score of each case, and what its optimal orders cost.

    .. math:: \\max_\\pi \\sum_{\\pi(i) < \\pi(j)} w_{ij}, \\qquad
              \\text{cost}(\\pi) = \\sum_{\\pi(i) > \\pi(j)} a_{ij}

    Parameters
    ----------
    weights : array of shape (n, d, d)
        What an order gains when i precedes j. With integers everything is exact; with floats two
        orders are equally good within 1e-9 of the largest weight, step by step.
    backward_cost : array of shape (n, d, d)
        What it costs when j precedes i; the adjacency matrix makes the cost D_top.

    Returns
    -------
    Optima

    Examples
    --------
    One edge 0 → 1. While nothing is known, half of the optima reverse it; once 1 was intervened
    on and 0 did not move, none does.

    >>> import numpy as np
    >>> from intersort.theory.optima import summarise_optima
    >>> weights, edge = np.zeros((1, 2, 2)), np.array([[[0, 1], [0, 0]]])
    >>> summarise_optima(weights, edge).mean_cost
    array([0.5])
    >>> weights[0, 1, 0] = -1
    >>> summarise_optima(weights, edge).mean_cost
    array([0.])
    """
    gains, cost = _as_numbers(weights), _as_numbers(backward_cost)
    if gains.ndim != 3 or gains.shape != cost.shape or gains.shape[1] != gains.shape[2]:
        raise InputError(
            "`weights` and `backward_cost` must be stacks of square matrices of one shape "
            f"(n, d, d); got {gains.shape} and {cost.shape}."
        )
    if gains.shape[1] > 14:
        raise InputError(f"Up to 14 variables are possible; got {gains.shape[1]}.")
    # about 100 MB at most for the tables of one block
    block = max(1, 2_000_000 // (2 ** gains.shape[1] * max(gains.shape[1], 1)))
    starts = range(0, gains.shape[0], block)
    parts = [_one_block(gains[s : s + block], cost[s : s + block]) for s in starts]
    return Optima(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _as_numbers(values: ArrayLike) -> np.ndarray:
    """Boolean adjacency matrices are counted, so they become integers."""
    array = np.asarray(values)
    return array.astype(np.int64) if array.dtype.kind in "biu" else array.astype(np.float64)


def _one_block(weights: np.ndarray, cost: np.ndarray) -> tuple[np.ndarray, ...]:
    """Add one variable behind every subset, for all cases of the block side by side."""
    n, d = weights.shape[:2]
    gain, loss = _sums_over_subsets(weights), _sums_over_subsets(cost.transpose(0, 2, 1))
    slack = 0 if weights.dtype.kind in "iu" else 1e-9 * np.abs(weights).max(axis=(1, 2))
    score = np.zeros((2**d, n), dtype=weights.dtype)
    count = np.ones((2**d, n), dtype=np.int64)
    total, least, worst = (np.zeros((2**d, n), dtype=cost.dtype) for _ in range(3))
    for subset in range(1, 2**d):
        last = np.array([v for v in range(d) if subset >> v & 1])
        before = subset - (1 << last)
        # what `last` gains from all before it, and the cost of its edges back to them
        reached = score[before] + gain[before, last]
        extra = loss[before, last]
        score[subset] = reached.max(axis=0)
        tied = reached >= score[subset] - slack
        count[subset] = np.sum(count[before], axis=0, where=tied)
        total[subset] = np.sum(total[before] + extra * count[before], axis=0, where=tied)
        least[subset] = np.min(
            least[before] + extra, axis=0, where=tied, initial=_largest(cost.dtype)
        )
        worst[subset] = np.max(
            worst[before] + extra, axis=0, where=tied, initial=-_largest(cost.dtype)
        )
    return score[-1], count[-1], total[-1], least[-1], worst[-1]


def _largest(dtype: np.dtype) -> float | int:
    return np.iinfo(dtype).max if dtype.kind in "iu" else np.inf


def _sums_over_subsets(matrices: np.ndarray) -> np.ndarray:
    """Entry (S, v, case): the sum of matrices[case, u, v] over u in S."""
    n, d = matrices.shape[:2]
    rows = np.ascontiguousarray(matrices.transpose(1, 2, 0))
    sums = np.zeros((2**d, d, n), dtype=matrices.dtype)
    for variable in range(d):
        size = 1 << variable
        sums[size : 2 * size] = sums[:size] + rows[variable]
    return sums


def optimal_orders(weights: ArrayLike) -> IntArray:
    """List every optimal order of one small weight matrix, d ≤ 8.

    Examples
    --------
    >>> from intersort.theory.optima import optimal_orders
    >>> optimal_orders([[0, 1, 0], [0, 0, 0], [0, 0, 0]]).tolist()
    [[0, 1, 2], [0, 2, 1], [2, 0, 1]]
    """
    matrix = np.asarray(weights)
    orders = all_orders(matrix.shape[0])
    return np.asarray(orders[mark_optimal(matrix[None])[0]])


def mark_optimal(weights: ArrayLike) -> BoolArray:
    """Mark the optimal ones of `all_orders(d)` for each of n weight matrices: n × d!.

    Examples
    --------
    >>> from intersort.theory.optima import mark_optimal
    >>> mark_optimal([[[0, 1], [0, 0]], [[0, 0], [0, 0]]])
    array([[ True, False],
           [ True,  True]])
    """
    matrices = np.asarray(weights, dtype=np.float64)
    n, d = matrices.shape[:2]
    ahead = precedences(all_orders(d)).reshape(-1, d * d).astype(np.float64)
    off_diagonal = matrices * ~np.eye(d, dtype=np.bool_)
    scores = off_diagonal.reshape(n, d * d) @ ahead.T
    slack = 1e-9 * np.abs(off_diagonal).max(axis=(1, 2), initial=0.0)
    return np.asarray(scores >= scores.max(axis=1, keepdims=True) - slack[:, None])


def reversible_pairs(weights: ArrayLike) -> BoolArray:
    """Mark the pairs (i, j) that some optimal order puts as j before i: n × d × d.

    Examples
    --------
    >>> from intersort.theory.optima import reversible_pairs
    >>> reversible_pairs([[[0, 1], [0, 0]]]).astype(int).tolist()
    [[[0, 0], [1, 0]]]
    """
    marked = mark_optimal(weights)
    d = np.asarray(weights).shape[1]
    behind = precedences(all_orders(d)).transpose(0, 2, 1).reshape(-1, d * d)
    counts = marked.astype(np.float32) @ behind.astype(np.float32)
    return np.asarray(counts.reshape(-1, d, d) > 0)
