r"""DiffIntersort: the same score, climbed by gradient through a relaxed permutation.

Chevalley, Mehrjou, Schwab (2024). A potential p per variable is mapped to s = 2σ(p) − 1; Sinkhorn's
iteration on (s ⊗ (1, …, d)) / 0.05 gives a doubly stochastic matrix, the Hungarian method the
nearest permutation P, and :math:`\sum (P U P^T) \circ W`, U strictly upper ones, is maximised by
Adam with the gradient passed straight through P.

Taken from the authors' public settings: temperature 0.05, at most 500 rounds to 1e-3, Adam at 0.001
with β = (0.9, 0.99), until the best score has stood still for 500 steps, the best order seen is
kept; p starts at 0.001 · N(0, 1), sorted into the initial order if there is one. Chosen here: the
gradient of the converged Sinkhorn matrix from its fixed-point equations in place of one through
every round, which is the same in the limit and needs no tape; each step's scaling starts where the
last one ended, which is near.

As a rival, `run`: `epsilon` as given (the paper of Intersort takes 0.3, on gene regulation 0.5),
`c` 0.5, Wasserstein distances; it starts from random potentials, which is what the authors' code
does unless it is given an order, and has no limit of time. Their code also gives the bonus, 0.1 d
there, to every pair that pairs above ε join by a path; here W is the score of Intersort's paper. It
cannot take a screen without control rows.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from .._rng import RandomLike, make_rng
from .._typing import ArrayLike, FloatArray, IntArray
from ..data import InterventionalData
from ..effects.measure import measure_effects
from ..orders.causal_order import CausalOrder, OrderLike, as_order, bound_by_pairs
from ..scores.paper import score_orders
from ..scores.weight_matrix import ScoreLike, as_order_score
from .result import BaselineResult

TEMPERATURE, ROUNDS, CLOSE_ENOUGH = 0.05, 500, 1e-3
RATE, FIRST_MOMENT, SECOND_MOMENT = 0.001, 0.9, 0.99
STANDSTILL = 500


def run(
    data: InterventionalData, *, rng: np.random.Generator, epsilon: ArrayLike, c: float = 0.5
) -> BaselineResult:
    """Climb the paper's score from potentials drawn from `rng`."""
    score = score_orders(measure_effects(data), epsilon, c)
    return BaselineResult(diffintersort(score, rng=rng).order[None])


def diffintersort(
    score_or_matrix: ScoreLike,
    *,
    initial: OrderLike | None = None,
    time_limit: float | None = None,
    rng: RandomLike = None,
) -> CausalOrder:
    """Find an order by gradient ascent on a relaxed permutation.

    Parameters
    ----------
    score_or_matrix : OrderScore, or array of shape (d, d)
        What is to be maximised.
    initial : CausalOrder, or array of shape (d,), optional
        The order in which the potentials start.
    time_limit : float, optional
        Seconds after which the best order so far is returned.
    rng : int, Generator or None
        Seed of the start; None is 0.

    Returns
    -------
    CausalOrder
        Its `trace` says when the best score rose; `interrupted` is True where time ran out.

    Examples
    --------
    >>> from intersort.baselines.diffintersort import diffintersort
    >>> diffintersort([[0, 5, 1], [0, 0, 4], [2, 0, 0]]).ordered_names
    ('x0', 'x1', 'x2')
    """
    score = as_order_score(score_or_matrix)
    begin = time.perf_counter()
    weights, d = score.to_dense(), score.n_variables
    bound = bound_by_pairs(score)
    climb = _Climb(_start(d, initial, make_rng(rng)))
    best: IntArray = np.argsort(climb.potential, kind="stable")
    value, stood, out_of_time = score.score(best), 0, False
    trace = [(0.0, value, bound)]
    while stood < STANDSTILL and not out_of_time:
        order, slope = _look(climb, weights)
        reached = score.score(order)
        stood += 1
        if reached > value:
            best, value, stood = order, reached, 0
            trace.append((time.perf_counter() - begin, value, bound))
        climb.step(slope)
        out_of_time = time_limit is not None and time.perf_counter() - begin > time_limit
    trace.append((time.perf_counter() - begin, value, bound))
    return CausalOrder(
        order=best,
        score=value,
        names=score.names,
        upper_bound=max(bound, value),
        method="diffintersort",
        largest_weight=score.largest_weight,
        interrupted=out_of_time,
        trace=tuple(trace),
    )


def _start(d: int, initial: OrderLike | None, rng: np.random.Generator) -> FloatArray:
    """Small random potentials, sorted into the initial order."""
    potential: FloatArray = 0.001 * rng.normal(size=d)
    if initial is not None:
        order = as_order(initial, d)
        potential[order] = np.sort(potential)
    return potential


@dataclass
class _Climb:
    """Adam, uphill; `scaling` is what the last step added to the logarithms."""

    potential: FloatArray
    scaling: FloatArray | float = 0.0
    n_steps: int = 0
    mean: FloatArray | float = 0.0
    square: FloatArray | float = 0.0

    def step(self, slope: FloatArray) -> None:
        """Move the potential along the slope."""
        self.n_steps += 1
        self.mean = FIRST_MOMENT * self.mean + (1 - FIRST_MOMENT) * slope
        self.square = SECOND_MOMENT * self.square + (1 - SECOND_MOMENT) * slope**2
        mean = self.mean / (1 - FIRST_MOMENT**self.n_steps)
        square = self.square / (1 - SECOND_MOMENT**self.n_steps)
        self.potential = self.potential + RATE * mean / (np.sqrt(square) + 1e-8)


def _look(climb: _Climb, weights: FloatArray) -> tuple[IntArray, FloatArray]:
    """The order nearest to the potential, and the slope of the score there."""
    from scipy.optimize import linear_sum_assignment

    d = climb.potential.size
    sigmoid = 1 / (1 + np.exp(-climb.potential))
    places = np.arange(1, d + 1) / TEMPERATURE
    logarithms = np.outer(2 * sigmoid - 1, places)
    # The doubly stochastic matrix is unique: the last step's scaling is only a start near by.
    scaled = scale_to_one(logarithms + climb.scaling)
    climb.scaling, soft = scaled - logarithms, np.exp(scaled)
    _, place = linear_sum_assignment(soft, maximize=True)
    order = np.argsort(place)
    hard = np.zeros((d, d))
    hard[np.arange(d), place] = 1.0
    # P Uᵀ: what lies at or before each place, less the place itself; P U: what lies behind it
    before = np.cumsum(hard[:, ::-1], axis=1)[:, ::-1] - hard
    after = np.cumsum(hard, axis=1) - hard
    slope_of_permutation = weights @ before + weights.T @ after
    slope = pull_back(soft, slope_of_permutation) @ places
    return order, slope * 2 * sigmoid * (1 - sigmoid)


def scale_to_one(logarithms: FloatArray) -> FloatArray:
    """Scale rows and columns until all sum to one; logarithms in, logarithms out.

    >>> np.exp(scale_to_one(np.log([[1.0, 2.0], [3.0, 4.0]]))).sum(axis=0).round(3)
    array([1., 1.])
    """
    current = logarithms
    for _ in range(ROUNDS):
        current = current - _sum_of_exponentials(current, axis=1)
        current = current - _sum_of_exponentials(current, axis=0)
        if np.abs(np.exp(current).sum(axis=1) - 1).max() < CLOSE_ENOUGH:
            break
    return current


def _sum_of_exponentials(logarithms: FloatArray, axis: int) -> FloatArray:
    """Its logarithm; SciPy's own takes ten times as long on matrices as small as these."""
    largest = logarithms.max(axis=axis, keepdims=True)
    total = np.exp(logarithms - largest).sum(axis=axis, keepdims=True)
    return np.asarray(largest + np.log(total))


def pull_back(soft: FloatArray, slope: FloatArray) -> FloatArray:
    """Turn a slope in the doubly stochastic matrix into one in the logarithms it came from.

    A change of the logarithms changes log S by itself less one number per row and per column, such
    that the sums stay one; solving for these numbers is a system of 2d equations.
    """
    d = len(soft)
    system = np.zeros((2 * d, 2 * d))
    system[:d, :d] = np.diag(soft.sum(axis=1))
    system[d:, d:] = np.diag(soft.sum(axis=0))
    system[:d, d:], system[d:, :d] = soft, soft.T
    gained = soft * slope
    # Adding to all rows what is taken from all columns changes nothing: hold that direction.
    side = np.concatenate([np.ones(d), -np.ones(d)])
    system += np.outer(side, side) / (2 * d)
    solution = np.linalg.solve(system, np.concatenate([gained.sum(axis=1), gained.sum(axis=0)]))
    return np.asarray(gained - soft * (solution[:d, None] + solution[None, d:]))
