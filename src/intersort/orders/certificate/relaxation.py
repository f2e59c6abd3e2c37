r"""The linear relaxation of one component, and a bound from it that does not rest on a solver.

With s = +1 where i precedes j and −1 where j precedes i, every order satisfies
−1 ≤ s_ij + s_jk − s_ik ≤ 1 for i < j < k (no 3-cycle in either direction). Leaving out that s is
whole, and giving each triple t a dual y_t of either sign and each further cut α·s ≤ β a dual
z ≥ 0, no order exceeds

.. math:: \sum_t |y_t| + \sum_c \beta_c z_c
          + \sum_p \max_{s_p \in [l_p, h_p]} s_p \, (b - A^T y - C^T z)_p ,

whatever y and z are. The bound is this sum in floating point plus all that rounding can have
taken from it. The duals come from the primal-dual hybrid gradient method on the triples that are
or were violated; all nonzero singular values of the full matrix A equal √n, which suits it.

References
----------
Grötschel, Jünger, Reinelt (1984). A cutting plane algorithm for the linear ordering problem.
Operations Research 32.
Chambolle, Pock (2011). A first-order primal-dual algorithm for convex problems with applications
to imaging. Journal of Mathematical Imaging and Vision 40.
Applegate et al. (2021). Practical large-scale linear programming using primal-dual hybrid
gradient. NeurIPS 34.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..._typing import FloatArray, IntArray
from .cuts import Cut

ALL_TRIPLES_UP_TO = 50
"""So many variables have all their triples in the relaxation from the start."""
MOST_NEW_ROWS_PER_PAIR = 8
MOST_ROWS = 1_000_000
"""Triples that are held at most; further ones are left out, which weakens the bound."""
STEPS_BETWEEN_CHECKS = 25
PACKING_ROUNDS = 20
_EPS = float(np.finfo(np.float64).eps)


@dataclass(eq=False)
class Point:
    """Where the method stands in one subproblem: bounds of the pairs, primal and dual values.

    Attributes
    ----------
    low, high : array, one entry a pair
        −1 and 1, or equal where the pair is fixed.
    s : array, one entry a pair
    codes : int array
        Triples (i n + j) n + k that the subproblem holds, sorted.
    y, z : array
        Duals, where the method stands, of these triples and of the cuts.
    ratio : float
        Dual step over primal step.
    bound : float
        The least bound found, here or for a problem that contains this one.
    reduced : array, one entry a pair
        Weight of each pair less its duals, at the best duals found here.
    reduced_bound : float
        The bound that these duals give.
    """

    low: FloatArray
    high: FloatArray
    s: FloatArray
    codes: IntArray
    y: FloatArray
    z: FloatArray
    ratio: float
    bound: float = np.inf
    reduced: FloatArray = field(default_factory=lambda: np.zeros(0))
    reduced_bound: float = np.inf

    def branch(self, pair: int, value: float) -> Point:
        """The subproblem in which a pair is fixed, starting from this one's duals."""
        low, high = self.low.copy(), self.high.copy()
        low[pair] = high[pair] = value
        return Point(low, high, self.s, self.codes, self.y, self.z, self.ratio, self.bound)


class Relaxation:
    """Rows, cuts and method, shared by all subproblems of one component.

    Parameters
    ----------
    b : array of n (n − 1) / 2 entries
        Half of what each pair i < j gains by i before j, in the order of `np.triu_indices`;
        largest magnitude about 1.
    n : int
        Number of variables.
    """

    def __init__(self, b: FloatArray, n: int) -> None:
        self.b, self.n = b, n
        self.cuts: list[Cut] = []
        self.work = 0
        self._has_all = n <= ALL_TRIPLES_UP_TO
        self._pack_cuts()
        self._load(np.zeros(0, dtype=np.int64))

    def start(self, low: FloatArray, high: FloatArray) -> Point:
        """The whole problem, before any step."""
        n = self.n
        s = np.clip(np.sign(self.b), low, high)
        codes = np.zeros(0, dtype=np.int64)
        if self._has_all:
            i, j, k = np.ogrid[:n, :n, :n]
            codes = np.flatnonzero((i < j) & (j < k))
        weighty = np.abs(self.b[self.b != 0])
        ratio = float(np.median(weighty)) if weighty.size else 1.0
        point = Point(low, high, s, codes, np.zeros(codes.size), np.zeros(0), ratio)
        self._load(codes)
        self._remember(point, point.y, point.z)
        if not self._has_all:
            # the triples that are circular in the preferences themselves, weighty ones first
            self._add_violated(point, 1e-3, share=1e-6)
        self._pack(point)
        return point

    def _pack(self, point: Point) -> None:
        """Begin with duals that share out the weights among circles, heavy ones first."""
        from . import _kernels

        self._load(point.codes)
        left = np.where(point.low < point.high, self.b, 0.0)
        least = float(np.abs(left).max(initial=0.0))
        for _ in range(PACKING_ROUNDS):
            least /= 2
            _kernels.pack_rows(self._rows, left, least, point.y)
        self.work += PACKING_ROUNDS * point.codes.size
        self._remember(point, point.y, point.z)

    def steps_per_round(self, point: Point) -> int:
        """Steps worth taking before triples are looked over: 100, fewer where each is slow."""
        return int(np.clip(50_000_000 // max(point.codes.size, 1), STEPS_BETWEEN_CHECKS, 100))

    def improve(self, point: Point, n_steps: int, target: float) -> None:
        """Take steps until the bound is at most the target, or `n_steps` are done."""
        self._load(point.codes)
        point.z = np.concatenate([point.z, np.zeros(len(self.cuts) - point.z.size)])
        y, z, s = point.y.copy(), point.z.copy(), np.clip(point.s, point.low, point.high)
        self._remember(point, y, z)
        averages = _Averages(s, y, z)
        done = 0
        while done < n_steps and point.bound > target:
            n = min(STEPS_BETWEEN_CHECKS, n_steps - done)
            self._steps(point, s, y, z, averages, n)
            done += n
            mean_s, mean_y, mean_z = averages.mean()
            bound = self._remember(point, y, z)
            mean_bound = self._remember(point, mean_y, mean_z)
            if averages.count >= max(100, 0.36 * done) or done >= n_steps:
                if mean_bound < bound:
                    s[:], y[:], z[:] = mean_s, mean_y, mean_z
                point.ratio = averages.restart(s, y, z, point.ratio)
        point.s, point.y, point.z = s, y, z

    def _steps(
        self, point: Point, s: FloatArray, y: FloatArray, z: FloatArray, averages: _Averages, n: int
    ) -> None:
        """Take n steps, in place."""
        from . import _kernels

        folded = self._fold(y, z)
        step = 0.99 / self._norm
        _kernels.iterate(
            self.b,
            point.low,
            point.high,
            self._rows,
            *self._packed,
            np.array([n, step / point.ratio, step * point.ratio]),
            s,
            y,
            z,
            folded,
            np.empty_like(s),
            averages.s,
            averages.y,
            averages.z,
        )
        averages.count += n
        self.work += n * (y.size + self._packed[1].size // 3 + s.size // 4)

    def add_violated(self, point: Point, tolerance: float) -> int:
        """Take in triples that the point violates; returns their number."""
        share = float(np.abs(self.b).mean())
        return 0 if self._has_all else self._add_violated(point, tolerance, share)

    def add_cuts(self, point: Point, cuts: list[Cut]) -> None:
        """Take in cuts, after dropping those that this point does not use."""
        used = np.flatnonzero(point.z > 0)
        old_scale = self._scale[used]
        self.cuts = [self.cuts[c] for c in used]
        z = point.z[used]
        self.cuts += cuts
        self._pack_cuts()
        scaled = z * old_scale / self._scale[: used.size]
        point.z = np.concatenate([scaled, np.zeros(len(cuts))])

    # --- rows -----------------------------------------------------------------------------------

    def _add_violated(self, point: Point, tolerance: float, share: float) -> int:
        from . import _kernels

        search = (self.n, point.s, np.abs(self.b), share)
        least = tolerance * share
        histogram, codes = np.zeros(512, dtype=np.int64), np.zeros(0, dtype=np.int64)
        _kernels.find_violated(*search, least, histogram, codes)
        self.work += self.n**3 // 6
        room = max(0, min(MOST_ROWS - point.codes.size, MOST_NEW_ROWS_PER_PAIR * self.b.size))
        at_least = np.cumsum(histogram[::-1])[::-1]
        if at_least[0] == 0 or room == 0:
            return 0
        if at_least[0] > room:  # the larger ones only; if one size is too many, some of them
            fitting = int(np.argmax(at_least <= room))
            fitting -= at_least[fitting] == 0
            least *= 2.0 ** (fitting / 8)
        codes = np.empty(min(room, int(at_least[0])), dtype=np.int64)
        n = _kernels.find_violated(*search, least, histogram, codes)
        new = np.setdiff1d(codes[:n], point.codes, assume_unique=True)
        places = np.searchsorted(point.codes, new)
        point.y = np.insert(point.y, places, 0.0)
        point.codes = np.insert(point.codes, places, new)
        return int(new.size)

    def dual_mass(self, point: Point) -> FloatArray:
        """Sum of the sizes of the duals of each pair's triples."""
        self._load(point.codes)
        size = np.abs(point.y)
        columns = (np.bincount(pairs, size, self.b.size) for pairs in self._rows.T)
        return np.asarray(sum(columns, np.zeros(self.b.size)))

    def drop_idle(self, point: Point) -> None:
        """Leave out triples with dual 0 that are not nearly tight."""
        if self._has_all:
            return
        self._load(point.codes)
        s, rows = point.s, self._rows
        total = np.abs(s[rows[:, 0]] + s[rows[:, 1]] - s[rows[:, 2]])
        keep = (point.y != 0) | (total > 0.9)
        point.codes, point.y = point.codes[keep], point.y[keep]

    def _load(self, codes: IntArray) -> None:
        """Make these triples the rows that the kernels work on."""
        from . import _kernels

        if codes is getattr(self, "_codes", None):
            return
        self._codes = codes
        self._rows = np.empty((codes.size, 3), dtype=np.int64)
        _kernels.write_rows(self.n, codes, self._rows)

    def _pack_cuts(self) -> None:
        """Cuts as one sparse matrix, scaled to the length of a triple's row."""
        sizes = [cut.pairs.size for cut in self.cuts]
        self._scale = np.array([np.sqrt(3.0 / np.sum(c.coefficients**2)) for c in self.cuts])
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        pairs = np.concatenate([np.zeros(0, np.int64), *(cut.pairs for cut in self.cuts)])
        scaled = [cut.coefficients * f for cut, f in zip(self.cuts, self._scale, strict=True)]
        limits = np.array([cut.limit for cut in self.cuts], dtype=np.float64) * self._scale
        self._packed = (start, pairs, np.concatenate([np.zeros(0), *scaled]), limits)
        self._norm = self._estimate_norm()

    def _estimate_norm(self) -> float:
        """Largest singular value of triples and cuts, by the power method.

        For the triples alone AᵀA s = n s − (r_i − r_j) with r the sums of the rows of s.
        """
        if not self.cuts:
            return float(np.sqrt(max(self.n, 1)))
        from scipy.sparse import csr_array

        start, pairs, coefficients, _ = self._packed
        matrix = csr_array((coefficients, pairs, start), shape=(len(self.cuts), self.b.size))
        first, second = np.triu_indices(self.n, 1)
        s = np.random.default_rng(0).standard_normal(self.b.size)
        size = 1.0
        for _ in range(30):
            s /= np.linalg.norm(s)
            sums = np.bincount(first, s, self.n) - np.bincount(second, s, self.n)
            s = self.n * s - (sums[first] - sums[second]) + matrix.T @ (matrix @ s)
            size = float(np.linalg.norm(s))
        return float(np.sqrt(1.03 * size))

    # --- the bound ------------------------------------------------------------------------------

    def _fold(self, y: FloatArray, z: FloatArray) -> FloatArray:
        from . import _kernels

        folded = np.empty_like(self.b)
        _kernels.fold(self._rows, y, *self._packed[:3], z, folded)
        return folded

    def _remember(self, point: Point, y: FloatArray, z: FloatArray) -> float:
        """The bound of these duals; kept with them where it is the least so far."""
        reduced = self.b - self._fold(y, z)
        bound = self.safe_bound(point, y, z, reduced)
        if bound < point.reduced_bound:
            point.reduced_bound, point.reduced = bound, reduced
            point.bound = min(bound, point.bound)
        return bound

    def safe_bound(self, point: Point, y: FloatArray, z: FloatArray, reduced: FloatArray) -> float:
        """The sum in the module's head, plus all that rounding can have taken from it.

        A pair's folded duals are a sum of at most n − 2 + (number of cuts) terms, the other sums
        are NumPy's pairwise ones; each term is wrong by half a unit in the last place at most.
        """
        size_y, size_z = float(np.abs(y).sum()), float(self._packed[3] @ z)
        boxes = float(np.maximum(reduced * point.low, reduced * point.high).sum())
        lengths = np.diff(self._packed[0])
        used = 3.0 * size_y + float(np.sqrt(3.0 * lengths) @ z) + abs(size_z)
        n_terms = self.n + z.size + 64
        return size_y + size_z + boxes + _EPS * n_terms * (used + float(np.abs(self.b).sum()))


class _Averages:
    """Sums of the iterates since the last restart, and where that was."""

    def __init__(self, s: FloatArray, y: FloatArray, z: FloatArray) -> None:
        self.s, self.y, self.z = np.zeros_like(s), np.zeros_like(y), np.zeros_like(z)
        self.count = 0
        self._origin = (s.copy(), y.copy(), z.copy())

    def mean(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        n = max(self.count, 1)
        return self.s / n, self.y / n, self.z / n

    def restart(self, s: FloatArray, y: FloatArray, z: FloatArray, ratio: float) -> float:
        """Begin anew here; returns the ratio of steps that the way since then suggests."""
        primal, dual_y, dual_z = (
            # not by BLAS, whose threads cost more than these sums
            float(np.sqrt(np.sum((now - origin) ** 2)))
            for now, origin in zip((s, y, z), self._origin, strict=True)
        )
        dual = float(np.hypot(dual_y, dual_z))
        if primal > 1e-13 and dual > 1e-13:
            ratio = float(np.sqrt(ratio * dual / primal))
        for total in (self.s, self.y, self.z):
            total[:] = 0.0
        self.count = 0
        self._origin = (s.copy(), y.copy(), z.copy())
        return ratio
