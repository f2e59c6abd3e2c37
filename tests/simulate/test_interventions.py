from __future__ import annotations

import numpy as np
import pytest

from intersort.simulate import FixedValue, FreshDraw, KnockOut, NormalDraw, Soft

NATURAL = np.random.default_rng(0).normal(3, 2, 20_000)


def test_values_that_are_set() -> None:
    rng = np.random.default_rng(1)
    assert set(FixedValue(-2.5).apply(NATURAL, rng)) == {-2.5}
    assert set(KnockOut().apply(NATURAL, rng)) == {0.0}


def test_fresh_draws_are_uniform_with_a_random_sign() -> None:
    values = FreshDraw(1, 5).apply(NATURAL, np.random.default_rng(1))
    sizes = np.abs(values)
    assert sizes.min() >= 1
    assert sizes.max() <= 5
    assert sizes.mean() == pytest.approx(3, abs=0.04)
    assert sizes.var() == pytest.approx(16 / 12, rel=0.04)
    assert values.mean() == pytest.approx(0, abs=0.1)  # E = 0: blind to mean shift


def test_normal_draws() -> None:
    values = NormalDraw(2, 1).apply(NATURAL, np.random.default_rng(1))
    assert values.mean() == pytest.approx(2, abs=0.04)
    assert values.std() == pytest.approx(1, rel=0.03)
    assert abs(np.corrcoef(values, NATURAL)[0, 1]) < 0.03


def test_soft_interventions_still_listen() -> None:
    values = Soft(scale=0.5, shift=1).apply(NATURAL, np.random.default_rng(1))
    np.testing.assert_allclose(values, 0.5 * NATURAL + 1)


@pytest.mark.parametrize("how", [FixedValue(1.0), KnockOut(), FreshDraw(), NormalDraw(), Soft(0.5)])
def test_what_was_given_is_not_changed(how: object) -> None:
    natural = NATURAL.copy()
    natural.flags.writeable = False
    how.apply(natural, np.random.default_rng(0))  # type: ignore[attr-defined]
    np.testing.assert_array_equal(natural, NATURAL)
