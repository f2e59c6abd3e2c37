"""Rows that no regression can be had from are refused before a rival starts."""

import numpy as np
import pytest

from intersort import InterventionalData, baselines

RIVALS = {"gies": {}, "igsp": {}, "pc": {"rows": "control"}, "permscore": {}}
TARGETS = np.repeat([-1, 0, 1], 20)


def screen(values: np.ndarray) -> InterventionalData:
    return InterventionalData(values, TARGETS[: len(values)], ("A", "B", "C"))


@pytest.fixture(params=RIVALS)
def run(request):
    if request.param != "igsp":
        pytest.importorskip({"pc": "causallearn"}.get(request.param, request.param))
    return lambda data: baselines.run(request.param, data, **RIVALS[request.param])


def test_constant_columns(run):
    values = np.random.default_rng(0).normal(size=(60, 3))
    values[:, 1] = 4.0
    with pytest.raises(ValueError, match=r"needs columns that vary; 'B' is the same in all \d+"):
        run(screen(values))


def test_columns_that_repeat_others(run):
    values = np.random.default_rng(0).normal(size=(60, 3))
    values[:, 2] = values[:, 0] - 2 * values[:, 1]
    with pytest.raises(ValueError, match=r"only 2 of 3 are independent.*that repeat others"):
        run(screen(values))


def test_too_few_rows(run):
    values = np.random.default_rng(0).normal(size=(6, 3))
    data = InterventionalData(values, np.array([-1, -1, 0, 0, 1, 1]), ("A", "B", "C"))
    with pytest.raises(ValueError, match=r"more rows than columns \+ 3; .* given \d rows of 3"):
        run(data)


def test_missing_values(run):
    values = np.random.default_rng(0).normal(size=(60, 3))
    values[0, 2] = np.nan
    with pytest.raises(ValueError, match="cannot take missing values; there are some in 'C'"):
        run(screen(values))
