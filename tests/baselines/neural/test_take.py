"""A screen as a problem: float32, dense, complete, of ten rows at least."""

import numpy as np
import pytest
from scipy import sparse

from intersort import InputError, InterventionalData
from intersort.baselines.neural.take import as_problem

VALUES = np.arange(24.0).reshape(12, 2) % 5
TARGETS = np.array([-1, 0, 1] * 4)
NAMES = ("a", "b")


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix, sparse.csc_array])
def test_any_table_is_taken(make):
    problem = as_problem(InterventionalData(make(VALUES), TARGETS, NAMES), "dcdi")
    np.testing.assert_array_equal(problem.values, VALUES)
    assert problem.values.dtype == np.float32
    assert problem.rows().tolist() == list(range(12))


def test_what_is_missing_in_unused_rows_is_nobodys_business():
    values, targets = np.vstack([VALUES, [[np.nan, 1.0]]]), np.append(TARGETS, -2)
    assert as_problem(InterventionalData(values, targets, NAMES), "dcdi").rows().size == 12
    with pytest.raises(InputError, match=r"pacer cannot take missing values\. Leave out the rows"):
        as_problem(InterventionalData(values, np.append(TARGETS, 0), NAMES), "pacer")


def test_rows_that_are_used_are_counted():
    targets = TARGETS.copy()
    targets[:2] = -2
    assert as_problem(InterventionalData(VALUES, targets, NAMES), "dcdi").rows().size == 10
    targets[2] = -2
    with pytest.raises(InputError, match=r"dcdi holds out a fifth .* 10; 9 are .*Give more rows\."):
        as_problem(InterventionalData(VALUES, targets, NAMES), "dcdi")
