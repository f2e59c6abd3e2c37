"""A bound for thousands of variables: circles of three that share no weight.

Of a circle i → j → k → i in the preferences every order reverses an arc, which costs the least of
its three net weights. What is taken from three arcs in this way is lost in every order, and as
often as it is taken from the same arcs no more than they weigh, the losses add up. Circles are
taken greedily, heavy ones first, so the bound can be asked for at any time. Net weights are held
once per pair in single precision, rounded towards zero: an eighth to a quarter of what the
weights need.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ..._typing import BoolArray, IntArray
from ...scores.paper import OrderScore
from ..causal_order import TOLERANCE, bound_by_pairs
from .certificate import Certificate
from .decompose import close_requirements
from .limits import Limits

_EPS = float(np.finfo(np.float64).eps)
_FINEST = 1e-3
"""Circles lighter than this times the mean net weight are left."""
_TRIPLES_AT_ONCE = 50_000_000
_FORCED = np.float32(np.inf)


def certify_by_packing(
    score: OrderScore,
    order: IntArray,
    must_precede: BoolArray | None,
    limits: Limits,
    on_progress: Callable[[float, float], None],
) -> Certificate:
    """Bound what any order can score; the order stays as it is."""
    begin = time.perf_counter()
    forced = None if must_precede is None else close_requirements(must_precede)
    value, ceiling = score.score(order), bound_by_pairs(score, forced)
    # what summing all pairs may have rounded off
    ceiling += _EPS * order.size * score.largest_weight * order.size
    packing = _Packing(score, forced)
    trace: list[tuple[float, float, float]] = []

    def report() -> None:
        bound = max(ceiling - packing.lost, value)
        if not trace or bound < trace[-1][2]:
            trace.append((time.perf_counter() - begin, value, bound))
            on_progress(value, bound)

    report()
    packing.run(limits, report)
    return Certificate(
        order=order,
        score=value,
        upper_bound=trace[-1][2],
        is_optimal=trace[-1][2] - value <= TOLERANCE * score.largest_weight,
        sizes=(order.size,),
        n_branches=0,
        work=limits.spent,
        stopped=limits.stopped_from_outside(),
        trace=tuple(trace),
    )


class _Packing:
    """What is left of the net weight of each pair, and what is lost so far."""

    def __init__(self, score: OrderScore, forced: BoolArray | None) -> None:
        self._d = score.n_variables
        self._exponent = math.frexp(score.largest_weight)[1] + 1 if score.largest_weight else 0
        self._left = self._net(score, forced)
        self._lost = 0.0

    @property
    def lost(self) -> float:
        """What every order loses; each circle's part was taken exactly."""
        return math.ldexp(self._lost * (1 - 1e-12), self._exponent)

    def run(self, limits: Limits, report: Callable[[], None]) -> None:
        """Take circles of at least a least weight, which is halved again and again."""
        from . import _kernels

        finite = self._left[np.isfinite(self._left)]
        if not finite.size:
            return
        least, mean = float(np.abs(finite).max()), float(np.abs(finite).mean(dtype=np.float64))
        while least > _FINEST * mean:
            least /= 2
            first = 0
            while first < self._d - 2 and not limits.reached():
                behind = max(self._d - first, 1)
                last = min(self._d, first + 1 + 2 * _TRIPLES_AT_ONCE // behind**2)
                ends = np.array([first, last])
                self._lost += _kernels.pack_circles(self._d, self._left, least, ends)
                limits.spent += (last - first) * behind**2 // 2
                first = last
                report()
            if limits.reached():
                return

    def _net(self, score: OrderScore, forced: BoolArray | None) -> npt.NDArray[np.float32]:
        """Net weights of all pairs i < j, row after row; infinite where required."""
        d = self._d
        row_of = np.full(d, -1)
        row_of[score.intervened] = np.arange(score.intervened.size)
        net = np.empty(d * (d - 1) // 2, dtype=np.float32)
        start = 0
        for i in range(d - 1):
            row = np.zeros(d - 1 - i)
            if row_of[i] >= 0:
                row += score.weights[row_of[i], i + 1 :]
            later = np.flatnonzero(row_of[i + 1 :] >= 0)
            row[later] -= score.weights[row_of[i + 1 + later], i]
            row = np.ldexp(row, -self._exponent)
            # a little less than the weight, whatever single precision makes of it
            part = np.asarray(row * (1 - 2.0**-22), dtype=np.float32)
            if forced is not None:
                part[forced[i, i + 1 :]] = _FORCED
                part[forced[i + 1 :, i]] = -_FORCED
            net[start : start + row.size] = part
            start += row.size
        return net
