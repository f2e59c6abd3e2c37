"""The paper's local search: move one variable at a time while that improves the score."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._typing import IntArray
from .._validation import InputError, shown
from ..scores.paper import OrderScore
from ..scores.weight_matrix import ScoreLike, as_order_score
from .causal_order import TOLERANCE, CausalOrder, OrderLike, as_order, bound_by_pairs

_MOVES_AT_ONCE = 1024
"""The kernel comes back after so many moves, so that a long search can be interrupted."""

_GAINS_KEPT_UP_TO = 2048
"""Up to so many variables the gain of every move is kept (32 MB) and corrected after a move."""


def local_search(score: ScoreLike, initial: OrderLike, depth: int = 1) -> CausalOrder:
    """Improve an order by moving variables, until no `depth` moves improve it further.

    A move takes out the variable at position i and puts it in at position j. Moves are tried
    with i from first to last and, for each, j from first to last; the first that improves the
    score is made, and the search starts again. With ``depth=2`` the neighbours are two moves
    away: all second moves of the first first move, then of the next, and so on.

    Parameters
    ----------
    score : OrderScore, or array of shape (d, d)
        What is to be maximised. The diagonal of a matrix is ignored.
    initial : CausalOrder, or array of shape (d,)
        Where to start.
    depth : int
        Number of moves from an order to its neighbours.

    Returns
    -------
    CausalOrder

    Notes
    -----
    The paper leaves the order of the moves open, and it decides which local optimum is reached:
    the rule above is the one that gives the figure of the paper on the data of Sachs et al. A
    move counts as better only beyond 1e-9 of the largest weight. Running sums make a full scan
    of the (d − 1)² neighbours cost O(d²), and 2k moves deep O(d^{2k}).

    References
    ----------
    Chevalley, Schwab, Mehrjou (2025), algorithm 3.
    Schiavinotto, Stützle (2004), on scoring insertions by running sums.

    Examples
    --------
    >>> import intersort
    >>> weights = [[0, 5, 1], [0, 0, 4], [2, 0, 0]]
    >>> found = intersort.local_search(weights, initial=[2, 1, 0])
    >>> found.order, found.score
    (array([0, 1, 2]), 10.0)
    """
    problem = as_order_score(score)
    order, _ = search_moves(problem, as_order(initial, problem.n_variables), depth)
    return CausalOrder(
        order=order,
        score=problem.score(order),
        names=problem.names,
        upper_bound=bound_by_pairs(problem),
        method="local_search",
        largest_weight=problem.largest_weight,
    )


def search_moves(
    score: OrderScore, initial: IntArray, depth: int = 1
) -> tuple[IntArray, list[tuple[int, int]]]:
    """Search from `initial`; give the order found and the moves (i, j) that led there."""
    if isinstance(depth, bool) or not isinstance(depth, int | np.integer) or depth < 1:
        raise InputError(
            f"depth must be a whole number of moves, 1 or more (the paper takes 1); "
            f"got {shown(depth)}."
        )
    weights = np.ascontiguousarray(score.weights, dtype=np.float64)
    row_of = np.full(score.n_variables, -1, dtype=np.int64)
    row_of[score.intervened] = np.arange(score.intervened.size)
    margin = TOLERANCE * score.largest_weight
    if depth == 1 and score.n_variables <= _GAINS_KEPT_UP_TO:
        return _search_single(weights, row_of, initial, margin)
    return _search_deep(weights, row_of, initial, margin, int(depth))


def _search_single(
    weights: np.ndarray, row_of: IntArray, initial: IntArray, margin: float
) -> tuple[IntArray, list[tuple[int, int]]]:
    from . import _kernels

    order = initial.copy()
    gains = np.zeros((order.size, order.size))
    may_improve = np.ones(order.size, dtype=np.bool_)
    buffer = np.empty((_MOVES_AT_ONCE, 2), dtype=np.int64)
    moves: list[tuple[int, int]] = []

    def make_moves() -> int:
        made = _kernels.improve(weights, row_of, order, gains, may_improve, margin, buffer)
        moves.extend((i, j) for i, j in buffer[:made].tolist())
        return int(made)

    if make_moves() == len(buffer):  # a long search: show that it goes on
        with _progress() as bar:
            while make_moves() == len(buffer):
                bar.update(len(buffer))
    return order, moves


def _search_deep(
    weights: np.ndarray, row_of: IntArray, initial: IntArray, margin: float, depth: int
) -> tuple[IntArray, list[tuple[int, int]]]:
    from . import _kernels

    orders = np.empty((depth, initial.size), dtype=np.int64)
    orders[0] = initial
    gains = np.zeros(depth)
    buffer = np.empty((depth, 2), dtype=np.int64)
    moves: list[tuple[int, int]] = []
    with _progress() as bar:
        while _kernels.improve_deep(weights, row_of, orders, gains, margin, buffer):
            orders[0] = orders[-1]
            moves += [(i, j) for i, j in buffer.tolist()]
            bar.update(depth)
    return orders[0].copy(), moves


def _progress() -> Any:
    """A count of the moves made, on a terminal only, once the search takes over a second."""
    from tqdm import tqdm

    return tqdm(desc="local search", unit=" moves", disable=None, delay=1, leave=False)
