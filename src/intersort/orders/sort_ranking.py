"""SORTRANKING: the strongest effects first, each kept unless it closes a cycle."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .._typing import ArrayLike, BoolArray, FloatArray, IntArray
from .._validation import InputError
from ..scores.paper import OrderScore, check_c, check_epsilon, paper_weights
from .causal_order import CausalOrder, bound_by_pairs
from .knowledge import Knowledge, required_pairs

if TYPE_CHECKING:
    from ..effects.effects import Effects


@dataclass(frozen=True, eq=False, repr=False)
class SortRanking(CausalOrder):
    """The order of SORTRANKING, with the graph it was read from.

    Attributes
    ----------
    graph : Boolean array of shape (|I|, d)
        ``graph[k, j]`` says that the edge from ``intervened[k]`` to j was accepted; what is only
        required by knowledge is no edge.
    s_init : float
        Value of the paper's S_init: distances of the accepted edges less one ε for each.

    Examples
    --------
    >>> import intersort
    >>> effects = intersort.Effects.from_matrix([[0, 2.0, 0], [0, 0, 1.5], [1.0, 0, 0]])
    >>> result = intersort.sort_ranking(effects, epsilon=0.5)
    >>> result.ordered_names, result.s_init
    (('x0', 'x1', 'x2'), 2.5)
    >>> result.graph.astype(int)
    array([[0, 1, 0],
           [0, 0, 1],
           [0, 0, 0]])
    """

    graph: BoolArray
    s_init: float


def sort_ranking(
    effects: Effects,
    epsilon: ArrayLike,
    c: float = 0.5,
    *,
    knowledge: Knowledge | None = None,
) -> SortRanking:
    """Order the variables by their strongest effects, each honoured unless it closes a cycle.

    Pairs are taken by falling distance, equal ones row by row (i, j), and become edges while
    their distance exceeds ε and no cycle arises. The order is the topological order of that
    graph by generations: variables without parents by column number; a child joins the next
    generation when its last parent is visited, children in the order in which their edges were
    accepted.

    Parameters
    ----------
    effects : Effects
        How far each intervention moves each variable. A variable's own column is never an edge.
    epsilon : float, or array of shape (|I|, d)
        The threshold: one number, or one per pair, and each edge meets its own.
    c : float
        Weight of the bonus in the paper's score, which the result reports; the order does not
        depend on it.
    knowledge : Knowledge, optional
        What is known already. The required pairs are put in first, row by row; edges that would
        close a cycle with them are left out.

    Returns
    -------
    SortRanking

    Notes
    -----
    The graph is a greedy approximation of the paper's G_opt, the acyclic graph with the largest
    S_init. Reachability is kept as bit sets, so that the d · |I| pairs take about as long as
    sorting those above ε. The order is far from unique where few pairs exceed ε; the tie rules
    decide then.

    References
    ----------
    Chevalley, Schwab, Mehrjou (2025), algorithm 2.

    Examples
    --------
    >>> import intersort
    >>> effects = intersort.Effects.from_matrix([[0, 0.1, 0.9], [0.8, 0, 0], [0, 0, 0]])
    >>> intersort.sort_ranking(effects, epsilon=0.3)
    SortRanking x1 → x0 → x2
      score 3.8, proven optimal, found by sort_ranking
    """
    if not hasattr(effects, "distance"):
        raise InputError(
            f"sort_ranking needs effects, not {type(effects).__name__}; "
            "make them of a distance matrix with Effects.from_matrix(distance)."
        )
    distance, intervened = effects.distance, effects.intervened
    threshold = check_epsilon(epsilon, distance.shape)
    score = OrderScore(
        paper_weights(effects, threshold, check_c(c)), intervened, tuple(effects.names)
    )
    required = required_pairs(knowledge, score.names)
    graph, order = rank_by_falling_value(distance, intervened, distance > threshold, required)
    return SortRanking(
        order=order,
        score=score.score(order),
        names=score.names,
        upper_bound=bound_by_pairs(score, required),
        method="sort_ranking",
        largest_weight=score.largest_weight,
        graph=graph,
        s_init=float(np.sum(distance - threshold, where=graph)),
    )


def rank_by_falling_value(
    values: FloatArray,
    intervened: IntArray,
    above: BoolArray,
    required: BoolArray | None = None,
) -> tuple[BoolArray, IntArray]:
    """Accept the pairs `above` by falling value unless a cycle arises; sort what results.

    `values` and `above` have a row for each of `intervened` and a column for each variable. What
    is `required`, a transitively closed d × d array, is put in first.
    """
    rows, children = sort_pairs(values, intervened, above)
    accepted = accept_edges(intervened[rows], children, values.shape[1], required)
    rows, children = rows[accepted], children[accepted]
    graph = np.zeros(values.shape, dtype=np.bool_)
    graph[rows, children] = True
    sources = intervened[rows]
    if required is not None:
        new = ~required[sources, children]
        first, second = np.nonzero(required)
        sources = np.concatenate([first, sources[new]])
        children = np.concatenate([second, children[new]])
    return graph, sort_by_generations(sources, children, values.shape[1])


def sort_pairs(
    values: FloatArray, intervened: IntArray, above: BoolArray
) -> tuple[IntArray, IntArray]:
    """Rows and columns of the pairs `above`, by falling value, equal ones row by row."""
    above = above.copy()
    above[np.arange(intervened.size), intervened] = False
    pairs = np.flatnonzero(above)
    pairs = pairs[np.argsort(-values[above], kind="stable")]
    rows, columns = np.divmod(pairs, values.shape[1])
    return rows, columns


def accept_edges(
    sources: IntArray, children: IntArray, n_variables: int, required: BoolArray | None = None
) -> BoolArray:
    """Mark the edges that close no cycle with what is required and those accepted before them."""
    from . import _kernels

    reach = np.zeros((n_variables, (n_variables + 63) // 64), dtype=np.uint64)
    if required is not None:
        bits = np.packbits(required, axis=1, bitorder="little")
        as_bytes = reach.view(np.uint8)
        as_bytes[:, : bits.shape[1]] = bits
        if sys.byteorder == "big":
            reach.byteswap(inplace=True)
    accepted = np.zeros(sources.size, dtype=np.bool_)
    _kernels.add_edges(
        np.ascontiguousarray(sources), np.ascontiguousarray(children), reach, accepted
    )
    return accepted


def sort_by_generations(sources: IntArray, children: IntArray, n_variables: int) -> IntArray:
    """Topological order by generations of edges that stand in the order of their acceptance."""
    from . import _kernels

    starts = np.zeros(n_variables + 1, dtype=np.int64)
    np.cumsum(np.bincount(sources, minlength=n_variables), out=starts[1:])
    by_source = children[np.argsort(sources, kind="stable")]
    n_parents = np.bincount(children, minlength=n_variables).astype(np.int64)
    order = np.empty(n_variables, dtype=np.int64)
    _kernels.sort_topologically(starts, by_source, n_parents, order)
    return order
