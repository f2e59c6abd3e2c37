"""find_order: proven up to 12 variables, searched beyond, from a start that can be given."""

import numpy as np
import pytest

from intersort import Effects, ExactOrder, InputError, find_order, local_search, score_orders
from intersort import sort_ranking as rank_by_distance


def draw_matrix(d, seed=0):
    return np.random.default_rng(seed).normal(size=(d, d))


def test_proven_up_to_twelve_variables():
    assert isinstance(find_order(draw_matrix(12)), ExactOrder)
    assert find_order(draw_matrix(13)).method == "local_search"


def test_searches_from_initial():
    weights = draw_matrix(15)
    initial = np.random.default_rng(1).permutation(15)
    expected = local_search(weights, initial)
    np.testing.assert_array_equal(find_order(weights, initial=initial).order, expected.order)
    again = find_order(weights, initial=expected)
    np.testing.assert_array_equal(again.order, expected.order)


def test_starts_at_sort_ranking_of_the_positive_weights():
    """With one ε, weights above 0 fall as distances above ε do: the paper's own start."""
    rng = np.random.default_rng(2)
    distance = rng.gamma(0.3, size=(20, 20))
    effects = Effects.from_matrix(distance)
    start = rank_by_distance(effects, 0.3)
    score = score_orders(effects, 0.3)
    np.testing.assert_array_equal(find_order(score).order, local_search(score, start).order)


def test_the_diagonal_does_not_matter():
    weights = draw_matrix(15)
    filled = weights.copy()
    np.fill_diagonal(filled, 1e6)
    np.fill_diagonal(weights, 0)
    assert find_order(filled).score == find_order(weights).score


@pytest.mark.parametrize("d", [3, 15])
def test_refuses_an_initial_order(d):
    with pytest.raises(InputError, match=f"order of {d} variables"):
        find_order(draw_matrix(d), initial=[0, 1])


@pytest.mark.parametrize("d", [3, 15])
def test_without_interventions_every_order_is_optimal(d):
    nothing = Effects.from_matrix(
        np.zeros((0, d)), intervened=[], names=list("abcdefghijklmno"[:d])
    )
    result = find_order(score_orders(nothing, epsilon=0.3))
    assert result.order.tolist() == list(range(d))
    assert result.is_optimal
