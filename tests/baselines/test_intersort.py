"""The package's default as a rival: the estimator's order, and nothing to choose."""

import numpy as np
import pytest

from intersort import InputError, Intersort, baselines, d_top


def test_solves_what_shows(clear_screen) -> None:
    data, adjacency = clear_screen
    result = baselines.run("intersort", data, rng=1)
    assert d_top(adjacency, result.orders[0]) == 0
    assert (result.orders.shape, result.adjacency, result.status) == ((1, 8), None, "ok")


def test_is_the_estimator_with_its_defaults(clear_screen) -> None:
    data, _ = clear_screen
    fitted = Intersort(random_state=5).fit_data(data)
    np.testing.assert_array_equal(baselines.run("intersort", data, rng=5).orders[0], fitted.order_)


def test_same_seed_same_order_also_where_nothing_shows(cut_screen) -> None:
    first, second = (baselines.run("intersort", cut_screen[0], rng=2).orders for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_effort_is_checked(clear_screen) -> None:
    with pytest.raises(InputError, match="effort"):
        baselines.run("intersort", clear_screen[0], effort="enormous")


def test_needs_control_rows(screen_without_control) -> None:
    with pytest.raises(InputError, match="No row is a control"):
        baselines.run("intersort", screen_without_control)
