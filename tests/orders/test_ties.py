"""Ties against enumeration: what is forced, what reversals cost, and orders drawn."""

from itertools import permutations

import numpy as np
import pytest

from intersort import InputError, Knowledge, OrderScore, exact_order, find_order, local_search, ties
from intersort.orders import ties as module
from intersort.orders.knowledge import required_pairs
from intersort.orders.ties import walk_from


def reversal_costs(weights, required=None):
    """Costs, tolerance and optimal orders by enumeration."""
    d = len(weights)
    orders = np.array(list(permutations(range(d))))
    ahead = np.argsort(orders, axis=1)[:, :, None] < np.argsort(orders, axis=1)[:, None, :]
    if required is not None:
        legal = ~(ahead & required.T).any(axis=(1, 2))
        orders, ahead = orders[legal], ahead[legal]
    scores = (ahead * weights).sum(axis=(1, 2))
    best = np.array(
        [[scores[ahead[:, b, a]].max(initial=-np.inf) for b in range(d)] for a in range(d)]
    )
    costs = scores.max() - best
    np.fill_diagonal(costs, 0)
    tolerance = 1e-9 * abs(weights).max()
    return costs, tolerance, orders[scores >= scores.max() - tolerance]


def draw_known(d, rng):
    hidden = rng.permutation(d)
    pairs = [
        (hidden[i], hidden[j]) for i in range(d) for j in range(i + 1, d) if rng.random() < 0.2
    ]
    return Knowledge(before=pairs)


def longest_chain_above(forced, v):
    above = np.flatnonzero(forced[:, v])
    return 1 + max(longest_chain_above(forced, u) for u in above) if above.size else 0


def test_enumeration(draw):
    rng = np.random.default_rng(0)
    for d in (2, 3, 4, 5, 6):
        weights = draw(d, rng)
        for known in (None, draw_known(d, rng)):
            required = required_pairs(known, [f"x{v}" for v in range(d)])
            costs, tolerance, optimal = reversal_costs(weights, required)
            order = exact_order(weights, knowledge=known)
            found = ties(weights, order, knowledge=known)
            np.testing.assert_array_equal(np.isinf(found.cost_least), np.isinf(costs))
            finite = np.isfinite(costs)
            np.testing.assert_allclose(found.cost_least[finite], costs[finite], atol=tolerance)
            np.testing.assert_array_equal(found.cost_most, found.cost_least)
            rank = np.argsort(optimal, axis=1)
            in_all = (rank[:, :, None] < rank[:, None, :]).all(axis=0)
            np.testing.assert_array_equal(found.forced, in_all)
            assert found.levels.tolist() == [longest_chain_above(in_all, v) for v in range(d)]
            assert (found.order == order.order).all()
            assert (found.shortfall, found.gap) == (0, 0)
            drawn = {tuple(row) for row in found.sample(30 * len(optimal)).tolist()}
            assert drawn == {tuple(row) for row in optimal.tolist()} or len(optimal) > 200


def test_eight_variables_by_enumeration():
    rng = np.random.default_rng(1)
    weights = np.where(rng.random((8, 8)) < 0.25, 4.7, -0.3)
    weights[rng.random(8) < 0.5] = 0.0
    np.fill_diagonal(weights, 0)
    costs, tolerance, optimal = reversal_costs(weights)
    assert len(optimal) > 1
    found = ties(weights, exact_order(weights))
    np.testing.assert_allclose(found.cost_least, costs, atol=tolerance)


def test_twenty_variables_are_exact():
    rng = np.random.default_rng(2)
    hidden = rng.permutation(20)
    weights = np.zeros((20, 20))
    weights[hidden[:-1], hidden[1:]] = np.arange(1.0, 20.0)  # a chain of growing weights
    found = ties(weights, hidden)
    inside = found.cost_least[np.ix_(hidden, hidden)]
    expected = np.array([[i + 1 if i < j else 0 for j in range(20)] for i in range(20)])
    np.testing.assert_allclose(inside, expected)  # the weakest link between the two
    assert found.levels[hidden].tolist() == list(range(20))


def test_another_tolerance():
    weights = np.array([[0, 1.0, 0], [0.9, 0, 0], [0, 0, 0]])
    assert ties(weights, [0, 1, 2]).forced[0, 1]
    loose = ties(weights, [0, 1, 2], 0.2)
    assert not loose.forced.any()
    assert loose.tolerance == pytest.approx(0.2)
    assert len({tuple(row) for row in loose.sample(200).tolist()}) == 6
    assert loose.cost_least[0, 1] == pytest.approx(0.1)


def test_an_order_that_is_not_the_best():
    weights = np.array([[0, 3.0, 0], [0, 0, 2], [1, 0, 0]])
    found = ties(weights, [2, 1, 0])
    assert found.order.tolist() == [0, 1, 2]
    assert found.shortfall == pytest.approx(4)
    np.testing.assert_allclose(found.cost_least, ties(weights, [0, 1, 2]).cost_least)


def test_nothing_is_forced_where_nothing_is_known():
    score = OrderScore(np.zeros((0, 6)), np.zeros(0, dtype=np.int64), tuple("abcdef"))
    found = ties(score, [5, 4, 3, 2, 1, 0])
    assert not found.forced.any()
    assert found.tied.sum() == 30
    assert found.groups == (tuple("fedcba"),)
    assert "0 of 15 pairs forced, 15 tied\n  level 1: f e d c b a" in repr(found)


# --- beyond twenty variables --------------------------------------------------------------------


@pytest.fixture
def bracketed(monkeypatch):
    """Treat every number of variables as too many for the exact way."""
    from intersort.orders.reversals import bracket

    monkeypatch.setattr(module, "MOST_VARIABLES_EXACT", 1)
    return lambda up_to: monkeypatch.setattr(bracket, "_EXACT_UP_TO", up_to)


@pytest.mark.parametrize("exact_up_to", [1, 4])
def test_bounds_enclose_the_true_costs(draw, bracketed, exact_up_to):
    rng = np.random.default_rng(3)
    bracketed(exact_up_to)
    n_forced = n_found = 0
    for trial in range(40):
        d = int(rng.integers(2, 7))
        weights = draw(d, rng)
        known = draw_known(d, rng) if trial % 3 == 0 else None
        required = required_pairs(known, [f"x{v}" for v in range(d)])
        costs, tolerance, optimal = reversal_costs(weights, required)
        start = rng.permutation(d) if known is None else exact_order(-weights, knowledge=known)
        found = ties(weights, start, knowledge=known, effort="low")
        assert (found.cost_least <= costs + tolerance).all()
        assert (found.cost_most >= costs - tolerance).all()
        forced = costs > tolerance
        assert not (found.forced & ~forced).any()
        assert not ((found.forced.astype(int) @ found.forced) > 0)[~found.forced].any()
        n_forced += forced.sum()
        n_found += found.forced.sum()
        drawn = {tuple(row) for row in found.sample(20).tolist()}
        if found.gap == 0:
            assert drawn <= {tuple(row) for row in optimal.tolist()}
    assert n_found >= 0.9 * n_forced


def test_many_variables_with_a_known_answer():
    """Three circles in a row: the circles are forced, and each may be cut open anywhere."""
    weights = np.zeros((24, 24))
    for block in range(3):
        members = 8 * block + np.arange(8)
        weights[members, np.roll(members, -1)] = 1.0
        weights[np.ix_(members, np.arange(8 * block + 8, 24))] = 0.5
    found = ties(weights, local_search(weights, np.arange(24)))
    block = np.arange(24) // 8
    np.testing.assert_array_equal(found.forced, block[:, None] < block[None, :])
    assert found.gap == 0
    assert found.levels.tolist() == (block).tolist()
    inside = block[:, None] == block[None, :]
    assert (found.cost_most[inside] == 0).all()  # any link of a circle may be the broken one
    drawn = found.sample(60)
    first = drawn[:, :8]
    assert len({tuple(row) for row in first.tolist()}) == 8
    assert (np.sort(first, axis=1) == np.arange(8)).all()


def test_thirty_variables_in_its_time_and_like_themselves():
    rng = np.random.default_rng(4)
    weights = np.where(rng.random((30, 30)) < 0.1, 15.7, -0.3)
    weights[rng.random(30) < 0.5] = 0.0
    order = find_order(weights).order
    one = ties(weights, order, effort="low")
    two = ties(weights, order, effort="low", n_jobs=2)
    for name in ("forced", "cost_least", "cost_most", "levels", "order"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    assert one.forced.any()
    np.testing.assert_array_equal(one.sample(4), two.sample(4, rng=0))
    assert not np.array_equal(one.sample(4), one.sample(4, rng=1))


def test_an_upper_bound_that_comes_along_closes_the_gap():
    rng = np.random.default_rng(5)
    weights = rng.normal(size=(30, 30))
    order = local_search(weights, np.arange(30))
    bare = ties(weights, order, effort="low")
    best = weights[np.ix_(bare.order, bare.order)]
    bound = np.triu(best, 1).sum() + 0.5 * bare.gap
    told = ties(weights, order, upper_bound=bound, effort="low")
    assert bare.gap > 0
    assert told.gap == pytest.approx(bare.gap / 2)
    np.testing.assert_array_equal(told.forced, bare.forced)


def test_walks_reach_each_optimal_order_as_often():
    weights = np.zeros((5, 5))
    weights[0, 1] = weights[2, 3] = weights[0, 3] = 1.0
    _, tolerance, optimal = reversal_costs(weights)
    drawn = walk_from((optimal[0],), weights, None, 5000, tolerance=tolerance)
    found, counts = np.unique(drawn, axis=0, return_counts=True)
    np.testing.assert_array_equal(found, optimal)
    chi_square = ((counts - 200) ** 2 / 200).sum()
    assert chi_square < 51.2  # the 99.9 % quantile at 24 degrees of freedom
    known = np.zeros((5, 5), dtype=bool)
    known[4, 0] = True
    start = np.array([4, 0, 1, 2, 3])
    drawn = walk_from((start,), weights, known, 200, tolerance=tolerance)
    rank = np.argsort(drawn, axis=1)
    assert (rank[:, 4] < rank[:, 0]).all()


# --- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tolerance": -1}, "tolerance must be a number that is not negative"),
        ({"tolerance": np.nan}, "tolerance must be a number"),
        ({"tolerance": "x"}, "tolerance must be a number"),
        ({"effort": "more"}, "effort must be one of low, normal, high; got 'more'"),
        ({"knowledge": Knowledge(before=[(2, 0)])}, "The initial order breaks what is known"),
    ],
)
def test_refuses(arguments, message):
    with pytest.raises(InputError, match=message):
        ties(np.zeros((3, 3)), [0, 1, 2], **arguments)


def test_refuses_too_many_variables_and_numbers_of_samples():
    score = OrderScore(
        np.zeros((0, 2001)), np.zeros(0, dtype=np.int64), tuple(map(str, range(2001)))
    )
    with pytest.raises(InputError, match="up to 2,000 variables, and these are 2,001"):
        ties(score, np.arange(2001))
    with pytest.raises(InputError, match="n must be a whole number of orders"):
        ties(np.zeros((2, 2)), [0, 1]).sample(-1)
