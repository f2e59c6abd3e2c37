"""Control rows for rivals that look at nothing else."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from intersort import InputError, InterventionalData
from intersort.baselines.control_rows import control_rows

VALUES = np.array([[0.0, 1.0], [2.0, 0.0], [5.0, 5.0], [9.0, 9.0]])
TARGETS = np.array([-1, -1, 0, -2])


@pytest.mark.parametrize("make", [np.array, csr_array, np.float32], ids=["dense", "CSR", "32 bit"])
def test_takes_control_rows_alone(make) -> None:
    rows = control_rows(InterventionalData(make(VALUES), TARGETS, ("A", "B")), "r2_sort")
    assert rows.dtype == np.float64
    np.testing.assert_array_equal(rows, VALUES[:2])


def test_refuses_too_few() -> None:
    data = InterventionalData(VALUES, TARGETS, ("A", "B"))
    with pytest.raises(InputError, match=r"needs at least 3; the data have 2\. Mark more rows"):
        control_rows(data, "r2_sort", at_least=3)


def test_refuses_missing_values() -> None:
    values = VALUES.copy()
    values[1, 1] = np.nan
    with pytest.raises(InputError, match=r"r2_sort cannot take missing values.*'B'"):
        control_rows(InterventionalData(values, TARGETS, ("A", "B")), "r2_sort")
