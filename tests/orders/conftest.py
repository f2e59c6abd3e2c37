"""Weight matrices of every kind that tests of several algorithms draw."""

import numpy as np
import pytest

KINDS = ("gaussian", "integers", "oracle", "heavy", "rows", "huge", "tiny", "symmetric")


def draw_weights(kind: str, d: int, rng: np.random.Generator) -> np.ndarray:
    """A d × d matrix with a zero diagonal."""
    weights = rng.normal(size=(d, d))
    if kind == "integers":
        weights = rng.integers(-2, 3, size=(d, d)).astype(float)
    elif kind == "oracle":
        weights = np.where(rng.random((d, d)) < 0.3, 0.5 * d + 0.7, -0.3)
    elif kind == "heavy":
        weights = rng.pareto(1.0, size=(d, d))
    elif kind == "rows":
        weights[rng.random(d) < 0.5] = 0.0
    elif kind == "huge":
        weights *= 1e200
    elif kind == "tiny":
        weights *= 1e-200
    elif kind == "symmetric":
        weights = weights + weights.T
    np.fill_diagonal(weights, 0.0)
    return weights


@pytest.fixture(params=KINDS)
def draw(request):
    """A function (d, rng) that draws a matrix of one kind; the test runs for each kind."""
    return lambda d, rng: draw_weights(request.param, d, rng)
