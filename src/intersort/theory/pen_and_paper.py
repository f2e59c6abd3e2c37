"""Expected D_top of a small graph by counting: every choice of targets, every tie, as fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from .._adjacency import read_dag
from .._typing import ArrayLike, BoolArray, IntArray
from .._validation import InputError, shown
from .bounds import check_probability
from .conditions import Reach, check_reach
from .optima import Optima, summarise_optima
from .small_cases import all_target_sets, paths, score_weights


@dataclass(frozen=True, repr=False)
class PenAndPaper:
    """Expected D_top of the paper's optimum for one graph, by the number of targets.

    Attributes
    ----------
    mean : tuple of Fraction
        Entry n: all choices of n targets equally likely, ties between optimal orders broken at
        random.
    worst, least : tuple of Fraction
        The same with the worst and the best of the tied orders.
    n_edges : int
        Number of edges of the graph.
    """

    mean: tuple[Fraction, ...]
    worst: tuple[Fraction, ...]
    least: tuple[Fraction, ...]
    n_edges: int

    def expected(self, p_int: float | Fraction, tie: str = "mean") -> float | Fraction:
        """Expected D_top if every variable is a target with probability p_int, on its own.

        Parameters
        ----------
        p_int : float or Fraction
            A Fraction gives the exact value.
        tie : {"mean", "worst", "least"}
            Which of the tied orders is taken.
        """
        if tie not in ("mean", "worst", "least"):
            raise InputError(f'`tie` must be "mean", "worst" or "least"; got {shown(tie)}.')
        if not 0 <= p_int <= 1:
            raise InputError(f"`p_int` must lie between 0 and 1; got {shown(p_int)}.")
        d = len(self.mean) - 1
        values = {"mean": self.mean, "worst": self.worst, "least": self.least}[tie]
        terms = (comb(d, n) * p_int**n * (1 - p_int) ** (d - n) * values[n] for n in range(d + 1))
        return sum(terms, start=0 * p_int)

    def __repr__(self) -> str:
        rows = [("targets", "mean over ties", "worst optimum")]
        pairs = zip(self.mean, self.worst, strict=True)
        rows += [(str(n), str(mean), str(worst)) for n, (mean, worst) in enumerate(pairs)]
        return "\n".join(f"{a:>7}  {b:>14}  {c:>13}" for a, b, c in rows)


def pen_and_paper(adjacency: Any, *, reach: Reach = "descendants") -> PenAndPaper:
    """Count the expected D_top of a small graph exactly, as the tables of the paper's appendix do.

    Parameters
    ----------
    adjacency : array or SciPy sparse matrix of shape (d, d)
        ``adjacency[i, j] != 0`` is the edge i → j; without cycles, d ≤ 8.
    reach : {"descendants", "children"}
        What an intervention shows.

    Returns
    -------
    PenAndPaper
        Distances are constant above ε and 0 elsewhere, and c is large enough (`smallest_c`), so
        that the numbers depend on the graph alone.

    Notes
    -----
    All weights are whole numbers and all orders are counted, so the fractions are exact. The
    paper's tables are the means over ties.

    Examples
    --------
    The chain 0 → 1 → 2, a third of the three variables intervened on: 1/3 in the paper.

    >>> from intersort.theory.pen_and_paper import pen_and_paper
    >>> table = pen_and_paper([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    >>> table
    targets  mean over ties  worst optimum
          0               1              2
          1             1/3            2/3
          2               0              0
          3               0              0
    >>> table.expected(0.5)
    0.25
    """
    edges = read_dag(adjacency)
    d = edges.n_variables
    if d > 8:
        raise InputError(f"Counting all targets and ties is possible up to d = 8; got {d}.")
    graph = edges.to_dense()
    targets = all_target_sets(d)
    shows = paths(graph) if check_reach(reach) == "descendants" else graph
    optima = count_optima(np.broadcast_to(graph, (len(targets), d, d)), shows, targets)
    size = targets.sum(axis=1)
    return PenAndPaper(
        mean=tuple(_average(optima, optima.total_cost, size == n) for n in range(d + 1)),
        worst=tuple(
            _average(optima, optima.worst_cost * optima.n_optimal, size == n) for n in range(d + 1)
        ),
        least=tuple(
            _average(optima, optima.least_cost * optima.n_optimal, size == n) for n in range(d + 1)
        ),
        n_edges=len(edges),
    )


@dataclass(frozen=True)
class ExpectedDTop:
    """Expected D_top over the choice of targets: ties broken at random, badly, or well."""

    mean: float
    worst: float
    least: float


def expected_d_top(
    adjacency: Any, distance: ArrayLike, p_int: ArrayLike, *, epsilon: float, c: float
) -> ExpectedDTop:
    """Expected D_top of the paper's optimum for given distances, over all sets of targets.

    Parameters
    ----------
    adjacency : array or SciPy sparse matrix of shape (d, d)
        ``adjacency[i, j] != 0`` is the edge i → j; d ≤ 8.
    distance : array of shape (d, d)
        How far do(i) would move j, for every i; only the rows of the targets are used.
    p_int : float, or array of shape (d,)
        Probability that a variable is a target, each on its own.
    epsilon, c : float
        As in the paper's score.

    Examples
    --------
    >>> from intersort.theory.pen_and_paper import expected_d_top
    >>> expected_d_top([[0, 1], [0, 0]], [[0, 2], [0, 0]], 0.5, epsilon=1, c=1)
    ExpectedDTop(mean=0.125, worst=0.25, least=0.0)
    """
    edges = read_dag(adjacency)
    d = edges.n_variables
    if d > 8:
        raise InputError(f"Counting all targets and ties is possible up to d = 8; got {d}.")
    values = np.asarray(distance, dtype=np.float64)
    if values.shape != (d, d):
        raise InputError(
            f"`distance` must have a row for every variable, {(d, d)}; got {values.shape}."
        )
    targets = all_target_sets(d)
    weights = score_weights(
        np.broadcast_to(values, (len(targets), d, d)), targets, epsilon=epsilon, c=c
    )
    optima = summarise_optima(weights, np.broadcast_to(edges.to_dense(), weights.shape))
    probability = check_probability(p_int, d)
    chance = np.prod(np.where(targets, probability, 1 - probability), axis=1)
    return ExpectedDTop(
        mean=float(chance @ optima.mean_cost),
        worst=float(chance @ optima.worst_cost),
        least=float(chance @ optima.least_cost),
    )


def count_optima(graphs: BoolArray, shows: BoolArray, targets: BoolArray) -> Optima:
    """Count the optimal orders and their D_top exactly: constant distances, large c, integers.

    Parameters
    ----------
    graphs : Boolean array of shape (n, d, d)
    shows : Boolean array that broadcasts to (n, d, d)
        The pairs that an intervention shows.
    targets : Boolean array of shape (n, d)

    Examples
    --------
    >>> import numpy as np
    >>> from intersort.theory.pen_and_paper import count_optima
    >>> edge = np.array([[[0, 1], [0, 0]]])
    >>> count_optima(edge, edge, np.array([[False, False]]))
    Optima of 1 cases, 2 optimal orders, mean cost 0.5, worst 1
    """
    d = graphs.shape[-1]
    # ε is 1, and a pair that shows is worth more than all others together can cost
    weights: IntArray = np.where(np.asarray(shows, dtype=np.bool_), d * d, -1)
    kept = targets[:, :, None] & ~np.eye(d, dtype=np.bool_)
    return summarise_optima(np.where(kept, weights, 0), graphs)


def _average(optima: Optima, totals: np.ndarray, chosen: BoolArray) -> Fraction:
    """Mean over the chosen cases of total / number of optima, exactly."""
    pairs = zip(totals[chosen], optima.n_optimal[chosen], strict=True)
    fractions = [Fraction(int(total), int(count)) for total, count in pairs]
    return sum(fractions, start=Fraction(0)) / len(fractions)
