"""find_order: proven where it can be, bounded where not, reproducible, and able to stop."""

import json
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from intersort import (
    Effects,
    ExactOrder,
    InputError,
    Knowledge,
    exact_order,
    find_order,
    local_search,
    score_orders,
)
from intersort.orders.stopping import stop_on_interrupt
from intersort.scores.weight_matrix import as_order_score


def draw_matrix(d, seed=0):
    return np.random.default_rng(seed).normal(size=(d, d))


def draw_score(d, seed=0):
    """Weights as the paper's score makes them: a triangle of effects, and noise below epsilon."""
    rng = np.random.default_rng(seed)
    distance = rng.gamma(2.0, 0.06, size=(d, d))
    rank = rng.permutation(d)
    effect = (rng.random((d, d)) < 0.2) & (rank[:, None] < rank)
    intervened = np.flatnonzero(rng.random(d) < 0.7)
    distance = np.where(effect, distance + 0.5, distance)[intervened]
    return score_orders(Effects.from_matrix(distance, intervened), epsilon=0.3)


def test_proven_exactly_up_to_twenty_variables():
    assert isinstance(find_order(draw_matrix(20)), ExactOrder)
    assert find_order(draw_matrix(21), effort="low").method == "find_order"


@pytest.mark.parametrize("seed", range(4))
def test_proven_on_scores_of_the_papers_kind(seed):
    result = find_order(draw_score(30, seed))
    assert result.is_optimal
    assert result.gap < 1e-9
    assert result.trace[-1][1:] == (result.score, result.upper_bound)


@pytest.mark.parametrize("seed", range(3))
def test_never_worse_than_local_search_and_never_above_the_bound(seed):
    weights, start = draw_matrix(35, seed), np.random.default_rng(seed).permutation(35)
    result = find_order(weights, initial=start, effort="low", rng=seed)
    assert result.score >= local_search(weights, start).score - 1e-9
    assert result.score <= result.upper_bound
    assert result.score == pytest.approx(as_order_score(weights).score(result.order), abs=1e-12)


def test_equal_calls_agree_and_the_seed_is_an_argument():
    weights = draw_matrix(60)
    first = find_order(weights, effort="low")
    again = find_order(weights, effort="low", rng=0, n_jobs=2)
    np.testing.assert_array_equal(first.order, again.order)
    assert (first.score, first.upper_bound) == (again.score, again.upper_bound)


def test_trace_only_improves():
    trace = np.array(find_order(draw_matrix(40), effort="low").trace)
    assert len(trace) > 2
    assert np.all(np.diff(trace, axis=0) * [1, 1, -1] >= 0)


def test_without_certificate_the_bound_is_that_of_the_pairs():
    weights = draw_matrix(30)
    result = find_order(weights, effort="low", certify=False)
    upper = np.triu(np.maximum(weights, weights.T), 1).sum()
    assert result.upper_bound == pytest.approx(upper)
    assert not result.is_optimal


@pytest.mark.parametrize("limit", [0.3, 1.0])
def test_time_limit_covers_search_and_certificate(limit):
    weights = draw_matrix(80)
    find_order(weights, time_limit=0.1)
    start = time.perf_counter()
    result = find_order(weights, time_limit=limit, effort="high")
    seconds = time.perf_counter() - start
    assert seconds < limit + 5.0  # a shared machine may stand still for a while
    assert result.trace[-1][0] < limit + 5.0
    assert result.score > local_search(weights, np.arange(80)).score


@pytest.mark.parametrize("d", [7, 26])
def test_knowledge_is_honoured_and_priced(d):
    weights = draw_matrix(d)
    free = find_order(weights, effort="low")
    last, first = free.order[-1], free.order[0]
    known = Knowledge(before=[(int(last), int(first))])
    result = find_order(weights, knowledge=known, effort="low")
    assert result.rank[last] < result.rank[first]
    least, most = result.knowledge_cost
    assert 0 <= least <= most
    if d == 7:
        exact = exact_order(weights).score - exact_order(weights, knowledge=known).score
        assert least == pytest.approx(exact)
        assert most == pytest.approx(exact)
    assert free.knowledge_cost is None


def test_initial_that_breaks_the_knowledge_is_refused():
    with pytest.raises(InputError, match="x1"):
        find_order(draw_matrix(25), initial=np.arange(25)[::-1], knowledge=Knowledge(first=["x1"]))


def test_ties_come_when_asked_for():
    score = draw_score(24)
    assert find_order(score, effort="low").ties is None
    result = find_order(score, effort="low", ties=True)
    assert result.ties.forced.shape == (24, 24)
    assert "level 1:" in repr(result)


def test_an_interrupt_during_the_ties_keeps_the_order(monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("intersort.orders.ties.ties", interrupted)
    result = find_order(draw_score(24), effort="low", ties=True)
    assert result.interrupted
    assert result.is_optimal
    assert result.ties is None


def test_the_diagonal_does_not_matter():
    weights = draw_matrix(25)
    filled = weights.copy()
    np.fill_diagonal(filled, 1e6)
    np.fill_diagonal(weights, 0)
    assert find_order(filled, effort="low").score == find_order(weights, effort="low").score


@pytest.mark.parametrize("d", [3, 25])
def test_refuses_an_initial_order(d):
    with pytest.raises(InputError, match=f"order of {d} variables"):
        find_order(draw_matrix(d), initial=[0, 1])


@pytest.mark.parametrize("d", [3, 25])
def test_without_interventions_every_order_is_optimal(d):
    nothing = Effects.from_matrix(np.zeros((0, d)), [], names=[f"v{k}" for k in range(d)])
    result = find_order(score_orders(nothing, epsilon=0.3))
    assert result.is_optimal
    assert result.gap == 0.0


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"time_limit": 0}, "positive number of seconds"),
        ({"time_limit": -1.0}, "positive number of seconds"),
        ({"time_limit": float("nan")}, "positive number of seconds"),
        ({"time_limit": "1"}, "positive number of seconds"),
        ({"effort": "hihg"}, "did you mean 'high'"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_settings_are_checked(settings, said):
    with pytest.raises(InputError, match=said):
        find_order(draw_matrix(4), **settings)


INTERRUPTED = """
import json, numpy as np, os, signal, threading, time
from intersort import find_order
weights = np.random.default_rng(0).normal(size=(150, 150))
find_order(weights, time_limit=0.2)
begin = time.perf_counter()
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
result = find_order(weights, time_limit=60)
stopped = time.perf_counter() - begin
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
print(json.dumps([result.interrupted, result.order.tolist(), result.gap, stopped]))
"""


def test_the_first_interrupt_returns_what_there_is():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=True, timeout=100
    )
    interrupted, order, gap, seconds = json.loads(done.stdout)
    assert interrupted
    assert sorted(order) == list(range(150))
    assert 0 < gap < 1
    assert seconds < 10


def test_the_second_interrupt_raises():
    def interrupt_twice():
        with stop_on_interrupt() as stop:
            signal.raise_signal(signal.SIGINT)
            assert stop.requested
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        interrupt_twice()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_and_other_handlers_are_left_alone():
    found = []

    def look():
        with stop_on_interrupt():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.default_int_handler]

    def mine(*_):
        return None

    before = signal.signal(signal.SIGINT, mine)
    try:
        with stop_on_interrupt():
            assert signal.getsignal(signal.SIGINT) is mine
    finally:
        signal.signal(signal.SIGINT, before)
