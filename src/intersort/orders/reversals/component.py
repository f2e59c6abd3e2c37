"""A bound on one component of the problem, and what each pair loses against it.

The certificate's relaxation gives, with s = 1 where i precedes j and −1 where it does not,

.. math:: \\sum_{i<j} \\tfrac12 \\mathrm{net}_{ij} s_{ij}
          \\le \\text{bound} - \\sum_{\\text{against}} 2 |r_{ij}|

for every order, with r the weight that is left of each pair beside the duals: an order loses 2 |r|
for every pair that it has against the sign of r, and what several pairs lose adds up.
"""

from __future__ import annotations

import math

import numpy as np

from ..._typing import BoolArray, FloatArray
from ..certificate.branch import MOST_VARIABLES_CUT, ROOTS_PER_ROUND
from ..certificate.cuts import find_cuts
from ..certificate.relaxation import Point, Relaxation

MOST_VARIABLES = 500
"""Beyond, looking for violated triples alone takes seconds."""

_ROUNDS_OF_CUTS = 12
_PATIENCE = 4
"""So many rounds may stall before the relaxation of all orders is left as it is."""
_NANOSECONDS_A_ROW = 5.0


class ComponentBound:
    """The relaxation of a component: a bound for all orders, or for those with a pair reversed.

    Parameters
    ----------
    net : array of shape (n, n)
        What i before j gains over j before i.
    required : Boolean array of shape (n, n)
        What must precede what, transitively closed.

    Attributes
    ----------
    bound : float
        No order that honours what is required is worth more, in Σ ± net / 2.
    """

    def __init__(self, net: FloatArray, required: BoolArray) -> None:
        self.n = net.shape[0]
        self._pairs = np.triu_indices(self.n, 1)
        # a power of two, so that scaling rounds nothing
        self._scale = 2.0 ** math.frexp(float(np.abs(net).max()))[1]
        self._required = required
        self._relaxation = Relaxation(net[self._pairs] / 2 / self._scale, self.n)
        low = np.where(required[self._pairs], 1.0, -1.0)
        high = np.where(required.T[self._pairs], -1.0, 1.0)
        self._point = self._relaxation.start(low, high)

    @property
    def bound(self) -> float:
        return self._point.reduced_bound * self._scale

    def improve(self, work: float, target: float, rng: np.random.Generator) -> float:
        """Lower the bound until it meets the target, stalls, or work is spent: triples, then cuts.

        Returns what was spent, in nanoseconds, about.
        """
        target /= self._scale
        before = self._relaxation.work
        self._settle(self._point, work, target, root=True)
        for _ in range(_ROUNDS_OF_CUTS if self.n <= MOST_VARIABLES_CUT else 0):
            left = work - self._spent(before)
            if self._point.bound <= target or left <= 0:
                break
            bound = self._point.bound
            cuts = find_cuts(self.n, self._point.s, rng, ROOTS_PER_ROUND)
            if not cuts:
                break
            self._relaxation.work += self.n**2 * ROOTS_PER_ROUND
            self._relaxation.add_cuts(self._point, cuts)
            self._settle(self._point, left, target, root=True)
            if bound - self._point.bound < 0.01 * (bound - target):
                break
        return self._spent(before)

    def _spent(self, before: float) -> float:
        return (self._relaxation.work - before) * _NANOSECONDS_A_ROW

    def _settle(self, point: Point, work: float, target: float, *, root: bool) -> None:
        """Take steps and take in violated triples until the bound stalls."""
        before = self._relaxation.work
        patience = _PATIENCE if root else 1
        while patience and point.bound > target and self._spent(before) < work:
            bound = point.bound
            self._relaxation.improve(point, self._relaxation.steps_per_round(point), target)
            if root:  # triples that lie idle are left out before any other point needs them
                self._relaxation.drop_idle(point)
            n_new = self._relaxation.add_violated(point, 1e-3)
            settled = n_new <= 0.02 * point.codes.size
            stalls = settled and bound - point.bound < 0.01 * (point.bound - target)
            patience -= stalls

    def losses(self) -> FloatArray:
        """What an order loses against the bound for having j before i, in entry (i, j)."""
        losses = np.zeros((self.n, self.n))
        left = 2.0 * self._scale * self._point.reduced
        i, j = self._pairs
        losses[i, j], losses[j, i] = np.maximum(left, 0.0), np.maximum(-left, 0.0)
        losses[self._required], losses[self._required.T] = np.inf, 0.0
        return losses

    def bound_reversed(self, i: int, j: int, work: float, target: float) -> tuple[float, float]:
        """Bound the orders that have j before i (it may not be ruled out); says what was spent."""
        from ..certificate import _kernels

        a, b = min(i, j), max(i, j)
        pair = a * self.n - a * (a + 1) // 2 + b - a - 1
        point = self._point.branch(pair, 1.0 if j < i else -1.0)
        before = self._relaxation.work
        _kernels.close_fixed(
            self.n, point.low, point.high, np.empty((self.n, self.n), dtype=np.bool_)
        )
        self._settle(point, work, target / self._scale, root=False)
        return point.bound * self._scale, self._spent(before)
