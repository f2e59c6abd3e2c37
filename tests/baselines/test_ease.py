"""EASE: its coefficients by hand, heavy tails that it must order, and what it refuses."""

import numpy as np
import pytest
from scipy import sparse

from intersort import InterventionalData, baselines, d_top, simulate
from intersort.baselines.ease import order_by_tails, tail_coefficients


def observed(values: np.ndarray) -> InterventionalData:
    """Rows of which none is an intervention, which the constructors for users refuse."""
    names = tuple(f"x{j}" for j in range(values.shape[1]))
    return InterventionalData(values=values, targets=np.full(len(values), -1), names=names)


def heavy_tailed(seed: int, *, symmetric: bool, n_rows: int = 20_000) -> tuple[np.ndarray, ...]:
    """A linear system of seven variables whose noise has infinite variance, columns shuffled."""
    rng = np.random.default_rng(seed)
    adjacency = simulate.random_graph(7, edges_per_variable=1.5, rng=rng)
    noise = rng.standard_t(1.5, size=(n_rows, 7)) if symmetric else rng.pareto(1.5, (n_rows, 7))
    weights = adjacency * rng.uniform(0.5, 1.5, size=(7, 7))
    if symmetric:
        weights *= rng.choice([-1, 1], size=(7, 7))
    values = np.linalg.solve((np.eye(7) - weights).T, noise.T).T
    return values, adjacency


@pytest.mark.parametrize("form, symmetric", [("one_sided", False), ("two_sided", True)])
@pytest.mark.parametrize("seed", range(3))
def test_orders_a_linear_system_with_heavy_tails(form: str, symmetric: bool, seed: int) -> None:
    values, adjacency = heavy_tailed(seed, symmetric=symmetric)
    result = baselines.run("ease", observed(values), form=form)
    assert result.orders.shape == (1, 7)
    assert d_top(adjacency, result.orders[0]) == 0


def test_light_tails_say_nothing() -> None:
    """Gaussian noise has no causal tails, so that errors stay near those of a random order."""
    errors, edges = 0, 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        adjacency = simulate.random_graph(7, edges_per_variable=1.5, rng=rng)
        weights = adjacency * rng.choice([-1, 1], size=(7, 7))
        noise = rng.normal(size=(1000, 7))
        values = np.linalg.solve((np.eye(7) - weights).T, noise.T).T
        order = baselines.run("ease", observed(values), form="two_sided").orders[0]
        errors, edges = errors + d_top(adjacency, order), edges + int(adjacency.sum())
    assert errors > 0.3 * edges


def test_coefficients_are_those_of_the_definition() -> None:
    values = np.random.default_rng(0).standard_t(2, size=(200, 3))
    n_extreme = int(200**0.4)
    share = np.array([[np.mean(values[:, j] <= x) for x in values[:, j]] for j in range(3)]).T
    for two_sided, place in [(False, share), (True, abs(2 * share - 1))]:
        found = tail_coefficients(values, two_sided=two_sided)
        for i in range(3):
            # both ends count alike in the two-sided form: of equals the earlier row goes first
            largest = sorted(range(200), key=lambda row: -place[row, i])[:n_extreme]
            np.testing.assert_allclose(found[i], place[largest].mean(axis=0))


def test_the_least_held_variable_comes_first_and_no_longer_holds() -> None:
    holds = np.array([[1, 0.9, 0.8], [0.2, 1, 0.7], [0.3, 0.4, 1]])
    # Variable 0 is held least (0.3); without it, 1 is held by 2 alone (0.4), 2 by 1 (0.7).
    assert order_by_tails(holds).tolist() == [0, 1, 2]


def test_rows_choose_what_is_looked_at() -> None:
    values, adjacency = heavy_tailed(0, symmetric=False)
    noise = np.random.default_rng(1).pareto(1.0, size=values.shape) * 1000
    data = InterventionalData.from_arrays(
        np.vstack([values, noise]), np.repeat([-1, 0], len(values)), control=-1
    )
    spoilt, clean = (
        baselines.run("ease", data, form="one_sided", rows=rows).orders[0]
        for rows in ("pooled", "control")
    )
    assert d_top(adjacency, clean) == 0
    assert spoilt.tolist() != clean.tolist()


def test_sparse_rows_give_what_dense_rows_give() -> None:
    values = np.random.default_rng(0).poisson(0.4, size=(100, 5)) * 1.5
    targets = np.repeat([-1, 0, -2, 1], 25)
    both = [
        InterventionalData(values=table, targets=targets, names=tuple("abcde"))
        for table in (values, sparse.csr_matrix(values))
    ]
    first, second = (baselines.run("ease", data, form="two_sided").orders for data in both)
    np.testing.assert_array_equal(first, second)


def test_refusals() -> None:
    values = np.random.default_rng(0).normal(size=(20, 3))
    data = InterventionalData.from_arrays(values, np.repeat([-1, 0], 10), control=-1)
    with pytest.raises(ValueError, match="ease needs form, which depends on the kind of data"):
        baselines.run("ease", data)
    with pytest.raises(ValueError, match='form must be "one_sided" or "two_sided"; got \'both\''):
        baselines.run("ease", data, form="both")
    with pytest.raises(ValueError, match='rows must be "pooled" or "control"; got \'all\''):
        baselines.run("ease", data, form="one_sided", rows="all")
    treated = InterventionalData(values=values, targets=np.repeat([1, 0], 10), names=tuple("abc"))
    with pytest.raises(ValueError, match="ease looks at control rows"):
        baselines.run("ease", treated, form="one_sided", rows="control")
    values[3, 1] = np.nan
    data = InterventionalData.from_arrays(values, np.repeat([-1, 0], 10), missing="omit")
    with pytest.raises(ValueError, match="ease cannot take missing values; there are some in 'x1'"):
        baselines.run("ease", data, form="one_sided")
