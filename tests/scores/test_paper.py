"""The paper's score: its weights, its sums, its warning and its refusals."""

import warnings

import numpy as np
import pytest

from intersort import (
    Effects,
    InputError,
    OrderScore,
    WeakBonusWarning,
    score_orders,
    sort_ranking,
)


@pytest.fixture
def effects():
    """Three variables, the first and the last intervened on."""
    return Effects.from_matrix(
        np.array([[9.0, 1.0, 0.2], [0.5, 0.4, 9.0]]), intervened=[0, 2], names=["a", "b", "c"]
    )


def test_weights_are_the_papers(effects):
    weights = score_orders(effects, epsilon=0.4, c=0.5).weights
    bonus = 0.5 * 3
    expected = [[0, 1.0 - 0.4 + bonus, 0.2 - 0.4], [0.5 - 0.4 + bonus, 0.4 - 0.4, 0]]
    np.testing.assert_allclose(weights, expected, rtol=0, atol=1e-15)


def test_each_pair_may_have_its_own_epsilon(effects):
    epsilon = np.array([[0.0, 1.0, 0.1], [0.6, 0.1, 0.0]])
    weights = score_orders(effects, epsilon=epsilon, c=1.0).weights
    expected = [[0, 0.0, 0.1 + 3], [-0.1, 0.3 + 3, 0]]
    np.testing.assert_allclose(weights, expected, rtol=0, atol=1e-15)


def test_score_adds_what_stands_first_before_second(effects):
    score = score_orders(effects, epsilon=0.4)
    dense = score.to_dense()
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]):
        expected = sum(dense[a, b] for k, a in enumerate(order) for b in order[k + 1 :])
        assert score.score(order) == pytest.approx(expected, abs=1e-12)


def test_dense_rows_of_variables_never_intervened_on_are_zero(effects):
    dense = score_orders(effects, epsilon=0.4).to_dense()
    assert dense.shape == (3, 3)
    assert not dense[1].any()
    assert not dense.diagonal().any()


def test_inputs_are_left_alone(effects):
    before = effects.distance.copy()
    epsilon = np.full((2, 3), 0.4)
    score_orders(effects, epsilon=epsilon)
    np.testing.assert_array_equal(effects.distance, before)
    assert (epsilon == 0.4).all()


def test_repr_counts_the_pairs(effects):
    assert repr(score_orders(effects, epsilon=0.4)) == (
        "OrderScore of 3 variables, 2 intervened on, 2 pairs with a positive weight"
    )


def test_without_interventions_every_order_scores_zero():
    nothing = Effects.from_matrix(np.zeros((0, 3)), intervened=[], names=["a", "b", "c"])
    score = score_orders(nothing, epsilon=0.3)
    assert score.score([2, 0, 1]) == 0.0
    assert score.largest_weight == 0.0


@pytest.mark.parametrize("d", [3, 4, 6, 11])
def test_warns_exactly_below_the_bonus_that_is_enough(d):
    effects = Effects.from_matrix(np.zeros((d, d)))
    enough = 1.5 * (d - 2) / d
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score_orders(effects, epsilon=1.5, c=enough)
    with pytest.warns(WeakBonusWarning, match=r"Take c of at least"):
        score_orders(effects, epsilon=1.5, c=enough * 0.999)


def test_the_c_that_the_warning_names_is_enough():
    effects = Effects.from_matrix(np.zeros((7, 7)))
    with pytest.warns(WeakBonusWarning) as caught:
        score_orders(effects, epsilon=1.2345, c=0.1)
    named = float(str(caught[0].message).rsplit(" ", 1)[1].rstrip("."))
    assert score_orders(effects, epsilon=1.2345, c=named).n_variables == 7


def test_the_largest_epsilon_of_a_pair_decides_the_warning():
    effects = Effects.from_matrix(np.zeros((4, 4)))
    epsilon = np.full((4, 4), 0.1)
    np.fill_diagonal(epsilon, 100.0)  # a variable's own column is no pair
    score_orders(effects, epsilon=epsilon)
    epsilon[2, 1] = 2.0
    with pytest.warns(WeakBonusWarning, match=r"c·d = 2 is below ε \(d − 2\) = 4"):
        score_orders(effects, epsilon=epsilon)


def test_the_warned_case_gives_up_a_pair_that_could_be_honoured():
    """FACTS: d = 6, D_01 just above ε; D_10, D_1k, D_k0 and some D_ab just below."""
    from intersort import exact_order

    distance = np.zeros((6, 6))
    distance[0, 1] = 1.0001
    distance[1, 0] = 0.9999
    distance[1, 2:] = 0.9999
    distance[2:, 0] = 0.9999
    distance[np.triu_indices(6, 3)] = np.maximum(distance[np.triu_indices(6, 3)], 0.0)
    for a in range(2, 6):
        distance[a, a + 1 :] = 0.9999
    effects = Effects.from_matrix(distance)
    with pytest.warns(WeakBonusWarning):
        weak = exact_order(score_orders(effects, epsilon=1.0, c=0.9 * 4 / 6))
    strong = exact_order(score_orders(effects, epsilon=1.0, c=4 / 6))
    assert weak.rank[0] > weak.rank[1]
    assert strong.rank[0] < strong.rank[1]


@pytest.mark.parametrize(
    ("epsilon", "message"),
    [
        (-0.1, "finite and not negative"),
        (np.nan, "finite and not negative"),
        ("high", "must be a number such as 0.3"),
        (np.zeros((3, 3)), r"array of shape \(2, 3\), one per pair; got shape \(3, 3\)"),
    ],
)
def test_refuses_an_epsilon(effects, epsilon, message):
    with pytest.raises(InputError, match=message):
        score_orders(effects, epsilon=epsilon)


@pytest.mark.parametrize("c", [-1, np.inf, "much", None])
def test_refuses_a_c(effects, c):
    with pytest.raises(InputError, match="c must be a finite number that is not negative"):
        score_orders(effects, epsilon=0.3, c=c)


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 1], [0.0, 1.0, 2.0], ["a", "b", "c"]])
def test_refuses_what_is_no_order(effects, order):
    with pytest.raises(InputError, match="exactly once"):
        score_orders(effects, epsilon=0.3).score(order)


def test_refuses_weights_of_another_shape():
    with pytest.raises(InputError, match=r"shape \(1, 2\); got shape \(2, 2\)"):
        OrderScore(np.zeros((2, 2)), np.array([0]), ("a", "b"))
    with pytest.raises(InputError, match="own column never counts"):
        OrderScore(np.ones((1, 2)), np.array([0]), ("a", "b"))


def test_a_bare_matrix_in_place_of_effects_is_refused():
    with pytest.raises(InputError, match=r"score_orders needs effects, not 'list'; .*from_matrix"):
        score_orders([[0, 1], [1, 0]], 0.3)


@pytest.mark.parametrize("make", [score_orders, sort_ranking])
def test_weights_whose_sum_overflows_are_refused(make):
    effects = Effects.from_matrix([[0, 1.7e308], [1.7e308, 0]])
    with pytest.raises(InputError, match=r"up to 1.7e\+308\) that their sum overflows.*in data"):
        make(effects, 0.3)
    with pytest.raises(InputError, match="sum overflows"):
        OrderScore(np.array([[0, 1e308], [0, 0]]), np.array([0, 1]), ("a", "b"))


def test_names_of_a_score_are_checked():
    with pytest.raises(InputError, match=r"'b\\u202e', holds U\+202E"):
        OrderScore(np.zeros((1, 2)), np.array([0]), ("a", "b\u202e"))


def test_a_result_is_scored_as_its_order(effects):
    score = score_orders(effects, epsilon=0.4)
    result = sort_ranking(effects, epsilon=0.4)
    assert score.score(result) == score.score(result.order) == result.score
