"""The memetic search: against the optimum, local search and required pairs; and its budget."""

import itertools

import numpy as np
import pytest

from intersort import exact_order, local_search
from intersort.orders import _memetic_kernels as kernels
from intersort.orders import memetic
from intersort.orders.memetic import Budget, net_weights, round_to_exact, search_memetically
from intersort.scores.paper import OrderScore
from intersort.scores.weight_matrix import as_order_score


def search(score, initial, work=300_000, rng=0, before=None):
    """All steps of a search that may do some work."""
    budget = Budget(work)
    return list(search_memetically(score, initial, budget=budget, rng=rng, before=before))


@pytest.fixture
def by_stretches(monkeypatch):
    """Make the search work on short stretches only, as it does where there are many variables."""
    monkeypatch.setattr(memetic, "_WHOLE_UP_TO", 1)
    monkeypatch.setattr(memetic, "_STRETCH", 30)
    monkeypatch.setattr(memetic, "_WORK_OF_FIRST_ROUND", 20_000)


def random_order_of_pairs(d, rng):
    """A transitively closed relation that some order honours, and such an order."""
    order = rng.permutation(d)
    before = np.zeros((d, d), dtype=bool)
    for i, j in itertools.combinations(order, 2):
        before[i, j] = rng.random() < 0.2
    for middle in range(d):
        before |= np.outer(before[:, middle], before[middle])
    return before, order


def honours(order, before):
    rank = np.argsort(order)
    return np.all(rank[:, None][before.nonzero()[0], 0] < rank[before.nonzero()[1]])


# --- the search ---------------------------------------------------------------------------------


def test_reaches_the_optimum_of_small_matrices(draw):
    rng = np.random.default_rng(0)
    for d in (2, 3, 5, 8, 11):
        weights = draw(d, rng)
        found = search(as_order_score(weights), rng.permutation(d))[-1]
        margin = 1e-9 * abs(weights).max()
        assert found.score >= exact_order(weights).score - margin


@pytest.mark.parametrize("d", [15, 40, 70])
def test_never_worse_than_local_search_from_the_same_start(draw, d):
    rng = np.random.default_rng(d)
    score, initial = as_order_score(draw(d, rng)), rng.permutation(d)
    margin = 1e-9 * score.largest_weight
    found = search(score, initial, work=5_000_000)[-1]
    assert found.score >= local_search(score, initial).score - margin


@pytest.mark.usefixtures("by_stretches")
def test_stretches_lose_nothing_that_insertions_found(draw):
    rng = np.random.default_rng(1)
    score, initial = as_order_score(draw(45, rng)), rng.permutation(45)
    settled = initial.copy()
    none = np.zeros((0, 0), dtype=bool)
    memetic._settle(score, settled, Budget(), np.random.default_rng(0), none)
    found = search(score, initial, work=5_000_000)[-1]
    assert found.score >= score.score(settled) - 1e-9 * score.largest_weight


@pytest.mark.usefixtures("by_stretches")
def test_stretches_add_to_insertions():
    rng = np.random.default_rng(1)
    score, initial = as_order_score(rng.normal(size=(90, 90))), rng.permutation(90)
    settled = search(score, initial)[1]
    assert search(score, initial, work=5_000_000)[-1].score > settled.score


def test_starts_at_the_given_order_and_only_rises():
    rng = np.random.default_rng(2)
    score, initial = as_order_score(rng.normal(size=(60, 60))), rng.permutation(60)
    steps = search(score, initial, work=2_000_000)
    np.testing.assert_array_equal(steps[0].order, initial)
    assert len(steps) > 2
    for earlier, later in itertools.pairwise(steps):
        assert later.score > earlier.score
        assert later.work >= earlier.work
    for step in steps:
        assert step.score == score.score(step.order)


def test_more_work_finds_more():
    rng = np.random.default_rng(3)
    score, initial = as_order_score(rng.integers(0, 100, size=(120, 120))), np.arange(120)
    little, much = (search(score, initial, work)[-1].score for work in (10**6, 3 * 10**7))
    assert much > little


def test_equal_seeds_agree_and_others_need_not():
    rng = np.random.default_rng(4)
    score, initial = as_order_score(rng.normal(size=(90, 90))), rng.permutation(90)
    first, again, other = (search(score, initial, 10**6, seed) for seed in (5, 5, 6))
    assert [step.score for step in first] == [step.score for step in again]
    np.testing.assert_array_equal(first[-1].order, again[-1].order)
    assert [step.score for step in first] != [step.score for step in other]


def test_an_optimal_start_stays():
    score = as_order_score(np.triu(np.ones((20, 20)), 1))
    steps = search(score, np.arange(20))
    assert len(steps) == 1


def test_rows_without_intervention():
    rng = np.random.default_rng(5)
    weights = rng.normal(size=(3, 9))
    intervened = np.array([1, 4, 8])
    weights[np.arange(3), intervened] = 0
    score = OrderScore(weights, intervened, tuple("abcdefghi"))
    found = search(score, np.arange(9))[-1]
    np.testing.assert_allclose(found.score, exact_order(score).score, rtol=1e-12)


def test_one_variable_and_nobody_intervened_on():
    one = OrderScore(np.zeros((1, 1)), np.array([0]), ("a",))
    assert len(search(one, np.array([0]))) == 1
    none = OrderScore(np.zeros((0, 4)), np.array([], dtype=int), tuple("abcd"))
    assert len(search(none, np.arange(4))) == 1


def test_the_start_is_not_changed():
    initial = np.arange(10)[::-1].copy()
    initial.flags.writeable = False
    search(as_order_score(np.triu(np.ones((10, 10)), 1)), initial)
    np.testing.assert_array_equal(initial, np.arange(10)[::-1])


# --- required pairs -----------------------------------------------------------------------------


def test_required_pairs_hold_at_every_step():
    rng = np.random.default_rng(6)
    for d in (5, 20, 60):
        before, initial = random_order_of_pairs(d, rng)
        score = as_order_score(rng.normal(size=(d, d)))
        steps = search(score, initial, before=before)
        assert all(honours(step.order, before) for step in steps)


@pytest.mark.usefixtures("by_stretches")
def test_required_pairs_hold_in_stretches():
    rng = np.random.default_rng(7)
    before, initial = random_order_of_pairs(40, rng)
    steps = search(as_order_score(rng.normal(size=(40, 40))), initial, before=before)
    assert len(steps) > 1
    assert all(honours(step.order, before) for step in steps)


def test_optimum_under_required_pairs_equals_brute_force(draw):
    rng = np.random.default_rng(8)
    for _ in range(5):
        before, initial = random_order_of_pairs(6, rng)
        score = as_order_score(draw(6, rng))
        legal = (np.array(order) for order in itertools.permutations(range(6)))
        best = max(score.score(order) for order in legal if honours(order, before))
        found = search(score, initial, work=50_000, before=before)[-1]
        assert found.score >= best - 1e-9 * score.largest_weight


# --- the budget ---------------------------------------------------------------------------------


def test_work_is_kept_to():
    score = as_order_score(np.random.default_rng(9).normal(size=(50, 50)))
    budget = Budget(work=500_000)
    list(search_memetically(score, np.arange(50), budget=budget))
    assert 500_000 <= budget.work_done < 550_000


def test_time_ends_the_search_at_the_next_look_at_the_clock():
    ticks = itertools.count()
    budget = Budget(deadline=60.0, clock=lambda: float(next(ticks)))
    score = as_order_score(np.random.default_rng(10).normal(size=(30, 30)))
    list(search_memetically(score, np.arange(30), budget=budget))
    assert 60 <= next(ticks) < 70


def test_no_time_at_all_gives_the_start():
    budget = Budget(deadline=0.0, clock=lambda: 1.0)
    score = as_order_score(np.tril(np.ones((30, 30))))
    steps = list(search_memetically(score, np.arange(30), budget=budget))
    assert steps[-1].score == 0.0


def test_without_a_limit_it_goes_on_until_the_caller_stops():
    score = as_order_score(np.random.default_rng(11).normal(size=(25, 25)))
    steps = search_memetically(score, np.arange(25), budget=Budget())
    assert next(steps).score < next(steps).score


def test_parts_of_a_budget_end_with_it():
    budget = Budget(work=100)
    half = budget.until(0.5)
    half.spend(30)
    assert (half.share_spent(), budget.share_spent()) == (0.6, 0.3)
    assert not half.is_spent()
    budget.spend(70)
    assert half.is_spent()


# --- kernels ------------------------------------------------------------------------------------


def pad(net):
    d = len(net)
    padded = np.zeros((d + 1, 8 * -(-d // 8)))
    padded[:d, :d] = net
    return padded


def test_screened_gains_are_the_best_insertions():
    rng = np.random.default_rng(12)
    for d in (2, 7, 8, 9, 30):
        weights = rng.integers(-9, 10, size=(d, d)).astype(float)
        net = pad(weights - weights.T)
        order = np.full(net.shape[1], d)
        order[:d] = rng.permutation(d)
        sums, near = np.zeros((3, net.shape[1])), np.zeros(net.shape[1], dtype=np.int64)
        kernels.screen(net, order, d, sums, near)
        for place in range(d):
            moved = order[:d].tolist()
            u = moved.pop(place)
            at_gap = np.concatenate([[0], np.cumsum(net[moved, u])])
            assert sums[1, u] == at_gap.max()
            assert sums[2, u] == at_gap[place]
            gaps = np.flatnonzero(np.insert(at_gap, place, at_gap[place]) == at_gap.max())
            assert ((gaps >= near[u]) & (gaps <= near[u] + 8)).any()


def test_settled_orders_have_no_better_insertion(draw):
    rng = np.random.default_rng(13)
    score, order = as_order_score(draw(30, rng)), rng.permutation(30)
    memetic._settle(score, order, Budget(), rng, np.zeros((0, 0), dtype=bool))
    again = local_search(score, order)
    assert again.score <= score.score(order) + 1e-8 * score.largest_weight


def test_a_child_has_every_variable_where_a_parent_has_it():
    rng = np.random.default_rng(14)
    state = np.array([1], dtype=np.uint64)
    for d in (2, 5, 40):
        first, second = rng.permutation(d), rng.permutation(d)
        child = np.zeros(d, dtype=np.int64)
        kernels.cross(first, second, np.argsort(first), child, d, state)
        assert sorted(child) == list(range(d))
        assert np.all((child == first) | (child == second))


def test_repair_honours_all_pairs_and_leaves_a_legal_order_alone():
    rng = np.random.default_rng(15)
    for d in (1, 4, 25):
        before, legal = random_order_of_pairs(d, rng)
        order = rng.permutation(d)
        kernels.repair(before, order, d)
        assert sorted(order) == list(range(d))
        assert honours(order, before)
        same = legal.copy()
        kernels.repair(before, same, d)
        np.testing.assert_array_equal(same, legal)


def test_random_numbers_cover_their_range_evenly():
    state = np.array([3], dtype=np.uint64)
    counts = np.bincount([kernels.below(state, 6) for _ in range(6000)], minlength=6)
    assert counts.size == 6
    assert counts.min() > 900


def test_net_weights_of_some_variables():
    rng = np.random.default_rng(16)
    weights = rng.normal(size=(2, 5))
    weights[[0, 1], [1, 3]] = 0
    score = OrderScore(weights, np.array([1, 3]), tuple("abcde"))
    some = np.array([4, 3, 0])
    dense = score.to_dense()
    expected = (dense - dense.T)[np.ix_(some, some)]
    np.testing.assert_array_equal(net_weights(score, some), expected)


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1.0, 1e200])
def test_rounded_weights_are_whole_and_near(scale):
    weights = np.random.default_rng(17).normal(size=(20, 20))
    net = weights - weights.T
    whole = round_to_exact(net * scale)
    np.testing.assert_array_equal(whole, np.round(whole))
    np.testing.assert_array_equal(whole, -whole.T)
    assert 2**48 < np.abs(whole).sum() <= 2**51
    ratio = whole[net != 0] / net[net != 0]
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-9)


def test_whole_numbers_are_kept():
    net = np.array([[0.0, 3, -5], [-3, 0, 7], [5, -7, 0]])
    whole = round_to_exact(net)
    factor = whole[0, 1] / 3
    np.testing.assert_array_equal(whole, net * factor)
    assert np.log2(factor) == int(np.log2(factor))
