"""Sorting by R², against CausalDisco, against least squares, and where columns are collinear."""

import json
from pathlib import Path

import numpy as np
import pytest

from intersort import InputError, InterventionalData, baselines
from intersort.baselines.r2_sort import explained_variance

FROZEN = json.loads(Path(__file__).with_name("frozen").joinpath("causaldisco.json").read_text())


@pytest.mark.parametrize("case", FROZEN["cases"], ids=lambda case: f"d={len(case['r2'])}")
def test_is_the_order_of_causaldisco(case, as_control) -> None:
    rows = np.array(case["rows"])
    np.testing.assert_allclose(explained_variance(rows), case["r2"], rtol=1e-10)
    assert baselines.run("r2_sort", as_control(rows)).orders.tolist() == [case["r2_order"]]


def test_scale_and_shift_of_columns_change_nothing(clear_screen) -> None:
    data, _ = clear_screen
    rng = np.random.default_rng(1)
    values = data.values * rng.uniform(0.01, 100, size=8) + rng.normal(size=8) * 1000
    other = InterventionalData.from_arrays(values, data.targets, control=-1)
    first, second = (baselines.run("r2_sort", screen, rng=1).orders for screen in (data, other))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("collinear", [False, True])
def test_is_the_r2_of_a_regression(collinear) -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(50, 5)) @ rng.normal(size=(5, 5)) + 10
    if collinear:
        rows = np.column_stack([rows, rows[:, 0] - 2 * rows[:, 3]])
    for j, found in enumerate(explained_variance(rows)):
        others = np.column_stack([np.ones(50), np.delete(rows, j, axis=1)])
        residual = rows[:, j] - others @ np.linalg.lstsq(others, rows[:, j])[0]
        assert found == pytest.approx(1 - residual.var() / rows[:, j].var(), abs=1e-9)


def test_collinear_columns_tie_and_a_constant_one_is_first(as_control) -> None:
    rng = np.random.default_rng(3)
    a, b, noise = rng.normal(size=(3, 30))
    rows = np.column_stack([a, 2 * a + 1, np.full(30, 7.0), a + b + noise, b])
    result = baselines.run("r2_sort", as_control(rows), rng=4)
    assert result.status == "ok: 2 of 5 variables are tied, in random order"
    assert (result.orders[:, 0] == 2).all()
    assert {tuple(order[-2:]) for order in result.orders.tolist()} == {(0, 1), (1, 0)}


def test_needs_more_rows_than_a_regression_fits_by_itself(as_control) -> None:
    rows = np.random.default_rng(5).normal(size=(6, 5))
    with pytest.raises(InputError, match=r"r2_sort looks at control rows.*at least 7.*have 6"):
        baselines.run("r2_sort", as_control(rows))
