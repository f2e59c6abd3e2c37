"""How good any order can be: an upper bound on the score, and often the best order itself."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from ..._typing import BoolArray, FloatArray, IntArray
from ...scores.paper import OrderScore
from ..causal_order import TOLERANCE
from .branch import BranchAndBound, Component
from .certificate import Certificate
from .decompose import close_requirements, split
from .limits import Limits
from .packing import certify_by_packing

MOST_VARIABLES_WHOLE = 1500
"""Beyond, the problem is bounded in parts: its triples are too many to look through."""
_EPS = float(np.finfo(np.float64).eps)


def certify(
    score: OrderScore,
    order: IntArray,
    *,
    work: float = math.inf,
    deadline: float = math.inf,
    must_precede: BoolArray | None = None,
    is_interrupted: Callable[[], bool] = lambda: False,
    on_progress: Callable[[float, float], None] = lambda score, bound: None,
) -> Certificate:
    """Bound what any order can score, improving the order on the way.

    Parameters
    ----------
    score : OrderScore
        What is to be maximised.
    order : int array of shape (d,)
        The best order known; it honours what is required.
    work : float
        Row updates to spend, 3 to 10 ns each: the same number gives the same result.
    deadline : float
        Value of `time.perf_counter` at which to stop.
    must_precede : bool array of shape (d, d), optional
        Required precedences, without contradiction.
    is_interrupted : callable, optional
        Asked between steps; the work stops where it returns True.
    on_progress : callable, optional
        Called with score and bound whenever one of them changes.

    Returns
    -------
    Certificate

    Notes
    -----
    Up to 1,500 variables the bound is that of the 3-cycle relaxation, with cuts and branching as
    far as the limits allow; beyond, that of circles of three which share no weight. What
    rounding can have taken from the bound is added to it.

    Examples
    --------
    >>> import numpy as np
    >>> from intersort.scores.weight_matrix import as_order_score
    >>> circle = as_order_score([[0, 3, 0], [0, 0, 2], [1, 0, 0]])
    >>> certificate = certify(circle, np.array([2, 0, 1]))
    >>> certificate.order, certificate.score, certificate.is_optimal
    (array([0, 1, 2]), 5.0, True)
    """
    limits = Limits(work=work, deadline=deadline, is_interrupted=is_interrupted)
    if order.size > MOST_VARIABLES_WHOLE:
        return certify_by_packing(score, order, must_precede, limits, on_progress)
    return _Whole(score, order, must_precede, on_progress).solve(limits)


class _Whole:
    """The problem as its components, and what they add up to."""

    def __init__(
        self,
        score: OrderScore,
        order: IntArray,
        must_precede: BoolArray | None,
        on_progress: Callable[[float, float], None],
    ) -> None:
        self._begin = time.perf_counter()
        self._score, self._on_progress = score, on_progress
        d = score.n_variables
        forced = (
            np.zeros((d, d), dtype=np.bool_)
            if must_precede is None
            else close_requirements(must_precede)
        )
        # a power of two, so that scaling rounds nothing, and huge and tiny weights both fit
        self._exponent = math.frexp(score.largest_weight)[1] + 1 if score.largest_weight else 0
        scaled = np.ldexp(score.to_dense(), -self._exponent)
        net = scaled - scaled.T
        self._parts = split(net, forced)
        self._ceiling = _sum_of_larger(scaled, forced)
        self._trace: list[tuple[float, float, float]] = []
        self._components = self._make_components(net, forced, np.argsort(order))
        self._report()

    def _make_components(
        self, net: FloatArray, forced: BoolArray, rank: IntArray
    ) -> list[Component]:
        n_open = max(1, sum(part.size > 1 for part in self._parts))
        largest = math.ldexp(self._score.largest_weight, -self._exponent)
        components = []
        for part in self._parts:
            square = np.ix_(part, part)
            component = Component(
                net[square],
                forced[square],
                np.argsort(rank[part]),
                tolerance=0.25 * TOLERANCE * largest / n_open,
            )
            components.append(component)
        for component in components:
            component.on_change = self._report
        return components

    def solve(self, limits: Limits) -> Certificate:
        """Solve the components, the smallest first."""
        for component in sorted(self._components, key=lambda component: component.n):
            if component.bound > component.best + component.tolerance and not limits.reached():
                BranchAndBound(component, limits).run()
        order, value, bound = self._state()
        sizes = sorted((part.size for part in self._parts if part.size > 1), reverse=True)
        return Certificate(
            order=order,
            score=value,
            upper_bound=bound,
            is_optimal=bound - value <= TOLERANCE * self._score.largest_weight,
            sizes=tuple(sizes),
            n_branches=sum(component.n_branches for component in self._components),
            work=limits.spent,
            stopped=limits.stopped_from_outside(),
            trace=tuple(self._trace),
        )

    def _state(self) -> tuple[IntArray, float, float]:
        """Order, score and bound as they stand.

        A bound that rounding put below the score is the score. Net weights are rounded once per
        pair, and each component's loss is a difference of two sums; both is added back.
        """
        pieces = zip(self._parts, self._components, strict=True)
        order = np.concatenate([part[component.order] for part, component in pieces])
        value = self._score.score(order)
        lost = math.fsum(c.ceiling - min(c.bound, c.ceiling) for c in self._components)
        slack = _EPS * order.size**2 if lost > 0 else 0.0
        bound = self._ceiling - lost + slack
        return order, value, max(math.ldexp(bound, self._exponent), value)

    def _report(self) -> None:
        _, value, bound = self._state()
        self._trace.append((time.perf_counter() - self._begin, value, bound))
        self._on_progress(value, bound)


def _sum_of_larger(weights: FloatArray, forced: BoolArray) -> float:
    """Sum over all pairs of the larger weight, or of the one that is required."""
    larger = np.maximum(weights, weights.T)
    larger[forced] = weights[forced]
    larger[forced.T] = weights.T[forced.T]
    return math.fsum(larger[np.triu_indices(weights.shape[0], 1)])
