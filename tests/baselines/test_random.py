"""Random orders: uniform, from the seed alone."""

import numpy as np
import pytest

from intersort import baselines, d_top


def test_every_order_is_as_likely(clear_screen) -> None:
    data, adjacency = clear_screen
    orders = baselines.run("random", data, rng=1, n_orders=4000).orders
    places = np.argsort(orders, axis=1)
    # Mean place of a uniform order: 3.5, standard error 2.3 / √4000 = 0.036; bound at 4 of these.
    np.testing.assert_allclose(places.mean(axis=0), 3.5, atol=0.15)
    errors = np.mean([d_top(adjacency, order) for order in orders])
    assert errors == pytest.approx(adjacency.sum() / 2, abs=0.2)


def test_the_seed_decides_and_20_is_the_number(clear_screen) -> None:
    first, second, third = (
        baselines.run("random", clear_screen[0], rng=seed).orders for seed in (1, 1, 2)
    )
    assert first.shape == (20, 8)
    np.testing.assert_array_equal(first, second)
    assert (first != third).any()
