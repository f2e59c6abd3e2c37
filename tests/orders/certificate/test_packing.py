"""Packed circles share no weight; the bound they give is honest and can be had at any time."""

import itertools

import numpy as np
import pytest

from intersort import exact_order
from intersort.orders.certificate import _kernels
from intersort.orders.certificate.limits import Limits
from intersort.orders.certificate.packing import certify_by_packing
from intersort.scores.weight_matrix import as_order_score


def quiet(score, bound):
    """Progress nobody watches."""


def pack(weights, order=None, required=None, **limits):
    start = np.arange(len(weights)) if order is None else order
    return certify_by_packing(as_order_score(weights), start, required, Limits(**limits), quiet)


def test_never_below_the_optimum(draw):
    rng = np.random.default_rng(0)
    n_better = n_circular = 0
    for trial in range(60):
        weights = draw(3 + trial % 8, rng)
        optimum = exact_order(weights).score
        result = pack(weights)
        assert result.upper_bound >= optimum - 1e-13 * abs(weights).sum()
        n_better += result.upper_bound < result.trace[0][2]
        n_circular += optimum < result.trace[0][2] - 1e-9 * abs(weights).sum()
    assert n_better >= 0.9 * n_circular


def test_one_circle_is_bounded_exactly():
    weights = np.zeros((3, 3))
    weights[0, 1], weights[1, 2], weights[2, 0] = 3.0, 2.0, 1.0
    for shuffled in itertools.permutations(range(3)):
        result = pack(weights[np.ix_(shuffled, shuffled)])
        assert result.upper_bound == pytest.approx(5.0, rel=1e-6)
        assert result.upper_bound >= 5.0


def test_the_bound_holds_under_requirements():
    rng = np.random.default_rng(1)
    n_better = 0
    for _ in range(40):
        weights = rng.normal(size=(10, 10))
        np.fill_diagonal(weights, 0)
        required = np.zeros((10, 10), dtype=bool)
        required[0, 9] = required[9, 5] = True
        pushed = weights + 1e6 * required  # a reward that no order forgoes
        best = exact_order(pushed).order
        result = pack(weights, best, required)
        assert result.upper_bound >= as_order_score(weights).score(best)
        n_better += result.upper_bound < result.trace[0][2]
    assert n_better == 40


def test_no_pair_gives_more_than_it_has():
    """What is taken is counted three times over in what the pairs lost."""
    rng = np.random.default_rng(2)
    left = rng.normal(size=190).astype(np.float32)
    before = np.abs(left.astype(np.float64)).sum()
    taken = sum(
        _kernels.pack_circles(20, left, least, np.array([0, 20])) for least in (1.0, 0.1, 0.01)
    )
    after = np.abs(left.astype(np.float64)).sum()
    assert taken > 5
    assert before - after == pytest.approx(3 * taken, rel=1e-4)
    assert before - after >= 3 * taken


def test_work_ends_it_and_progress_only_improves():
    weights = np.random.default_rng(3).normal(size=(80, 80))
    full, short = pack(weights), pack(weights, work=1)
    bounds = [bound for _, _, bound in full.trace]
    assert len(bounds) > 3
    assert bounds == sorted(bounds, reverse=True)
    assert full.upper_bound < short.upper_bound <= short.trace[0][2]
    assert not short.stopped
    assert short.work < full.work
