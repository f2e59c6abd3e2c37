"""Hidden variables: what is left of a graph when only some variables are observed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._adjacency import Edges, check_variables, descendants, read_dag
from .._typing import ArrayLike, BoolArray, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class LatentProjection:
    """A graph over the observed variables that stands for one with hidden variables.

    Attributes
    ----------
    observed : array of shape (m,)
        Columns of the original graph that are kept, sorted.
    directed : Boolean array of shape (m, m)
        a → b: a directed path from a to b whose inner variables are all hidden. Acyclic; it is
        the graph that the paper's guarantees then speak about.
    bidirected : symmetric Boolean array of shape (m, m)
        a ↔ b: a hidden variable has directed paths to both, their inner variables all hidden.
    """

    observed: IntArray
    directed: BoolArray
    bidirected: BoolArray

    def __repr__(self) -> str:
        return (
            f"LatentProjection onto {self.observed.size} variables, "
            f"{int(self.directed.sum())} directed and {int(self.bidirected.sum()) // 2} "
            "bidirected edges"
        )


def latent_projection(adjacency: Any, observed: ArrayLike) -> LatentProjection:
    """Project a graph onto the observed variables.

    Ancestors stay ancestors, so distances that were ε-interventionally faithful to the graph are
    faithful to the directed part of its projection (the paper's proposition). That is lost where
    only children show: a hidden variable between two others turns a path into an edge.

    Parameters
    ----------
    adjacency : array or SciPy sparse matrix of shape (d, d)
        ``adjacency[i, j] != 0`` is the edge i → j; without cycles.
    observed : array of int
        Distinct columns that are kept.

    Returns
    -------
    LatentProjection

    References
    ----------
    Verma, Pearl (1991); Richardson (2003).

    Examples
    --------
    0 → 1 → 2 and 1 → 3 with 1 hidden: 0 now acts on 2 and 3 directly, and they are confounded.

    >>> from intersort.theory.latent import latent_projection
    >>> graph = [[0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]]
    >>> projection = latent_projection(graph, [0, 2, 3])
    >>> projection
    LatentProjection onto 3 variables, 2 directed and 1 bidirected edges
    >>> projection.directed.astype(int)
    array([[0, 1, 1],
           [0, 0, 0],
           [0, 0, 0]])
    """
    edges = read_dag(adjacency)
    kept = check_variables(observed, edges.n_variables, "observed")
    is_kept = np.zeros(edges.n_variables, dtype=np.bool_)
    is_kept[kept] = True
    # Edges that leave an observed variable are cut: what a hidden variable then reaches, it
    # reaches through hidden variables alone.
    hidden = np.flatnonzero(~is_kept)
    from_hidden = ~is_kept[edges.source]
    cut = Edges(edges.n_variables, edges.source[from_hidden], edges.target[from_hidden])
    reached = np.zeros((edges.n_variables, kept.size), dtype=np.bool_)
    reached[hidden] = descendants(cut, hidden)[:, kept]
    directed = np.zeros((edges.n_variables, kept.size), dtype=np.bool_)
    place = np.full(edges.n_variables, -1)
    place[kept] = np.arange(kept.size)
    for source, target in zip(edges.source[~from_hidden], edges.target[~from_hidden], strict=True):
        if is_kept[target]:
            directed[source, place[target]] = True
        else:
            directed[source] |= reached[target]
    return LatentProjection(kept, directed[kept], _joined(reached[hidden]))


def _joined(reached: BoolArray) -> BoolArray:
    """Mark the pairs of observed variables that some hidden variable reaches both of."""
    together = np.zeros((reached.shape[1], reached.shape[1]), dtype=np.bool_)
    for row in reached:
        together[np.ix_(row, row)] = True
    np.fill_diagonal(together, False)
    return together
