"""What a score leaves undecided: which pairs every optimal order has the same way round."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from .._memory import require_memory
from .._rng import RandomLike, make_rng
from .._typing import BoolArray, FloatArray, IntArray
from .._validation import InputError, shown
from ..scores.weight_matrix import ScoreLike, as_order_score
from .causal_order import TOLERANCE, OrderLike, as_order
from .exact import MOST_VARIABLES as MOST_VARIABLES_EXACT
from .exact import SubsetTable
from .knowledge import Knowledge, check_obeys, required_pairs

MOST_VARIABLES = 2000
"""Beyond, looking at all pairs of pairs takes minutes, and the tables gigabytes."""

_EFFORTS = {"low": 0.1, "normal": 1.0, "high": 10.0}
_WORK_PER_PAIR = 1e6
_MOST_WORK = 2e10
_MATRICES = 10
_STEPS_PER_VARIABLE = 50


@dataclass(frozen=True, eq=False, repr=False)
class TieStructure:
    """Which pairs are forced in every optimal order, and what reversing each would cost.

    Attributes
    ----------
    forced : Boolean array of shape (d, d)
        Entry (a, b): a precedes b in every optimal order, proven. A partial order.
    cost_least, cost_most : arrays of shape (d, d)
        Entry (a, b): the best order with b before a scores at least and at most this much less
        than the optimum. 0 where some optimal order has b before a; equal where the cost is
        known; infinite where knowledge requires a before b.
    levels : array of shape (d,)
        Length of the longest chain of forced pairs above each variable: 0 where nothing is forced
        to precede it. The score does not tell the order inside a level, and a variable may
        precede variables of lower levels that it is not forced to follow.
    order : array of shape (d,)
        The best order known, to whose score all costs refer: the given one, or a better one that
        was found on the way.
    shortfall : float
        How much better that one is than the given order; 0 where that is as good.
    gap : float
        How much better the optimum can be; 0 where the order is proven optimal.
    names : tuple of str
        Names of the variables, by column.
    tolerance : float
        Costs up to this count as none, on the scale of the score.

    Examples
    --------
    >>> import intersort
    >>> weights = [[0, 2, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    >>> structure = intersort.ties(weights, order=[0, 1, 2, 3])
    >>> structure
    TieStructure of 4 variables: 2 of 6 pairs forced, 4 tied
      level 1: x0 x3
      level 2: x1 x2
    >>> structure.sample(3)
    array([[0, 2, 1, 3],
           [0, 1, 3, 2],
           [0, 3, 1, 2]])
    """

    forced: BoolArray
    cost_least: FloatArray
    cost_most: FloatArray
    levels: IntArray
    order: IntArray
    shortfall: float
    gap: float
    names: tuple[str, ...]
    tolerance: float
    _dense: FloatArray = field(repr=False)
    _required: BoolArray | None = field(repr=False)
    _pool: tuple[IntArray, ...] = field(repr=False)

    @property
    def tied(self) -> BoolArray:
        """Pairs of which each direction is known to stand in some optimal order."""
        free = self.cost_most <= self.tolerance
        np.fill_diagonal(free, False)
        return free & free.T

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Names of the variables of each level, in the order of `order`."""
        return tuple(
            tuple(self.names[v] for v in self.order if self.levels[v] == level)
            for level in range(int(self.levels.max(initial=-1)) + 1)
        )

    def sample(self, n: int, *, rng: RandomLike = None) -> IntArray:
        """Draw `n` optimal orders, an order a row.

        Up to 20 variables each optimal order is as likely as any other. Beyond, each draw starts
        at one of the tied orders that were found, and then 50 d times a random variable is taken
        out and put in at a place drawn from all that keep the score: all orders that can be
        reached so are equally likely in the long run, those that cannot are missed. Where no
        order is proven optimal these are orders as good as the best one known.
        """
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
            raise InputError(f"n must be a whole number of orders, 0 or more; got {shown(n)}.")
        if self.order.size <= MOST_VARIABLES_EXACT:
            largest = float(np.abs(self._dense).max(initial=0.0))
            relative = self.tolerance / largest if largest > 0 else 0.0
            table = SubsetTable(self._dense, self._required, relative)
            return table.write_orders(make_rng(rng).integers(table.n_optimal, size=int(n)))
        return walk_from(
            self._pool, self._dense, self._required, int(n), tolerance=self.tolerance, rng=rng
        )

    def __repr__(self) -> str:
        d = self.order.size
        n_pairs, n_forced = d * (d - 1) // 2, int(self.forced.sum())
        n_tied = int(self.tied.sum()) // 2
        n_open = n_pairs - n_forced - n_tied
        parts = [f"{n_forced} of {n_pairs} pairs forced", f"{n_tied} tied"]
        parts += [f"{n_open} open"] if n_open else []
        lines = [f"TieStructure of {d} variables: {', '.join(parts)}"]
        for level, group in enumerate(self.groups, start=1):
            some = group if len(group) <= 12 else (*group[:11], f"… ({len(group)} in all)")
            lines.append(f"  level {level}: {' '.join(some)}")
            if level == 20 and len(self.groups) > 20:
                lines.append(f"  … {len(self.groups)} levels in all")
                break
        return "\n".join(lines)


def ties(
    score: ScoreLike,
    order: OrderLike,
    tolerance: float = TOLERANCE,
    *,
    knowledge: Knowledge | None = None,
    upper_bound: float | None = None,
    effort: str = "normal",
    n_jobs: int | None = None,
    rng: RandomLike = None,
) -> TieStructure:
    """Find out which pairs a score decides, and what reversing each pair would cost.

    Parameters
    ----------
    score : OrderScore, or array of shape (d, d)
        What is to be maximised. The diagonal of a matrix is ignored.
    order : CausalOrder, or array of shape (d,)
        The best order known.
    tolerance : float
        Scores that differ by no more than this times the largest |w| count as equal.
    knowledge : Knowledge, optional
        What is known already: only orders that honour it compete.
    upper_bound : float, optional
        No order scores more, under the same knowledge: what `find_order` proved.
    effort : {"low", "normal", "high"}
        Work beyond 20 variables; normal is about 1 s for 30 variables, 10 s for 100.
    n_jobs : int, optional
        Number of threads: None is one, −1 all. The result is the same for any number.
    rng : optional
        Decides which cuts the bound tries, beyond 20 variables.

    Returns
    -------
    TieStructure

    Notes
    -----
    Up to 20 variables everything is exact: an order with b before a has a first part with b and
    not a, and dynamic programming knows the best order of every subset and its complement.
    Beyond, costs are bracketed. From below: components of the pairs that gain order themselves,
    small ones are solved exactly, large ones bounded by the certificate's relaxation; what
    reversing a pair loses there, directly and by way of every third variable, is added up, and
    bounds are passed on along chains. From above: orders with the pair reversed, improved by
    insertions. A pair counts as forced only where the lower bound says so. Costs refer to the
    optimum; where the gap of the order is not closed, `cost_most` counts it in.

    Examples
    --------
    The intervention on the switch moved lamp and heat, and says nothing of which comes first.

    >>> import intersort
    >>> effects = intersort.Effects.from_matrix(
    ...     [[0, 1.2, 0.9, 0]], intervened=[0], names=["switch", "lamp", "heat", "noise"]
    ... )
    >>> score = intersort.score_orders(effects, epsilon=0.3)
    >>> structure = intersort.ties(score, intersort.find_order(score))
    >>> structure.groups
    (('noise',), ('switch',), ('lamp', 'heat'))
    >>> structure.cost_least.round(2)
    array([[0. , 2.9, 2.6, 0. ],
           [0. , 0. , 0. , 0. ],
           [0. , 0. , 0. , 0. ],
           [0.3, 0.3, 0.3, 0. ]])
    """
    problem = as_order_score(score)
    d = problem.n_variables
    given = as_order(order, d)
    required = required_pairs(knowledge, problem.names)
    check_obeys(given, required, problem.names)
    work = _check_settings(tolerance, effort, d)
    dense, margin = problem.to_dense(), tolerance * problem.largest_weight
    if d <= MOST_VARIABLES_EXACT:
        from .reversals.exact import exact_costs

        least, best = exact_costs(dense, required)
        most, gap, pool = least.copy(), 0.0, [best]
    else:
        from .reversals.bracket import bracket_costs

        known = math.inf if upper_bound is None else upper_bound - problem.score(given)
        found = bracket_costs(
            dense, required, given, margin=margin, work=work, gap=known, n_jobs=n_jobs, rng=rng
        )
        best, least, most, gap, pool = found.order, found.least, found.most, found.gap, found.pool
    shortfall = _loss(dense, best, given)
    forced = least > margin
    return TieStructure(
        forced=forced,
        cost_least=least,
        cost_most=most,
        levels=_levels(forced, best),
        order=given if shortfall <= margin else best,
        shortfall=shortfall if shortfall > margin else 0.0,
        gap=gap,
        names=problem.names,
        tolerance=margin,
        _dense=dense,
        _required=required,
        _pool=tuple(pool),
    )


def _check_settings(tolerance: float, effort: str, d: int) -> float:
    """Refuse what makes no sense or does not fit; give the work that may be spent."""
    if isinstance(tolerance, bool) or not (
        isinstance(tolerance, int | float | np.number)
        and math.isfinite(tolerance)
        and tolerance >= 0
    ):
        raise InputError(
            "tolerance must be a number that is not negative, such as 1e-9; "
            f"got {shown(tolerance)}."
        )
    if effort not in _EFFORTS:
        raise InputError(f"effort must be one of {', '.join(_EFFORTS)}; got {shown(effort)}.")
    if d > MOST_VARIABLES:
        raise InputError(
            f"ties looks at every pair of up to {MOST_VARIABLES:,} variables, and these are {d:,}. "
            "Ask for the ties of a part of them."
        )
    require_memory(_MATRICES * 8.0 * d * d, f"Costs of reversal for {d:,} variables")
    return min(_WORK_PER_PAIR * d * d, _MOST_WORK) * _EFFORTS[effort]


def _loss(dense: FloatArray, best: IntArray, order: IntArray) -> float:
    """What an order scores less than the best one: a sum over the pairs that differ."""
    from .reversals import _kernels

    rank = np.argsort(best).astype(np.int64)
    return max(0.0, float(_kernels.cost_of(dense - dense.T, rank, order)))


def _levels(forced: BoolArray, order: IntArray) -> IntArray:
    """Longest chain of forced pairs above each variable; `order` agrees with all of them."""
    levels = np.zeros(order.size, dtype=np.int64)
    for variable in order:
        above = levels[forced[:, variable]]
        levels[variable] = above.max() + 1 if above.size else 0
    return levels


def walk_from(
    pool: tuple[IntArray, ...],
    dense: FloatArray,
    required: BoolArray | None,
    n: int,
    *,
    tolerance: float,
    rng: RandomLike = None,
) -> IntArray:
    """Draw orders by random walks among those that are tied; the first of the pool is the best."""
    from .reversals import _kernels

    generator = make_rng(rng)
    d = pool[0].size
    net = dense - dense.T
    legal = np.zeros((0, 0), dtype=np.bool_) if required is None else required
    best_rank = np.argsort(pool[0]).astype(np.int64)
    steps, gains = _STEPS_PER_VARIABLE * d, np.empty(d)
    orders = np.empty((n, d), dtype=np.int64)
    for order in orders:
        order[:] = pool[int(generator.integers(len(pool)))]
        deficit = max(0.0, float(_kernels.cost_of(net, best_rank, order)))
        variables, draws = generator.integers(d, size=steps), generator.random(steps)
        _kernels.walk(net, legal, order, deficit, tolerance, variables, draws, gains)
    return orders
