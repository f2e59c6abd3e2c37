"""The relaxation against HiGHS, and its bound against every order, whatever the duals are."""

import itertools

import highspy
import numpy as np
import pytest

from intersort.orders.certificate import _kernels
from intersort.orders.certificate import relaxation as relaxation_module
from intersort.orders.certificate.cuts import find_cuts
from intersort.orders.certificate.relaxation import Relaxation


def free_bounds(n):
    n_pairs = n * (n - 1) // 2
    return -np.ones(n_pairs), np.ones(n_pairs)


def solve_by_highs(b, n, low, high):
    """Value of the 3-cycle relaxation by a simplex solver, all triples written out."""
    number = {pair: p for p, pair in enumerate(itertools.combinations(range(n), 2))}
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.addVars(b.size, low, high)
    solver.changeColsCost(b.size, np.arange(b.size, dtype=np.int32), b)
    solver.changeObjectiveSense(highspy.ObjSense.kMaximize)
    for i, j, k in itertools.combinations(range(n), 3):
        pairs = np.array([number[i, j], number[j, k], number[i, k]], dtype=np.int32)
        solver.addRow(-1.0, 1.0, 3, pairs, np.array([1.0, 1.0, -1.0]))
    solver.run()
    return solver.getInfo().objective_function_value


def all_vertices(n):
    """s of every order, an order a row."""
    ranks = np.array(list(itertools.permutations(range(n))))
    first, second = np.triu_indices(n, 1)
    return np.where(ranks[:, first] < ranks[:, second], 1.0, -1.0)


@pytest.mark.parametrize("all_triples_up_to", [50, 0])
def test_the_value_is_that_of_the_simplex_method(monkeypatch, all_triples_up_to):
    """With all triples from the start, and with triples taken in as they are violated."""
    monkeypatch.setattr(relaxation_module, "ALL_TRIPLES_UP_TO", all_triples_up_to)
    rng = np.random.default_rng(0)
    for n in (3, 6, 10, 16):
        b = rng.normal(size=n * (n - 1) // 2)
        b /= abs(b).max()
        low, high = free_bounds(n)
        fixed = rng.random(b.size) < 0.05
        fixed[np.triu_indices(n, 1)[0] > 0] = False  # what leaves variable 0 cannot contradict
        low[fixed] = high[fixed] = rng.choice([-1.0, 1.0])
        relaxation = Relaxation(b, n)
        point = relaxation.start(low, high)
        for _ in range(20):
            relaxation.improve(point, 200, -np.inf)
            relaxation.drop_idle(point)
            relaxation.add_violated(point, 1e-6)
        expected = solve_by_highs(b, n, low, high)
        assert point.bound == pytest.approx(expected, rel=1e-6)
        assert point.bound >= expected - 1e-9


def test_any_duals_give_a_bound():
    rng = np.random.default_rng(1)
    vertices = all_vertices(6)
    for _ in range(200):
        b = rng.integers(-2, 3, size=15) / 2
        relaxation = Relaxation(b, 6)
        point = relaxation.start(*free_bounds(6))
        y = rng.normal(size=point.y.size) * rng.choice([0.0, 0.1, 10.0], size=point.y.size)
        reduced = b - relaxation._fold(y, point.z)
        assert relaxation.safe_bound(point, y, point.z, reduced) >= (vertices @ b).max()


def test_the_rounding_that_is_added_covers_the_rounding():
    """Against the same sum in exact rational arithmetic."""
    from fractions import Fraction

    rng = np.random.default_rng(2)
    for _ in range(5):
        b = rng.normal(size=45)
        relaxation = Relaxation(b, 10)
        point = relaxation.start(*free_bounds(10))
        y = rng.normal(size=point.y.size) * 10.0 ** rng.integers(-6, 3, size=point.y.size)
        reduced = b - relaxation._fold(y, point.z)
        exact = [Fraction(value) for value in b]
        for (p, q, r), value in zip(relaxation._rows, y, strict=True):
            exact[p] -= Fraction(value)
            exact[q] -= Fraction(value)
            exact[r] += Fraction(value)
        total = sum(map(abs, exact)) + sum(abs(Fraction(value)) for value in y)
        bound = relaxation.safe_bound(point, y, point.z, reduced)
        assert total <= Fraction(bound) <= total * (1 + Fraction(1, 10**12))


def test_cuts_lower_the_bound_below_the_relaxation():
    """A Möbius ladder in the preferences: the relaxation exceeds the best order."""
    rng = np.random.default_rng(10_020)
    n = 20
    b = rng.choice([-0.5, 0.5], size=n * (n - 1) // 2)
    relaxation = Relaxation(b, n)
    point = relaxation.start(*free_bounds(n))
    relaxation.improve(point, 2000, -np.inf)
    before = point.bound
    for _ in range(5):
        relaxation.add_cuts(point, find_cuts(n, point.s, rng, 200))
        relaxation.improve(point, 500, -np.inf)
    assert relaxation.cuts
    assert point.bound < before - 0.1
    assert before == pytest.approx(solve_by_highs(b, n, *free_bounds(n)), rel=1e-5)


def test_more_triples_than_fit_are_taken_largest_first(monkeypatch):
    monkeypatch.setattr(relaxation_module, "ALL_TRIPLES_UP_TO", 0)
    rng = np.random.default_rng(3)
    b = rng.normal(size=190)
    everything = Relaxation(b, 20).start(*free_bounds(20)).codes
    monkeypatch.setattr(relaxation_module, "MOST_ROWS", everything.size // 2)
    half = Relaxation(b, 20).start(*free_bounds(20)).codes
    assert 0.3 * everything.size < half.size <= everything.size // 2
    rows = np.empty((everything.size, 3), dtype=np.int64)
    _kernels.write_rows(20, everything, rows)
    least = np.abs(b)[rows].min(axis=1)
    held = np.isin(everything, half)
    assert least[~held].max() <= least[held].min()
