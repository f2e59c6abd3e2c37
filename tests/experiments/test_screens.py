"""The data that all rivals see: one draw a dataset, targets that know nothing of the graph."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from experiments.screens import DOMAINS, FRACTIONS, Screen, draw, draw_population, screen_of

SMALL = {"n_control": 200, "n_per_target": 20}


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_screen_is_drawn_the_same_again(domain: str) -> None:
    screen = Screen(domain, 5, 1, 900_000, **SMALL)
    first = draw(screen)
    draw.cache_clear()
    np.testing.assert_array_equal(first.values, draw(screen).values)
    assert first.values.shape == (300, 5)


def test_a_cell_names_its_screen() -> None:
    for screen in (Screen("nn", 5, 1, 3), Screen("nn", 5, 1, 3, noise="laplace", effects=False)):
        assert screen_of(screen.cell | {"method": "pc", "fraction": 0.5}) == screen


def test_settings_that_share_a_graph_do() -> None:
    screens = [Screen("rff", 12, 2, 0, **more) for more in ({}, {"reading": "text"}, SMALL)]
    graphs = [draw_population(screen)[1] for screen in screens]
    assert (graphs[0] == graphs[1]).all()
    assert (graphs[0] == graphs[2]).all()
    assert (graphs[0] != draw_population(Screen("rff", 12, 2, 1))[1]).any()


def test_smaller_shares_of_targets_are_part_of_larger_ones() -> None:
    drawn = draw(Screen("linear", 12, 1, 900_000, **SMALL))
    chosen = [set(drawn.choose(fraction)) for fraction in FRACTIONS]
    assert [len(part) for part in chosen] == [3, 6, 9, 12]
    assert all(small < large for small, large in itertools.pairwise(chosen))
    assert set(drawn.take(drawn.choose(0.25)).intervened) == chosen[0]


def test_targets_know_nothing_of_the_graph() -> None:
    """Among those chosen, as many parents as anywhere: chosen by the order there would be fewer."""
    excess = []
    for repetition in range(150):
        drawn = draw(Screen("linear", 12, 2, 910_000 + repetition, n_control=5, n_per_target=1))
        n_parents = drawn.adjacency.sum(axis=0)
        excess.append(n_parents[drawn.choose(0.25)].mean() - n_parents.mean())
    error = np.std(excess) / np.sqrt(len(excess))
    assert abs(np.mean(excess)) < 3.3 * error


def test_values_are_standardised_on_control_rows_unless_told_otherwise() -> None:
    standard, raw, rescaled = (
        draw(Screen("linear", 6, 1, 900_000, scaling=scaling, **SMALL))
        for scaling in ("standardised", "raw", "rescaled")
    )
    control = standard.values[standard.targets == -1]
    np.testing.assert_allclose(control.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(control.std(axis=0), 1)
    units = rescaled.values[0] / standard.values[0]
    np.testing.assert_allclose(rescaled.values, standard.values * units)
    assert units.min() > 0.1
    assert units.max() < 10
    assert np.corrcoef(raw.values[:, 0], standard.values[:, 0])[0, 1] == pytest.approx(1)


def test_hidden_variables_are_not_shown() -> None:
    drawn = draw(Screen("linear", 6, 1, 900_000, hidden=3, **SMALL))
    assert drawn.values.shape[1] == 6 == len(drawn.adjacency)
    assert len(drawn.population.adjacency) == 9


@pytest.mark.parametrize("domain", DOMAINS)
def test_without_effects_nothing_moves_but_the_target_itself(domain: str) -> None:
    # "long": with the paper's sampler, cells of one simulation are alike whatever was done.
    sampler = "long" if domain == "gene_regulation" else "paper"
    cells = {"sampler": sampler, "n_control": 2000, "n_per_target": 400}
    cut, whole = (
        draw(Screen(domain, 6, 2, 900_001, effects=effects, **cells)) for effects in (False, True)
    )
    assert (cut.adjacency == whole.adjacency).all()
    assert not cut.population.adjacency.any()
    moved = {True: [], False: []}  # type: ignore[var-annotated]
    for drawn in (cut, whole):
        for i, j in np.argwhere(drawn.adjacency):
            rows = drawn.values[drawn.targets == i, j]
            moved[drawn is cut].append(abs(np.sort(rows) - _quantiles(drawn, j, 400)).mean())
    assert max(moved[True]) < 0.45  # the noise of 400 rows
    assert max(moved[False]) > 0.6


def _quantiles(drawn: object, column: int, n: int) -> np.ndarray:
    control = drawn.values[drawn.targets == -1, column]  # type: ignore[attr-defined]
    return np.quantile(control, (np.arange(n) + 0.5) / n)
