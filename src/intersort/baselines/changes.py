"""Order by the changes that interventions cause (Tian and Pearl 2001).

The one earlier method for orders from interventions that the paper names: do(i) changes the
marginal of its descendants alone, so i comes before every j that it changes. The paper by Tian and
Pearl leaves the test open; chosen here: a two-sample Kolmogorov–Smirnov test of the rows of do(i)
against the control rows, Benjamini–Hochberg at `level` (5 %) over all pairs, the smallest p first
where no cycle closes (equal p by the larger statistic), and the mean over random topological
orders of what results.

The p-values are exact where the two samples have at most 10,000 pairs of rows, and asymptotic
(Simard and L'Ecuyer's distribution at n·m / (n + m) rows) above. Both take the rows as
independent. It cannot take a screen without control rows, or missing values.
"""

from __future__ import annotations

import numpy as np

from .._typing import BoolArray, FloatArray, IntArray
from .._validation import InputError, shown
from ..data import InterventionalData
from ..effects.measure import measure_effects
from ._rows import CONTROL_ROW, dense_rows
from .graph_orders import result_from_graph
from .result import BaselineResult

MOST_PAIRS_EXACT = 10_000


def run(
    data: InterventionalData, *, rng: np.random.Generator, level: float = 0.05
) -> BaselineResult:
    """Put i before j where do(i) changes j; `rng` draws the topological orders."""
    if not 0 < level < 1:
        raise InputError(f"level must lie between 0 and 1; got {shown(level)}.")
    _, targets = dense_rows(data, "changes")
    found = measure_effects(data, "kolmogorov_smirnov")
    statistic, intervened = found.distance, found.intervened
    n_control = int(np.sum(targets == CONTROL_ROW))
    n_rows = np.zeros(0, dtype=np.int64) if found.n_rows is None else found.n_rows
    p_values = np.ones(statistic.shape)
    for size in np.unique(n_rows):
        p_values[n_rows == size] = two_sample_p(statistic[n_rows == size], n_control, int(size))
    other = np.arange(statistic.shape[1]) != intervened[:, None]
    changed = np.zeros(statistic.shape, dtype=np.bool_)
    changed[other] = discoveries(p_values[other], level)
    adjacency = np.zeros((len(data.names),) * 2, dtype=np.bool_)
    strength = np.zeros(adjacency.shape)
    adjacency[intervened] = changed
    strength[intervened] = rank_by_evidence(p_values, statistic)
    return result_from_graph(adjacency, rng, strength=strength)


def rank_by_evidence(p_values: FloatArray, statistic: FloatArray) -> IntArray:
    """Number the pairs from the weakest to the strongest, equal ones alike.

    >>> import numpy as np
    >>> rank_by_evidence(np.array([0.0, 0.2, 0.0, 0.0]), np.array([0.9, 0.1, 0.8, 0.9]))
    array([2, 0, 1, 2])
    """
    keys = np.stack([-p_values.ravel(), statistic.ravel()], axis=1)
    _, rank = np.unique(keys, axis=0, return_inverse=True)
    return np.asarray(rank, dtype=np.int64).reshape(p_values.shape)


def discoveries(p_values: FloatArray, level: float) -> BoolArray:
    """Benjamini and Hochberg's rule: which of the p-values are small enough together.

    >>> import numpy as np
    >>> discoveries(np.array([0.01, 0.9, 0.04, 0.03]), 0.05)
    array([ True, False, False, False])
    """
    if not p_values.size:
        return np.zeros(0, dtype=np.bool_)
    rising = np.sort(p_values)
    passed = np.flatnonzero(rising <= level * np.arange(1, rising.size + 1) / rising.size)
    return np.asarray(p_values <= (rising[passed[-1]] if passed.size else -1.0))


def two_sample_p(statistic: FloatArray, n_control: int, n_sample: int) -> FloatArray:
    """Chance of a Kolmogorov–Smirnov statistic as large as this where nothing has changed.

    >>> import numpy as np
    >>> two_sample_p(np.array([1.0, 0.5]), 2, 2)
    array([0.33333333, 1.        ])
    """
    if n_control * n_sample <= MOST_PAIRS_EXACT:
        return _exact_p(statistic, n_control, n_sample)
    from scipy.stats import kstwo

    values, where = np.unique(statistic, return_inverse=True)
    effective = max(1.0, np.round(n_control * n_sample / (n_control + n_sample)))
    return np.asarray(kstwo.sf(values, effective)[where].reshape(statistic.shape))


def _exact_p(statistic: FloatArray, n_control: int, n_sample: int) -> FloatArray:
    """Probability that the path of ranks leaves the band of width `statistic`, step by step.

    All orders of the two samples are equally likely where nothing has changed; each is a path from
    (0, 0) to (n, m), and the statistic is its largest distance from the diagonal.
    """
    values, where = np.unique(statistic, return_inverse=True)
    width = values * n_control * n_sample - 1e-6  # whole numbers, but for rounding
    outside = np.zeros((n_sample + 1, values.size))
    for i in range(n_control + 1):
        for j in range(n_sample + 1):
            off = abs(i * n_sample - j * n_control) >= width
            from_control = outside[j] * i if i else 0.0
            from_sample = outside[j - 1] * j if j else 0.0
            reached = (from_control + from_sample) / max(i + j, 1)
            outside[j] = np.where(off, 1.0, reached)
    return np.asarray(outside[n_sample][where].reshape(statistic.shape))
