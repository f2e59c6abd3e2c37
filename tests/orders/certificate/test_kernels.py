"""Kernels against plain NumPy: triples, steps, closure, insertion."""

import itertools

import numpy as np

from intersort.orders.certificate import _kernels

NO_CUTS = (np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))


def triples_of(n):
    return list(itertools.combinations(range(n), 3))


def dense_rows(n):
    """The matrix of all triples, and their codes."""
    first, second = np.triu_indices(n, 1)
    number = {pair: p for p, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))}
    matrix = np.zeros((len(triples_of(n)), len(number)))
    for t, (i, j, k) in enumerate(triples_of(n)):
        matrix[t, [number[i, j], number[j, k]]] = 1
        matrix[t, number[i, k]] = -1
    return matrix, np.array([(i * n + j) * n + k for i, j, k in triples_of(n)])


def test_rows_of_triples():
    matrix, codes = dense_rows(7)
    rows = np.empty((codes.size, 3), dtype=np.int64)
    _kernels.write_rows(7, codes, rows)
    for row, dense in zip(rows, matrix, strict=True):
        assert dense[row].tolist() == [1, 1, -1]


def test_violated_triples_are_counted_and_found():
    rng = np.random.default_rng(0)
    matrix, codes = dense_rows(9)
    s, weight = rng.uniform(-1, 1, size=36), rng.random(36)
    size = np.abs(matrix @ s) - 1
    least_weight = np.array([weight[row != 0].min() for row in matrix])
    for share in (0.0, 2.0):
        expected = codes[(size > 0) & (size * (share + least_weight) > 0.01)]
        histogram, none = np.zeros(512, dtype=np.int64), np.zeros(0, dtype=np.int64)
        _kernels.find_violated(9, s, weight, share, 0.01, histogram, none)
        assert histogram.sum() == expected.size > 0
        found = np.empty(200, dtype=np.int64)
        n = _kernels.find_violated(9, s, weight, share, 0.01, histogram, found)
        assert found[:n].tolist() == expected.tolist()


def test_steps_are_those_of_the_primal_dual_method():
    rng = np.random.default_rng(1)
    matrix, codes = dense_rows(6)
    rows = np.empty((codes.size, 3), dtype=np.int64)
    _kernels.write_rows(6, codes, rows)
    cut = np.array([[1.0, -1.0, 2.0]])
    pairs = np.array([3, 7, 9])
    dense_cut = np.zeros((1, 15))
    dense_cut[0, pairs] = cut[0]
    b, low, high = rng.normal(size=15), -np.ones(15), np.ones(15)
    s, y, z = rng.uniform(-1, 1, 15), rng.normal(size=codes.size), np.array([0.3])
    packed = (np.array([0, 3]), pairs, cut[0], np.array([0.5]))
    expected_s, expected_y, expected_z = s.copy(), y.copy(), z.copy()
    for _ in range(4):
        pull = matrix.T @ expected_y + dense_cut.T @ expected_z
        new = np.clip(expected_s + 0.2 * (b - pull), low, high)
        ahead = 2 * new - expected_s
        moved = expected_y + 0.1 * matrix @ ahead
        expected_y = np.sign(moved) * np.maximum(np.abs(moved) - 0.1, 0)
        expected_z = np.maximum(0, expected_z + 0.1 * (dense_cut @ ahead - 0.5))
        expected_s = new
    folded = matrix.T @ y + dense_cut.T @ z
    measured = np.empty(15)
    _kernels.fold(rows, y, *packed[:3], z, measured)
    np.testing.assert_allclose(measured, folded, atol=1e-14)
    sums = [np.zeros_like(s), np.zeros_like(y), np.zeros_like(z)]
    steps = np.array([4, 0.2, 0.1])
    _kernels.iterate(b, low, high, rows, *packed, steps, s, y, z, measured, np.empty(15), *sums)
    for got, expected in ((s, expected_s), (y, expected_y), (z, expected_z)):
        np.testing.assert_allclose(got, expected, atol=1e-13)
    pull = matrix.T @ y + dense_cut.T @ z
    np.testing.assert_allclose(measured, pull, atol=1e-13)


def test_fixed_pairs_are_closed_and_contradictions_seen():
    rng = np.random.default_rng(2)
    first, second = np.triu_indices(6, 1)
    vertices = np.array(list(itertools.permutations(range(6))))
    s = np.where(vertices[:, first] < vertices[:, second], 1.0, -1.0)
    n_contradictions = 0
    for _ in range(300):
        fixed = rng.random(15) < 0.4
        low, high = np.where(fixed, rng.choice([-1.0, 1.0], 15), -1.0), np.ones(15)
        high[fixed] = low[fixed]
        possible = s[((s >= low) & (s <= high)).all(axis=1)]
        consistent = _kernels.close_fixed(6, low, high, np.empty((6, 6), dtype=bool))
        assert consistent == (len(possible) > 0)
        n_contradictions += not consistent
        if consistent:
            np.testing.assert_array_equal(low, possible.min(axis=0))
            np.testing.assert_array_equal(high, possible.max(axis=0))
    assert 0 < n_contradictions < 300


def test_no_insertion_is_left_that_gains_and_is_allowed():
    rng = np.random.default_rng(3)
    for _ in range(30):
        net = rng.normal(size=(8, 8))
        net -= net.T
        forced = np.zeros((8, 8), dtype=bool)
        forced[0, 5] = forced[5, 3] = forced[0, 3] = True
        order = np.array([0, 5, 3, 1, 2, 4, 6, 7])
        _kernels.improve_order(net, forced, order, 1e-12)
        value = np.triu(net[np.ix_(order, order)], 1).sum()
        for i, place in itertools.product(range(8), range(8)):
            other = np.insert(np.delete(order, i), place, order[i])
            rank = np.argsort(other)
            if rank[0] < rank[5] < rank[3]:
                assert np.triu(net[np.ix_(other, other)], 1).sum() <= value + 1e-9
