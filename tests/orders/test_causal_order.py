"""The result: what it derives, how it reads, when it calls itself optimal."""

from itertools import permutations

import numpy as np
import pytest

from intersort import CausalOrder, InputError, OrderScore, local_search
from intersort.orders.causal_order import as_order, bound_by_pairs
from intersort.scores.weight_matrix import as_order_score


def make_order(score=1.0, upper_bound=1.0, largest_weight=1.0, n=3):
    names = tuple("abcdefghijklmnopqrstuvwxyz"[:n])
    order = np.roll(np.arange(n), -1)
    return CausalOrder(order, score, names, upper_bound, "local_search", largest_weight)


def test_rank_is_the_inverse_of_the_order():
    result = make_order(n=4)
    np.testing.assert_array_equal(result.order[result.rank], np.arange(4))
    np.testing.assert_array_equal(result.rank, [3, 0, 1, 2])
    assert result.ordered_names == ("b", "c", "d", "a")


@pytest.mark.parametrize(
    ("below", "largest", "optimal"),
    [(0.0, 1.0, True), (0.9e-9, 1.0, True), (1.1e-9, 1.0, False), (1.1e-9, 2.0, True)],
)
def test_optimal_within_the_tolerance(below, largest, optimal):
    assert make_order(0.0, below, largest).is_optimal is optimal


def test_zero_weights_are_optimal():
    assert make_order(0.0, 0.0, 0.0).is_optimal


def test_frame_has_a_row_a_variable():
    frame = make_order().to_frame()
    assert list(frame.columns) == ["rank", "variable", "column"]
    assert frame.values.tolist() == [[1, "b", 1], [2, "c", 2], [3, "a", 0]]


def test_repr_says_what_is_known():
    assert repr(make_order()) == (
        "CausalOrder b → c → a\n  score 1, proven optimal, found by local_search"
    )
    assert "score 1, at most 2.5 (gap 60 %), found by" in repr(make_order(upper_bound=2.5))


def test_repr_of_many_variables_is_short():
    first_line = repr(make_order(n=26)).splitlines()[0]
    assert first_line == "CausalOrder b → c → d → e → f → g → … → w → x → y → z → a"


def test_an_order_is_taken_from_an_array_or_a_result():
    result = make_order()
    np.testing.assert_array_equal(as_order(result, 3), [1, 2, 0])
    np.testing.assert_array_equal(as_order([2, 0, 1], 3), [2, 0, 1])
    assert as_order(result, 3) is not result.order
    with pytest.raises(InputError, match="order of 4 variables"):
        as_order(result, 4)


def test_bound_is_never_below_the_best_order(draw):
    rng = np.random.default_rng(1)
    for _ in range(20):
        weights = draw(5, rng)
        score = as_order_score(weights)
        best = max(score.score(order) for order in permutations(range(5)))
        bound = bound_by_pairs(score)
        assert bound >= best - 1e-9 * score.largest_weight
        literal = np.triu(np.maximum(weights, weights.T)).sum()
        assert bound == pytest.approx(literal, rel=1e-12)


def test_bound_of_few_interventions_among_many_variables():
    rng = np.random.default_rng(2)
    intervened = np.sort(rng.choice(700, 300, replace=False))
    weights = rng.normal(size=(300, 700))
    weights[np.arange(300), intervened] = 0
    score = OrderScore(weights, intervened, tuple(map(str, range(700))))
    dense = score.to_dense()
    literal = np.triu(np.maximum(dense, dense.T)).sum()
    assert bound_by_pairs(score) == pytest.approx(literal, rel=1e-12)


def test_a_search_that_reaches_the_bound_is_proven():
    result = local_search([[0, 1.0, 1], [0, 0, 1], [0, 0, 0]], initial=[2, 1, 0])
    assert result.is_optimal
    cycle = local_search([[0, 1.0, 0], [0, 0, 1], [1, 0, 0]], initial=[0, 1, 2])
    assert not cycle.is_optimal
    assert cycle.upper_bound == 3.0
