"""Split the problem: strongly connected components of what gains order themselves."""

from __future__ import annotations

import numpy as np

from ..._typing import BoolArray, FloatArray, IntArray


def split(net: FloatArray, forced: BoolArray) -> list[IntArray]:
    """Variables of each component, in an order in which no pair of two components loses.

    An arc i → j stands where i before j gains, or is required. Between two components all arcs
    point one way, so putting the components in that order takes the larger weight of each such
    pair, and no order does better. Pairs that gain nothing either way have no arc.

    Parameters
    ----------
    net : array of shape (d, d)
        What i before j gains over j before i.
    forced : bool array of shape (d, d)
        Required precedences, transitively closed.

    Returns
    -------
    list of int arrays
        Sorted column numbers of each component, the first component first.

    Examples
    --------
    >>> import numpy as np
    >>> net = np.array([[0, 1, -1, 1], [-1, 0, 1, 1], [1, -1, 0, 1], [-1, -1, -1, 0.0]])
    >>> split(net, np.zeros((4, 4), dtype=bool))
    [array([0, 1, 2]), array([3])]
    """
    from scipy.sparse.csgraph import connected_components

    arcs = (net > 0) & ~forced.T | forced
    n, component = connected_components(arcs, connection="strong")
    members = np.argsort(component, kind="stable")
    ends = np.cumsum(np.bincount(component, minlength=n))
    parts = np.split(members, ends[:-1])
    before = np.zeros((n, n), dtype=np.bool_)
    i, j = np.nonzero(arcs)
    before[component[i], component[j]] = True
    np.fill_diagonal(before, False)
    return [np.asarray(parts[number]) for number in _sort(before)]


def _sort(before: BoolArray) -> list[int]:
    """Numbers in an order that respects an acyclic relation."""
    n_waiting_for = before.sum(axis=0)
    ready = np.flatnonzero(n_waiting_for == 0).tolist()
    chosen: list[int] = []
    while ready:
        number = ready.pop()
        chosen.append(number)
        released = before[number]
        n_waiting_for[released] -= 1
        ready += np.flatnonzero(released & (n_waiting_for == 0)).tolist()
    return chosen


def close_requirements(must_precede: BoolArray) -> BoolArray:
    """Add what required precedences imply: i before j and j before k require i before k."""
    closed = must_precede.copy()
    for k in range(closed.shape[0]):
        closed |= closed[:, k : k + 1] & closed[k]
    return closed
