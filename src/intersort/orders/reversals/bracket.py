"""What it costs to reverse each pair, at least and at most, for any number of variables."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ..._rng import RandomLike, make_rng
from ..._threads import run_blocks
from ..._typing import BoolArray, FloatArray, IntArray
from ..certificate.decompose import split
from ..exact import SubsetTable
from .component import MOST_VARIABLES, ComponentBound
from .exact import exact_costs

_EXACT_UP_TO = 16
"""Components of so many variables take the dynamic programme milliseconds."""

_LARGEST_POOL = 64
_PAIRS_A_ROUND = 128
_DRAWN = 32
_SHARE_OF_BOUND = 0.3
"""Of the work, at most so much is spent on the bound of all pairs at once."""
_SHARE_OF_SEARCH = 0.6
"""Of what is left, at most so much is spent on looking for orders."""
_SHARE_OF_PAIR = 0.02
"""Of what is then left, at most so much is spent on bounding one pair."""
_EPS = float(np.finfo(np.float64).eps)


@dataclass(eq=False)
class Reversals:
    """What is known of the cost of reversing each pair.

    Attributes
    ----------
    order : array of shape (d,)
        The best order known.
    gap : float
        The optimum is at most so much better.
    least, most : arrays of shape (d, d)
        Entry (a, b): the optimum loses at least and at most this if b has to precede a. Infinite
        where a is required to precede b; `most` also where no such order was found.
    pool : list of arrays
        Orders that are tied with `order`, which comes first.
    """

    order: IntArray
    gap: float
    least: FloatArray
    most: FloatArray
    pool: list[IntArray] = field(default_factory=list)


def bracket_costs(
    dense: FloatArray,
    required: BoolArray | None,
    order: IntArray,
    *,
    margin: float,
    work: float,
    gap: float = math.inf,
    n_jobs: int | None = None,
    rng: RandomLike = None,
) -> Reversals:
    """Bracket the cost of reversing each pair.

    Parameters
    ----------
    dense : array of shape (d, d)
        Weights, the diagonal zero.
    required : Boolean array of shape (d, d), optional
        What must precede what, transitively closed; `order` honours it.
    margin : float
        Orders whose scores differ by no more are tied.
    work : float
        What may be spent, in steps of about a nanosecond.
    gap : float
        The optimum is known to be at most so much better than `order`.
    n_jobs : int, optional
        Number of threads, which does not change the result.
    rng : optional
        Decides which cuts the bound tries.
    """
    generator = make_rng(rng)
    bracket = _Bracket(dense, required, order, margin)
    cubes = float(order.size) ** 3
    work -= bracket.bound_components(work * _SHARE_OF_BOUND, generator)
    if cubes <= work:
        bracket.add_detours()
    work -= bracket.find_orders(work * _SHARE_OF_SEARCH, n_jobs)
    if 4 * cubes <= work:
        bracket.tighten_pairs(work)
    gap = max(0.0, min(bracket.gap(), gap - bracket.gain))
    gap = gap if gap > margin else 0.0
    least = bracket.least_costs(close=cubes <= work)
    most = np.where(bracket.required, np.inf, bracket.most + gap)
    np.fill_diagonal(most, 0.0)
    return Reversals(
        bracket.order, gap, np.minimum(least, most), most, bracket.tied_orders(generator)
    )


@dataclass(eq=False)
class _Part:
    """A component of several variables, and its bound where it is not solved exactly."""

    members: IntArray
    bound: ComponentBound | None = None


@dataclass(eq=False)
class _Found:
    """Two orders with a pair reversed, what they cost, and the work."""

    orders: IntArray
    costs: FloatArray
    work: int = 0


class _Bracket:
    """The state of the work: the best order, the bounds against it, and the orders found."""

    def __init__(
        self, dense: FloatArray, required: BoolArray | None, order: IntArray, margin: float
    ) -> None:
        d = order.size
        largest = float(np.abs(dense).max(initial=0.0))
        self.margin, self.gain = margin, 0.0
        self.net = dense - dense.T
        # differences of equal weights that were rounded apart would tie components together
        noise = (np.abs(self.net) <= 8 * _EPS * largest) & (self.net != 0)
        self.slack = float(np.abs(self.net[noise]).sum()) / 2
        self.net[noise] = 0.0
        # a gain that is rounding must not send the descent round in circles
        self.least_gain = max(0.1 * margin, 64 * _EPS * largest)
        self.required = np.zeros((d, d), dtype=np.bool_) if required is None else required
        self.legal = np.zeros((0, 0), dtype=np.bool_) if required is None else required
        self.order, self.pool = order.copy(), [order.copy()]
        self.most = np.full((d, d), np.inf)
        self.least = np.where(self.required, np.inf, 0.0)
        self.losses = np.maximum(self.net, 0.0)
        self.losses[self.required], self.losses[self.required.T] = np.inf, 0.0
        self.total_losses = self.losses
        self.parts: list[_Part] = []
        self._start()

    def _start(self) -> None:
        """Improve the order, then let each component stand where it loses nothing to others."""
        from . import _kernels

        better = self.order.copy()
        _kernels.descend(self.net, self.legal, better, -1, -1, self.least_gain)
        self.components = split(self.net, self.required)
        self.parts = [_Part(members) for members in self.components if members.size > 1]
        _kernels.note_order(self.order, 0.0, self.most)
        self._adopt(better)

    def _by_components(self, order: IntArray) -> IntArray:
        """Put components where nothing is lost between them, their members as in `order`."""
        rank = np.argsort(order)
        return np.concatenate([part[np.argsort(rank[part])] for part in self.components])

    def rank(self) -> IntArray:
        """Position of each variable in the best order."""
        return np.argsort(self.order).astype(np.int64)

    def _adopt(self, better: IntArray) -> None:
        """Count everything from another order that is as good or better.

        Its components are put in order, as the bounds take for granted; that loses nothing.
        """
        from . import _kernels

        better = self._by_components(better)
        gain = max(0.0, -float(_kernels.cost_of(self.net, self.rank(), better)))
        self.gain += gain
        self.most += gain
        self.order = better
        _kernels.note_order(better, 0.0, self.most)
        np.fill_diagonal(self.most, 0.0)
        self.pool = [better] if gain > self.margin else [*self.pool, better]

    def tied_orders(self, rng: np.random.Generator) -> list[IntArray]:
        """The best order, those found that are as good, and draws from components solved exactly.

        What no insertion leads to, such as turning a circle round, comes in by these draws.
        """
        from . import _kernels

        rank = self.rank()
        found = [
            order for order in self.pool if _kernels.cost_of(self.net, rank, order) <= self.margin
        ]
        drawn = np.tile(self.order, (_DRAWN, 1))
        for part in self.parts:
            if part.members.size <= _EXACT_UP_TO:
                inside = np.ix_(part.members, part.members)
                half = self.net[inside] / 2
                tolerance = self.margin / part.members.size / float(np.abs(half).max())
                table = SubsetTable(half, self.required[inside], tolerance)
                numbers = rng.integers(table.n_optimal, size=_DRAWN)
                drawn[:, np.sort(rank[part.members])] = part.members[table.write_orders(numbers)]
        is_tied = [_kernels.cost_of(self.net, rank, order) <= self.margin for order in drawn]
        return [self.order, *found, *drawn[is_tied]]

    # --- at least ---------------------------------------------------------------------------------

    def bound_components(self, work: float, rng: np.random.Generator) -> float:
        """Bound every component of several variables, exactly where it is small."""
        left = work
        for part in self.parts:
            inside = np.ix_(part.members, part.members)
            if part.members.size <= _EXACT_UP_TO:
                self._solve(part.members)
                self.losses[inside] = np.where(self.required[inside], np.inf, 0.0)
                left -= 2.0**part.members.size * part.members.size**2
                continue
            if part.members.size > MOST_VARIABLES or float(part.members.size) ** 3 > left:
                continue
            part.bound = ComponentBound(self.net[inside], self.required[inside])
            target = self._value(part.members) + 0.25 * self.margin
            left -= part.bound.improve(left, target, rng)
            self.losses[inside] = part.bound.losses()
        return work - left

    def _solve(self, members: IntArray) -> None:
        """Solve a component exactly."""
        inside = np.ix_(members, members)
        costs, best = exact_costs(self.net[inside] / 2, self.required[inside])
        self.least[inside] = costs
        places = np.sort(self.rank()[members])
        improved = self.order.copy()
        improved[places] = members[best]
        if self._value(members, np.argsort(improved)) > self._value(members):
            self._adopt(improved)
        self.most[inside] = np.minimum(self.most[inside], costs)

    def add_detours(self) -> None:
        """Count what reversing a pair loses by all third variables: d³ steps."""
        from . import _kernels

        self.total_losses = self.losses.copy()
        _kernels.add_detours(self.losses, self.total_losses)
        np.fill_diagonal(self.total_losses, 0.0)

    def _value(self, members: IntArray, rank: IntArray | None = None) -> float:
        """What the order of a component's members is worth, in Σ ± net / 2."""
        ordered = members[np.argsort((self.rank() if rank is None else rank)[members])]
        return float(np.triu(self.net[np.ix_(ordered, ordered)], 1).sum()) / 2

    def gap(self) -> float:
        """How much better the optimum can be than the order, by the bounds of the components."""
        gaps = []
        for part in self.parts:
            value = self._value(part.members)
            if part.bound is not None:
                gaps.append(part.bound.bound - value)
            elif part.members.size > _EXACT_UP_TO:
                gaps.append(self._most_of(part.members) - value)
        return self.slack + math.fsum(max(0.0, gap) for gap in gaps)

    def _most_of(self, members: IntArray) -> float:
        """What a component is worth if every pair takes its better direction that is allowed."""
        inside = np.ix_(members, members)
        net, required = self.net[inside], self.required[inside]
        free = ~(required | required.T)
        return float(np.abs(net[free]).sum()) / 4 + float(net[required].sum()) / 2

    def least_costs(self, *, close: bool) -> FloatArray:
        """What reversing each pair costs at least, closed over chains of pairs if asked: d³."""
        from . import _kernels

        least = np.maximum(self.least, self.total_losses - self.gap())
        np.fill_diagonal(least, 0.0)
        if close:
            _kernels.widen(least)
        return least

    # --- at most ----------------------------------------------------------------------------------

    def find_orders(self, work: float, n_jobs: int | None) -> float:
        """Look for good orders that have a pair reversed: cheap ones first, then one by one.

        All pairs of a round start from the same order, and what they found is taken in their
        order, so that the number of threads changes nothing.
        """
        left = work
        pairs, least = self._pairs_apart()
        while left > 0 and pairs:
            some: list[tuple[int, int]] = []
            while pairs and len(some) < _PAIRS_A_ROUND:
                a, b = pairs.pop()
                if self.most[a, b] - least[a, b] > self.margin:
                    some.append((a, b))
            found = self._reverse(some, n_jobs)
            left -= sum(each.work for each in found)
            if self._take(found):
                pairs, least = self._pairs_apart()
        return work - left

    def _pairs_apart(self) -> tuple[list[tuple[int, int]], FloatArray]:
        """Pairs of the order whose bounds are apart, the cheapest last, and the lower bounds."""
        from . import _kernels

        _kernels.insert_pairs(self.net, self.legal, self.order, self.most)
        least = np.where(self.required, 0.0, self.least_costs(close=False))
        ahead = self.rank()[:, None] < self.rank()[None, :]
        is_apart = ahead & ~self.required & (self.most - least > self.margin)
        first, second = np.nonzero(is_apart)
        sequence = np.argsort(-self.most[first, second], kind="stable")
        pairs = zip(first[sequence].tolist(), second[sequence].tolist(), strict=True)
        return list(pairs), least

    def _reverse(self, pairs: list[tuple[int, int]], n_jobs: int | None) -> list[_Found]:
        from . import _kernels

        d = self.order.size
        rank = self.rank()
        found = [_Found(np.empty((2, d), dtype=np.int64), np.empty(2)) for _ in pairs]

        def search(number: int) -> None:
            each = found[number]
            each.work = _kernels.reverse_pair(
                self.net,
                self.legal,
                self.order,
                rank,
                *pairs[number],
                self.least_gain,
                np.zeros(d, dtype=np.bool_),
                each.orders,
                each.costs,
            )

        run_blocks(search, range(len(pairs)), n_jobs, "ties")
        return found

    def _take(self, found: list[_Found]) -> bool:
        """Note what was found; True if one order is better, which then takes over."""
        from . import _kernels

        for each in found:
            for order, cost in zip(each.orders, each.costs.tolist(), strict=True):
                if cost < -self.least_gain:
                    self._adopt(order.copy())
                    return True
                _kernels.note_order(order, max(cost, 0.0), self.most)
                if cost <= self.margin and len(self.pool) < _LARGEST_POOL:
                    self.pool.append(order.copy())
        return False

    # --- pair by pair -----------------------------------------------------------------------------

    def tighten_pairs(self, work: float) -> None:
        """Bound the problem with one pair reversed, for pairs whose bounds are apart."""
        share, least_work = _SHARE_OF_PAIR * work, 0.01 * work
        least = np.where(self.required, 0.0, self.least_costs(close=True))
        is_apart = ~self.required & (self.most - np.minimum(least, self.most) > self.margin)
        is_open = is_apart & (least <= self.margin)
        for part in self.parts:
            if part.bound is None:
                continue
            inside = np.ix_(part.members, part.members)
            first, second = np.nonzero(is_apart[inside])
            # those not known to be forced come first, and of these the dear ones
            sequence = np.lexsort(
                (-self.most[inside][first, second], ~is_open[inside][first, second])
            )
            for a, b in zip(first[sequence].tolist(), second[sequence].tolist(), strict=True):
                if work <= least_work:
                    return
                work -= self._tighten(part.members, part.bound, a, b, share)

    def _tighten(
        self, members: IntArray, bound: ComponentBound, a: int, b: int, work: float
    ) -> float:
        value = self._value(members)
        elsewhere = self.gap() - max(0.0, bound.bound - value)
        i, j = members[a], members[b]
        at_most = min(float(self.most[i, j]), float(np.abs(self.net).sum()))
        reversed_bound, spent = bound.bound_reversed(
            a, b, work, value - at_most + 0.25 * self.margin
        )
        self.least[i, j] = max(self.least[i, j], value - reversed_bound - elsewhere)
        return spent
