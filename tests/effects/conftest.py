"""Small screens for the tests of effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from intersort import InterventionalData

MakeData = Callable[..., InterventionalData]


@pytest.fixture(scope="session")
def make_data() -> MakeData:
    """Data from values and targets alone; the arrays are read-only, as they may be."""

    def make(values: Any, targets: Any) -> InterventionalData:
        labels = np.array(targets, dtype=np.int64)
        labels.flags.writeable = False
        if isinstance(values, list):
            values = np.array(values, dtype=np.float64)
        if isinstance(values, np.ndarray):
            values = values.view()
            values.flags.writeable = False
        names = tuple(f"x{column}" for column in range(values.shape[1]))
        return InterventionalData(values=values, targets=labels, names=names)

    return make


@pytest.fixture(scope="session")
def screen(make_data: MakeData) -> MakeData:
    """A screen of correlated columns in which every target moves half of the others."""

    def draw(
        d: int = 6, n_control: int = 300, n_rows: int = 40, offset: float = 0.0, seed: int = 0
    ) -> InterventionalData:
        rng = np.random.default_rng(seed)
        targets = np.repeat(np.arange(-1, d), [n_control] + [n_rows] * d)
        moved = rng.random((d, d)) < 0.5
        values = rng.normal(size=(targets.size, d)) * rng.uniform(0.2, 3.0, size=d)
        values[n_control:] += 2.0 * moved[targets[n_control:]]
        order = rng.permutation(targets.size)
        return make_data(values[order] + offset, targets[order])

    return draw


@pytest.fixture(scope="session")
def sparse_values() -> np.ndarray:
    """Values of which two thirds are zero, some negative, with a column that is all zero."""
    rng = np.random.default_rng(3)
    values = np.where(rng.random((420, 7)) < 0.33, rng.normal(size=(420, 7)) + 0.7, 0.0)
    values[:, 5] = 0.0
    values[:, 6] = np.where(np.arange(420) < 400, 0.0, 1.0)
    return values
