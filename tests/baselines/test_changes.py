"""Changes: p-values against SciPy, the rule against its definition, cases that it must solve."""

import numpy as np
import pytest
from scipy.stats import false_discovery_control, ks_2samp

from intersort import InterventionalData, baselines, d_top, simulate
from intersort.baselines.changes import discoveries, rank_by_evidence, two_sample_p


@pytest.fixture(scope="module")
def screen() -> tuple[InterventionalData, np.ndarray]:
    """Twelve variables in random places, each moved far by its own intervention."""
    adjacency = simulate.random_graph(12, edges_per_variable=1.5, rng=3)
    population = simulate.random_population(adjacency, "linear", noise="gaussian", rng=4)
    values, targets = population.screen(2000, 100, np.arange(12), rng=5)
    return InterventionalData.from_arrays(values, targets, control=-1), adjacency


def test_finds_an_order_without_error_where_everything_shows(screen) -> None:
    data, adjacency = screen
    result = baselines.run("changes", data, rng=1)
    assert result.orders.shape == (20, 12)
    assert sum(d_top(adjacency, order) for order in result.orders) == 0
    # Descendants that are no children change too, so all edges are found and more besides.
    assert result.adjacency[adjacency].mean() > 0.9


def test_same_seed_same_orders(screen) -> None:
    first, second, third = (baselines.run("changes", screen[0], rng=k).orders for k in (1, 1, 2))
    np.testing.assert_array_equal(first, second)
    assert (first != third).any()


def test_without_effects_there_are_no_edges(screen) -> None:
    data, adjacency = screen
    rng = np.random.default_rng(0)
    values = rng.normal(size=data.values.shape)
    result = baselines.run(
        "changes", InterventionalData.from_arrays(values, data.targets, control=-1), rng=1
    )
    assert result.adjacency.sum() <= 2  # 132 null pairs at a false discovery rate of 5 %
    share = np.mean([d_top(adjacency, order) for order in result.orders]) / adjacency.sum()
    assert 0.3 < share < 0.7


@pytest.mark.parametrize("n_control, n_sample", [(1, 1), (10, 1), (40, 7), (100, 100)])
def test_exact_p_is_that_of_scipy(n_control: int, n_sample: int) -> None:
    rng = np.random.default_rng(n_control)
    tests = [
        ks_2samp(rng.normal(size=n_control), rng.normal(shift, size=n_sample), method="exact")
        for shift in (0, 0.3, 1, 3)
    ]
    statistic = np.array([test.statistic for test in tests])
    found = two_sample_p(statistic, n_control, n_sample)
    np.testing.assert_allclose(found, [test.pvalue for test in tests], rtol=1e-9)


def test_asymptotic_p_is_close_to_the_exact_one() -> None:
    rng = np.random.default_rng(0)
    tests = [
        ks_2samp(rng.normal(size=2000), rng.normal(shift, size=100), method="exact")
        for shift in (0, 0.1, 0.3, 0.5, 0.7)
    ]
    found = two_sample_p(np.array([test.statistic for test in tests]), 2000, 100)
    np.testing.assert_allclose(found, [test.pvalue for test in tests], rtol=0.1)


def test_discoveries_are_those_of_scipy() -> None:
    rng = np.random.default_rng(0)
    p_values = np.concatenate([rng.uniform(size=80), rng.uniform(size=20) ** 6])
    adjusted = false_discovery_control(p_values)
    np.testing.assert_array_equal(discoveries(p_values, 0.05), adjusted <= 0.05)
    assert discoveries(p_values, 0.05).any()
    assert not discoveries(np.array([0.3, 0.9]), 0.05).any()
    assert discoveries(np.zeros(0), 0.05).shape == (0,)


def test_the_stronger_of_two_opposite_edges_is_kept() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(300, 2))
    values[100:200, 1] += 3  # do(x0)
    values[200:, 0] += 0.8  # do(x1)
    data = InterventionalData.from_arrays(values, np.repeat([-1, 0, 1], 100), control=-1)
    result = baselines.run("changes", data)
    assert (result.orders == [0, 1]).all()
    assert result.status == "ok: 1 edge of 2 dropped because it closed a cycle"


def test_equal_p_go_by_the_statistic() -> None:
    rank = rank_by_evidence(np.array([[0.0, 0.0], [0.5, 0.1]]), np.array([[0.7, 0.9], [0.2, 0.3]]))
    assert rank.tolist() == [[2, 3], [0, 1]]


def test_targets_of_different_size_and_none_at_all() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(160, 3))
    values[100:150, 2] += 3  # 50 rows of do(x1), and one of do(x0) that says nothing
    targets = np.concatenate([np.full(100, -1), np.full(50, 1), [0], np.full(9, -1)])
    data = InterventionalData.from_arrays(values, targets, control=-1)
    assert np.argwhere(baselines.run("changes", data).adjacency).tolist() == [[1, 2]]
    data = InterventionalData(values=values, targets=np.full(160, -1), names=tuple("abc"))
    assert not baselines.run("changes", data).adjacency.any()


def test_refusals(screen) -> None:
    with pytest.raises(ValueError, match=r"level must lie between 0 and 1; got '1.5'"):
        baselines.run("changes", screen[0], level=1.5)
    values = np.random.default_rng(0).normal(size=(20, 2))
    treated = InterventionalData(values=values, targets=np.repeat([0, 1], 10), names=("a", "b"))
    with pytest.raises(ValueError, match="No row is a control"):
        baselines.run("changes", treated)
    values[0, 0] = np.nan
    data = InterventionalData.from_arrays(values, np.repeat([-1, 1], 10), missing="omit")
    with pytest.raises(ValueError, match="changes cannot take missing values"):
        baselines.run("changes", data)
