"""Lines hold every pair once; their bound is honest and anytime."""

import itertools
from collections import Counter

import numpy as np
import pytest

from intersort import exact_order
from intersort.orders.certificate.limits import Limits
from intersort.orders.certificate.lines import certify_by_lines, lines
from intersort.scores.weight_matrix import as_order_score


def quiet(score, bound):
    """Progress nobody watches."""


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 9, 10, 24, 25, 26, 60])
def test_every_pair_stands_in_one_line(d):
    pairs = Counter(
        pair for line in lines(d) for pair in itertools.combinations(sorted(line.tolist()), 2)
    )
    assert set(pairs) == set(itertools.combinations(range(d), 2))
    assert set(pairs.values()) <= {1}


def test_the_bound_holds_under_requirements():
    rng = np.random.default_rng(0)
    n_better = 0
    for _ in range(20):
        weights = rng.normal(size=(12, 12))
        required = np.zeros((12, 12), dtype=bool)
        required[0, 11] = required[11, 5] = True
        pushed = weights + 1e6 * (required | required[:, 11:] & required[11])
        best = exact_order(pushed).order  # a reward that no order forgoes
        np.fill_diagonal(weights, 0)
        score = as_order_score(weights)
        result = certify_by_lines(score, best, required, Limits(), quiet)
        assert result.upper_bound >= score.score(best)
        n_better += result.upper_bound < result.trace[0][2]
    assert n_better == 20


def test_work_ends_it_and_progress_only_improves():
    score = as_order_score(np.random.default_rng(1).normal(size=(80, 80)))
    seen = []
    order = np.arange(80)
    full = certify_by_lines(score, order, None, Limits(), lambda *both: seen.append(both))
    short = certify_by_lines(score, order, None, Limits(work=full.work / 3), quiet)
    assert full.upper_bound < short.upper_bound < short.trace[0][2]
    assert [bound for _, bound in seen] == sorted((bound for _, bound in seen), reverse=True)
    assert not short.stopped
