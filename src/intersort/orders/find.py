"""The best order that can be found: proven where there are few variables, searched elsewhere."""

from __future__ import annotations

from ..scores.paper import OrderScore
from ..scores.weight_matrix import ScoreLike, as_order_score
from .causal_order import CausalOrder, OrderLike, as_order
from .exact import exact_order
from .local_search import local_search
from .sort_ranking import rank_by_falling_value

_EXACT_UP_TO = 12
"""So many variables take the exact method milliseconds."""


def find_order(score_or_matrix: ScoreLike, *, initial: OrderLike | None = None) -> CausalOrder:
    """Find the best order: proven up to 12 variables, by local search beyond.

    Parameters
    ----------
    score_or_matrix : OrderScore, or array of shape (d, d)
        What is to be maximised: ``matrix[i, j]`` is gained when i precedes j. The diagonal is
        ignored.
    initial : CausalOrder, or array of shape (d,), optional
        Where the local search starts; without it, at the order that SORTRANKING's rule gives on
        the positive weights.

    Returns
    -------
    CausalOrder
        An `ExactOrder` up to 12 variables. `is_optimal` says whether the order is proven best.

    Examples
    --------
    >>> import intersort
    >>> intersort.find_order([[0, 2.0], [0.5, 0]])
    ExactOrder x0 → x1
      score 2, proven optimal, the only one, found by exact_order
    """
    score = as_order_score(score_or_matrix)
    start = None if initial is None else as_order(initial, score.n_variables)
    if score.n_variables <= _EXACT_UP_TO:
        return exact_order(score)
    return local_search(score, _strongest_first(score) if start is None else start)


def _strongest_first(score: OrderScore) -> OrderLike:
    """The order that SORTRANKING's rule gives on the positive weights."""
    return rank_by_falling_value(score.weights, score.intervened, score.weights > 0)[1]
