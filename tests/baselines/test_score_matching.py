"""SCORE: the estimate against its definition, and chains that it must solve."""

import numpy as np
import pytest

from intersort import InputError, baselines, d_top
from intersort.baselines.score_matching import log_density_curvature, order_by_leaves


def curved_system(seed: int, n: int = 1500) -> tuple[np.ndarray, np.ndarray]:
    """Five variables with curved mechanisms and Gaussian noise, columns in random places."""
    rng = np.random.default_rng(seed)
    a, b, c, d, e = rng.normal(size=(5, n))
    b += 2 * np.sin(1.5 * a)
    c += 2 * np.cos(1.5 * b)
    d += np.sin(2 * a) + 2 * np.cos(1.5 * c)
    e += 2 * np.sin(1.5 * d)
    adjacency = np.zeros((5, 5), dtype=int)
    adjacency[[0, 1, 0, 2, 3], [1, 2, 3, 3, 4]] = 1
    place = rng.permutation(5)
    return np.column_stack([a, b, c, d, e])[:, place], adjacency[np.ix_(place, place)]


def test_solves_a_curved_system(as_control) -> None:
    errors = []
    for seed in range(4):
        rows, adjacency = curved_system(seed)
        order = baselines.run("score_matching", as_control(rows), rng=1).orders[0]
        errors.append(d_top(adjacency, order))
    assert errors == [0, 0, 0, 0]


def test_without_curves_it_knows_nothing() -> None:
    # Equal marginals, linear, Gaussian: by theory nothing tells a cause from its effect.
    found = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        cause = rng.normal(size=400)
        effect = 0.7 * cause + np.sqrt(1 - 0.7**2) * rng.normal(size=400)
        found.append(order_by_leaves(np.column_stack([effect, cause]), 0.001, False)[0] == 1)
    assert 4 <= sum(found) <= 16  # binomial, 20 tosses: outside once in 400


def test_estimate_is_that_of_its_definition() -> None:
    # Term by term as the paper writes it, with loops in place of matrix products.
    rows, ridge = np.random.default_rng(1).normal(size=(30, 2)) * [1, 3], 0.01
    gaps = rows[:, None] - rows
    distances = np.sqrt((gaps**2).sum(axis=2))
    width = np.median(distances)
    kernel = np.exp(-(distances**2) / (2 * width**2)) / width
    inverse = np.linalg.inv(kernel + ridge * np.eye(30))
    for j in range(2):
        first, second = np.zeros(30), np.zeros(30)
        for k in range(30):
            for i in range(30):
                gap = gaps[k, i, j]
                first[k] -= kernel[k, i] * gap / width**2
                second[k] += kernel[k, i] * (gap**2 / width**4 - 1 / width**2)
        expected = inverse @ second - (inverse @ first) ** 2
        found = log_density_curvature(rows, ridge)[:, j]
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


def test_more_rows_are_drawn_by_the_seed(as_control) -> None:
    data = as_control(np.random.default_rng(2).normal(size=(400, 8)))
    orders = [
        baselines.run("score_matching", data, rng=seed, n_rows=60).orders[0].tolist()
        for seed in (1, 1, 2)
    ]
    assert orders[0] == orders[1] != orders[2]


def test_a_stretched_column_looks_like_a_leaf() -> None:
    # Curvature falls with the square of the scale: this is why the page warns of standardising.
    rows = np.random.default_rng(4).normal(size=(300, 4)) * [1, 1, 100, 1]
    assert order_by_leaves(rows, 0.001, normalise=False)[-1] == 2


def test_normalised_curvature_does_not_depend_on_scale() -> None:
    rows, _ = curved_system(0, 300)
    curvature = log_density_curvature(rows, 0.001)
    leaf = (curvature / curvature.mean(axis=0)).var(axis=0).argmin()
    assert order_by_leaves(rows, 0.001, normalise=True)[-1] == leaf


def test_refuses_what_it_cannot_use(as_control, screen_without_control) -> None:
    data = as_control(np.random.default_rng(3).normal(size=(20, 3)))
    with pytest.raises(InputError, match="n_rows must be a whole number, 10 or more"):
        baselines.run("score_matching", data, n_rows=3)
    with pytest.raises(InputError, match="ridge must be a number above 0"):
        baselines.run("score_matching", data, ridge=0.0)
    with pytest.raises(InputError, match=r"score_matching looks at control rows.*have 0"):
        baselines.run("score_matching", screen_without_control)
    equal = np.repeat([[0.0, 1.0], [0.0, 2.0]], [9, 2], axis=0)
    with pytest.raises(InputError, match="half of all pairs of control rows are equal"):
        baselines.run("score_matching", as_control(equal))
