"""Local search from a random order: a local optimum, another one from another start."""

import numpy as np
import pytest

import intersort
from intersort import InputError, baselines, d_top


def test_solves_what_shows(clear_screen) -> None:
    # The local optimum depends on the start: the best of five starts has no error, none has many.
    data, adjacency = clear_screen
    errors = [
        d_top(adjacency, baselines.run("local_search", data, epsilon=0.3, rng=seed).orders[0])
        for seed in range(5)
    ]
    assert min(errors) == 0
    assert max(errors) <= 2  # a random order has half of the edges, 6


def test_no_single_move_improves_it(cut_screen) -> None:
    data, _ = cut_screen
    score = intersort.score_orders(intersort.measure_effects(data), 0.05, 0.7)
    order = baselines.run("local_search", data, epsilon=0.05, c=0.7, rng=3).orders[0]
    for i in range(8):
        rest = np.delete(order, i)
        for j in range(8):
            assert score.score(np.insert(rest, j, order[i])) <= score.score(order) + 1e-9


def test_the_seed_decides_where_it_starts(cut_screen) -> None:
    orders = [
        baselines.run("local_search", cut_screen[0], epsilon=0.05, rng=seed).orders[0].tolist()
        for seed in (1, 1, 2, 3)
    ]
    assert orders[0] == orders[1]
    assert len({tuple(order) for order in orders}) > 1


def test_epsilon_is_never_guessed(clear_screen, screen_without_control) -> None:
    with pytest.raises(InputError, match="local_search needs epsilon"):
        baselines.run("local_search", clear_screen[0])
    with pytest.raises(InputError, match="No row is a control"):
        baselines.run("local_search", screen_without_control, epsilon=0.3)
