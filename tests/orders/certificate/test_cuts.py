"""Every cut holds for every order, and cuts off the point it was made for."""

import itertools

import numpy as np

from intersort import exact_order
from intersort.orders.certificate.cuts import cut_of_inequalities, find_cuts
from intersort.orders.certificate.relaxation import Relaxation


def all_vertices(n):
    ranks = np.array(list(itertools.permutations(range(n))))
    first, second = np.triu_indices(n, 1)
    return np.where(ranks[:, first] < ranks[:, second], 1.0, -1.0)


def most_over_orders(cut, n):
    """The largest value of the cut's left-hand side over all orders, by the exact method."""
    first, second = np.triu_indices(n, 1)
    weights = np.zeros((n, n))
    weights[first[cut.pairs], second[cut.pairs]] = cut.coefficients
    return 2 * exact_order(weights).score - cut.coefficients.sum()


def test_cuts_hold_for_every_order():
    """Cuts for solutions of the relaxation of random tournaments, which are no order."""
    rng = np.random.default_rng(10_000)
    n, n_cuts = 14, 0
    for _ in range(40):
        relaxation = Relaxation(rng.choice([-0.5, 0.5], size=n * (n - 1) // 2), n)
        point = relaxation.start(-np.ones(relaxation.b.size), np.ones(relaxation.b.size))
        relaxation.improve(point, 400, -np.inf)
        for cut in find_cuts(n, point.s, rng, 100)[:20]:
            assert most_over_orders(cut, n) <= cut.limit
            assert cut.violation(point.s) > 0
            n_cuts += 1
    assert n_cuts > 20


def test_any_even_sum_of_inequalities_gives_a_valid_cut():
    """Random triples, kept where all coefficients come out even: no search involved."""
    rng = np.random.default_rng(1)
    vertices = all_vertices(5)
    codes = [(i * 5 + j) * 5 + k for i, j, k in itertools.combinations(range(5), 3)]
    n_cuts = 0
    for _ in range(40_000):
        size = int(rng.integers(2, 5))
        triples = [
            (int(rng.choice(codes)), int(rng.integers(2)), int(rng.integers(6)))
            for _ in range(size)
        ]
        cut = cut_of_inequalities(5, triples)
        if cut is not None and cut.pairs.size:
            n_cuts += 1
            assert (vertices[:, cut.pairs] @ cut.coefficients).max() <= cut.limit
    assert n_cuts > 20


def test_an_order_violates_nothing():
    rng = np.random.default_rng(2)
    for s in all_vertices(6)[rng.choice(720, 20, replace=False)]:
        assert find_cuts(6, s, rng, 100) == []
