"""Random graphs whose columns say nothing about the order, and the choice of targets in them."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from .._adjacency import read_edges
from .._rng import RandomLike, make_rng
from .._typing import ArrayLike, BoolArray, IntArray
from .._validation import InputError, shown
from .population import streams

GraphKind = Literal["erdos_renyi", "scale_free"]
Hubs = Literal["in", "out"]
Policy = Literal["random", "most_children", "fewest_children"]
_TARGETS = 0


def random_graph(
    n_variables: int,
    *,
    edges_per_variable: float | None = None,
    edge_probability: float | None = None,
    kind: GraphKind = "erdos_renyi",
    hubs: Hubs = "in",
    rng: RandomLike = None,
) -> BoolArray:
    """Draw a directed acyclic graph, its variables relabelled at random.

    Parameters
    ----------
    n_variables : int
        Number of variables, d.
    edges_per_variable : float, optional
        Expected edges divided by d. Each pair is joined with probability
        min(edges_per_variable · d / (d (d − 1) / 2), 0.99). For scale-free graphs, the whole
        number m of edges that each new variable brings.
    edge_probability : float, optional
        The probability of each pair, in place of `edges_per_variable` (Erdős–Rényi only).
    kind : {"erdos_renyi", "scale_free"}
        Independent edges, or preferential attachment (Barabási–Albert): variables come one by
        one, each joined to m different earlier ones with probability proportional to their
        degree, the first m being joined by the (m + 1)th.
    hubs : {"in", "out"}
        Scale-free only. "in": edges run from the new variable to the old one, so a few variables
        have many parents; "out" is the same graph turned round, a few have many children.
    rng : int, numpy.random.Generator, optional
        Randomness; None is seed 0.

    Returns
    -------
    adjacency : bool array of shape (d, d)
        `adjacency[i, j]` means i → j. It is dense: 100 MB at 10,000 variables.

    Notes
    -----
    A scale-free graph has m (d − m) edges, fewer than m per variable: at d = 5, m = 2 and m = 3
    both give six.

    Examples
    --------
    >>> from intersort import simulate
    >>> adjacency = simulate.random_graph(1000, edges_per_variable=2, rng=1)
    >>> adjacency.shape, bool(1900 < adjacency.sum() < 2100)
    ((1000, 1000), True)
    >>> hubs_out = simulate.random_graph(
    ...     1000, edges_per_variable=2, kind="scale_free", hubs="out"
    ... )
    >>> int(hubs_out.sum()), int(hubs_out.sum(axis=0).max())  # nobody has more than 2 parents
    (1996, 2)
    """
    if n_variables < 1:
        raise InputError(
            f"A graph needs at least one variable; got n_variables={shown(n_variables)}."
        )
    if kind not in ("erdos_renyi", "scale_free"):
        raise InputError(f"kind must be 'erdos_renyi' or 'scale_free'; got {shown(kind)}.")
    if hubs not in ("in", "out"):
        raise InputError(f"hubs must be 'in' or 'out'; got {shown(hubs)}.")
    generator = make_rng(rng)
    if kind == "erdos_renyi":
        probability = _probability(n_variables, edges_per_variable, edge_probability)
        return _erdos_renyi(n_variables, probability, generator)
    n_new_edges = _new_edges(n_variables, edges_per_variable, edge_probability)
    return _scale_free(n_variables, n_new_edges, hubs, generator)


def _probability(d: int, per_variable: float | None, probability: float | None) -> float:
    """Probability that a pair is joined."""
    if (per_variable is None) == (probability is None):
        raise InputError(
            "Give either edges_per_variable or edge_probability, and not both; got "
            f"edges_per_variable={per_variable} and edge_probability={probability}."
        )
    if per_variable is not None:
        if not (per_variable >= 0 and math.isfinite(per_variable)):
            raise InputError(f"edges_per_variable must be 0 or more; got {per_variable}.")
        return min(per_variable * d / (d * (d - 1) / 2), 0.99) if d > 1 else 0.0
    assert probability is not None
    if not 0 <= probability <= 1:
        raise InputError(f"edge_probability must be between 0 and 1; got {probability}.")
    return probability


def _new_edges(d: int, per_variable: float | None, probability: float | None) -> int:
    """Edges that each new variable of a scale-free graph brings."""
    if probability is not None:
        raise InputError(
            "A scale-free graph has no edge_probability; give edges_per_variable instead."
        )
    if per_variable is None or per_variable != int(per_variable) or not 1 <= per_variable < d:
        raise InputError(
            "A scale-free graph needs a whole number of edges_per_variable, from 1 to "
            f"{d - 1} for {d} variables; got {per_variable}."
        )
    return int(per_variable)


def _erdos_renyi(d: int, probability: float, rng: np.random.Generator) -> BoolArray:
    """Row by row, so that no second d × d array is ever held."""
    label = rng.permutation(d)
    adjacency = np.zeros((d, d), dtype=bool)
    for position in range(d - 1):
        later = label[position + 1 :]
        adjacency[label[position], later[rng.random(later.size) < probability]] = True
    return adjacency


def _scale_free(d: int, m: int, hubs: Hubs, rng: np.random.Generator) -> BoolArray:
    """Preferential attachment: drawing from the list of all edge ends weighs by degree."""
    label = rng.permutation(d)
    adjacency = np.zeros((d, d), dtype=bool)
    edge_ends: list[int] = []
    chosen = set(range(m))
    for new in range(m, d):
        while len(chosen) < m:
            chosen.add(edge_ends[rng.integers(len(edge_ends))])
        for old in sorted(chosen):  # a set's own order is no promise
            source, sink = (new, old) if hubs == "in" else (old, new)
            adjacency[label[source], label[sink]] = True
            edge_ends += (new, old)
        chosen = set()
    return adjacency


def choose_targets(
    graph: int | ArrayLike,
    *,
    count: int | None = None,
    fraction: float | None = None,
    probability: float | None = None,
    policy: Policy = "random",
    rng: RandomLike = None,
) -> IntArray:
    """Choose the variables to intervene on.

    Exactly one of `count`, `fraction` and `probability` is given. With the same `rng`, the
    targets of a smaller number are among those of a larger one.

    Parameters
    ----------
    graph : int or array of shape (d, d)
        The number of variables, or the adjacency, which the policies that count children need.
    count : int, optional
        How many.
    fraction : float, optional
        Which share of the d variables: ⌊fraction · d + 1/2⌋ of them.
    probability : float, optional
        Each variable is a target with this probability, on its own; there may be none.
    policy : {"random", "most_children", "fewest_children"}
        Which to take first; ties are broken at random.
    rng : int, numpy.random.Generator, optional
        Randomness; None is seed 0.

    Returns
    -------
    targets : int array
        The columns chosen, sorted.

    Examples
    --------
    >>> from intersort import simulate
    >>> simulate.choose_targets(30, fraction=0.25, rng=4).size
    8
    >>> fork = [[0, 1, 1], [0, 0, 0], [0, 0, 0]]
    >>> simulate.choose_targets(fork, count=1, policy="most_children")
    array([0])
    """
    if policy not in ("random", "most_children", "fewest_children"):
        raise InputError(
            f"policy must be 'random', 'most_children' or 'fewest_children'; got {shown(policy)}."
        )
    n_variables, n_children = _children(graph, policy)
    # A graph drawn from the same seed must not say who is chosen: both begin with a permutation.
    generator = rng if isinstance(rng, np.random.Generator) else streams(rng)(_TARGETS)
    if sum(given is not None for given in (count, fraction, probability)) != 1:
        raise InputError(
            f"Give one of count, fraction and probability; got count={count}, "
            f"fraction={fraction}, probability={probability}."
        )
    if probability is not None:
        if policy != "random" or not 0 <= probability <= 1:
            raise InputError(
                "probability must be between 0 and 1 and goes with policy='random'; "
                f"got {probability} with {shown(policy)}."
            )
        return np.flatnonzero(generator.random(n_variables) < probability).astype(np.int64)
    n_targets = _how_many(n_variables, count, fraction)
    shuffled = generator.permutation(n_variables)
    if n_children is not None:
        preference = n_children if policy == "fewest_children" else -n_children
        shuffled = shuffled[np.argsort(preference[shuffled], kind="stable")]
    return np.sort(shuffled[:n_targets]).astype(np.int64)


def _children(graph: int | ArrayLike, policy: Policy) -> tuple[int, IntArray | None]:
    """The number of variables, and where the policy asks for them the children of each."""
    if isinstance(graph, int | np.integer):
        if policy != "random" or graph < 1:
            raise InputError(
                f"policy={shown(policy)} on {graph} variables: give the adjacency instead of a "
                "number to choose by children, and at least one variable."
            )
        return int(graph), None
    edges = read_edges(graph)
    n_children = np.bincount(edges.source, minlength=edges.n_variables)
    return edges.n_variables, None if policy == "random" else n_children


def _how_many(n_variables: int, count: int | None, fraction: float | None) -> int:
    """The number of targets that `count` or `fraction` ask for."""
    if fraction is not None:
        if not 0 <= fraction <= 1:
            raise InputError(f"fraction must be between 0 and 1; got {fraction}.")
        return math.floor(fraction * n_variables + 0.5)
    if count is None or count != int(count) or not 0 <= count <= n_variables:
        raise InputError(
            f"count must be a whole number from 0 to {n_variables}, the number of variables; "
            f"got {count}."
        )
    return int(count)
