"""Compiled loops against plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest

from intersort.simulate._kernels import add_regulation, cosines, follow_gene


@pytest.mark.parametrize("scale", [0.1, 3.0, 100.0, 1e5])
def test_cosines_are_those_of_numpy(scale: float) -> None:
    angles = np.random.default_rng(0).normal(0, scale, 5000)
    angles[:5] = [0.0, np.pi / 2, np.pi, -np.pi, 1.5 * np.pi]
    expected = np.cos(angles)
    cosines(angles)
    np.testing.assert_allclose(angles, expected, rtol=0, atol=2e-14 + 1e-15 * scale)


@pytest.mark.parametrize("strength", [2.5, -2.5])
@pytest.mark.parametrize("half_response", [1.3, 0.0])
def test_regulation_is_a_hill_function_or_one_minus_it(
    strength: float, half_response: float
) -> None:
    rng = np.random.default_rng(1)
    regulator = np.maximum(rng.normal(1, 1, (2, 9)), 0)
    regulator[0, 0] = 0.0
    production = rng.random((2, 6))
    expected = production.copy()
    for cell_type in range(2):
        for step in range(6):
            x = regulator[cell_type, step]
            hill = 0.0 if x == 0 else x**2 / (half_response**2 + x**2)  # 0 at 0, never 0 / 0
            expected[cell_type, step] += 2.5 * (hill if strength > 0 else 1 - hill)
    add_regulation(regulator, half_response, strength, production)
    np.testing.assert_allclose(production, expected, rtol=1e-12)


def test_a_path_is_euler_maruyama_clipped_at_zero() -> None:
    rng = np.random.default_rng(2)
    production, normals = rng.uniform(0, 0.3, (3, 40)), rng.normal(size=(3, 40))
    path = np.zeros((3, 40))
    path[:, 0] = [0.0, 0.1, 2.0]
    expected = path.copy()
    for cell_type in range(3):
        for step in range(39):
            x, made = expected[cell_type, step], production[cell_type, step]
            drift = 0.05 * (made - 0.8 * x)
            shock = 1.5 * math.sqrt(0.05) * math.sqrt(made + 0.8 * x) * normals[cell_type, step]
            expected[cell_type, step + 1] = max(x + drift + shock, 0.0)
    follow_gene(production, normals, path, 0.8, 0.05, 1.5)
    np.testing.assert_allclose(path, expected, rtol=1e-12)
    assert (path == 0).any()  # the clip was needed
