"""Every graph of up to five variables with every set of targets, enumerated once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pytest

from intersort._adjacency import read_dag
from intersort.theory import conditions
from intersort.theory.optima import Optima, reversible_pairs, summarise_optima
from intersort.theory.small_cases import (
    all_target_sets,
    graphs_up_to_relabelling,
    paths,
    score_weights,
)

RULES = {
    "lemma 4": conditions.ancestors_of_child_only,
    "lemma 5": conditions.parents_of_child_only,
    "repaired lemma 4": conditions.on_a_path_between,
    "repaired lemma 5": conditions.the_cause,
}


@dataclass(eq=False)
class World:
    """All graphs (n, up to relabelling) of d variables × all sets of targets (m)."""

    d: int

    def __post_init__(self) -> None:
        self.graphs, self.labellings = graphs_up_to_relabelling(self.d)
        self.targets = all_target_sets(self.d)

    @cached_property
    def paths(self) -> np.ndarray:
        return paths(self.graphs)

    def shows(self, reach: str) -> np.ndarray:
        return self.paths if reach == "descendants" else self.graphs

    @lru_cache  # noqa: B019
    def helpers(self, rule: str) -> np.ndarray:
        """Entry (graph, i, j, k): would an intervention on k make the edge i → j safe?"""
        found = np.zeros((len(self.graphs), self.d, self.d, self.d), dtype=bool)
        for place, graph in zip(found, self.graphs, strict=True):
            edges = read_dag(graph)
            blocks = list(RULES[rule](edges))
            if blocks:
                place[edges.source, edges.target] = np.concatenate(blocks)
        return found

    @lru_cache  # noqa: B019
    def promised(self, rule: str) -> np.ndarray:
        """Entry (graph, set of targets, i, j): does the rule call the edge safe?"""
        met = np.einsum("nijk,mk->nmij", self.helpers(rule).astype(int), self.targets.astype(int))
        return (met > 0) & self.graphs[:, None]

    def bound(self, rule: str, p_int: float) -> np.ndarray:
        """The bound of every graph that follows from the rule."""
        terms = (1 - p_int) ** self.helpers(rule).sum(axis=-1)
        return np.sum(terms, axis=(1, 2), where=self.graphs)

    def distance(self, shows: np.ndarray, null: object, effect: object = 1.01) -> np.ndarray:
        """Distances at ε = 1 for every graph and every set of targets."""
        return np.where(shows, effect, null) * np.ones((len(self.graphs), len(self.targets), 1, 1))

    def weights(self, distance: np.ndarray, c_times_d: float) -> np.ndarray:
        targets = np.broadcast_to(self.targets, (*distance.shape[:2], self.d))
        weights = score_weights(distance, targets, epsilon=1.0, c=c_times_d / self.d)
        return weights.reshape(-1, self.d, self.d)

    def reversible(self, distance: np.ndarray, c_times_d: float) -> np.ndarray:
        """Entry (graph, set of targets, i, j): does some optimal order put j before i?"""
        found = reversible_pairs(self.weights(distance, c_times_d))
        return found.reshape(len(self.graphs), len(self.targets), self.d, self.d)

    def optima(self, distance: np.ndarray, c_times_d: float) -> Optima:
        return summarise_optima(
            self.weights(distance, c_times_d), np.repeat(self.graphs, len(self.targets), axis=0)
        )

    def expected(self, per_case: np.ndarray, p_int: float) -> np.ndarray:
        """Average over the sets of targets, every variable a target with probability p_int."""
        chance = np.prod(np.where(self.targets, p_int, 1 - p_int), axis=1)
        return per_case.reshape(len(self.graphs), len(self.targets)) @ chance


@pytest.fixture(scope="session")
def world() -> Callable[[int], World]:
    """`world(d)`: all graphs and sets of targets of d variables, kept between tests."""
    return lru_cache(World)


@pytest.fixture(params=["constant", "random"])
def sizes(request: pytest.FixtureRequest) -> Callable[[np.random.Generator, World], tuple]:
    """Draw (null distances, effects), ε = 1: fixed or random, as the definition allows."""

    def draw(rng: np.random.Generator, cases: World) -> tuple:
        if request.param == "constant":
            return 0.0, 1.01
        shape = (len(cases.graphs), len(cases.targets), cases.d, cases.d)
        return rng.random(shape) ** rng.choice([0.2, 1.0, 3.0]), 1.001 + rng.random(shape)

    draw.n_draws = 1 if request.param == "constant" else 8  # type: ignore[attr-defined]
    return draw
