"""Rows for rivals: dense, complete, unused ones left out."""

import numpy as np
import pytest
from scipy import sparse

from intersort import InterventionalData
from intersort.baselines._rows import dense_rows

VALUES = np.array([[0.0, 1.5], [2.0, 0.0], [0.0, 0.0], [4.0, 5.0]])
TARGETS = np.array([-1, 0, -2, 1])


@pytest.mark.parametrize("make", [np.array, np.float32, sparse.csr_matrix, sparse.csc_array])
def test_unused_rows_are_left_out_of_any_table(make) -> None:
    data = InterventionalData(values=make(VALUES), targets=TARGETS, names=("a", "b"))
    values, targets = dense_rows(data, "pc")
    np.testing.assert_array_equal(values, VALUES[[0, 1, 3]])
    assert values.dtype == np.float64
    assert targets.tolist() == [-1, 0, 1]


def test_missing_values_are_refused_where_they_would_be_used() -> None:
    values = VALUES.copy()
    values[2] = np.nan
    data = InterventionalData(values=values, targets=TARGETS, names=("a", "b"))
    assert len(dense_rows(data, "pc")[0]) == 3
    values[0, 1] = np.nan
    with pytest.raises(ValueError, match="pc cannot take missing values; there are some in 'b'"):
        dense_rows(data, "pc")


def test_a_copy_that_does_not_fit_is_refused(monkeypatch) -> None:
    monkeypatch.setattr("intersort._memory.free_memory", lambda: 10)
    data = InterventionalData(values=sparse.csr_matrix(VALUES), targets=TARGETS, names=("a", "b"))
    with pytest.raises(ValueError, match="A dense copy of the rows, for pc, needs about 64 bytes"):
        dense_rows(data, "pc")
