"""Simulated screens: what the paper's grid draws, each from a seed of its own.

A screen's seed depends on what is simulated and on the repetition alone, so that all methods,
fractions and readings meet the same graph and the same targets.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from intersort import InterventionalData, simulate
from intersort._typing import BoolArray, FloatArray, IntArray

from .task import seed_of

DOMAINS = ("linear", "rff", "nn", "gene_regulation")
FRACTIONS = (0.25, 0.5, 0.75, 1.0)
EPSILON = {"linear": 0.3, "rff": 0.3, "nn": 0.3, "gene_regulation": 0.5}
"""The paper's thresholds."""
N_CONTROL, N_PER_TARGET = 5000, 100
Scaling = Literal["standardised", "raw", "rescaled"]
FIRST = frozenset({"domain", "d", "edges", "repetition"})
"""What every cell that names a screen says."""


@dataclass(frozen=True)
class Screen:
    """What is simulated. All but the first four and `kind` share the graph and the targets."""

    domain: str
    d: int
    edges: int
    repetition: int
    kind: str = "erdos_renyi"
    noise: str = ""
    reading: str = "code"
    half_response: str = "recomputed"
    sampler: str = "paper"
    hidden: int = 0
    scaling: Scaling = "standardised"
    n_control: int = N_CONTROL
    n_per_target: int = N_PER_TARGET
    effects: bool = True
    """False cuts every effect, as a negative control: see `draw_population`."""

    @property
    def cell(self) -> dict[str, Any]:
        """What differs from the defaults, for a task's cell; the first four always."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            field.name: values[field.name]
            for field in fields(self)
            if field.name in FIRST or values[field.name] != field.default
        }

    @property
    def seed(self) -> int:
        """The seed of the graph; those of mechanisms, targets and rows are derived from it."""
        return seed_of(self.domain, self.d, self.edges, self.kind, self.repetition)


@dataclass(frozen=True)
class Drawn:
    """A screen in which every variable is intervened on, and the truth."""

    values: FloatArray
    targets: IntArray
    adjacency: BoolArray
    population: simulate.Population
    seed: int

    def take(self, chosen: IntArray) -> InterventionalData:
        """The control rows and those of the chosen targets."""
        keep = np.isin(self.targets, np.append(chosen, -1))
        return InterventionalData.from_arrays(self.values[keep], self.targets[keep], control=-1)

    def choose(self, fraction: float) -> IntArray:
        """That share of the variables; smaller shares are part of larger ones."""
        d = self.values.shape[1]
        # Not the graph's own seed, which would choose by its order.
        return simulate.choose_targets(d, fraction=fraction, rng=seed_of(self.seed, "targets"))


def screen_of(cell: dict[str, Any]) -> Screen:
    """The screen that a task's cell names."""
    names = {field.name for field in fields(Screen)}
    return Screen(**{key: value for key, value in cell.items() if key in names})


def repetitions(domain: str, d: int, n: int = 10, **more: Any) -> list[Screen]:
    """The paper's datasets of a domain: one edge per variable in half of them, two in the rest."""
    half = (n + 1) // 2
    return [Screen(domain, d, 1 if r < half else 2, r % half, **more) for r in range(n)]


@lru_cache(maxsize=2)
def draw(screen: Screen) -> Drawn:
    """Simulate a screen."""
    population, shown = draw_population(screen)
    everyone = np.arange(population.n_variables)
    values, targets = population.screen(
        screen.n_control, screen.n_per_target, everyone, rng=seed_of(screen.seed, "rows")
    )
    return Drawn(rescale(values, targets, screen), targets, shown, population, screen.seed)


def draw_population(screen: Screen) -> tuple[simulate.Population, BoolArray]:
    """The population of a screen, and the graph between the variables that it shows.

    Without effects the graph is a label and the population has no edges: each variable has its own
    law, drawn without a look at the graph, and interventions move their targets and nobody else.
    Neither rows nor targets then say anything about the graph, nor does the law of any variable.
    """
    graph = simulate.random_graph(
        screen.d + screen.hidden,
        edges_per_variable=screen.edges,
        kind=screen.kind,  # type: ignore[arg-type]
        rng=screen.seed,
    )
    population = simulate.random_population(
        graph if screen.effects else np.zeros_like(graph),
        screen.domain,  # type: ignore[arg-type]
        noise=screen.noise or None,  # type: ignore[arg-type]
        reading=screen.reading,  # type: ignore[arg-type]
        half_response=screen.half_response,  # type: ignore[arg-type]
        sampler=screen.sampler,  # type: ignore[arg-type]
        hidden=screen.hidden,
        rng=seed_of(screen.seed, "mechanisms"),
    )
    return population, graph[np.ix_(population.shown, population.shown)]


def rescale(values: FloatArray, targets: IntArray, screen: Screen) -> FloatArray:
    """Standardise on the control rows, or leave as is, or give each variable a random unit."""
    if screen.scaling == "raw":
        return values
    control = values[targets == -1]
    sd = control.std(axis=0)
    scaled: FloatArray = (values - control.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    if screen.scaling == "rescaled":
        rng = np.random.default_rng(seed_of(screen.seed, "units"))
        scaled = scaled * 10 ** rng.uniform(-1, 1, size=values.shape[1])
    return scaled
