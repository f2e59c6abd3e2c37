"""Bounds on the expected D_top: the paper's Theorems 2 to 4 and Lemma 6, and repaired ones.

Functions under the paper's names hold its formulas, also where enumeration found them false;
`repaired_...` beside them hold. Every bound is an expectation over the choice of the targets (and
over the graph, for Theorem 4), not a promise: a single design can do worse.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._adjacency import read_dag
from .._typing import ArrayLike, FloatArray
from .._validation import InputError, shown
from .conditions import (
    Helpers,
    Reach,
    ancestors_of_child_only,
    check_count,
    check_reach,
    on_a_path_between,
    parents_of_child_only,
    the_cause,
)


def theorem_2(adjacency: Any, p_int: ArrayLike) -> float:
    r"""The paper's Theorem 2: expected D_top where every path shows.

    .. math:: \sum_{(i, j) \in G} (1 - p_{int})^{|AN_j \cup \{j\} \setminus AN_i|}

    False for the worst optimum from four variables on and for the mean over ties from five on;
    where all distances below ε are 0, for the worst optimum from five on. See
    `repaired_theorem_2`.

    Parameters
    ----------
    adjacency : array or SciPy sparse matrix of shape (d, d)
        ``adjacency[i, j] != 0`` is the edge i → j; without cycles.
    p_int : float, or array of shape (d,)
        Probability that a variable is intervened on, each on its own. One number for all, or one
        per variable; zeros and ones describe a design that is already drawn.

    Returns
    -------
    float

    Examples
    --------
    >>> from intersort.theory.bounds import theorem_2
    >>> theorem_2([[0, 1, 0], [0, 0, 1], [0, 0, 0]], 0.5)
    0.5
    """
    return _expected(adjacency, p_int, ancestors_of_child_only)


def theorem_3(adjacency: Any, p_int: ArrayLike) -> float:
    r"""The paper's Theorem 3: expected D_top where only children show.

    .. math:: \sum_{(i, j) \in G} (1 - p_{int})^{|Pa_j \cup \{j\} \setminus Pa_i|}

    False from three variables on, from four where all distances below ε are 0, also for the mean
    over ties. See `repaired_theorem_3`. Parameters as in `theorem_2`.

    Examples
    --------
    >>> from intersort.theory.bounds import theorem_3
    >>> theorem_3([[0, 1, 0], [0, 0, 1], [0, 0, 0]], 0.5)
    0.5
    """
    return _expected(adjacency, p_int, parents_of_child_only)


def repaired_theorem_2(adjacency: Any, p_int: ArrayLike) -> float:
    r"""Bound the expected D_top of every optimal order where every path shows.

    .. math:: \sum_{(i, j) \in G} (1 - p_{int})^{2 + |DE_i \cap AN_j|}

    An expectation over the choice of the targets, not a promise for the one at hand. Parameters
    as in `theorem_2`; the conditions are those of `repaired_lemma_4_condition`.

    Examples
    --------
    >>> from intersort.theory.bounds import repaired_theorem_2
    >>> triangle = [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    >>> repaired_theorem_2(triangle, 0.5)
    0.625
    >>> repaired_theorem_2(triangle, [1, 0, 0])  # do(0) alone leaves 1 → 2 open
    1.0
    """
    return _expected(adjacency, p_int, on_a_path_between)


def repaired_theorem_3(adjacency: Any, p_int: ArrayLike) -> float:
    r"""Bound the expected D_top of every optimal order where at least the children show.

    .. math:: |E| \, (1 - p_{int})

    An expectation over the choice of the targets, not a promise for the one at hand. Parameters
    as in `theorem_2`; the conditions are those of `repaired_lemma_5_condition`.

    Examples
    --------
    >>> from intersort.theory.bounds import repaired_theorem_3
    >>> repaired_theorem_3([[0, 1, 1], [0, 0, 1], [0, 0, 0]], 0.5)
    1.5
    """
    return _expected(adjacency, p_int, the_cause)


def theorem_4(n_variables: int, p_int: float, p_e: float) -> float:
    r"""The paper's Theorem 4, closed form: expected D_top over random graphs, only children show.

    .. math:: \frac{(1 - p_{int})^2}{p_{int}} \left[ d - (1 - p_{int} p_e)
              \frac{1 - (1 - p_{int} p_e)^d}{p_{int} p_e} \right]

    One line of its proof adds 1 − (1 − p_int p_e)^d, so this is `theorem_4_double_sum` for d + 1
    variables: valid wherever that is, and looser. The proof uses Lemma 5, which is false, and the
    theorem is false from three variables on where distances below ε are not all 0; where they
    are, it held in every case enumerated (d ≤ 5). See `repaired_theorem_4`.

    Parameters
    ----------
    n_variables : int
        Number d of variables.
    p_int : float
        Probability that a variable is intervened on, each on its own; above 0.
    p_e : float
        Probability of an edge between each pair of variables (Erdős–Rényi).

    Returns
    -------
    float

    Examples
    --------
    >>> from intersort.theory.bounds import theorem_4, theorem_4_double_sum
    >>> round(theorem_4(30, 0.5, 0.1), 3), round(theorem_4_double_sum(30, 0.5, 0.1), 3)
    (7.539, 7.146)
    """
    d = check_count(n_variables)
    check_positive(p_int, "p_int", "; theorem_4_double_sum takes 0 too")
    return theorem_4_double_sum(d + 1, p_int, p_e)


def theorem_4_loose(n_variables: int, p_int: float) -> float:
    r"""The paper's Theorem 4, second form, which holds for every edge probability.

    .. math:: \frac{(1 - p_{int})^2}{p_{int}} \, d

    Examples
    --------
    >>> from intersort.theory.bounds import theorem_4_loose
    >>> theorem_4_loose(30, 0.5)
    15.0
    """
    return check_count(n_variables) * fixed_density_limit(p_int)


def theorem_4_double_sum(n_variables: int, p_int: ArrayLike, p_e: float) -> float:
    r"""The double sum that the closed form of Theorem 4 overshoots.

    .. math:: p_e \sum_{i < j} (1 - p_i) (1 - p_j) \prod_{i < k < j} (1 - p_k \, p_e)

    Parameters
    ----------
    n_variables : int
        Number d of variables.
    p_int : float, or array of shape (d,)
        Probability that a variable is intervened on, 0 allowed: one number, or one per variable
        *in causal order*.
    p_e : float
        Probability of an edge between each pair of variables.

    Examples
    --------
    >>> from intersort.theory.bounds import theorem_4_double_sum
    >>> theorem_4_double_sum(2, 0.5, 0.4), theorem_4_double_sum(2, [1, 0], 0.4)
    (0.1, 0.0)
    """
    d = check_count(n_variables)
    check_positive(p_e, "p_e", "", zero=True)
    probability = check_probability(p_int, d)
    total = running = 0.0
    for own in probability:  # `running` sums over all causes i of the variable now reached
        total += (1.0 - own) * running
        running = running * (1.0 - own * p_e) + (1.0 - own)
    return float(p_e * total)


def repaired_theorem_4(
    n_variables: int, p_int: float, p_e: float, *, reach: Reach = "descendants"
) -> float:
    r"""Bound the expected D_top over random graphs, for every optimal order.

    Where every path shows, and where only children (or those and some further descendants) do:

    .. math:: p_e (1 - p_{int})^2 \sum_{i < j} (1 - p_{int} \, p_e^2)^{j - i - 1}, \qquad
              p_e (1 - p_{int}) \, d (d - 1) / 2

    `repaired_theorem_2`, with only the paths i → k → j counted, and `repaired_theorem_3`, averaged
    over Erdős–Rényi graphs; their conditions apply. Other parameters as in `theorem_4`; p_int may
    be 0.

    Parameters
    ----------
    reach : {"descendants", "children"}
        What an intervention shows.

    Examples
    --------
    >>> from intersort.theory.bounds import repaired_theorem_4
    >>> round(repaired_theorem_4(30, 0.5, 0.1), 3)
    10.384
    >>> round(repaired_theorem_4(30, 0.5, 0.1, reach="children"), 3)
    21.75
    """
    d = check_count(n_variables)
    check_positive(p_e, "p_e", "", zero=True)
    own = float(check_probability(p_int, 1)[0])
    gap = np.arange(d - 1)
    if check_reach(reach) == "children":
        return float(p_e * (1.0 - own) * d * (d - 1) / 2)
    sums = np.sum((d - 1 - gap) * (1.0 - own * p_e**2) ** gap)
    return float(p_e * (1.0 - own) ** 2 * sums)


def lemma_6(p_int: float, edges_per_variable: float) -> float:
    r"""The paper's Lemma 6: the limit of Theorem 4 divided by d, for a fixed number of edges each.

    .. math:: \frac{(1 - p_{int})^2}{p_{int}} \left[ 1 - \frac{1 - e^{-p_{int} c}}{p_{int} c}
              \right], \qquad c = 2 \cdot \text{edges per variable}

    Parameters
    ----------
    p_int : float
        Probability that a variable is intervened on; above 0.
    edges_per_variable : float
        Expected edges divided by d. The c of the lemma is the expected number of neighbours,
        twice this.

    Examples
    --------
    >>> from intersort.theory.bounds import lemma_6, theorem_4
    >>> round(lemma_6(0.5, 1.5), 5), round(theorem_4(10**5, 0.5, 3 / 10**5) / 10**5, 5)
    (0.24104, 0.24105)
    """
    check_positive(p_int, "p_int", "", largest=1.0)
    check_positive(edges_per_variable, "edges_per_variable", "", largest=np.inf)
    x = 2.0 * p_int * edges_per_variable
    return float(fixed_density_limit(p_int) * (1.0 + np.expm1(-x) / x))


def fixed_density_limit(p_int: float) -> float:
    r"""The limit of Theorem 4 divided by d where p_e is fixed: (1 − p_int)² / p_int.

    Examples
    --------
    >>> from intersort.theory.bounds import fixed_density_limit
    >>> fixed_density_limit(0.5)
    0.5
    """
    check_positive(p_int, "p_int", "")
    return float((1.0 - p_int) ** 2 / p_int)


def effective_intervention_ratio(p_int: float, p_e: float) -> float:
    """The axis of the paper's Figure 1: p_int / √p_e.

    Examples
    --------
    >>> from intersort.theory.bounds import effective_intervention_ratio
    >>> effective_intervention_ratio(0.5, 0.25)
    1.0
    """
    check_positive(p_int, "p_int", "", zero=True)
    check_positive(p_e, "p_e", "")
    return float(p_int / np.sqrt(p_e))


def _expected(adjacency: Any, p_int: ArrayLike, helpers: Helpers) -> float:
    """Sum over the edges of the probability that no helper of the edge is a target."""
    edges = read_dag(adjacency)
    missed = 1.0 - check_probability(p_int, edges.n_variables)
    total = 0.0
    for block in helpers(edges):
        if np.ndim(p_int) == 0:
            total += float(np.sum((1.0 - float(np.asarray(p_int))) ** block.sum(axis=1)))
        else:
            total += float(np.where(block, missed, 1.0).prod(axis=1).sum())
    return total


def check_probability(p_int: ArrayLike, n_variables: int) -> FloatArray:
    """One probability per variable, from one number or one per variable."""
    values = np.asarray(p_int, dtype=np.float64)
    if values.shape not in ((), (n_variables,)):
        raise InputError(
            f"`p_int` must be one probability or {n_variables}, one per variable; "
            f"got shape {values.shape}."
        )
    if not np.all((values >= 0) & (values <= 1)):
        raise InputError("`p_int` must lie between 0 and 1.")
    return np.broadcast_to(values, (n_variables,)).astype(np.float64)


def check_positive(
    value: float, name: str, advice: str, *, zero: bool = False, largest: float = 1.0
) -> None:
    """Refuse a number outside (0, largest], or [0, largest] where zero is allowed."""
    enough = value >= 0 if zero else value > 0
    if np.ndim(value) or not enough or not value <= largest or not np.isfinite(value):
        least = "at least 0" if zero else "above 0"
        most = "" if np.isinf(largest) else f" and at most {largest:g}"
        raise InputError(f"`{name}` must be one number {least}{most}{advice}; got {shown(value)}.")
