"""How far an order is from a graph, and one order from another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._adjacency import Edges, read_edges
from ._typing import BoolArray, IntArray
from ._validation import InputError, check_order, shown


def d_top(adjacency: Any, order: Any) -> int:
    """Count the edges that point backwards in an order.

    .. math:: D_{top}(G, \\pi) = \\sum_{\\pi(i) > \\pi(j)} A(i, j)

    Parameters
    ----------
    adjacency : array or SciPy sparse matrix of shape (d, d)
        ``adjacency[i, j] != 0`` is the edge i → j. Weights count as one edge each.
    order : array of shape (d,), or anything with an attribute `order`
        Columns of the variables, causes first.

    Returns
    -------
    int
        0 exactly where the order is causal (the paper's Lemma 1 and its converse).

    Examples
    --------
    >>> import intersort
    >>> chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> intersort.d_top(chain, [0, 1, 2]), intersort.d_top(chain, [2, 0, 1])
    (0, 1)
    """
    return _count_backward(read_edges(adjacency), order)


def _count_backward(edges: Edges, order: Any) -> int:
    rank = _rank(_read_order(order, edges.n_variables))
    return int(np.count_nonzero(rank[edges.source] > rank[edges.target]))


def normalised_d_top(adjacency: Any, order: Any, by: str = "variables") -> float:
    """Divide D_top by the number of variables, as the paper does, or by the number of edges.

    Parameters
    ----------
    adjacency, order
        As in `d_top`.
    by : {"variables", "edges"}
        ``"variables"`` is the paper's normalised error; ``"edges"`` lies between 0 and 1, and a
        random order has 1/2 on average.

    Returns
    -------
    float
        0 for a graph without edges.

    Examples
    --------
    >>> from intersort.metrics import normalised_d_top
    >>> chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> normalised_d_top(chain, [2, 1, 0], by="edges")
    1.0
    """
    edges = read_edges(adjacency)
    sizes = {"variables": edges.n_variables, "edges": len(edges)}
    if by not in sizes:
        raise InputError(f'`by` must be "variables" or "edges"; got {shown(by)}.')
    return d_top(adjacency, order) / max(sizes[by], 1)


@dataclass(frozen=True)
class DTopRange:
    """D_top over several orders of the same variables.

    Attributes
    ----------
    mean : float
        Over all orders given, each counted as often as it was given.
    least, most : int
        The smallest and the largest.

    Examples
    --------
    >>> from intersort.metrics import DTopRange
    >>> DTopRange(mean=1.5, least=1, most=2)
    DTopRange(mean=1.5, least=1, most=2)
    """

    mean: float
    least: int
    most: int


def d_top_range(adjacency: Any, orders: Any) -> DTopRange:
    """Sum up D_top over several orders, such as draws from all that are equally good.

    Parameters
    ----------
    adjacency : array or SciPy sparse matrix of shape (d, d)
        ``adjacency[i, j] != 0`` is the edge i → j.
    orders : array of shape (n, d)
        An order a row, causes first, as `ExactOrder.sample_optimal` and `TieStructure.sample`
        give them.

    Returns
    -------
    DTopRange
        Of draws `least` and `most` are what was seen, not what is possible.

    Examples
    --------
    >>> import intersort
    >>> chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> intersort.d_top_range(chain, [[0, 1, 2], [1, 0, 2], [2, 1, 0]])
    DTopRange(mean=1.0, least=0, most=2)
    """
    edges = read_edges(adjacency)
    rows = np.asarray(orders)
    if rows.ndim != 2 or rows.shape[0] == 0:
        raise InputError(
            f"orders must be a table with an order a row, one row or more; got shape {rows.shape}. "
            "For one order take d_top."
        )
    counts = np.array([_count_backward(edges, row) for row in rows])
    return DTopRange(float(counts.mean()), int(counts.min()), int(counts.max()))


def reorder_adjacency(adjacency: Any, order: Any) -> BoolArray:
    """Write a graph with its variables in the given order: the paper's A_π.

    Its entry (a, b) is the edge from the a-th to the b-th variable of the order. It is strictly
    upper triangular exactly where the order is causal.

    Examples
    --------
    >>> from intersort.metrics import reorder_adjacency
    >>> reorder_adjacency([[0, 0], [1, 0]], [1, 0]).astype(int)
    array([[0, 1],
           [0, 0]])
    """
    edges = read_edges(adjacency)
    checked = _read_order(order, edges.n_variables)
    return edges.to_dense()[np.ix_(checked, checked)]


def sum_below_diagonal(reordered: Any) -> int:
    """Count the edges of A_π below its diagonal, which is D_top.

    The paper's Observation prints the sum over i < j; it runs over i > j.

    Examples
    --------
    >>> import intersort
    >>> from intersort.metrics import reorder_adjacency, sum_below_diagonal
    >>> graph, order = [[0, 1, 1], [0, 0, 0], [0, 1, 0]], [1, 0, 2]
    >>> sum_below_diagonal(reorder_adjacency(graph, order)), intersort.d_top(graph, order)
    (2, 2)
    """
    edges = read_edges(reordered)
    return int(np.count_nonzero(edges.source > edges.target))


def is_causal_order(adjacency: Any, order: Any) -> bool:
    """Whether no edge points backwards, so that every cause precedes its effects.

    Examples
    --------
    >>> from intersort.metrics import is_causal_order
    >>> is_causal_order([[0, 1], [0, 0]], [0, 1]), is_causal_order([[0, 1], [0, 0]], [1, 0])
    (True, False)
    """
    return d_top(adjacency, order) == 0


def order_to_dag(order: Any) -> BoolArray:
    """Connect every variable with all that come after it.

    Of all graphs that the order allows this one misses the fewest edges: it misses `d_top`.

    Parameters
    ----------
    order : array of shape (d,), or anything with an attribute `order`
        Columns of the variables, causes first.

    Returns
    -------
    Boolean array of shape (d, d)

    Examples
    --------
    >>> import intersort
    >>> intersort.order_to_dag([2, 0, 1]).astype(int)
    array([[0, 1, 0],
           [0, 0, 0],
           [1, 1, 0]])
    """
    rank = _rank(_read_order(order, None))
    return rank[:, None] < rank[None, :]


@dataclass(frozen=True, eq=False, repr=False)
class OrderComparison:
    """Where two orders of the same variables disagree.

    Attributes
    ----------
    kendall_distance : int
        Number of pairs that stand the other way round: 0 for equal orders, d (d − 1) / 2 for one
        order and its reverse.
    first, second : arrays of shape (d,)
        The two orders.
    names : tuple of str
        Names of the variables, by column.
    """

    kendall_distance: int
    first: IntArray
    second: IntArray
    names: tuple[str, ...]

    @property
    def n_pairs(self) -> int:
        """Number of pairs of variables."""
        return self.first.size * (self.first.size - 1) // 2

    @property
    def normalised(self) -> float:
        """Share of the pairs that differ: 0 for equal orders, 1 for reversed ones."""
        return self.kendall_distance / max(self.n_pairs, 1)

    @property
    def pairs(self) -> IntArray:
        """Pairs that differ, a row each: columns a, b with a first in `first`, last in `second`.

        Sorted by the place of a, then of b, in `first`. Worked out when asked for: two orders of
        10,000 variables can differ in 50 million pairs.
        """
        places = _rank(self.second)[self.first]
        blocks = [
            np.stack([np.full(later.size, place), later])
            for place in range(places.size)
            for later in [place + 1 + np.flatnonzero(places[place + 1 :] < places[place])]
        ]
        if not blocks:
            return np.zeros((0, 2), dtype=np.int64)
        return np.asarray(self.first[np.concatenate(blocks, axis=1).T])

    def __repr__(self) -> str:
        head = f"{self.kendall_distance} of {self.n_pairs} pairs differ"
        if self.kendall_distance == 0:
            return head
        if self.first.size > 1000:  # listing them would take longer than reading the number
            return f"{head} ({self.normalised:.1%})"
        shown_pairs = self.pairs[:5]
        text = ", ".join(f"{self.names[a]} before {self.names[b]}" for a, b in shown_pairs)
        more = self.kendall_distance - len(shown_pairs)
        tail = f" and {more} more" if more else ""
        return f"{head}; only the first has {text}{tail}"


def compare_orders(a: Any, b: Any) -> OrderComparison:
    """Count the pairs that two orders put the other way round, and say which.

    Parameters
    ----------
    a, b : arrays of shape (d,), or anything with an attribute `order`
        Two orders of the same variables, causes first. Where one of them has `names`, these are
        used; where both have, they must agree.

    Returns
    -------
    OrderComparison
        With `kendall_distance`, `normalised` and `pairs`.

    Examples
    --------
    >>> import intersort
    >>> comparison = intersort.compare_orders([0, 1, 2, 3], [1, 0, 3, 2])
    >>> comparison
    2 of 6 pairs differ; only the first has x0 before x1, x2 before x3
    >>> comparison.kendall_distance, comparison.pairs.tolist()
    (2, [[0, 1], [2, 3]])
    """
    first = _read_order(a, None)
    second = _read_order(b, first.size)
    return OrderComparison(
        _count_inversions(_rank(second)[first]), first, second, _common_names(a, b, first.size)
    )


def _common_names(a: Any, b: Any, n_variables: int) -> tuple[str, ...]:
    found = [tuple(each.names) for each in (a, b) if getattr(each, "names", None) is not None]
    if len(found) == 2 and found[0] != found[1]:
        raise InputError(
            "The two orders name their variables differently, so their columns cannot be "
            "compared. Fit both on the same columns in the same sequence."
        )
    return found[0] if found else tuple(f"x{column}" for column in range(n_variables))


def _read_order(order: Any, n_variables: int | None) -> IntArray:
    values = np.asarray(order.order if hasattr(order, "order") else order)
    if values.size == 0 and values.ndim == 1 and n_variables in (None, 0):
        return np.zeros(0, dtype=np.int64)
    return check_order(values, values.size if n_variables is None else n_variables)


def _rank(order: IntArray) -> IntArray:
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    return rank


def _count_inversions(places: IntArray, block: int = 256) -> int:
    """Count the pairs of a sequence whose first is the larger, a block of rows at a time."""
    total = 0
    for start in range(0, places.size, block):
        rows = places[start : start + block]
        inside = np.count_nonzero(np.triu(rows[:, None] > rows[None, :]))
        behind = places[start + rows.size :]
        # the sorted block answers "how many of you are larger" in log time per later element
        larger = rows.size - np.searchsorted(np.sort(rows), behind)
        total += int(inside) + int(larger.sum())
    return total
