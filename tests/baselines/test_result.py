"""What every rival returns, and what is refused as such."""

import numpy as np
import pytest

from intersort import InputError
from intersort.baselines import BaselineResult


def test_takes_lists_and_keeps_what_it_is_told() -> None:
    result = BaselineResult([[1, 0], [0, 1]], [[0, 1], [0, 0]], "ok: so so")
    assert (result.orders.dtype, result.orders.shape) == (np.int64, (2, 2))
    assert result.adjacency is not None
    assert result.adjacency.dtype == np.bool_
    assert result.status == "ok: so so"


def test_draws_no_graph_and_is_ok_by_default() -> None:
    result = BaselineResult([[0]])
    assert (result.adjacency, result.status) == (None, "ok")


@pytest.mark.parametrize(
    "orders", [[0, 1, 2], np.zeros((0, 3)), np.zeros((1, 0)), [[[0, 1]]]], ids=str
)
def test_refuses_what_has_no_order_a_row(orders) -> None:
    with pytest.raises(InputError, match="orders must have one order a row"):
        BaselineResult(orders)


@pytest.mark.parametrize("row", [[0, 0, 1], [1, 2, 3], [-1, 0, 1]], ids=str)
def test_refuses_what_is_no_permutation(row) -> None:
    with pytest.raises(InputError, match="Every order must hold each of 0 … 2 once"):
        BaselineResult([[2, 1, 0], row])


def test_refuses_a_graph_of_other_variables() -> None:
    with pytest.raises(InputError, match=r"adjacency has shape \(3, 3\).*have 2 variables"):
        BaselineResult([[0, 1]], np.zeros((3, 3)))
