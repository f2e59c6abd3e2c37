"""Memetic search: a population of orders, crossed, improved by insertions, and kept diverse."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from .._rng import RandomLike, make_rng
from .._typing import BoolArray, FloatArray, IntArray
from ..scores.paper import OrderScore
from .causal_order import TOLERANCE

_MEMBERS = 60
_FIRST_RADIUS = 0.5
"""At first members keep this share of their mean distance at the start; at the end none."""

_WHOLE_UP_TO = 500
"""Up to so many variables there is a population of whole orders."""

_TRIAL = 0.1
"""Part of the budget in which a search of stretches sets the mark."""

_DECISION = 0.5
"""When so much is spent, whole orders must have reached it, or stretches get the rest."""

_STRETCHES_FROM = 0.9
"""When so much is spent, stretches of the best whole order follow in any case."""

_STRETCH = 100
_STRETCHES_AT_ONCE = 32
"""So many stretches are searched before the order is given to the caller."""

_WORK_OF_FIRST_ROUND = 4_000_000
"""Work on each stretch in the first round; twice as much in each that follows."""

_SLICE = 10_000_000
"""Work between two looks at the clock: some 20 ms."""


@dataclass(frozen=True, eq=False)
class SearchStep:
    """The best order so far.

    Attributes
    ----------
    order : array of shape (d,)
        Columns of the variables, causes first.
    score : float
        What the score gives this order.
    work : int
        Work done until here, about a nanosecond each.
    """

    order: IntArray
    score: float
    work: int


class Budget:
    """Work and time that a search may spend, and how much of it is spent.

    Parameters
    ----------
    work : int, optional
        Work allowed.
    deadline : float, optional
        When `clock` says so, the search ends.
    clock : function
        Gives seconds.
    within : Budget, optional
        A budget that this one is a part of: what is spent here is spent there.

    Examples
    --------
    >>> budget = Budget(work=100)
    >>> budget.spend(50)
    >>> budget.share_spent(), budget.is_spent()
    (0.5, False)
    """

    def __init__(
        self,
        work: int | None = None,
        deadline: float | None = None,
        *,
        clock: Callable[[], float] = time.perf_counter,
        within: Budget | None = None,
    ) -> None:
        self.work, self.deadline, self.clock, self.within = work, deadline, clock, within
        self.work_done = 0
        self._start = clock()

    def spend(self, work: int) -> None:
        """Note that work was done."""
        self.work_done += work
        if self.within is not None:
            self.within.spend(work)

    def share_spent(self) -> float:
        """The part of the work, or of the time if that is larger, that is spent: 0 to 1."""
        share = 0.0 if self.work is None else self.work_done / max(1, self.work)
        if self.deadline is not None:
            allowed = self.deadline - self._start
            share = max(share, (self.clock() - self._start) / allowed if allowed > 0 else 1.0)
        return min(1.0, share)

    def until(self, share: float) -> Budget:
        """A part that lasts until this share of the work, or of the time, is spent."""
        work = None if self.work is None else int(share * self.work) - self.work_done
        deadline = self.deadline
        if deadline is not None:
            deadline = self._start + share * (deadline - self._start)
        return Budget(work, deadline, clock=self.clock, within=self)

    def is_spent(self) -> bool:
        """Whether nothing is left, here or in the budget that this one is a part of."""
        return self.share_spent() >= 1.0 or (self.within is not None and self.within.is_spent())

    def next_slice(self) -> int:
        """Work to do before the next look at the clock."""
        left = _SLICE if self.work is None else self.work - self.work_done
        least = _SLICE if self.within is None else self.within.next_slice()
        return max(1, min(least, left))


def search_memetically(
    score: OrderScore,
    initial: IntArray,
    *,
    budget: Budget,
    rng: RandomLike = None,
    before: BoolArray | None = None,
) -> Iterator[SearchStep]:
    """Improve an order for as long as the budget lasts, and yield every better one.

    Two members of a population are crossed (cycle crossover), the child is improved by
    insertions until none improves it further, and it competes with the member closest to it, if
    that is closer than a radius, or else with the worst. The radius shrinks to zero as the budget
    is spent, so that members first stay apart and at last the best of them gather.

    Parameters
    ----------
    score : OrderScore
        What is to be maximised.
    initial : array of shape (d,)
        Where to start; it must honour `before`.
    budget : Budget
        Work, time or both. Work alone makes the result the same everywhere.
    rng : int, Generator or None
        Seed of the random choices; None is 0.
    before : Boolean array of shape (d, d), optional
        ``before[i, j]`` asks for i before j. It must be transitively closed and without cycles.

    Yields
    ------
    SearchStep
        First the initial order, then every better one, last the best.

    Notes
    -----
    The order of 100 variables that follow each other can be searched likewise with the others in
    their places, stretch after stretch, after insertions over the whole length. A tenth of the
    budget goes to that first; if the population of whole orders has not reached its result when
    half of the budget is spent, the rest does too, and else the last tenth. Beyond 500 variables
    there are only stretches, and no second d × d matrix is held.

    References
    ----------
    Schiavinotto, Stützle (2004), on memetic search for linear orders.
    Lugo, Segura, Miranda (2022), on keeping a population apart for as long as time is left.

    Examples
    --------
    >>> import numpy as np
    >>> from intersort.scores.weight_matrix import as_order_score
    >>> score = as_order_score(np.triu(np.ones((30, 30)), 1))
    >>> steps = list(search_memetically(score, np.arange(30)[::-1], budget=Budget(work=10**6)))
    >>> steps[0].score, steps[-1].score
    (0.0, 435.0)
    """
    generator = make_rng(rng)
    best = SearchStep(np.array(initial, dtype=np.int64), score.score(initial), 0)
    yield best
    nothing = np.zeros((0, 0), dtype=np.bool_)
    required = nothing if before is None else np.require(before, np.bool_, ["C", "W"])
    margin = TOLERANCE * score.largest_weight
    last = best.order
    for order in _search(score, best.order, budget, generator, required):
        if np.array_equal(order, last):
            continue
        last = order.copy()
        value = score.score(order)
        if value > best.score + margin:
            best = SearchStep(order.copy(), value, budget.work_done)
            yield best


def _search(
    score: OrderScore,
    initial: IntArray,
    budget: Budget,
    generator: np.random.Generator,
    before: BoolArray,
) -> Iterator[IntArray]:
    """Search whole orders if that does better than stretch after stretch, else stretches."""
    d = score.n_variables
    if d < 2:
        return
    if d > _WHOLE_UP_TO or (budget.work is None and budget.deadline is None):
        yield from _search_stretches(score, initial, budget, generator, before)
        return
    net = net_weights(score, np.arange(d))
    by_stretches = initial
    for found in _search_stretches(score, initial, budget.until(_TRIAL), generator, before):
        by_stretches = found
        yield by_stretches
    to_beat = score.score(by_stretches)
    by_whole, is_ahead = by_stretches, False
    for by_whole in _evolve(net, initial, budget.until(_STRETCHES_FROM), generator, before):
        yield by_whole
        if not is_ahead and budget.share_spent() > _DECISION:
            is_ahead = score.score(by_whole) >= to_beat
            if not is_ahead:
                break
    start = by_whole.copy() if is_ahead else by_stretches
    yield from _search_stretches(score, start, budget, generator, before)


def net_weights(score: OrderScore, variables: IntArray) -> FloatArray:
    """What each of some variables gains before each other, less what it gains behind it.

    >>> from intersort.scores.weight_matrix import as_order_score
    >>> net_weights(as_order_score([[0, 3, 1], [1, 0, 0], [5, 0, 0]]), np.array([2, 0]))
    array([[ 0.,  4.],
           [-4.,  0.]])
    """
    row = np.searchsorted(score.intervened, variables)
    row[row == score.intervened.size] = 0
    has_row = score.intervened[row] == variables if score.intervened.size else row < 0
    weights = np.zeros((variables.size, variables.size))
    weights[has_row] = score.weights[np.ix_(row[has_row], variables)]
    return np.asarray(weights - weights.T)


def round_to_exact(net: FloatArray) -> FloatArray:
    """Scale and round so that all sums are of whole numbers below 2^53, hence exact.

    Rounding moves a weight by less than d² · 5e-16 of the largest. Whole numbers are kept up to
    a power of two.

    >>> round_to_exact(np.array([[0, 0.75], [-0.75, 0]])) * 2.0**-50
    array([[ 0.  ,  0.75],
           [-0.75,  0.  ]])
    """
    largest = float(np.abs(net).max(initial=0.0))
    if largest == 0.0:
        return net
    scaled = np.ldexp(net, -int(np.frexp(largest)[1]))  # within ±1, whatever the magnitude
    total = int(np.frexp(np.abs(scaled).sum())[1])
    return np.asarray(np.round(np.ldexp(scaled, 51 - total)), dtype=np.float64)


def _evolve(
    net: FloatArray,
    initial: IntArray,
    budget: Budget,
    generator: np.random.Generator,
    before: BoolArray,
) -> Iterator[IntArray]:
    """Search the order of d variables 0 … d − 1; yield the best one whenever it changes."""
    from . import _memetic_kernels as kernels

    d = len(net)
    padded = np.zeros((d + 1, 8 * -(-d // 8)))
    padded[:d, :d] = round_to_exact(net)
    orders = np.full((_MEMBERS + 1, padded.shape[1]), d, dtype=np.int64)
    orders[0, :d] = initial
    ranks = np.zeros((_MEMBERS + 1, d), dtype=np.int64)
    scores = np.full(_MEMBERS + 1, -np.inf)
    sums = np.zeros((3, padded.shape[1]))
    marks = np.zeros((3, padded.shape[1]), dtype=np.int64)
    state = generator.integers(1, 2**63, size=1, dtype=np.uint64)
    population = (padded, before, orders, ranks, scores, sums, marks, state)

    for member in range(_MEMBERS):
        if budget.is_spent():
            break
        budget.spend(kernels.descend_members(*population, member, member + 1))
    yield orders[scores[:-1].argmax(), :d]
    radius = _FIRST_RADIUS * _mean_distance(ranks[:-1])
    while not budget.is_spent():
        radius_now = radius * (1.0 - budget.share_spent())
        budget.spend(kernels.evolve(*population, radius_now, budget.next_slice()))
        yield orders[scores[:-1].argmax(), :d]


def _mean_distance(ranks: IntArray) -> float:
    """Mean distance of each member to the next: they are drawn at random, so these will do."""
    return float(np.abs(ranks - np.roll(ranks, 1, axis=0)).sum(axis=1).mean())


def _search_stretches(
    score: OrderScore,
    initial: IntArray,
    budget: Budget,
    generator: np.random.Generator,
    before: BoolArray,
) -> Iterator[IntArray]:
    """Insertions over the whole length, then stretch after stretch, each round with more work."""
    order = initial.copy()
    margin = TOLERANCE * score.largest_weight
    work = _WORK_OF_FIRST_ROUND
    while not budget.is_spent():
        _settle(score, order, budget, generator, before)
        yield order
        for number, start in enumerate(range(0, score.n_variables - 1, _STRETCH // 2)):
            if budget.is_spent():
                break
            variables = order[start : start + _STRETCH].copy()
            net = net_weights(score, variables)
            inner = before[np.ix_(variables, variables)] if before.size else before
            part = Budget(work, within=budget)
            found = np.arange(variables.size)
            for candidate in _evolve(net, found, part, generator, inner):
                found = candidate.copy()
            if _score_net(net, found) > _score_net(net, np.arange(variables.size)) + 2 * margin:
                order[start : start + _STRETCH] = variables[found]
            if number % _STRETCHES_AT_ONCE == _STRETCHES_AT_ONCE - 1:
                yield order
        yield order
        work *= 2


def _score_net(net: FloatArray, order: IntArray) -> float:
    """Twice the score of an order, up to a constant."""
    return float(np.triu(net[np.ix_(order, order)], 1).sum())


def _settle(
    score: OrderScore,
    order: IntArray,
    budget: Budget,
    generator: np.random.Generator,
    before: BoolArray,
) -> None:
    """Insert variables where they gain most, in place, until none gains."""
    from . import _memetic_kernels as kernels

    d = score.n_variables
    row_of = np.full(d, -1, dtype=np.int64)
    row_of[score.intervened] = np.arange(score.intervened.size)
    weights = np.ascontiguousarray(score.weights, dtype=np.float64)
    turns = generator.permutation(d)
    progress = np.zeros(2, dtype=np.int64)
    margin = TOLERANCE * score.largest_weight
    while not budget.is_spent() and progress[1] < d:
        _, work = kernels.settle(
            weights, row_of, before, order, np.zeros(d), turns, progress, margin,
            budget.next_slice(),
        )  # fmt: skip
        budget.spend(work)
