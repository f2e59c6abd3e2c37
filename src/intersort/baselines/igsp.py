"""IGSP: the sparsest graph over orders that the interventions do not speak against. Our own.

Wang, Solus, Yang and Uhler (2017); Yang, Katcoff and Uhler (2018) for interventions of any kind; a
screen has single targets, for which comparing marginal laws is enough. An order gives a graph (an
edge where two variables are dependent given all others that precede the later one); covered edges
are turned, if no intervention speaks for them, as long as that makes the graph sparser; among
equally sparse graphs the one wins that fewest interventions contradict.

Taken from the only public implementation (causaldag 0.1a163 on PyPI): partial correlations of the
control rows with Fisher's z; "did do(i) move j" as a comparison of mean and of variance, half of
`alpha_invariance` each; `n_runs`, 5, each from an order of few edges drawn by the graph of partial
correlations; turns up to `depth`, 4, deep. Levels have no default there; here `alpha` and
`alpha_invariance` are 1e-5. The levels and the number of runs matter: `docs/research/rivals.md`.
Different from it: both tests are two-sided and have the level that they claim; the search goes back
to every graph on its way, where theirs goes on from where it was stuck; edges that contradict an
intervention are turned first; a descent is over once it has looked at `most_graphs` graphs, 3,000,
since their number can grow with the fourth power of the number of edges that may be turned.

It cannot take missing values, constant columns, columns that are linear combinations of others, or
fewer than two rows of an intervention; it assumes linear effects and Gaussian noise.
"""

from __future__ import annotations

import numpy as np

from .._typing import BoolArray, FloatArray, IntArray
from .._validation import InputError, first_few, shown
from ..data import InterventionalData
from ._bits import as_bits, members
from ._gaussian import check_regressions
from ._igsp_search import Graph, Limits, Rules, count_edges, descend, eliminate_by_degree
from ._rows import CONTROL_ROW, dense_rows
from .graph_orders import result_from_graph
from .result import BaselineResult


def run(
    data: InterventionalData,
    *,
    rng: np.random.Generator,
    alpha: float = 1e-5,
    alpha_invariance: float = 1e-5,
    depth: int = 4,
    n_runs: int = 5,
    most_graphs: int = 3000,
) -> BaselineResult:
    """Orders of the sparsest graph found.

    Examples
    --------
    >>> from intersort import InterventionalData, baselines, simulate
    >>> chain = simulate.random_population([[0, 1], [0, 0]], "linear", noise="gaussian", rng=0)
    >>> data = InterventionalData.from_arrays(*chain.screen(500, 50, [0, 1]), control=-1)
    >>> baselines.run("igsp", data).adjacency.astype(int)
    array([[0, 1],
           [0, 0]])
    """
    for name, level in {"alpha": alpha, "alpha_invariance": alpha_invariance}.items():
        if not 0 < level < 1:
            raise InputError(f"{name} must lie between 0 and 1, say 1e-5; got {shown(level)}.")
    values, targets = dense_rows(data, "igsp")
    control = values[targets == CONTROL_ROW]
    check_regressions(control, data.names, "igsp")
    moved = find_moved(values, targets, data, alpha_invariance)
    tests = PartialCorrelations(control, alpha)
    rules = Rules.from_moves(tests.independent, moved, data.intervened)
    limits = Limits(depth, most_graphs)
    best = min(
        (
            descend(tests.draw_graph(order), rules, limits, rng)
            for order in tests.starts(n_runs, rng)
        ),
        key=lambda graph: (count_edges(graph), rules.count_contradictions(graph)),
    )
    return result_from_graph(as_adjacency(best), rng)


def find_moved(
    values: FloatArray, targets: IntArray, data: InterventionalData, alpha: float
) -> BoolArray:
    """What each intervention moved, in mean (Welch) or variance (F), half of alpha each."""
    from scipy.special import fdtr, fdtrc, stdtr

    control = values[targets == CONTROL_ROW]
    n_control, d = control.shape
    mean, variance = control.mean(axis=0), control.var(axis=0, ddof=1)
    moved = np.zeros((d, d), dtype=np.bool_)
    for i in data.intervened:
        rows = values[targets == i]
        n = len(rows)
        if n < 2:
            raise InputError(
                f"igsp compares variances and needs at least two rows of each intervention; "
                f"{first_few([data.names[i]])} has {n}. Leave this target out."
            )
        other = rows.var(axis=0, ddof=1)
        errors = variance / n_control, other / n
        spread = errors[0] + errors[1]
        freedom = spread**2 / (errors[0] ** 2 / (n_control - 1) + errors[1] ** 2 / (n - 1))
        p_mean = 2 * stdtr(freedom, -np.abs(rows.mean(axis=0) - mean) / np.sqrt(spread))
        ratio = other / variance
        tails = fdtr(n - 1, n_control - 1, ratio), fdtrc(n - 1, n_control - 1, ratio)
        p_variance = 2 * np.minimum(*tails)
        moved[i] = np.minimum(p_mean, p_variance) < alpha / 2
        moved[i, i] = False
    return moved


class PartialCorrelations:
    """Tests of independence by Fisher's z, each made once."""

    def __init__(self, rows: FloatArray, alpha: float) -> None:
        from scipy.special import ndtri

        self.n_rows, self.d = rows.shape
        self.correlation = np.corrcoef(rows, rowvar=False).reshape(self.d, self.d)
        self.critical = float(-ndtri(alpha / 2))
        self.known: dict[tuple[int, int, int], bool] = {}

    def independent(self, i: int, j: int, given: int) -> bool:
        """Are i and j independent given the variables whose bits are set?"""
        key = (min(i, j), max(i, j), given)
        if key not in self.known:
            chosen = [*members(given), i, j]
            among = self.correlation[np.ix_(chosen, chosen)]
            self.known[key] = not self._dependent_on_last(among)[-1]
        return self.known[key]

    def draw_graph(self, order: IntArray) -> Graph:
        """An edge where two variables are dependent given all others before the later one."""
        graph = [0] * self.d
        permuted = self.correlation[np.ix_(order, order)]
        for place in range(1, self.d):
            dependent = self._dependent_on_last(permuted[: place + 1, : place + 1])
            graph[order[place]] = as_bits(order[:place][dependent])
        return tuple(graph)

    def starts(self, n_runs: int, rng: np.random.Generator) -> list[IntArray]:
        """Orders whose graphs have few edges."""
        joined = np.zeros((self.d, self.d), dtype=np.bool_)
        for j in range(self.d):
            others = np.delete(np.arange(self.d), j)
            last = np.append(others, j)
            joined[j, others] = self._dependent_on_last(self.correlation[np.ix_(last, last)])
        return [eliminate_by_degree(joined | joined.T, rng) for _ in range(n_runs)]

    def _dependent_on_last(self, among: FloatArray) -> BoolArray:
        """For each variable but the last: is it dependent on the last given all the others?"""
        precision = np.linalg.inv(among)
        scale = np.sqrt(np.diag(precision))
        partial = -precision[-1, :-1] / (scale[-1] * scale[:-1])
        # A correlation of one would have an infinite z.
        z = np.arctanh(np.clip(partial, -1 + 1e-15, 1 - 1e-15))
        return np.asarray(np.sqrt(self.n_rows - len(among) - 1) * np.abs(z) > self.critical)


def as_adjacency(graph: Graph) -> BoolArray:
    """A graph as a matrix.

    >>> as_adjacency((0, 0b1)).astype(int)
    array([[0, 1],
           [0, 0]])
    """
    adjacency = np.zeros((len(graph), len(graph)), dtype=np.bool_)
    for j, parents in enumerate(graph):
        adjacency[members(parents), j] = True
    return adjacency
