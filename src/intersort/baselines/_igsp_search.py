"""The search of IGSP: from a sparse graph to a sparser one by turning edges that may be turned.

A graph is a tuple with one integer per variable, whose bits are its parents. An edge i → j is
*covered* if j has the parents of i and i itself, and nothing else; turning it leaves the
conditional independences as they are. It is *I-covered* if besides do(i) was not seen to move j.
An edge i → j, covered or not, *contradicts* the interventions if do(i) was made and did not move j,
or if do(j) moved i and nothing was seen of do(i).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from .._typing import BoolArray, IntArray
from ._bits import members, rows_as_bits

Graph = tuple[int, ...]
Independent = Callable[[int, int, int], bool]
"""Are two variables independent given those whose bits are set?"""


@dataclass(frozen=True)
class Rules:
    """Which edges may be turned, which contradict the interventions, and what is independent.

    `may_turn[j]` and `contradicts[j]` have the bits of those i for which this holds of i → j.
    """

    independent: Independent
    may_turn: Graph
    contradicts: Graph

    @classmethod
    def from_moves(cls, independent: Independent, moved: BoolArray, intervened: IntArray) -> Rules:
        """Rules of what each intervention moved: `moved[i, j]`, False where i was left alone."""
        known = np.zeros(len(moved), dtype=np.bool_)
        known[intervened] = True
        contradicts = ~moved & (known[:, None] | moved.T)
        return cls(independent, rows_as_bits(~moved.T), rows_as_bits(contradicts.T))

    def turnable(self, graph: Graph) -> list[tuple[int, int]]:
        """All I-covered edges."""
        return [
            (i, j)
            for j, parents in enumerate(graph)
            for i in members(parents & self.may_turn[j])
            if graph[i] == parents ^ (1 << i)
        ]

    def count_contradictions(self, graph: Graph) -> int:
        """How many edges contradict the interventions."""
        return count_edges(
            tuple(parents & wrong for parents, wrong in zip(graph, self.contradicts, strict=True))
        )

    def turn(self, graph: Graph, i: int, j: int) -> Graph:
        """Turn i → j and drop those edges of common parents that are needed no longer."""
        common = graph[i]
        of_i, of_j = common | (1 << j), common
        for parent in members(common):
            rest = common ^ (1 << parent)
            if self.independent(i, parent, rest | (1 << j)):
                of_i ^= 1 << parent
            if self.independent(j, parent, rest):
                of_j ^= 1 << parent
        turned = list(graph)
        turned[i], turned[j] = of_i, of_j
        return tuple(turned)


@dataclass(frozen=True)
class Limits:
    """How many turns deep, and how many graphs wide, the search looks for a sparser graph."""

    depth: int
    most_graphs: int


def descend(start: Graph, rules: Rules, limits: Limits, rng: np.random.Generator) -> Graph:
    """From one graph to sparser ones, until none is within reach."""
    best, sparser = look_around(start, rules, limits, rng)
    while sparser is not None:
        best, sparser = look_around(sparser, rules, limits, rng)
    return best


def look_around(
    root: Graph, rules: Rules, limits: Limits, rng: np.random.Generator
) -> tuple[Graph, Graph | None]:
    """The graph as sparse as the root that contradicts least, and a sparser one where there is one.

    Depth first, edges that contradict first and otherwise at random; each graph is seen once.
    """
    n_edges = count_edges(root)
    best, fewest = root, rules.count_contradictions(root)
    seen = {root}
    trail: list[Iterator[Graph]] = []
    graph: Graph | None = root
    while graph is not None:
        turned = turn_each(graph, rules, rng)
        sparser = [other for other in turned if count_edges(other) < n_edges]
        if sparser:
            return best, sparser[0]
        if len(trail) < limits.depth:
            trail.append(iter(turned))
        graph = next_unseen(trail, seen) if len(seen) < limits.most_graphs else None
        if graph is not None:
            seen.add(graph)
            n_contradictions = rules.count_contradictions(graph)
            if n_contradictions < fewest:
                best, fewest = graph, n_contradictions
    return best, None


def turn_each(graph: Graph, rules: Rules, rng: np.random.Generator) -> list[Graph]:
    """The graphs one turn away, those of edges that contradict first, otherwise shuffled."""
    edges = rules.turnable(graph)
    shuffled = [edges[k] for k in rng.permutation(len(edges))]
    shuffled.sort(key=lambda edge: not rules.contradicts[edge[1]] >> edge[0] & 1)
    return [rules.turn(graph, i, j) for i, j in shuffled]


def next_unseen(trail: list[Iterator[Graph]], seen: set[Graph]) -> Graph | None:
    """The next graph of the deepest level that has one; levels without one are left."""
    while trail:
        for graph in trail[-1]:
            if graph not in seen:
                return graph
        trail.pop()
    return None


def eliminate_by_degree(joined: BoolArray, rng: np.random.Generator) -> IntArray:
    """Order variables so that the graph drawn from the order has few edges.

    Take out, again and again, one of the variables with the fewest neighbours, and join its
    neighbours to each other; what is taken out first comes last.

    >>> path = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
    >>> eliminate_by_degree(path, np.random.default_rng(0))[0] in (0, 1, 2)
    True
    """
    joined = joined.copy()
    np.fill_diagonal(joined, False)
    left = np.ones(len(joined), dtype=np.bool_)
    taken: list[int] = []
    while left.any():
        remaining = np.flatnonzero(left)
        degrees = joined[np.ix_(remaining, remaining)].sum(axis=1)
        variable = int(rng.choice(remaining[degrees == degrees.min()]))
        neighbours = np.flatnonzero(joined[variable] & left)
        joined[np.ix_(neighbours, neighbours)] = True
        joined[neighbours, neighbours] = False
        left[variable] = False
        taken.append(variable)
    return np.array(taken[::-1], dtype=np.int64)


def count_edges(graph: Graph) -> int:
    """How many edges a graph has."""
    return sum(parents.bit_count() for parents in graph)
