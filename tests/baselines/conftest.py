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
