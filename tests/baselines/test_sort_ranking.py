"""SORTRANKING as a rival, with a screen whose effects were cut as its negative control."""

import numpy as np
import pytest

import intersort
from intersort import InputError, baselines, d_top


def test_solves_what_shows_and_not_what_was_cut(clear_screen, cut_screen) -> None:
    data, adjacency = clear_screen
    result = baselines.run("sort_ranking", data, epsilon=0.3)
    assert d_top(adjacency, result.orders[0]) == 0
    assert d_top(adjacency, baselines.run("sort_ranking", cut_screen[0], epsilon=0.3).orders[0]) > 1


def test_is_sort_ranking_of_the_wasserstein_distances(cut_screen) -> None:
    data, _ = cut_screen
    expected = intersort.sort_ranking(intersort.measure_effects(data), 0.05)
    for seed in (1, 2):
        found = baselines.run("sort_ranking", data, epsilon=0.05, rng=seed)
        np.testing.assert_array_equal(found.orders, [expected.order])


def test_epsilon_is_never_guessed(clear_screen, screen_without_control) -> None:
    with pytest.raises(InputError, match="sort_ranking needs epsilon"):
        baselines.run("sort_ranking", clear_screen[0])
    with pytest.raises(InputError, match="No row is a control"):
        baselines.run("sort_ranking", screen_without_control, epsilon=0.3)
