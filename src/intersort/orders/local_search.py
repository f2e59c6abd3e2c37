"""The paper's local search: move one variable at a time while that improves the score."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._typing import BoolArray, IntArray
from .._validation import InputError, shown
from ..scores.paper import OrderScore
from ..scores.weight_matrix import ScoreLike, as_order_score
from .causal_order import TOLERANCE, CausalOrder, OrderLike, as_order, bound_by_pairs
from .knowledge import Knowledge, check_obeys, required_pairs

_MOVES_AT_ONCE = 1024
"""The kernel comes back after so many moves, so that a long search can be interrupted."""

_GAINS_KEPT_UP_TO = 2048
"""Up to so many variables the gain of every move is kept (32 MB) and corrected after a move."""


def local_search(
    score: ScoreLike,
    initial: OrderLike,
    depth: int = 1,
    *,
    knowledge: Knowledge | None = None,
) -> CausalOrder:
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
    knowledge : Knowledge, optional
        What is known already. `initial` must honour it, and no move, the first of several
        included, may break it.

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
    start = as_order(initial, problem.n_variables)
    required = required_pairs(knowledge, problem.names)
    check_obeys(start, required, problem.names)
    order, _ = search_moves(problem, start, depth, required)
    return CausalOrder(
        order=order,
        score=problem.score(order),
        names=problem.names,
        upper_bound=bound_by_pairs(problem, required),
        method="local_search",
        largest_weight=problem.largest_weight,
    )


def check_depth(depth: int) -> None:
    """Refuse a depth that is no whole number of moves."""
    if isinstance(depth, bool) or not isinstance(depth, int | np.integer) or depth < 1:
        raise InputError(
            f"depth must be a whole number of moves, 1 or more (the paper takes 1); "
            f"got {shown(depth)}."
        )


def search_moves(
    score: OrderScore, initial: IntArray, depth: int = 1, required: BoolArray | None = None
) -> tuple[IntArray, list[tuple[int, int]]]:
    """Search from `initial`; give the order found and the moves (i, j) that led there.

    `initial` honours what is `required`, a transitively closed d × d array, and so does the result.
    """
    check_depth(depth)
    weights = np.ascontiguousarray(score.weights, dtype=np.float64)
    row_of = np.full(score.n_variables, -1, dtype=np.int64)
    row_of[score.intervened] = np.arange(score.intervened.size)
    margin = TOLERANCE * score.largest_weight
    legal = np.zeros((0, 0), dtype=np.bool_) if required is None else required
    if depth == 1 and score.n_variables <= _GAINS_KEPT_UP_TO:
        return _search_single(weights, row_of, legal, initial, margin)
    return _search_deep(weights, row_of, legal, initial, margin, int(depth))


def _search_single(
    weights: np.ndarray, row_of: IntArray, required: BoolArray, initial: IntArray, margin: float
) -> tuple[IntArray, list[tuple[int, int]]]:
    from . import _kernels

    order = initial.copy()
    gains = np.zeros((order.size, order.size))
    may_improve = np.ones(order.size, dtype=np.bool_)
    buffer = np.empty((_MOVES_AT_ONCE, 2), dtype=np.int64)
    moves: list[tuple[int, int]] = []

    def make_moves() -> int:
        made = _kernels.improve(
            weights, row_of, required, order, gains, may_improve, margin, buffer
        )
        moves.extend((i, j) for i, j in buffer[:made].tolist())
        return int(made)

    if make_moves() == len(buffer):  # a long search: show that it goes on
        with _progress() as bar:
            while make_moves() == len(buffer):
                bar.update(len(buffer))
    return order, moves


def _search_deep(
    weights: np.ndarray,
    row_of: IntArray,
    required: BoolArray,
    initial: IntArray,
    margin: float,
    depth: int,
) -> tuple[IntArray, list[tuple[int, int]]]:
    from . import _kernels

    orders = np.empty((depth, initial.size), dtype=np.int64)
    orders[0] = initial
    gains = np.zeros(depth)
    buffer = np.empty((depth, 2), dtype=np.int64)
    moves: list[tuple[int, int]] = []
    with _progress() as bar:
        while _kernels.improve_deep(weights, row_of, required, orders, gains, margin, buffer):
            orders[0] = orders[-1]
            moves += [(i, j) for i, j in buffer.tolist()]
            bar.update(depth)
    return orders[0].copy(), moves


def _progress() -> Any:
    """A count of the moves made, on a terminal only, once the search takes over a second."""
    from tqdm import tqdm

    return tqdm(desc="local search", unit=" moves", disable=None, delay=1, leave=False)
