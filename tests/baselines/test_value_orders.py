"""Orders by one number per variable: sorted where they differ, shuffled where they tie."""

import numpy as np

from intersort.baselines.value_orders import result_by_value


def test_values_that_differ_give_one_order() -> None:
    result = result_by_value(np.array([0.3, -2.0, 7.0, 0.3001]), np.random.default_rng(0))
    assert (result.orders.tolist(), result.status) == ([[1, 0, 3, 2]], "ok")


def test_ties_are_shuffled_evenly_and_keep_their_place() -> None:
    values = np.array([5.0, 1.0, 1.0 + 1e-12, 9.0, 1.0, 0.0])
    rng = np.random.default_rng(1)
    orders = np.vstack([result_by_value(values, rng).orders for _ in range(100)])
    assert orders.shape == (2000, 6)
    assert (orders[:, 0] == 5).all()
    assert (orders[:, 4:] == [0, 3]).all()
    _, counts = np.unique(orders[:, 1:4], axis=0, return_counts=True)
    # Six arrangements, 333 each on average with sd 17.
    assert counts.size == 6
    assert abs(counts - 2000 / 6).max() < 70


def test_values_that_are_all_zero_tie() -> None:
    assert "3 of 3" in result_by_value(np.zeros(3), np.random.default_rng(0)).status
