"""The best order that can be found, and how surely it is the best."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from .._rng import RandomLike, make_rng
from .._threads import count_threads
from .._typing import BoolArray, IntArray
from .._validation import InputError, closest, shown
from ..scores.paper import OrderScore
from ..scores.weight_matrix import ScoreLike, as_order_score
from .causal_order import CausalOrder, OrderLike, as_order, bound_by_pairs
from .exact import exact_order
from .knowledge import Knowledge, check_obeys, required_pairs
from .memetic import Budget, search_memetically
from .sort_ranking import rank_by_falling_value
from .stopping import StopRequest, stop_on_interrupt

EFFORTS = {"low": 0.1, "normal": 1.0, "high": 10.0}
"""Names of efforts, and the share of the normal work that each may do."""

EXACT_UP_TO = 20
"""So many variables take the exact method a tenth of a second."""

FIRST_SHARE = 0.1
"""With a time limit, the most that the search takes before the certificate, and again after it."""


def find_order(
    score_or_matrix: ScoreLike,
    *,
    initial: OrderLike | None = None,
    knowledge: Knowledge | None = None,
    time_limit: float | None = None,
    effort: str = "normal",
    certify: bool = True,
    ties: bool = False,
    n_jobs: int | None = None,
    rng: RandomLike = None,
) -> CausalOrder:
    """Find the best order, and say how much better any other could be.

    Up to 20 variables the order is proven best by dynamic programming. Beyond, a memetic search
    finds it and a linear relaxation with branch and bound closes the gap to an upper bound, or
    proves the order best.

    Parameters
    ----------
    score_or_matrix : OrderScore, or array of shape (d, d)
        What is to be maximised: ``matrix[i, j]`` is gained when i precedes j. The diagonal is
        ignored.
    initial : CausalOrder, or array of shape (d,), optional
        Where the search starts; without it, at the order that SORTRANKING's rule gives on the
        positive weights.
    knowledge : Knowledge, optional
        Precedences that the order must honour. Score, bound and gap are those of the orders that
        honour them.
    time_limit : float, optional
        Seconds for search and certificate together, imports and compilation apart. Without it
        both stop after a fixed amount of work, so that equal calls give equal orders.
    effort : {"low", "normal", "high"}
        How much work that is: a tenth of, or ten times, the normal.
    certify : bool
        Whether to look for a bound; without it, `upper_bound` is the sum over pairs.
    ties : bool
        Whether to find out which pairs the score leaves undecided, see :func:`ties`.
    n_jobs : int or None
        Number of threads for the ties; the result is the same for any number.
    rng : int, Generator or None
        Seed of the search; None is 0.

    Returns
    -------
    CausalOrder
        An `ExactOrder` up to 20 variables. `gap` says how far the bound is away, `is_optimal`
        whether the order is proven best, `trace` how both went.

    Notes
    -----
    The first Ctrl-C ends the search and returns the best order so far, with ``interrupted=True``;
    the second raises.

    Examples
    --------
    >>> import numpy as np
    >>> import intersort
    >>> intersort.find_order([[0, 2.0], [0.5, 0]])
    ExactOrder x0 → x1
      score 2, proven optimal, the only one, found by exact_order
    >>> weights = np.random.default_rng(0).normal(size=(40, 40))
    >>> result = intersort.find_order(weights, effort="low")
    >>> result.gap < 0.05, result.interrupted
    (True, False)
    """
    score = as_order_score(score_or_matrix)
    check_limits(time_limit, effort)
    count_threads(n_jobs)
    required = required_pairs(knowledge, score.names)
    start = None if initial is None else as_order(initial, score.n_variables)
    if start is not None:
        check_obeys(start, required, score.names)
    if score.n_variables <= EXACT_UP_TO:
        result: CausalOrder = exact_order(score, knowledge=knowledge)
    else:
        if time_limit is not None:
            _compile()
        shares = 2 if required is not None and certify else 1
        limits = _Limits(EFFORTS[effort] / shares, time_limit and time_limit / shares)
        result = _solve(score, start, required, limits, certify=certify, rng=rng)
    if required is not None and certify:
        result = _price(result, score, time_limit, effort, rng)
    if ties and not result.interrupted:
        result = _add_ties(result, score, knowledge, effort, n_jobs, rng)
    return result


def check_limits(time_limit: float | None, effort: str) -> None:
    """Refuse a time limit that is no positive number, and an effort without a name."""
    if effort not in EFFORTS:
        raise InputError(
            f"effort must be one of {', '.join(EFFORTS)}; got {shown(effort)}"
            f"{closest(str(effort), list(EFFORTS))}"
        )
    if time_limit is None:
        return
    if not isinstance(time_limit, int | float | np.number) or not 0 < time_limit < math.inf:
        raise InputError(
            f"time_limit must be a positive number of seconds, or None; got {shown(time_limit)}."
        )


class _Limits:
    """Work and time of the search and of the certificate."""

    def __init__(self, effort: float, seconds: float | None) -> None:
        self.effort, self.seconds = effort, seconds
        self.begin = time.perf_counter()

    def deadline(self, share: float) -> float | None:
        """When a share of the time is over."""
        return None if self.seconds is None else self.begin + share * self.seconds

    def search_work(self, d: int) -> int:
        """Work of the search, about a nanosecond each: half a second at d = 30, ten at 10,000."""
        return int(self.effort * 1e8 * math.sqrt(d))

    def first_work(self, d: int) -> int:
        """Work of the search before the certificate: a twentieth of a second at d = 30."""
        return min(self.search_work(d), int(self.effort * 1e5 * d * d))

    def certificate_work(self) -> float:
        """Work of the certificate, three to ten nanoseconds each."""
        return math.inf if self.seconds is not None else self.effort * 1e9


class _StoppableBudget(Budget):
    """A budget that is spent as soon as someone asks to stop."""

    stop: StopRequest = StopRequest()

    def share_spent(self) -> float:
        return 1.0 if self.stop.requested else super().share_spent()


class _Run:
    """The best order and the least bound so far, how they came, and the line that shows them."""

    def __init__(self, score: OrderScore, order: IntArray, bound: float, limits: _Limits) -> None:
        from tqdm import tqdm

        self.score, self.order, self.bound = score, order, bound
        self.value = score.score(order)
        self.limits = limits
        self.trace: list[tuple[float, float, float]] = []
        self._line: Any = tqdm(
            bar_format="{desc} {postfix} [{elapsed}]", desc="order", disable=None, delay=1
        )
        self.note()

    def take(self, order: IntArray, bound: float | None = None) -> None:
        """Keep an order or a bound if it is better than what there is."""
        value = self.score.score(order)
        if value > self.value:
            self.order, self.value = order, value
        if bound is not None:
            self.bound = max(self.value, min(self.bound, bound))
        self.note()

    def note(self) -> None:
        """Add the state to the trace, and show it."""
        seconds = time.perf_counter() - self.limits.begin
        self.trace.append((seconds, self.value, self.bound))
        gap = self.result(interrupted=False).gap
        self._line.set_postfix_str(
            f"best {self.value:.6g}, bound {self.bound:.6g}, gap {100 * gap:.2g} %"
        )
        self._line.update(0)

    def is_proven(self) -> bool:
        """Whether score and bound meet."""
        return self.result(interrupted=False).is_optimal

    def result(self, *, interrupted: bool) -> CausalOrder:
        """What there is, as an order with its evidence."""
        return CausalOrder(
            order=self.order,
            score=self.value,
            names=self.score.names,
            upper_bound=self.bound,
            method="find_order",
            largest_weight=self.score.largest_weight,
            interrupted=interrupted,
            trace=tuple(self.trace),
        )

    def close(self) -> None:
        """Take the line away."""
        self._line.close()


def _solve(
    score: OrderScore,
    start: IntArray | None,
    required: BoolArray | None,
    limits: _Limits,
    *,
    certify: bool,
    rng: RandomLike,
) -> CausalOrder:
    """Search a little, bound, and search on where the order is not proven."""
    if start is None:
        start = _strongest_first(score, required)
    run = _Run(score, start, bound_by_pairs(score, required), limits)
    generator = make_rng(rng)
    with stop_on_interrupt() as stop:
        try:
            if certify:
                work = limits.first_work(score.n_variables)
                _search(run, required, work, limits.deadline(FIRST_SHARE), stop, generator)
            if certify and not run.is_proven():
                _bound(run, required, limits.deadline(1 - FIRST_SHARE), stop)
            if not run.is_proven():
                rest = None if limits.seconds else limits.search_work(score.n_variables)
                _search(run, required, rest, limits.deadline(1), stop, generator)
        finally:
            run.close()
    return run.result(interrupted=stop.requested)


def _search(
    run: _Run,
    required: BoolArray | None,
    work: int | None,
    deadline: float | None,
    stop: StopRequest,
    generator: np.random.Generator,
) -> None:
    """Search from the best order so far."""
    budget = _StoppableBudget(work, deadline)
    budget.stop = stop
    for step in search_memetically(
        run.score, run.order, budget=budget, rng=generator, before=required
    ):
        run.take(step.order)


def _bound(
    run: _Run, required: BoolArray | None, deadline: float | None, stop: StopRequest
) -> None:
    """Bound what any order can score; this may find a better order too."""
    from .certificate.certify import certify

    def note(value: float, bound: float) -> None:
        run.bound = max(run.value, min(run.bound, bound))
        run.note()

    certificate = certify(
        run.score,
        run.order,
        work=run.limits.certificate_work(),
        deadline=math.inf if deadline is None else deadline,
        must_precede=required,
        is_interrupted=lambda: stop.requested,
        on_progress=note,
    )
    run.take(certificate.order, certificate.upper_bound)


def _price(
    result: CausalOrder, score: OrderScore, time_limit: float | None, effort: str, rng: RandomLike
) -> CausalOrder:
    """Add what the knowledge costs: the same problem without it, with as much work."""
    if result.interrupted:
        return result
    if score.n_variables <= EXACT_UP_TO:
        free: CausalOrder = exact_order(score)
    else:
        limits = _Limits(EFFORTS[effort] / 2, time_limit and time_limit / 2)
        # Every order that honours the knowledge is one of the free ones.
        free = _solve(score, result.order, None, limits, certify=True, rng=rng)
    least = max(0.0, free.score - result.upper_bound)
    most = max(least, free.upper_bound - result.score)
    return replace(result, knowledge_cost=(least, most), interrupted=free.interrupted)


def _add_ties(
    result: CausalOrder,
    score: OrderScore,
    knowledge: Knowledge | None,
    effort: str,
    n_jobs: int | None,
    rng: RandomLike,
) -> CausalOrder:
    """Add what the score leaves undecided; an interrupt leaves the order without it."""
    from .ties import ties

    bound = result.upper_bound
    settings: dict[str, Any] = {"effort": effort, "n_jobs": n_jobs, "rng": rng}
    try:
        found = ties(score, result, knowledge=knowledge, upper_bound=bound, **settings)
    except KeyboardInterrupt:
        return replace(result, interrupted=True)
    return replace(result, ties=found)


def _strongest_first(score: OrderScore, required: BoolArray | None) -> IntArray:
    """The order that SORTRANKING's rule gives on the positive weights, required pairs first."""
    accepted = rank_by_falling_value(
        score.weights, score.intervened, score.weights > 0, required=required
    )
    return accepted[1]


@cache
def _compile() -> None:
    """Have every kernel compiled before the clock starts, once in a process."""
    weights = np.random.default_rng(0).normal(size=(EXACT_UP_TO + 2, EXACT_UP_TO + 2))
    find_order(weights, effort="low")
