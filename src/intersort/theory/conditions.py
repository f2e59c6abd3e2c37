"""When is an edge safe? The conditions of the paper's Lemmas 4 and 5, and repaired ones.

Functions under the paper's names hold its conditions, which enumeration found false; those of the
`repaired_...` ones beside them hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeAlias

import numpy as np

from .._adjacency import Edges, check_variables, packed_descendants, read_dag, unpack
from .._typing import ArrayLike, BoolArray
from .._validation import InputError, shown

Reach: TypeAlias = Literal["descendants", "children"]
"""What an intervention shows: every path, or every edge and perhaps some longer paths."""

Helpers: TypeAlias = Callable[[Edges], Iterator[BoolArray]]
"""For blocks of edges, the variables of which one intervention is said to make the edge safe."""

_BLOCK = 256
"""Edges looked at together: 2.5 MB of Booleans at 10,000 variables."""


def lemma_4_condition(adjacency: Any, intervened: ArrayLike) -> BoolArray:
    """Mark the edges i → j that the paper's Lemma 4 calls safe.

    Safe, says the lemma, if I meets {j} ∪ AN_j minus AN_i. False from four variables on, from
    five where all distances below ε are 0; see `repaired_lemma_4_condition`.

    Parameters
    ----------
    adjacency : array or SciPy sparse matrix of shape (d, d)
        ``adjacency[i, j] != 0`` is the edge i → j; without cycles.
    intervened : array of int
        The set I of variables that were intervened on.

    Returns
    -------
    Boolean array, one entry an edge
        The edges in row-major order, as in ``np.argwhere(adjacency)``.

    Examples
    --------
    >>> from intersort.theory.conditions import lemma_4_condition
    >>> chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> lemma_4_condition(chain, [1])
    array([ True,  True])
    """
    return _condition(adjacency, intervened, ancestors_of_child_only)


def lemma_5_condition(adjacency: Any, intervened: ArrayLike) -> BoolArray:
    """Mark the edges i → j that the paper's Lemma 5 calls safe where only children move.

    Safe, says the lemma, if I meets {j} ∪ Pa_j minus Pa_i. False from three variables on, from
    four where all distances below ε are 0; see `repaired_lemma_5_condition`. Parameters and
    result as in `lemma_4_condition`.

    Examples
    --------
    >>> from intersort.theory.conditions import lemma_5_condition
    >>> lemma_5_condition([[0, 1, 0], [0, 0, 1], [0, 0, 0]], [0])
    array([ True, False])
    """
    return _condition(adjacency, intervened, parents_of_child_only)


def repaired_lemma_4_condition(adjacency: Any, intervened: ArrayLike) -> BoolArray:
    """Mark the edges i → j that no optimal order reverses, where every path shows.

    They are those for which I meets {i, j} ∪ (DE_i ∩ AN_j): an end of the edge, or a variable on
    a path between them, is intervened on. Holds if c ≥ `smallest_c` and distances of pairs
    without a path lie strictly below ε. Parameters and result as in `lemma_4_condition`.

    Examples
    --------
    >>> from intersort.theory.conditions import lemma_4_condition, repaired_lemma_4_condition
    >>> graph = [[0, 0, 0, 1, 1], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0] * 5, [0] * 5]
    >>> lemma_4_condition(graph, [0, 1])  # 0 → 3, 0 → 4, 1 → 2, 2 → 3
    array([ True,  True,  True,  True])
    >>> repaired_lemma_4_condition(graph, [0, 1])
    array([ True,  True,  True, False])
    """
    return _condition(adjacency, intervened, on_a_path_between)


def repaired_lemma_5_condition(adjacency: Any, intervened: ArrayLike) -> BoolArray:
    """Mark the edges i → j that no optimal order reverses, where only children show.

    They are those with i in I. The same holds where children and any further descendants show.
    It takes a larger c than the paper's: `smallest_c` with ``reach="children"``. Parameters and
    result as in `lemma_4_condition`.

    Examples
    --------
    >>> from intersort.theory.conditions import repaired_lemma_5_condition
    >>> repaired_lemma_5_condition([[0, 1, 0], [0, 0, 1], [0, 0, 0]], [0])
    array([ True, False])
    """
    return _condition(adjacency, intervened, the_cause)


def smallest_c(
    epsilon: float,
    n_variables: int,
    *,
    reach: Reach = "descendants",
) -> float:
    """The c from which every pair above ε is honoured in every optimal order.

    Every path shows: c·d ≥ ε (d − 2). Some paths do not show (only children, or the continuum):
    c·d ≥ ε (⌊d² / 4⌋ − 1). The paper's c > ε is more than the first asks and, from d = 6 on, less
    than the second does.

    Parameters
    ----------
    epsilon : float
        The threshold of the score, and of faithfulness.
    n_variables : int
        Number d of variables.
    reach : {"descendants", "children"}
        What shows.

    Notes
    -----
    Let j stand before i in an order although D_ij > ε, no such pair being closer together, and
    let A hold j and what it must precede between them, B the rest. Putting B before A gains more
    than c·d and loses at most ε for each other pair of A × B. Where every path shows, A is j
    alone or B is i alone (else a closer pair were reversed): at most d − 2 pairs. In general
    |A| |B| − 1 is at most ⌊d² / 4⌋ − 1. Both are met by graphs.

    Examples
    --------
    >>> from intersort.theory.conditions import smallest_c
    >>> smallest_c(1.0, 4), smallest_c(1.0, 4, reach="children")
    (0.5, 0.75)
    >>> round(smallest_c(0.3, 30), 3), round(smallest_c(0.3, 30, reach="children"), 3)
    (0.28, 2.24)
    """
    d = check_count(n_variables)
    pairs = d - 2 if check_reach(reach) == "descendants" else d * d // 4 - 1
    return float(epsilon) * max(pairs, 0) / d


def ancestors_of_child_only(edges: Edges) -> Iterator[BoolArray]:
    """{j} ∪ AN_j minus AN_i: the variables of the paper's Lemma 4."""
    ancestors = packed_descendants(Edges(edges.n_variables, *_reversed(edges)))
    for some in _blocks(edges):
        source, target = edges.source[some], edges.target[some]
        helpers = unpack(ancestors[target] & ~ancestors[source], edges.n_variables)
        helpers[np.arange(target.size), target] = True
        yield helpers


def parents_of_child_only(edges: Edges) -> Iterator[BoolArray]:
    """{j} ∪ Pa_j minus Pa_i: the variables of the paper's Lemma 5."""
    packed = np.packbits(edges.to_dense().T, axis=1)
    for some in _blocks(edges):
        source, target = edges.source[some], edges.target[some]
        helpers = unpack(packed[target] & ~packed[source], edges.n_variables)
        helpers[np.arange(target.size), target] = True
        yield helpers


def on_a_path_between(edges: Edges) -> Iterator[BoolArray]:
    """{i, j} ∪ (DE_i ∩ AN_j): the variables of the repaired Lemma 4."""
    below = packed_descendants(edges)
    above = packed_descendants(Edges(edges.n_variables, *_reversed(edges)))
    for some in _blocks(edges):
        source, target = edges.source[some], edges.target[some]
        helpers = unpack(below[source] & above[target], edges.n_variables)
        helpers[np.arange(target.size), source] = True
        helpers[np.arange(target.size), target] = True
        yield helpers


def the_cause(edges: Edges) -> Iterator[BoolArray]:
    """{i}: the variable of the repaired Lemma 5."""
    for some in _blocks(edges):
        source = edges.source[some]
        helpers = np.zeros((source.size, edges.n_variables), dtype=np.bool_)
        helpers[np.arange(source.size), source] = True
        yield helpers


def _blocks(edges: Edges) -> Iterator[slice]:
    return (slice(start, start + _BLOCK) for start in range(0, len(edges), _BLOCK))


def _reversed(edges: Edges) -> tuple[np.ndarray, np.ndarray]:
    """The same edges turned round, again sorted by where they start."""
    order = np.lexsort((edges.source, edges.target))
    return edges.target[order], edges.source[order]


def _condition(adjacency: Any, intervened: ArrayLike, helpers: Helpers) -> BoolArray:
    edges = read_dag(adjacency)
    members = np.zeros(edges.n_variables, dtype=np.bool_)
    members[check_variables(intervened, edges.n_variables)] = True
    return np.concatenate([np.zeros(0, np.bool_), *(h[:, members].any(1) for h in helpers(edges))])


def check_count(n_variables: int) -> int:
    if isinstance(n_variables, bool) or int(n_variables) != n_variables or n_variables < 1:
        raise InputError(
            f"`n_variables` must be a whole number of at least 1; got {shown(n_variables)}."
        )
    return int(n_variables)


def check_reach(reach: object) -> str:
    """Refuse anything but the two words that say what an intervention shows."""
    if reach not in ("descendants", "children"):
        raise InputError(f'`reach` must be "descendants" or "children"; got {shown(reach)}.')
    return str(reach)
