"""Graphs and a distance that the tests of the simulators share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest


@pytest.fixture(scope="session")
def chain() -> np.ndarray:
    """The graph 2 → 0 → 1: columns are not in causal order."""
    adjacency = np.zeros((3, 3))
    adjacency[2, 0] = adjacency[0, 1] = 1
    return adjacency


@pytest.fixture(scope="session")
def distances() -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Standardised Wasserstein distance of every target's rows from the controls, by SciPy."""
    from scipy.stats import wasserstein_distance

    def measure(values: np.ndarray, targets: np.ndarray) -> np.ndarray:
        control = values[targets == -1]
        sd = control.std(axis=0)
        return np.array(
            [
                [
                    wasserstein_distance(control[:, j], values[targets == i, j]) / sd[j]
                    for j in range(values.shape[1])
                ]
                for i in np.unique(targets[targets >= 0])
            ]
        )

    return measure
