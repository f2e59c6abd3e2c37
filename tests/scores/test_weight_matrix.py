"""A bare matrix as a score: what is taken, and one message for each thing that is not."""

import numpy as np
import pytest

from intersort import InputError, exact_order, find_order, local_search
from intersort.scores.weight_matrix import as_order_score


def test_the_diagonal_is_ignored_in_score_too():
    matrix = np.array([[np.nan, 2.0], [1.0, np.inf]])
    score = as_order_score(matrix)
    assert score.score([0, 1]) == 2.0
    assert score.score([1, 0]) == 1.0
    assert score.names == ("x0", "x1")
    assert np.isnan(matrix[0, 0])  # the input is never changed


@pytest.mark.parametrize(
    "matrix",
    [
        [[0, 2], [1, 0]],
        np.array([[0, 2], [1, 0]], dtype=np.int8),
        np.array([[False, True], [False, False]]),
        np.asfortranarray([[0, 2.0], [1, 0]]),
        np.array([[0, 2], [1, 0]], dtype=object),
        np.arange(16.0).reshape(4, 4)[::2, ::2],
    ],
    ids=["list", "int8", "bool", "fortran", "object", "strided"],
)
def test_every_kind_of_number_is_taken(matrix):
    weights = as_order_score(matrix).weights
    assert weights.dtype == np.float64
    assert weights.flags.c_contiguous
    expected = np.array(matrix, dtype=float)
    np.fill_diagonal(expected, 0)
    np.testing.assert_array_equal(weights, expected)


def test_a_score_is_taken_as_it_is():
    score = as_order_score([[0, 1], [2, 0]])
    assert as_order_score(score) is score


@pytest.mark.parametrize("find", [find_order, exact_order, lambda m: local_search(m, [0, 1])])
@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[0, 1, 2], [1, 0, 2]], r"must be square.*got shape \(2, 3\)"),
        ([0, 1], r"must be square.*got shape \(2,\)"),
        ([[0, 1], [2]], "must be square.*got list"),
        ("matrix", "must be square.*got str"),
        (None, "must be square.*got NoneType"),
        (np.zeros((0, 0)), "0 × 0 has nothing to order"),
        ([[1.0]], "1 × 1 has nothing to order"),
        ([["0", "1"], ["2", "0"]], "must hold numbers.*'0', '1', '2' and 1 more"),
        ([[0, None], [1, 0]], "must hold numbers.*'None'"),
        ([[0, 1j], [1, 0]], "must hold numbers"),
        ([[0, np.nan], [1, 0]], "must be finite; 1 of its entries are not: row 0, column 1"),
        ([[0, 1], [-np.inf, 0]], "row 1, column 0 holds -inf"),
        ([[0, 2**70], [1, 0]], r"1180591620717411303424' is beyond 2\^53"),
        ([[0, -(2**60)], [1, 0]], r"beyond 2\^53"),
        (np.array([[0, 2**64 - 1], [1, 0]], dtype=np.uint64), r"beyond 2\^53"),
        ([[0, 1e308], [1, 0]], "sum overflows"),
    ],
)
def test_refusals(find, matrix, message):
    with pytest.raises(InputError, match=message):
        find(matrix)
