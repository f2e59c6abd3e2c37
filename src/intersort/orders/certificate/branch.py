"""Branch and bound on one component: which of two variables comes first, the best bound first."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..._typing import BoolArray, FloatArray, IntArray
from .cuts import find_cuts
from .limits import Limits
from .relaxation import Point, Relaxation

STEPS_AT_ROOT = 4000
STEPS_AT_NODE = 400
CUT_ROUNDS = 40
ROOTS_PER_ROUND = 400
MOST_VARIABLES_CUT = 150
"""Beyond, one search for cuts takes longer than they are worth."""


@dataclass(eq=False)
class Component:
    """One component as it is solved: half net weights, what is fixed, and the best order so far.

    Attributes
    ----------
    net : array of shape (n, n)
        What i before j gains over j before i.
    forced : bool array of shape (n, n)
        Required precedences, transitively closed.
    order : int array
        The best order known; it honours what is required.
    tolerance : float
        A bound that is within this of the best value proves it.
    bound : float
        No order is worth more than this, in Σ ± net / 2.
    """

    net: FloatArray
    forced: BoolArray
    order: IntArray
    tolerance: float
    on_change: Callable[[], None] = lambda: None
    bound: float = field(init=False)
    best: float = field(init=False)
    ceiling: float = field(init=False)
    n_branches: int = 0

    def __post_init__(self) -> None:
        self.net = np.ascontiguousarray(self.net)
        self.n = self.net.shape[0]
        self.pairs = np.triu_indices(self.n, 1)
        self.b = self.net[self.pairs] / 2
        self.best = self.value(self.order)
        low, high = self.bounds_of_pairs()
        self.ceiling = self.bound = float(np.maximum(self.b * low, self.b * high).sum())

    def value(self, order: IntArray) -> float:
        """What an order is worth, over all pairs of the component."""
        return float(np.triu(self.net[np.ix_(order, order)], 1).sum() / 2)

    def bounds_of_pairs(self) -> tuple[FloatArray, FloatArray]:
        """−1 and 1, or equal where a precedence is required."""
        i, j = self.pairs
        low = np.where(self.forced[i, j], 1.0, -1.0)
        high = np.where(self.forced[j, i], -1.0, 1.0)
        return low, high

    def round(self, s: FloatArray) -> None:
        """Sort by how much each variable precedes, improve by insertion, keep what is better."""
        from . import _kernels

        i, j = self.pairs
        ahead = np.bincount(i, s, self.n) - np.bincount(j, s, self.n)
        order = _sort_under(self.forced, -np.asarray(ahead, dtype=np.float64))
        margin = 1e-12 * float(np.abs(self.net).max(initial=0.0))
        _kernels.improve_order(self.net, self.forced, order, margin)
        value = self.value(order)
        if value > self.best + margin:
            self.best, self.order = value, order
            self.on_change()


def _sort_under(forced: BoolArray, key: FloatArray) -> IntArray:
    """Sort by a key, each variable after all that are required to precede it."""
    order = np.argsort(key, kind="stable")
    if not forced.any():
        return order
    waiting, chosen = forced.sum(axis=0), np.empty(key.size, dtype=np.int64)
    rank = np.argsort(order)
    ready = [(int(rank[v]), int(v)) for v in np.flatnonzero(waiting == 0)]
    heapq.heapify(ready)
    for place in range(key.size):
        _, v = heapq.heappop(ready)
        chosen[place] = v
        for u in np.flatnonzero(forced[v]):
            waiting[u] -= 1
            if waiting[u] == 0:
                heapq.heappush(ready, (int(rank[u]), int(u)))
    return chosen


class BranchAndBound:
    """The search over one component, which can be stopped and asked for its bound at any time."""

    def __init__(self, component: Component, limits: Limits) -> None:
        self.component, self.limits = component, limits
        self.relaxation = Relaxation(component.b, component.n)
        self._rng = np.random.default_rng(0)
        self._closed = -np.inf  # the largest bound of what is done with
        self._waiting: list[tuple[float, int, Point]] = []
        self._count = itertools.count()

    def run(self) -> None:
        """Solve the component, or stop at a limit; its bound and order are left in it."""
        root = self.relaxation.start(*self.component.bounds_of_pairs())
        self._note(root.bound)
        if self._solve_root(root):
            self._wait(root)
        while self._waiting and not self._stopped():
            self._expand(heapq.heappop(self._waiting)[2])
            self._note()
        self._note()
        self.limits.spent += self.relaxation.work

    @property
    def _target(self) -> float:
        """A bound of at most this says that nothing better is left."""
        return self.component.best + self.component.tolerance

    def _stopped(self) -> bool:
        return self.limits.reached(self.relaxation.work)

    def _wait(self, point: Point) -> None:
        heapq.heappush(self._waiting, (-point.bound, next(self._count), point))

    def _note(self, bound: float | None = None) -> None:
        """Set the component's bound from all that is open or done with."""
        if bound is None:
            top = -self._waiting[0][0] if self._waiting else -np.inf
            bound = max(self._closed, top, self.component.best)
        if bound < self.component.bound:
            self.component.bound = bound
            self.component.on_change()

    def _solve_root(self, root: Point) -> bool:
        """Relaxation and cuts; True if branching is needed."""
        if not self._bound(root, STEPS_AT_ROOT, least_gain=0.01, at_root=True):
            return False
        best_before = np.inf
        rounds = CUT_ROUNDS if self.component.n <= MOST_VARIABLES_CUT else 0
        for round_number in range(rounds):
            if self._stopped():
                break
            if round_number % 4 == 0:
                if best_before - root.bound < 0.01 * (root.bound - self.component.best):
                    break
                best_before = root.bound
            cuts = find_cuts(self.component.n, root.s, self._rng, ROOTS_PER_ROUND)
            if not cuts:
                break
            self.relaxation.add_cuts(root, cuts)
            if not self._bound(root, STEPS_AT_ROOT // 8, least_gain=0.01, at_root=True):
                return False
            self._note(root.bound)
        return True

    def _bound(
        self, point: Point, n_steps: int, least_gain: float, *, at_root: bool = False
    ) -> bool:
        """Lower a subproblem's bound; False if it is done with.

        Goes on while rounds gain at least the given share of what is missing.
        """
        taken = n_weak = 0
        patience = 2 if at_root else 1
        while taken < n_steps and not self._stopped():
            before = point.bound
            per_round = self.relaxation.steps_per_round(point)
            self.relaxation.improve(point, per_round, self._target)
            taken += per_round
            self.relaxation.drop_idle(point)
            if at_root:
                self._note(point.bound)
            if point.bound > self._target:
                self.component.round(point.s)
            if point.bound <= self._target:
                self._closed = max(self._closed, point.bound)
                return False
            if not self._fix(point):
                self._closed = max(self._closed, self._target)
                return False
            n_new = self.relaxation.add_violated(point, 1e-3)
            gained = before - point.bound
            settled = n_new <= 0.02 * point.codes.size
            weak = settled and gained < least_gain * (point.bound - self._target)
            n_weak = n_weak + 1 if weak else 0
            if n_weak == patience:
                break
        return True

    def _fix(self, point: Point) -> bool:
        """Fix pairs whose other side cannot be better; False if nothing better is left."""
        from . import _kernels

        loss = 2.0 * np.abs(point.reduced)
        settled = (point.reduced_bound - loss <= self._target) & (point.low < point.high)
        if not settled.any():
            return True
        point.low = np.where(settled & (point.reduced > 0), 1.0, point.low)
        point.high = np.where(settled & (point.reduced < 0), -1.0, point.high)
        n = self.component.n
        if not _kernels.close_fixed(n, point.low, point.high, np.empty((n, n), dtype=np.bool_)):
            return False
        if (point.low < point.high).any():
            return True
        self.component.round(point.low)  # one order is left
        return False

    def _expand(self, point: Point) -> None:
        """Split a subproblem at the pair that is least decided, weighed by its duals."""
        from . import _kernels

        if point.bound <= self._target:
            self._closed = max(self._closed, point.bound)
            return
        worth = (1.02 - np.abs(point.s)) * self.relaxation.dual_mass(point)
        worth[point.low == point.high] = -1.0
        pair = int(np.argmax(worth))
        n = self.component.n
        for value in (1.0, -1.0):
            child = point.branch(pair, value)
            self.component.n_branches += 1
            if not _kernels.close_fixed(n, child.low, child.high, np.empty((n, n), dtype=np.bool_)):
                continue
            if self._bound(child, STEPS_AT_NODE, least_gain=0.03):
                self._wait(child)
