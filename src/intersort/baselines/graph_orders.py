"""Orders from a graph: break its cycles, then take random topological orders.

A graph has many topological orders, and one that depends on column numbers would be right or wrong
by accident. What rivals that give graphs are judged by is the mean over random ones.
"""

from __future__ import annotations

import numpy as np

from .._typing import BoolArray, FloatArray, IntArray
from ..orders.sort_ranking import accept_edges
from .result import BaselineResult

N_ORDERS = 20


def result_from_graph(
    adjacency: BoolArray,
    rng: np.random.Generator,
    *,
    strength: FloatArray | None = None,
    n_orders: int = N_ORDERS,
) -> BaselineResult:
    """Orders of a graph, and the edges that had to go because they closed a cycle.

    Parameters
    ----------
    adjacency : bool array of shape (d, d)
        Oriented edges.
    rng : Generator
        Draws the orders.
    strength : array of shape (d, d), optional
        How sure each edge is: the weakest edge that closes a cycle goes. Without it the later one
        goes, in a random order of the edges.
    n_orders : int
        How many orders.

    Examples
    --------
    >>> import numpy as np
    >>> from intersort.baselines.graph_orders import result_from_graph
    >>> circle = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool)
    >>> strength = np.array([[0, 3, 0], [0, 0, 2], [1, 0, 0]])
    >>> found = result_from_graph(circle, np.random.default_rng(0), strength=strength)
    >>> found.orders[0], found.status
    (array([0, 1, 2]), 'ok: 1 edge of 3 dropped because it closed a cycle')
    """
    acyclic = break_cycles(adjacency, rng, strength)
    orders = np.array([random_topological_order(acyclic, rng) for _ in range(n_orders)])
    n_all = int(np.sum(adjacency)) - int(np.trace(adjacency))
    n_dropped = n_all - int(acyclic.sum())
    status = "ok"
    if n_dropped:
        edges = "1 edge" if n_dropped == 1 else f"{n_dropped} edges"
        closed = "it closed a cycle" if n_dropped == 1 else "they closed cycles"
        status = f"ok: {edges} of {n_all} dropped because {closed}"
    return BaselineResult(orders, np.asarray(adjacency, dtype=np.bool_), status)


def break_cycles(
    adjacency: BoolArray, rng: np.random.Generator, strength: FloatArray | None = None
) -> BoolArray:
    """Accept edges by falling strength, ties in random order, unless one closes a cycle."""
    d = len(adjacency)
    sources, children = np.nonzero(adjacency)
    sources, children = sources.astype(np.int64), children.astype(np.int64)
    shuffled = rng.permutation(sources.size)
    if strength is not None:
        falling = np.argsort(-strength[sources, children][shuffled], kind="stable")
        shuffled = shuffled[falling]
    sources, children = sources[shuffled], children[shuffled]
    other = sources != children
    sources, children = sources[other], children[other]
    accepted = accept_edges(sources, children, d)
    acyclic = np.zeros((d, d), dtype=np.bool_)
    acyclic[sources[accepted], children[accepted]] = True
    return acyclic


def random_topological_order(acyclic: BoolArray, rng: np.random.Generator) -> IntArray:
    """Take next, again and again, one at random of the variables whose parents are all taken."""
    n_open = acyclic.sum(axis=0).astype(np.int64)
    ready = np.flatnonzero(n_open == 0).tolist()
    order = []
    while ready:
        variable = ready.pop(int(rng.integers(len(ready))))
        order.append(variable)
        for child in np.flatnonzero(acyclic[variable]):
            n_open[child] -= 1
            if n_open[child] == 0:
                ready.append(int(child))
    return np.array(order, dtype=np.int64)
