from __future__ import annotations

import numpy as np
import pytest

from intersort import InputError
from intersort.simulate import add_count_noise, add_dropout, choose_off_targets

EXPRESSION = np.tile([0.0, 2.0, 30.0], (20_000, 1))


def test_counts_are_poisson_around_the_expression() -> None:
    counts = add_count_noise(EXPRESSION, depth=3)
    assert counts.dtype == np.int64
    assert (counts[:, 0] == 0).all()
    np.testing.assert_allclose(counts[:, 1:].mean(axis=0), [6, 90], rtol=0.02)
    np.testing.assert_allclose(counts[:, 1:].var(axis=0), [6, 90], rtol=0.05)


def test_depth_that_differs_between_cells_spreads_and_joins_the_counts() -> None:
    counts = add_count_noise(EXPRESSION, depth=3, cell_spread=0.5)
    mean, size_variance = 90, np.exp(0.25) - 1  # the sizes are log-normal with mean 1
    assert counts[:, 2].mean() == pytest.approx(mean, rel=0.02)
    assert counts[:, 2].var() == pytest.approx(mean + mean**2 * size_variance, rel=0.08)
    assert np.corrcoef(counts[:, 1], counts[:, 2])[0, 1] > 0.5
    alike = add_count_noise(EXPRESSION, depth=3)
    assert abs(np.corrcoef(alike[:, 1], alike[:, 2])[0, 1]) < 0.03


@pytest.mark.parametrize("share", [0.0, 0.1, 0.6])
@pytest.mark.parametrize("steepness", [0.0, 1.0, 4.0])
def test_dropout_loses_the_share_that_was_asked_for(share: float, steepness: float) -> None:
    table = np.random.default_rng(0).gamma(1.0, 5.0, (20_000, 3))
    lost = add_dropout(table, share=share, steepness=steepness) == 0
    assert lost.mean() == pytest.approx(share, abs=0.01)
    low = table < np.median(table)
    if share and steepness:
        assert lost[low].mean() > lost[~low].mean() + 0.03
    else:
        assert lost[low].mean() == pytest.approx(lost[~low].mean(), abs=0.01)
    kept = add_dropout(table, share=share, steepness=steepness)
    np.testing.assert_array_equal(kept[~lost], table[~lost])


def test_dropout_follows_its_formula() -> None:
    table = np.tile([1.0, 7.0], (40_000, 1))
    lost = (add_dropout(table, share=0.5, steepness=2) == 0).mean(axis=0)
    logit = np.log(lost / (1 - lost))
    assert logit[0] - logit[1] == pytest.approx(2 * (np.log(8) - np.log(2)), rel=0.05)


def test_what_was_given_is_not_changed() -> None:
    table = EXPRESSION[:50].copy()
    table.flags.writeable = False
    add_count_noise(table)
    add_dropout(table, share=0.5)
    np.testing.assert_array_equal(table, EXPRESSION[:50])


def test_bad_measurements_are_refused() -> None:
    with pytest.raises(InputError, match="1 of 2 are not, among them"):
        add_count_noise([[1.0, -1.0]])
    with pytest.raises(InputError, match="depth and cell_spread"):
        add_count_noise([[1.0]], depth=-1)
    with pytest.raises(
        InputError, match="Dropout that depends on the values needs values of 0 or more"
    ):
        add_dropout([[-1.0]], share=0.5, steepness=1)
    assert add_dropout([[-1.0]], share=0.0).tolist() == [[-1.0]]
    with pytest.raises(InputError, match="share must be at least 0 and below 1"):
        add_dropout([[1.0]], share=1.0)
    with pytest.raises(InputError, match="Off-targets need"):
        choose_off_targets(1, [0], share=0.5)
    with pytest.raises(InputError, match="Off-targets need"):
        choose_off_targets(5, [0], share=1.5)
