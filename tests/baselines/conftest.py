"""Screens that the tests of several rivals share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from intersort import InterventionalData, simulate

Screen = tuple[InterventionalData, np.ndarray]


@pytest.fixture(scope="session")
def clear_screen() -> Screen:
    """Eight variables in random places, each moved far by its own intervention, and their graph."""
    adjacency = simulate.random_graph(8, edges_per_variable=1.5, rng=13)
    population = simulate.random_population(adjacency, "linear", noise="gaussian", rng=14)
    values, targets = population.screen(2000, 100, np.arange(8), rng=15)
    return InterventionalData.from_arrays(values, targets, control=-1), adjacency


@pytest.fixture(scope="session")
def cut_screen(clear_screen: Screen) -> Screen:
    """The same labels and graph; what was done has no effect."""
    data, adjacency = clear_screen
    values = np.random.default_rng(16).normal(size=data.values.shape)
    return InterventionalData.from_arrays(values, data.targets, control=-1), adjacency


@pytest.fixture(scope="session")
def screen_without_control() -> InterventionalData:
    """Two variables, ten rows of an intervention on each."""
    values = np.random.default_rng(17).normal(size=(20, 2))
    return InterventionalData(values, np.repeat([0, 1], 10), ("A", "B"))


@pytest.fixture(scope="session")
def as_control() -> Callable[[np.ndarray], InterventionalData]:
    """Make data whose control rows are those given, beside ten wild ones that are not control."""

    def make(rows: np.ndarray) -> InterventionalData:
        wild = 1e3 * np.random.default_rng(18).normal(size=(10, rows.shape[1]))
        targets = np.repeat([-1, 0], [len(rows), 10])
        return InterventionalData.from_arrays(np.vstack([rows, wild]), targets, control=-1)

    return make


@pytest.fixture(scope="session")
def tiny_screens() -> dict[str, Screen]:
    """Three variables of strong effects, each drawn afresh where it is intervened on.

    There are few control rows, so that a parent tells nothing of its child but in the direction
    of the edge. In "nothing" all columns are noise.
    """
    screens = {}
    for seed, (name, edges) in enumerate(
        {"chain": ((2, 0), (0, 1)), "fork": ((2, 0), (2, 1)), "nothing": ()}.items()
    ):
        targets = np.repeat([-1, 0, 1, 2], [50, 200, 200, 200])
        values = np.random.default_rng(900_000 + seed).normal(size=(650, 3))
        adjacency = np.zeros((3, 3), dtype=np.bool_)
        for parent, child in edges:
            adjacency[parent, child] = True
            natural = 0.95 * values[:, parent] + 0.3 * values[:, child]
            values[:, child] = np.where(targets == child, values[:, child], natural)
        data = InterventionalData.from_arrays(values, targets, control=-1)
        screens[name] = data, adjacency
    return screens
