"""The paper's method as a rival: equal to the estimator's preset, and to its two halves."""

import numpy as np
import pytest

import intersort
from intersort import InputError, Intersort, baselines, d_top


def test_solves_what_shows(clear_screen) -> None:
    data, adjacency = clear_screen
    assert d_top(adjacency, baselines.run("intersort_paper", data, epsilon=0.3).orders[0]) == 0


def test_is_the_estimators_preset(clear_screen, cut_screen) -> None:
    # On the cut screen many pairs tie, so that every rule for ties has to be the same.
    for data, _ in (clear_screen, cut_screen):
        for epsilon in (0.05, 0.3):
            preset = Intersort.paper(epsilon=epsilon).fit_data(data)
            found = baselines.run("intersort_paper", data, epsilon=epsilon)
            np.testing.assert_array_equal(found.orders, [preset.order_])


@pytest.mark.parametrize(
    "settings", [{"c": 2.0}, {"depth": 2}, {"distance": "mean_shift"}], ids=lambda s: next(iter(s))
)
def test_every_setting_reaches_both_halves(cut_screen, settings) -> None:
    data, _ = cut_screen
    effects = intersort.measure_effects(data, settings.get("distance", "wasserstein"))
    c = settings.get("c", 0.5)
    score = intersort.score_orders(effects, 0.05, c)
    start = intersort.sort_ranking(effects, 0.05, c)
    expected = intersort.local_search(score, start, settings.get("depth", 1))
    found = baselines.run("intersort_paper", data, epsilon=0.05, **settings)
    np.testing.assert_array_equal(found.orders, [expected.order])
    assert expected.score > start.score


def test_draws_nothing(cut_screen) -> None:
    first, second = (
        baselines.run("intersort_paper", cut_screen[0], epsilon=0.05, rng=k).orders for k in (1, 2)
    )
    np.testing.assert_array_equal(first, second)


def test_epsilon_is_never_guessed(clear_screen, screen_without_control) -> None:
    with pytest.raises(InputError, match="intersort_paper needs epsilon"):
        baselines.run("intersort_paper", clear_screen[0])
    with pytest.raises(InputError, match="epsilon must be finite and not negative"):
        baselines.run("intersort_paper", clear_screen[0], epsilon=-1)
    with pytest.raises(InputError, match="No row is a control"):
        baselines.run("intersort_paper", screen_without_control, epsilon=0.3)
