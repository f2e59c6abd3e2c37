"""Local search, compiled, against the literal pseudo-code: the same moves, one by one."""

import numpy as np
import pytest

from intersort import InputError, OrderScore, local_search
from intersort.orders import local_search as module
from intersort.orders.local_search import search_moves
from intersort.orders.plain import local_search_plainly, score_plainly
from intersort.scores.weight_matrix import as_order_score


@pytest.fixture(params=["gains kept", "scanned"])
def either_way(request, monkeypatch):
    """Both ways of searching one move deep: few variables, and too many to keep the gains."""
    if request.param == "scanned":
        monkeypatch.setattr(module, "_GAINS_KEPT_UP_TO", 0)


def assert_same_moves(weights, initial, depth):
    found, moves = search_moves(as_order_score(weights), np.array(initial), depth)
    expected, expected_moves = local_search_plainly(weights, initial, depth)
    assert moves == expected_moves
    assert found.tolist() == expected


def test_the_literal_pseudo_code_move_for_move(draw, either_way):
    rng = np.random.default_rng(0)
    for d in range(2, 14):
        assert_same_moves(draw(d, rng), rng.permutation(d).tolist(), depth=1)


@pytest.mark.parametrize("d", [2, 3, 4, 5, 6, 7])
def test_two_moves_deep(draw, d):
    rng = np.random.default_rng(d)
    assert_same_moves(draw(d, rng), rng.permutation(d).tolist(), depth=2)


def test_three_moves_deep():
    rng = np.random.default_rng(3)
    weights = rng.normal(size=(4, 4))
    np.fill_diagonal(weights, 0)
    assert_same_moves(weights, [3, 1, 0, 2], depth=3)


def test_two_moves_escape_what_one_cannot():
    rng = np.random.default_rng(5)
    better = 0
    for _ in range(30):
        weights = rng.normal(size=(7, 7))
        one = local_search(weights, initial=np.arange(7))
        two = local_search(weights, initial=one, depth=2)
        assert two.score >= one.score
        better += two.score > one.score + 1e-6
    assert better


def test_a_block_of_few_interventions_is_searched_as_it_is(either_way):
    rng = np.random.default_rng(6)
    intervened = np.array([1, 4, 5])
    block = rng.normal(size=(3, 9))
    block[np.arange(3), intervened] = 0
    score = OrderScore(block, intervened, tuple("abcdefghi"))
    found, moves = search_moves(score, rng.permutation(9))
    rng = np.random.default_rng(6)
    rng.normal(size=(3, 9))
    expected, expected_moves = local_search_plainly(score.to_dense(), rng.permutation(9).tolist())
    assert moves == expected_moves
    assert found.tolist() == expected


def test_more_moves_than_one_call_makes(monkeypatch):
    rng = np.random.default_rng(7)
    weights = rng.normal(size=(30, 30))
    score = as_order_score(weights)
    expected, expected_moves = search_moves(score, np.arange(30))
    monkeypatch.setattr(module, "_MOVES_AT_ONCE", 7)
    found, moves = search_moves(score, np.arange(30))
    assert len(moves) > 50
    assert moves == expected_moves
    np.testing.assert_array_equal(found, expected)


def test_both_ways_agree_on_many_variables(monkeypatch):
    rng = np.random.default_rng(8)
    score = as_order_score(np.where(rng.random((60, 60)) < 0.1, 30.7, -0.3))
    kept = search_moves(score, np.arange(60))
    monkeypatch.setattr(module, "_GAINS_KEPT_UP_TO", 0)
    scanned = search_moves(score, np.arange(60))
    assert kept[1] == scanned[1]


def test_the_move_order_is_by_position_and_then_by_place():
    """Two moves improve: position 0 to the end comes before position 1 to the front."""
    weights = np.zeros((3, 3))
    weights[1, 0] = 1.0  # 1 wants to be before 0: (0, 1), (0, 2) or (1, 0) would do
    _, moves = search_moves(as_order_score(weights), np.array([0, 1, 2]))
    assert moves == [(0, 1)]


def test_a_gain_within_the_tolerance_is_none():
    weights = np.array([[0, 0.0, 0], [0.9e-9, 0, 0], [0, 1.0, 0]])
    assert search_moves(as_order_score(weights), np.array([2, 0, 1]))[1] == []
    weights[1, 0] = 1.1e-9
    assert search_moves(as_order_score(weights), np.array([2, 0, 1]))[1] == [(1, 2)]


def test_result_carries_its_evidence():
    weights = np.random.default_rng(9).normal(size=(8, 8))
    np.fill_diagonal(weights, 0)
    result = local_search(weights, initial=list(range(8)))
    assert result.method == "local_search"
    assert result.score == pytest.approx(score_plainly(weights, result.order), abs=1e-12)
    assert result.upper_bound >= result.score


def test_initial_is_an_array_or_a_result_and_stays_as_it_is():
    weights = np.random.default_rng(10).normal(size=(6, 6))
    initial = np.arange(6)
    first = local_search(weights, initial)
    again = local_search(weights, first)
    np.testing.assert_array_equal(initial, np.arange(6))
    np.testing.assert_array_equal(again.order, first.order)


def test_without_interventions_nothing_moves(either_way):
    score = OrderScore(np.zeros((0, 4)), np.zeros(0, dtype=np.int64), tuple("abcd"))
    result = local_search(score, [2, 0, 3, 1])
    assert result.order.tolist() == [2, 0, 3, 1]
    assert result.is_optimal


@pytest.mark.parametrize("depth", [0, -1, 1.5, "2", True])
def test_refuses_a_depth(depth):
    with pytest.raises(InputError, match="depth must be a whole number of moves, 1 or more"):
        local_search(np.zeros((3, 3)), [0, 1, 2], depth=depth)


def test_refuses_an_initial_order():
    with pytest.raises(InputError, match="exactly once"):
        local_search(np.zeros((3, 3)), [0, 1, 1])
