"""SORTRANKING on shifts of the mean: what it solves, and what it is blind to."""

import numpy as np
import pytest

from intersort import InputError, InterventionalData, baselines, d_top


def test_solves_what_shows(clear_screen) -> None:
    data, adjacency = clear_screen
    assert d_top(adjacency, baselines.run("mean_shift", data, epsilon=0.3).orders[0]) == 0


def test_sorts_the_absolute_shifts_in_control_sd() -> None:
    # B and C move each other. In control sd C moves B by −3 and B moves C by 2, so C comes first;
    # in raw units B moves C by 8, and with signs C moves B by less than nothing.
    control = np.array([[-1.0, -1.0, -4.0], [1.0, 1.0, 4.0]])
    values = np.vstack([control, [[0.0, 9.0, 8.0]], [[0.0, -3.0, 99.0]]])
    data = InterventionalData(values, np.array([-1, -1, 1, 2]), ("A", "B", "C"))
    found = baselines.run("mean_shift", data, epsilon=0.3)
    np.testing.assert_array_equal(found.orders, [[0, 2, 1]])


def test_is_blind_to_a_change_of_spread() -> None:
    rng = np.random.default_rng(1)
    targets = np.repeat([-1, 1], [2000, 500])
    cause = rng.normal(size=2500) * np.where(targets == 1, 4.0, 1.0)
    values = np.column_stack([cause + rng.normal(size=2500), cause])
    data = InterventionalData(values, targets, ("effect", "cause"))
    assert baselines.run("sort_ranking", data, epsilon=0.3).orders.tolist() == [[1, 0]]
    assert baselines.run("mean_shift", data, epsilon=0.3).orders.tolist() == [[0, 1]]


def test_draws_nothing_and_needs_epsilon(cut_screen, screen_without_control) -> None:
    first, second = (
        baselines.run("mean_shift", cut_screen[0], epsilon=0.01, rng=k).orders for k in (1, 2)
    )
    np.testing.assert_array_equal(first, second)
    with pytest.raises(InputError, match="mean_shift needs epsilon"):
        baselines.run("mean_shift", cut_screen[0])
    with pytest.raises(InputError, match="No row is a control"):
        baselines.run("mean_shift", screen_without_control, epsilon=0.3)
