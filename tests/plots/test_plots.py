"""The figures: what they show is what the data say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import intersort

pytest.importorskip("matplotlib")


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import matplotlib as mpl

    mpl.use("agg")
    yield
    from matplotlib import pyplot

    pyplot.close("all")


@pytest.fixture
def effects() -> intersort.Effects:
    distance = np.array([[0, 2.0, 0.5], [0.1, 0, 1.5]])
    return intersort.Effects.from_matrix(distance, intervened=[0, 1], names=["a", "$b$", "<c>"])


def test_effects_against_the_order_are_negative(effects: intersort.Effects) -> None:
    image = intersort.plot_effects(effects, [1, 0, 2]).get_images()[0].get_array()
    assert image is not None
    # Rows b, a; columns b, a, c: a → b goes against this order, all others agree.
    assert np.isnan(image.filled(np.nan)[0, 0])
    np.testing.assert_allclose(image[0, 1:], [0.1, 1.5])
    np.testing.assert_allclose(image[1, [0, 2]], [-2.0, 0.5])


def test_plots_take_an_axes_and_return_it(effects: intersort.Effects) -> None:
    from matplotlib import pyplot

    _, ax = pyplot.subplots()
    result = intersort.find_order(intersort.score_orders(effects, 0.3))
    assert intersort.plot_effects(effects, result, ax=ax) is ax
    assert intersort.plot_order(result, effects, 0.3, ax=ax) is ax


def test_order_draws_each_pair_above_the_threshold(effects: intersort.Effects) -> None:
    result = intersort.find_order(intersort.score_orders(effects, 0.3))
    ax = intersort.plot_order(result, effects, 0.3)
    assert len(ax.patches) == 3
    assert ax.get_title().startswith("3 of 3 pairs")
    assert len(intersort.plot_order(result, effects, 1.0).patches) == 2


def test_names_are_never_read_as_mathematics(effects: intersort.Effects) -> None:
    ax = intersort.plot_effects(effects, [0, 1, 2])
    ax.figure.canvas.draw()
    assert ax.get_xticklabels()[1].get_text() == r"\$b\$"


def test_other_sizes_are_refused(effects: intersort.Effects) -> None:
    with pytest.raises(intersort.InputError, match="each of"):
        intersort.plot_effects(effects, [0, 1])
    result = intersort.find_order(np.zeros((4, 4)))
    with pytest.raises(intersort.InputError, match="both must be of the same data"):
        intersort.plot_order(result, effects, 0.3)


def test_without_intervened_variables(effects: intersort.Effects) -> None:
    empty = intersort.Effects.from_matrix(np.zeros((0, 3)), intervened=[])
    result = intersort.find_order(intersort.score_orders(empty, 0.3))
    intersort.plot_effects(empty, result)
    assert intersort.plot_order(result, empty, 0.3).get_title().startswith("0 of 0")
