"""Oracle distances: 1 on every revealed pair, 0 elsewhere; what Figure 1 and its twins share.

A revealed pair is a variable that is intervened on and one of its descendants. Nothing is
measured, so what an order gets wrong is left open by the design or lost by the search.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from intersort import (
    CausalOrder,
    Effects,
    OrderScore,
    d_top,
    d_top_range,
    exact_order,
    find_order,
    local_search,
    score_orders,
    simulate,
    sort_ranking,
    ties,
)
from intersort._typing import BoolArray
from intersort.theory import bounds
from intersort.theory.optima import summarise_optima
from intersort.theory.oracle import oracle_distances

from .store import Row
from .task import Task, seed_of

EPSILON, C = 0.3, 0.5
P_INT = (0.25, 0.33, 0.5, 0.66, 0.75)
N_GRAPHS, N_DRAWS = 20, 10
N_TIED = 100
"""Equal optima that are drawn where there are too many to list."""
EFFORT = "low"
"""Of `find_order`: enough to prove nearly every optimum of 30 variables, in 0.02 s."""
GRAPH_WORDS = ("d", "p_e", "edges", "p_int", "graph")
"""Parts of a cell that name a graph: every setting has its own, as in the paper. Both directions
of a scale-free graph are one graph."""


@dataclass(frozen=True)
class Graph:
    """A graph and the seed it was drawn from."""

    adjacency: BoolArray
    seed: int

    @property
    def p_e(self) -> float:
        """Share of the pairs that are joined: 2 |E| / (d (d − 1))."""
        d = len(self.adjacency)
        return float(2 * self.adjacency.sum() / (d * (d - 1)))


@dataclass(frozen=True)
class Problem:
    """What a method is given (effects and their score), and the truth."""

    effects: Effects
    score: OrderScore
    adjacency: BoolArray


def draw_graph(cell: Mapping[str, Any]) -> Graph:
    """The graph of a cell: Erdős–Rényi where it names `p_e`, scale-free where it names `edges`."""
    words = tuple((key, cell[key]) for key in GRAPH_WORDS if key in cell)
    return _draw_graph(words, cell.get("hubs", "in"))


@lru_cache(maxsize=4)
def _draw_graph(words: tuple[tuple[str, Any], ...], hubs: str) -> Graph:
    named, seed = dict(words), seed_of("oracle", *words)
    if "p_e" in named:
        drawn = simulate.random_graph(named["d"], edge_probability=named["p_e"], rng=seed)
    else:
        drawn = simulate.random_graph(
            named["d"],
            edges_per_variable=named["edges"],
            kind="scale_free",
            hubs=hubs,  # type: ignore[arg-type]
            rng=seed,
        )
    return Graph(drawn, seed)


def draw_problem(cell: Mapping[str, Any]) -> Problem:
    """The graph, targets drawn by `p_int` on their own or by a policy, and oracle distances."""
    graph = draw_graph(cell)
    settings: dict[str, Any] = {"rng": seed_of(graph.seed, "targets", cell.get("draw", 0))}
    if "policy" in cell:
        settings |= {"count": cell["count"], "policy": cell["policy"]}
    else:
        settings |= {"probability": cell["p_int"]}
    targets = simulate.choose_targets(graph.adjacency, **settings)
    effects = Effects.from_matrix(oracle_distances(graph.adjacency, targets, EPSILON), targets)
    return Problem(effects, score_orders(effects, EPSILON, C), graph.adjacency)


def run_exact(problem: Problem) -> Row:
    """An optimum, and D_top over all optima: least, mean and most."""
    start = time.perf_counter()
    found = exact_order(problem.score)
    row = _judged(problem, found, start)
    every = summarise_optima(problem.score.to_dense()[None], problem.adjacency[None])
    return row | {
        "mean": round(float(every.mean_cost[0]), 6),
        "least": int(every.least_cost[0]),
        "most": int(every.worst_cost[0]),
        "n_optimal": int(every.n_optimal[0]),
    }


def run_intersort_paper(problem: Problem) -> Row:
    """SORTRANKING, then the paper's local search."""
    start = time.perf_counter()
    first = sort_ranking(problem.effects, EPSILON, C)
    return _judged(problem, local_search(problem.score, first), start)


def run_sort_ranking(problem: Problem) -> Row:
    """SORTRANKING alone."""
    start = time.perf_counter()
    return _judged(problem, sort_ranking(problem.effects, EPSILON, C), start)


def run_intersort(problem: Problem, effort: str = EFFORT) -> Row:
    """The best order that `find_order` finds, with its bound."""
    start = time.perf_counter()
    return _judged(problem, find_order(problem.score, effort=effort), start)


def run_intersort_and_ties(problem: Problem) -> Row:
    """`run_intersort`; where the order is proven best also D_top over draws of equal optima."""
    start = time.perf_counter()
    found = find_order(problem.score, effort=EFFORT)
    row = _judged(problem, found, start)
    if not found.is_optimal:
        return row
    structure = ties(problem.score, found, upper_bound=found.upper_bound, effort=EFFORT)
    drawn = d_top_range(problem.adjacency, structure.sample(N_TIED))
    return row | {"mean": round(drawn.mean, 6), "least": drawn.least, "most": drawn.most}


METHODS: dict[str, Callable[[Problem], Row]] = {
    "exact": run_exact,
    "intersort": run_intersort_and_ties,
    "intersort_paper": run_intersort_paper,
    "sort_ranking": run_sort_ranking,
}


def _judged(problem: Problem, found: CausalOrder, start: float) -> Row:
    """What is told of every order; `start` is when the search for it began."""
    return {
        "seconds": round(time.perf_counter() - start, 4),
        "d_top": d_top(problem.adjacency, found.order),
        "score": round(found.score, 6),
        "bound": round(found.upper_bound, 6),
        "gap": float(f"{max(found.gap, 0.0):.3g}"),
        "proven": found.is_optimal,
    }


def bounds_of(cell: Mapping[str, Any]) -> Row:
    """Every bound on the expected D_top of a graph, or of the graphs it was drawn from."""
    graph, d, p_int = draw_graph(cell), int(cell["d"]), float(cell["p_int"])
    p_e = float(cell.get("p_e", graph.p_e))
    values = {
        "theorem_2": bounds.theorem_2(graph.adjacency, p_int),
        "theorem_3": bounds.theorem_3(graph.adjacency, p_int),
        "theorem_4": bounds.theorem_4(d, p_int, p_e),
        "theorem_4_loose": bounds.theorem_4_loose(d, p_int),
        "theorem_4_double_sum": bounds.theorem_4_double_sum(d, p_int, p_e),
        "repaired_theorem_2": bounds.repaired_theorem_2(graph.adjacency, p_int),
        "repaired_theorem_3": bounds.repaired_theorem_3(graph.adjacency, p_int),
        "repaired_theorem_4": bounds.repaired_theorem_4(d, p_int, p_e),
    }
    return {name: round(value, 6) for name, value in values.items()} | {
        "n_edges": int(graph.adjacency.sum()),
        "seed": graph.seed,
    }


def solve_oracle(task: Task) -> Row:
    """One method on one design, or the bounds of one graph."""
    cell = dict(task.cell)
    if cell["method"] == "bounds":
        return bounds_of(cell)
    problem = draw_problem(cell)
    return METHODS[cell["method"]](problem) | {
        "n_targets": int(problem.effects.intervened.size),
        "seed": draw_graph(cell).seed,
    }


def oracle_tasks(
    experiment: str,
    d: int,
    densities: Mapping[str, Sequence[float]],
    methods: Sequence[str],
    *,
    p_int: Sequence[float] = P_INT,
    n_graphs: int = N_GRAPHS,
    n_draws: int = N_DRAWS,
) -> list[Task]:
    """Bounds of every graph and each method on every draw; a setting is a chunk.

    `densities` holds `p_e` for Erdős–Rényi graphs, `edges` per variable for scale-free ones.
    """
    tasks = []
    for (key, values), probability in product(densities.items(), p_int):
        for density in values:
            setting = {"d": d, key: density, "p_int": probability}
            chunk = f"{d}/{key}={density}/{probability}"
            for graph in range(n_graphs):
                cell = setting | {"graph": graph}
                tasks.append(Task(experiment, cell | {"method": "bounds"}, chunk))
                tasks += [
                    Task(experiment, cell | {"draw": draw, "method": method}, chunk)
                    for draw in range(n_draws)
                    for method in methods
                ]
    return tasks


def figure_tasks(experiment: str, densities: Mapping[int, Any], size: str) -> list[Task]:
    """The paper's pair of panels: few variables against the exact optimum, more against ours."""
    small, large = densities
    how: dict[str, Any] = {}
    shown = dict(densities)
    if size == "smoke":
        how = {"p_int": (0.25, 0.75), "n_graphs": 3, "n_draws": 2}
        shown = {small: densities[small], 22: densities[large]}
    methods = (("exact", "intersort_paper"), ("intersort", "intersort_paper"))
    return [
        task
        for (d, density), names in zip(shown.items(), methods, strict=True)
        for task in oracle_tasks(experiment, d, density, names, **how)
    ]
