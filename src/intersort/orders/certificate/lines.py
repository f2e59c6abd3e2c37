"""A bound for thousands of variables: many small subproblems that share no pair.

The variables are put on a grid of q × q points, q a prime. Its straight lines, taken modulo q,
meet every pair of points exactly once, so what each line's pairs must lose among themselves is
lost on top of what the others lose: the losses add up, and any number of lines gives a bound.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

import numpy as np

from ..._typing import BoolArray, FloatArray, IntArray
from ...scores.paper import OrderScore
from ..causal_order import TOLERANCE, bound_by_pairs
from .branch import Component
from .certificate import Certificate
from .decompose import close_requirements
from .limits import Limits
from .relaxation import Relaxation

STEPS_PER_LINE = 50
_LINES_PER_REPORT = 50
_EPS = float(np.finfo(np.float64).eps)


def certify_by_lines(
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
    lost = 0.0
    trace = [(time.perf_counter() - begin, value, max(ceiling, value))]
    row_of = np.full(order.size, -1)
    row_of[score.intervened] = np.arange(score.intervened.size)
    for number, line in enumerate(lines(order.size)):
        if limits.reached():
            break
        lost += _least_loss(_net(score, row_of, line), _part(forced, line), limits)
        if number % _LINES_PER_REPORT == 0:
            trace.append((time.perf_counter() - begin, value, max(ceiling - lost, value)))
            on_progress(value, max(ceiling - lost, value))
    bound = max(ceiling - lost, value)
    trace.append((time.perf_counter() - begin, value, bound))
    on_progress(value, bound)
    return Certificate(
        order=order,
        score=value,
        upper_bound=bound,
        is_optimal=bound - value <= TOLERANCE * score.largest_weight,
        sizes=(order.size,),
        n_branches=0,
        work=limits.spent,
        stopped=limits.stopped_from_outside(),
        trace=tuple(trace),
    )


def lines(d: int) -> Iterator[IntArray]:
    """Sets of variables that together hold every pair of 0 … d − 1 exactly once.

    >>> [line.tolist() for line in lines(4)]
    [[0, 2], [1, 3], [0, 3], [1, 2], [0, 1], [2, 3]]
    """
    q = _next_prime(math.isqrt(max(d - 1, 0)) + 1)
    places = np.arange(q)
    for slope in range(q):
        for offset in range(q):
            line = places * q + (slope * places + offset) % q
            yield line[line < d]
    for column in range(q):
        line = column * q + places
        yield line[line < d]


def _next_prime(n: int) -> int:
    """The smallest prime of at least n."""
    n = max(n, 2)
    while any(n % factor == 0 for factor in range(2, math.isqrt(n) + 1)):
        n += 1
    return n


def _net(score: OrderScore, row_of: IntArray, line: IntArray) -> FloatArray:
    """Net weights among the variables of a line."""
    block = np.zeros((line.size, line.size))
    inside = row_of[line] >= 0
    block[inside] = score.weights[np.ix_(row_of[line[inside]], line)]
    return np.asarray(block - block.T)


def _part(forced: BoolArray | None, line: IntArray) -> BoolArray:
    if forced is None:
        return np.zeros((line.size, line.size), dtype=np.bool_)
    return forced[np.ix_(line, line)]


def _least_loss(net: FloatArray, forced: BoolArray, limits: Limits) -> float:
    """What an order must give up at least of the larger weights among these variables."""
    largest = float(np.abs(net).max(initial=0.0))
    if net.shape[0] < 3 or largest == 0.0:
        return 0.0
    exponent = math.frexp(largest)[1]
    component = Component(np.ldexp(net, -exponent), forced, np.arange(net.shape[0]), 0.0)
    relaxation = Relaxation(component.b, component.n)
    point = relaxation.start(*component.bounds_of_pairs())
    if point.codes.size:
        relaxation.improve(point, STEPS_PER_LINE, -math.inf)
    limits.spent += relaxation.work
    loss = component.ceiling - point.bound - _EPS * component.b.size
    return max(0.0, math.ldexp(loss, exponent))
