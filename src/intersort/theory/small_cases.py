"""Every graph, every order and every set of targets of a few variables."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from math import factorial

import numpy as np

from .._typing import BoolArray, FloatArray, IntArray
from .._validation import InputError


def all_orders(n_variables: int) -> IntArray:
    """Every order of d variables, d! rows.

    Examples
    --------
    >>> from intersort.theory.small_cases import all_orders
    >>> all_orders(3).tolist()
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    """
    _check_size(n_variables, 8, "orders")
    rows = list(permutations(range(n_variables)))
    return np.array(rows, dtype=np.int64).reshape(len(rows), n_variables)


def graph_from_edges(n_variables: int, edges: Iterable[tuple[int, int]]) -> BoolArray:
    """Write a list of edges as an adjacency matrix.

    Examples
    --------
    >>> from intersort.theory.small_cases import graph_from_edges
    >>> graph_from_edges(3, [(0, 2), (1, 2)]).astype(int)
    array([[0, 0, 1],
           [0, 0, 1],
           [0, 0, 0]])
    """
    graph = np.zeros((n_variables, n_variables), dtype=np.bool_)
    for source, target in edges:
        graph[source, target] = True
    return graph


def precedences(orders: IntArray) -> BoolArray:
    """For every order, which variable precedes which: an array (orders, d, d).

    Examples
    --------
    >>> import numpy as np
    >>> from intersort.theory.small_cases import precedences
    >>> precedences(np.array([[1, 0]])).astype(int)
    array([[[0, 0],
            [1, 0]]])
    """
    rank = np.argsort(orders, axis=1)
    return np.asarray(rank[:, :, None] < rank[:, None, :])


def all_target_sets(n_variables: int) -> BoolArray:
    """Every set of targets of d variables, 2^d Boolean rows.

    Examples
    --------
    >>> from intersort.theory.small_cases import all_target_sets
    >>> all_target_sets(2).astype(int).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    _check_size(n_variables, 16, "sets of targets")
    masks = np.arange(2**n_variables)
    return np.asarray((masks[:, None] >> np.arange(n_variables)) & 1, dtype=np.bool_)


def graphs_up_to_relabelling(n_variables: int) -> tuple[BoolArray, IntArray]:
    """Every acyclic graph of d ≤ 5 variables once, whatever its labels.

    Returns
    -------
    graphs : Boolean array of shape (n, d, d)
        All edges point from lower to higher columns.
    n_labellings : array of shape (n,)
        How many of the labelled graphs each stands for.

    Examples
    --------
    >>> from intersort.theory.small_cases import graphs_up_to_relabelling
    >>> [len(graphs_up_to_relabelling(d)[0]) for d in (1, 2, 3, 4, 5)]
    [1, 2, 6, 31, 302]
    >>> int(graphs_up_to_relabelling(5)[1].sum())
    29281
    """
    _check_size(n_variables, 5, "graphs")
    graphs = upper_triangular_graphs(n_variables)
    d = n_variables
    place = 2 ** np.arange(d * d, dtype=np.int64).reshape(d, d)
    # one row an order, one column a graph: the number that the relabelled graph spells
    spelled = np.stack([graphs.reshape(-1, d * d) @ _relabelled(place, p) for p in all_orders(d)])
    canonical = spelled.min(axis=0)
    _, first = np.unique(canonical, return_index=True)
    symmetries = (spelled[:, first] == spelled[0, first]).sum(axis=0)
    return graphs[first], factorial(d) // symmetries


def upper_triangular_graphs(n_variables: int) -> BoolArray:
    """Every graph of d ≤ 5 variables whose edges point from lower to higher columns.

    These are the draws of a random Erdős–Rényi graph in causal order: with edge probability p_e,
    a graph with m edges has probability p_e^m (1 − p_e)^(d (d − 1) / 2 − m).

    Examples
    --------
    >>> from intersort.theory.small_cases import upper_triangular_graphs
    >>> upper_triangular_graphs(4).shape
    (64, 4, 4)
    """
    _check_size(n_variables, 5, "graphs")
    source, target = np.triu_indices(n_variables, 1)
    graphs = np.zeros((2**source.size, n_variables, n_variables), dtype=np.bool_)
    graphs[:, source, target] = all_target_sets(source.size)
    return graphs


def paths(graphs: BoolArray) -> BoolArray:
    """Transitive closure of a stack of small acyclic graphs: entry (i, j) is a path i ⇝ j.

    Examples
    --------
    >>> import numpy as np
    >>> from intersort.theory.small_cases import paths
    >>> paths(np.array([[[0, 1, 0], [0, 0, 1], [0, 0, 0]]])).astype(int).tolist()
    [[[0, 1, 1], [0, 0, 1], [0, 0, 0]]]
    """
    closure = np.array(graphs, dtype=np.bool_)
    for middle in range(closure.shape[-1]):
        closure |= closure[..., :, middle, None] & closure[..., middle, None, :]
    return closure


def score_weights(
    distance: FloatArray, targets: BoolArray, *, epsilon: float, c: float
) -> FloatArray:
    """Weights of the paper's score for a stack of small distance matrices.

    Parameters
    ----------
    distance : array of shape (..., d, d)
        How far do(i) moves j; rows of variables that are no targets are not looked at.
    targets : Boolean array of shape (..., d)
        The variables that were intervened on.
    epsilon, c : float
        As in the paper's equation 2.

    Examples
    --------
    >>> import numpy as np
    >>> from intersort.theory.small_cases import score_weights
    >>> distance, targets = np.array([[0, 2.0], [0, 0]]), np.array([True, False])
    >>> score_weights(distance, targets, epsilon=1, c=1)
    array([[0., 3.],
           [0., 0.]])
    """
    d = distance.shape[-1]
    weights = distance - epsilon + c * d * (distance > epsilon)
    return np.asarray(np.where(targets[..., :, None] & ~np.eye(d, dtype=np.bool_), weights, 0.0))


def _relabelled(place: IntArray, permutation: IntArray) -> IntArray:
    return place[np.ix_(permutation, permutation)].reshape(-1)


def _check_size(n_variables: int, largest: int, what: str) -> None:
    if not 0 <= n_variables <= largest:
        raise InputError(
            f"Enumerating all {what} is possible up to {largest} variables; got {n_variables}. "
            "Take fewer, or draw at random."
        )
