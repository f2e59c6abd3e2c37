"""Values on another scale."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from intersort import InputError, InterventionalData
from intersort.transform import transform_values

VALUES = np.array([[0.5, 1.5], [1.5, 0.25], [9.5, 4.5]])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_array])
def test_logarithms_of_dense_and_sparse_values_are_kept_read_only(form):
    data = InterventionalData.from_arrays(form(VALUES), [-1, -1, 0])
    values = transform_values(data, "log1p").values
    assert sparse.issparse(values) == sparse.issparse(data.values)
    dense = values.toarray() if sparse.issparse(values) else values
    np.testing.assert_array_equal(dense, np.log1p(VALUES))
    stored = values.data if sparse.issparse(values) else values
    assert not stored.flags.writeable


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_array])
def test_columns_that_have_no_logarithm_are_named(form):
    values = np.where(VALUES == 0.25, -2.0, VALUES)
    data = InterventionalData.from_arrays(form(values), [-1, -1, 0])
    with pytest.raises(InputError, match=r"values above -1; .*'x1' .the least value is -2"):
        transform_values(data, "log1p")
