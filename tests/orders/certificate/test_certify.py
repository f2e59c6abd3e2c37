"""The bound against exact optima, what is required, limits, and published proven optima."""

import csv
import itertools
import math
import time

import numpy as np
import pytest

from intersort import exact_order, local_search
from intersort.orders.certificate import certify as certify_module
from intersort.orders.certificate.certify import certify
from intersort.scores.weight_matrix import as_order_score

GENEROUS = 3e7


def certify_matrix(weights, order=None, **settings):
    d = len(weights)
    start = np.arange(d) if order is None else order
    return certify(as_order_score(weights), start, **{"work": GENEROUS, **settings})


def value_of(weights, order):
    return np.triu(weights[np.ix_(order, order)], 1).sum()


def rounding_of(weights):
    """What adding up all weights may round off."""
    return 1e-13 * max(abs(weights).sum(), 1e-300)


def test_never_below_the_optimum_and_mostly_proven(draw):
    """The optimum by the dynamic programme, on matrices of every kind, from a bad order."""
    rng = np.random.default_rng(10_001)
    n_proven = 0
    for trial in range(150):
        weights = draw(2 + trial % 8, rng)
        optimum = exact_order(weights).score
        result = certify_matrix(weights)
        assert result.upper_bound >= optimum - rounding_of(weights)
        assert result.score == pytest.approx(value_of(weights, result.order), rel=1e-12)
        n_proven += result.is_optimal
        if result.is_optimal:
            assert result.score >= optimum - 1e-9 * abs(weights).max()
    assert n_proven == 150


@pytest.mark.parametrize("work", [0, 1, 2000, 20_000])
def test_a_bound_that_is_cut_short_is_still_a_bound(work):
    rng = np.random.default_rng(10_002)
    n_open = 0
    for _ in range(25):
        weights = rng.normal(size=(13, 13)) * rng.pareto(1.0, size=(13, 13))
        optimum = exact_order(weights).score
        result = certify_matrix(weights, work=work)
        assert result.upper_bound >= optimum - rounding_of(weights) >= result.score - 1e-9
        n_open += not result.is_optimal
    assert n_open == 25 or work > 0


def test_magnitudes_mixed_in_one_matrix():
    rng = np.random.default_rng(10_003)
    for _ in range(40):
        weights = rng.normal(size=(7, 7)) * 10.0 ** rng.integers(-12, 13, size=(7, 7))
        result = certify_matrix(weights)
        optimum = exact_order(weights).score
        assert result.is_optimal
        assert result.upper_bound >= optimum - rounding_of(weights)


def test_what_is_required_is_honoured_and_bounded(draw):
    rng = np.random.default_rng(10_004)
    orders = {d: np.array(list(itertools.permutations(range(d)))) for d in (3, 4, 5, 6)}
    for trial in range(24):
        d = 3 + trial % 4
        weights = draw(d, rng)
        hidden = rng.permutation(d)
        required = np.zeros((d, d), dtype=bool)
        for a, b in itertools.combinations(hidden, 2):
            required[a, b] = rng.random() < 0.3
        rank = np.argsort(orders[d], axis=1)
        allowed = np.ones(len(rank), dtype=bool)
        for a, b in np.argwhere(required):
            allowed &= rank[:, a] < rank[:, b]
        optimum = max(value_of(weights, order) for order in orders[d][allowed])
        result = certify_matrix(weights, hidden, must_precede=required)
        place = np.argsort(result.order)
        assert all(place[a] < place[b] for a, b in np.argwhere(required))
        assert result.upper_bound >= optimum - rounding_of(weights)
        assert result.is_optimal
        assert result.score == pytest.approx(optimum, abs=1e-9 * abs(weights).max())


def test_branching_closes_what_cuts_leave():
    """A random tournament of 20 variables, ties everywhere."""
    weights = np.random.default_rng(10_020).choice([-1.0, 1.0], size=(20, 20))
    weights = np.triu(weights, 1) - np.triu(weights, 1).T
    result = certify_matrix(weights, work=1e9)
    assert result.is_optimal
    assert result.n_branches > 0
    assert result.score == exact_order(weights).score


def test_acyclic_preferences_need_no_relaxation():
    weights = np.triu(np.random.default_rng(0).random((30, 30)), 1)
    shuffled = np.random.default_rng(1).permutation(30)
    result = certify_matrix(weights[np.ix_(shuffled, shuffled)])
    assert result.is_optimal
    assert (result.sizes, result.work) == ((), 0)
    assert result.score == pytest.approx(weights.sum(), rel=1e-12)


def test_equal_work_gives_equal_results():
    weights = np.random.default_rng(5).normal(size=(60, 60))
    first, second = (certify_matrix(weights, work=2e6) for _ in range(2))
    assert first.upper_bound == second.upper_bound
    assert first.order.tolist() == second.order.tolist()
    assert first.work == second.work
    assert not first.is_optimal


def test_progress_only_improves():
    seen = []
    weights = np.random.default_rng(6).normal(size=(40, 40))
    result = certify_matrix(weights, on_progress=lambda score, bound: seen.append((score, bound)))
    scores, bounds = zip(*seen, strict=True)
    assert list(scores) == sorted(scores)
    assert list(bounds) == sorted(bounds, reverse=True)
    assert seen[-1] == (result.score, result.upper_bound)
    assert [entry[1:] for entry in result.trace] == seen


@pytest.mark.parametrize(
    "settings", [{"is_interrupted": lambda: True}, {"deadline": time.perf_counter()}]
)
def test_stopping_at_once_leaves_a_bound(settings):
    weights = np.random.default_rng(7).normal(size=(20, 20))
    result = certify_matrix(weights, work=math.inf, **settings)
    assert result.stopped
    assert result.work == 0
    assert result.upper_bound >= np.maximum(weights, weights.T)[np.triu_indices(20, 1)].sum()


def test_a_deadline_is_kept():
    weights = np.random.default_rng(8).normal(size=(120, 120))
    certify_matrix(weights[:30, :30])  # compiled
    begin = time.perf_counter()
    result = certify_matrix(weights, work=math.inf, deadline=begin + 0.5)
    assert time.perf_counter() - begin < 3
    assert result.stopped
    assert not result.is_optimal


def test_many_variables_are_bounded_in_parts(monkeypatch):
    rng = np.random.default_rng(9)
    monkeypatch.setattr(certify_module, "MOST_VARIABLES_WHOLE", 5)
    for _ in range(10):
        weights = rng.normal(size=(14, 14))
        optimum = exact_order(weights).score
        result = certify_matrix(weights)
        ceiling = np.maximum(weights, weights.T)[np.triu_indices(14, 1)].sum()
        assert optimum <= result.upper_bound < ceiling


def test_published_optima_are_proven(shared_data):
    """Input-output tables of LOLIB, 44 to 79 variables; two of the slower ones are left out."""
    slower = {"be75np", "t70d11xxb"}
    with (shared_data / "lolib" / "best_known.csv").open() as file:
        table = [row for row in csv.DictReader(file) if row["proven_optimal"] == "yes"]
    assert len(table) == 50
    for row in table:
        if row["instance"] in slower:
            continue
        numbers = (shared_data / "lolib" / row["path"]).read_text().split()
        n = int(numbers[0])
        weights = np.array(numbers[1 : 1 + n * n], dtype=float).reshape(n, n)
        order = local_search(weights, initial=np.arange(n)).order
        result = certify_matrix(weights, order, work=1e9)
        assert result.is_optimal, row["instance"]
        assert result.score == float(row["best_known"])
