"""The quick Fisher z against causal-learn's own."""

import numpy as np
import pytest

from intersort.baselines._fisher_z import NAME, register_fisher_z

cit = pytest.importorskip("causallearn.utils.cit")


def test_p_values_are_bit_by_bit_those_of_the_package():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 9)) @ rng.normal(size=(9, 9))
    quick, plain = cit.CIT(rows, register_fisher_z()), cit.CIT(rows, "fisherz")
    values = []
    for _ in range(300):
        x, y, *given = (int(k) for k in rng.choice(9, size=rng.integers(2, 8), replace=False))
        asked = quick(x, y, tuple(given))
        assert asked == plain(x, y, given) == quick(y, x, set(given))
        values.append(asked)
    assert min(values) < 1e-6
    assert max(values) > 0.9


def test_one_variable_twice_is_dependent_beyond_doubt():
    rows = np.random.default_rng(1).normal(size=(50, 3))
    rows[:, 2] = rows[:, 0] + 1e-9 * rows[:, 1]
    quick, plain = cit.CIT(rows, register_fisher_z()), cit.CIT(rows, "fisherz")
    assert quick(0, 2) == plain(0, 2) == 0
    assert quick(0, 1, None) == plain(0, 1, None)


def test_the_package_knows_it_under_our_name_alone():
    assert register_fisher_z() == register_fisher_z() == NAME
    assert type(cit.CIT(np.eye(5)[:, :2] + np.arange(5)[:, None], "fisherz")) is cit.FisherZ
