"""Sorting by variance, against CausalDisco and by hand."""

import json
from pathlib import Path

import numpy as np
import pytest

from intersort import InputError, InterventionalData, baselines

FROZEN = json.loads(Path(__file__).with_name("frozen").joinpath("causaldisco.json").read_text())


@pytest.mark.parametrize("case", FROZEN["cases"], ids=lambda case: f"d={len(case['r2'])}")
def test_is_the_order_of_causaldisco(case, as_control) -> None:
    rows = np.array(case["rows"])
    assert baselines.run("var_sort", as_control(rows)).orders.tolist() == [case["variance_order"]]


def test_standardised_columns_all_tie_and_the_seed_decides(clear_screen) -> None:
    data, _ = clear_screen
    control = data.values[data.targets == -1]
    values = (data.values - control.mean(axis=0)) / control.std(axis=0)
    standardised = InterventionalData.from_arrays(values, data.targets, control=-1)
    first, second, third = (baselines.run("var_sort", standardised, rng=k) for k in (1, 1, 2))
    assert first.status == "ok: 8 of 8 variables are tied, in random order"
    assert first.orders.shape == (20, 8)
    np.testing.assert_array_equal(first.orders, second.orders)
    assert (first.orders != third.orders).any()


def test_needs_two_control_rows(screen_without_control) -> None:
    with pytest.raises(InputError, match=r"var_sort looks at control rows.*at least 2.*have 0"):
        baselines.run("var_sort", screen_without_control)
