"""The paper's algorithms in plain Python, to be read beside its pseudo-code.

Nothing calls these but tests and benchmarks: the compiled versions must give the same result, edge
for edge and move for move. Weights and distances are d × d here, with zero rows for variables
that were never intervened on. `required` are pairs (a, b) of which a must precede b.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from .._typing import FloatArray
from .causal_order import TOLERANCE

Order = list[int]
Edge = tuple[int, int]
Move = tuple[int, int]


def score_plainly(weights: FloatArray, order: Sequence[int]) -> float:
    """Equation 2: the sum of w_ij over all pairs of which i comes first.

    >>> import numpy as np
    >>> float(score_plainly(np.array([[0, 2], [1, 0]]), [0, 1]))
    2.0
    """
    d = len(order)
    total = 0.0
    for first in range(d):
        for second in range(first + 1, d):
            total += weights[order[first], order[second]]
    return total


# --- algorithm 2 --------------------------------------------------------------------------------


def sort_ranking_plainly(
    distance: FloatArray, epsilon: float | FloatArray, required: Sequence[Edge] = ()
) -> tuple[Order, list[Edge]]:
    """SORTRANKING: the order, and the accepted edges in the order of their acceptance.

    What is required is in the graph before any edge.

    >>> import numpy as np
    >>> sort_ranking_plainly(np.array([[0, 0.1, 0.9], [0.8, 0, 0], [0, 0, 0]]), 0.3)
    ([1, 0, 2], [(0, 2), (1, 0)])
    """
    import numpy as np

    d = len(distance)
    threshold = np.broadcast_to(epsilon, (d, d))
    children: dict[int, Order] = {variable: [] for variable in range(d)}
    for i, j in sorted(set(required)):
        children[i].append(j)
    edges = [(i, j) for i in range(d) for j in range(d) if i != j]
    accepted = []
    for i, j in sorted(edges, key=lambda edge: -distance[edge]):  # stable: ties row by row
        if distance[i, j] > threshold[i, j] and not is_path(children, j, i):
            accepted.append((i, j))
            if j not in children[i]:
                children[i].append(j)
    return sort_topologically_plainly(children), accepted


def is_path(children: dict[int, Order], start: int, end: int) -> bool:
    """Whether a directed path leads from `start` to `end`."""
    seen, to_visit = {start}, [start]
    while to_visit:
        for child in children[to_visit.pop()]:
            if child == end:
                return True
            if child not in seen:
                seen.add(child)
                to_visit.append(child)
    return False


def sort_topologically_plainly(children: dict[int, Order]) -> Order:
    """By generations: a child joins the next one when its last parent is visited."""
    n_parents = dict.fromkeys(children, 0)
    for some in children.values():
        for child in some:
            n_parents[child] += 1
    generation = [variable for variable in children if n_parents[variable] == 0]
    order: Order = []
    while generation:
        order += generation
        following: Order = []
        for variable in generation:
            for child in children[variable]:
                n_parents[child] -= 1
                if n_parents[child] == 0:
                    following.append(child)
        generation = following
    return order


def find_best_graph_plainly(
    distance: FloatArray, epsilon: float | FloatArray
) -> tuple[float, list[Edge]]:
    """The paper's G_opt, which SORTRANKING approximates, for a handful of variables.

    Every acyclic graph agrees with some order, and the best that agrees with an order has all
    its edges of positive worth: so all orders are tried, not all graphs.

    >>> import numpy as np
    >>> distance = np.array([[0, 0, 2.0], [1.5, 0, 0], [0, 1.75, 0]])
    >>> find_best_graph_plainly(distance, 1.0)
    (1.75, [(0, 2), (2, 1)])
    """
    worth = distance - epsilon
    best, best_edges = -1.0, []
    for order in permutations(range(len(distance))):
        pairs = ((i, j) for place, i in enumerate(order) for j in order[place + 1 :])
        edges = [edge for edge in pairs if worth[edge] > 0]
        value = float(sum(worth[edge] for edge in edges))
        if value > best:
            best, best_edges = value, edges
    return best, best_edges


# --- algorithm 3 --------------------------------------------------------------------------------


def local_search_plainly(
    weights: FloatArray, initial: Sequence[int], depth: int = 1, required: Sequence[Edge] = ()
) -> tuple[Order, list[Move]]:
    """LOCALSEARCH: the first better neighbour, until there is none; and the moves made.

    >>> import numpy as np
    >>> local_search_plainly(np.array([[0, 5, 1], [0, 0, 4], [2, 0, 0]]), [2, 1, 0])
    ([0, 1, 2], [(0, 1), (0, 2), (0, 2)])
    """
    margin = TOLERANCE * abs(weights).max()
    current = list(initial)
    current_score = score_plainly(weights, current)
    made: list[Move] = []
    while True:
        found = None
        for candidate, moves in neighbours(current, depth, required):
            candidate_score = score_plainly(weights, candidate)
            if candidate_score > current_score + margin:
                found = candidate
                current_score = candidate_score
                made += moves
                break
        if found is None:
            return current, made
        current = found


def neighbours(
    order: Order, depth: int, required: Sequence[Edge] = ()
) -> Iterator[tuple[Order, list[Move]]]:
    """Σ applied `depth` times: take position i out, put it in at j, and so on from there."""
    for i in range(len(order)):
        for j in range(len(order)):
            if i == j:
                continue
            moved = order.copy()
            moved.insert(j, moved.pop(i))
            if any(moved.index(a) > moved.index(b) for a, b in required):
                continue
            if depth == 1:
                yield moved, [(i, j)]
            else:
                for further, moves in neighbours(moved, depth - 1, required):
                    yield further, [(i, j), *moves]


# --- the optimum --------------------------------------------------------------------------------


def exact_order_plainly(weights: FloatArray, required: Sequence[Edge] = ()) -> tuple[float, int]:
    """The best score, and the number of orders that reach it, subset by subset.

    The best order of a set ends in one of its variables, after the best order of the others.
    Ties are counted step by step: a last variable is tied if it is within the tolerance of its
    set's best. One that must precede another of its set cannot be the last.

    >>> import numpy as np
    >>> exact_order_plainly(np.array([[0, 2, 0], [0, 0, 0], [0, 1, 0]]))
    (3.0, 2)
    """
    d = len(weights)
    tolerance = TOLERANCE * abs(weights).max()
    value: dict[frozenset[int], float] = {frozenset(): 0.0}
    count: dict[frozenset[int], int] = {frozenset(): 1}
    for subset in subsets(d):
        ending = {
            last: value[subset - {last}] + float(sum(weights[i, last] for i in subset - {last}))
            for last in subset
            if not any((last, other) in required for other in subset)
        }
        value[subset] = max(ending.values())
        count[subset] = sum(
            count[subset - {last}] for last in ending if ending[last] >= value[subset] - tolerance
        )
    everything = frozenset(range(d))
    return value[everything], count[everything]


def subsets(d: int) -> Iterator[frozenset[int]]:
    """All subsets of 0 … d − 1 but the empty one, each after its own subsets."""
    for number in range(1, 2**d):
        yield frozenset(v for v in range(d) if number >> v & 1)
