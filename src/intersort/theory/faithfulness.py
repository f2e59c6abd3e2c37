"""ε-interventional faithfulness: do the distances show the paths of a graph, and nothing else?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._adjacency import check_variables, descendants, read_dag
from .._typing import ArrayLike, BoolArray, FloatArray, IntArray
from .._validation import InputError, shown
from .conditions import Reach, check_reach


@dataclass(frozen=True, eq=False, repr=False)
class Faithfulness:
    """Which pairs keep a distance matrix from being faithful to a graph, and at which ε it is.

    Attributes
    ----------
    epsilon : float
        The threshold that was asked about.
    hidden_pairs : array of shape (n, 2)
        Pairs i, j with i ⇝ j whose distance is not above ε.
    spurious_pairs : array of shape (n, 2)
        Pairs i, j without a path whose distance is above ε.
    lowest_epsilon : float
        The largest distance over pairs without a path (0 if there are none): ε may equal it.
    below_epsilon : float
        The smallest distance over pairs with a path (infinite if there are none): ε must stay
        below it.
    n_pairs : int
        Number of pairs i ≠ j with i intervened on.
    """

    epsilon: float
    hidden_pairs: IntArray
    spurious_pairs: IntArray
    lowest_epsilon: float
    below_epsilon: float
    n_pairs: int

    @property
    def is_faithful(self) -> bool:
        """Whether D > ε exactly on the pairs with a path."""
        return not len(self.hidden_pairs) and not len(self.spurious_pairs)

    @property
    def is_possible(self) -> bool:
        """Whether any ε makes these distances faithful."""
        return self.lowest_epsilon < self.below_epsilon

    def __repr__(self) -> str:
        n_hidden, n_spurious = len(self.hidden_pairs), len(self.spurious_pairs)
        if self.is_faithful:
            head = f"faithful at epsilon {self.epsilon:.4g}"
        else:
            head = (
                f"not faithful at epsilon {self.epsilon:.4g}: {n_hidden} paths hidden, "
                f"{n_spurious} pairs spurious, of {self.n_pairs}"
            )
        if self.is_possible:
            return f"{head}; holds for {self.lowest_epsilon:.4g} <= ε < {self.below_epsilon:.4g}"
        return f"{head}; no epsilon makes it hold"


def check_faithfulness(
    distance: ArrayLike,
    intervened: ArrayLike | None,
    adjacency: Any,
    *,
    epsilon: float,
    reach: Reach = "descendants",
) -> Faithfulness:
    """Compare distances with the paths of a graph (the paper's Definition 1).

    The definition asks that D_ij > ε exactly where there is a directed path from i to j, for
    every i that was intervened on and every j ≠ i.

    Parameters
    ----------
    distance : array of shape (|I|, d)
        How far do(intervened[k]) moves column j; `effects.distance` for measured ones.
    intervened : array of shape (|I|,), sorted
        `effects.intervened`; None is every variable.
    adjacency : array or SciPy sparse matrix of shape (d, d)
        ``adjacency[i, j] != 0`` is the edge i → j; without cycles.
    epsilon : float
        The threshold to ask about.
    reach : {"descendants", "children"}
        ``"children"`` asks for D > ε exactly on the edges, the paper's relaxation.

    Returns
    -------
    Faithfulness
        The pairs that break it, and the interval of ε that would make it hold: from the largest
        distance over pairs without a path up to, not including, the smallest over pairs with one.
        The paper's remark takes the smallest over *edges*; see `remark_epsilon`.

    Examples
    --------
    >>> from intersort.theory.faithfulness import check_faithfulness
    >>> chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> distance = [[0, 1.49, 0.75], [0, 0, 1.50], [0, 0.1, 0]]
    >>> result = check_faithfulness(distance, None, chain, epsilon=1.0)
    >>> result
    not faithful at epsilon 1: 1 paths hidden, 0 pairs spurious, of 6; holds for 0.1 <= ε < 0.75
    >>> result.hidden_pairs.tolist()
    [[0, 2]]
    """
    if not np.isfinite(epsilon) or epsilon < 0:
        raise InputError(f"`epsilon` must be finite and not negative; got {shown(epsilon)}.")
    values, rows, joined = _read(distance, intervened, adjacency, reach)
    others = np.ones(values.shape, dtype=np.bool_)
    others[np.arange(rows.size), rows] = False
    above = values > epsilon
    return Faithfulness(
        epsilon=float(epsilon),
        hidden_pairs=_pairs(rows, joined & ~above),
        spurious_pairs=_pairs(rows, others & ~joined & above),
        lowest_epsilon=float(np.max(values, where=others & ~joined, initial=0.0)),
        below_epsilon=float(np.min(values, where=joined, initial=np.inf)),
        n_pairs=int(np.count_nonzero(others)),
    )


def remark_epsilon(distance: ArrayLike, intervened: ArrayLike | None, adjacency: Any) -> float:
    """The bound that the paper's remark gives for ε: the least non-zero distance over *edges*.

    It is too large where a path of several edges shows less than each of its edges: the chain
    below is faithful at 0, but not at every ε below 1.49. The right bound is `below_epsilon` of
    `check_faithfulness`.

    Examples
    --------
    >>> from intersort.theory.faithfulness import check_faithfulness, remark_epsilon
    >>> chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> distance = [[0, 1.49, 0.75], [0, 0, 1.50], [0, 0, 0]]
    >>> remark_epsilon(distance, None, chain)
    1.49
    >>> check_faithfulness(distance, None, chain, epsilon=0).below_epsilon
    0.75
    """
    values, _, edge = _read(distance, intervened, adjacency, "children")
    return float(np.min(values, where=edge & (values > 0), initial=np.inf))


def paper_epsilon(distance: ArrayLike, intervened: ArrayLike | None = None) -> float:
    """The paper's rule for ε from data: a value below the smallest non-zero distance (half of it).

    Right for population distances, which are 0 where nothing moved. Two samples are never quite
    equal, so on samples *every* pair passes it, and the score no longer tells effects from noise:
    use `intersort.null_threshold` there.

    Parameters
    ----------
    distance : array of shape (|I|, d)
        How far do(intervened[k]) moves column j.
    intervened : array of shape (|I|,), sorted
        None is every variable.

    Returns
    -------
    float
        Infinite if all distances are 0.

    Examples
    --------
    >>> from intersort.theory.faithfulness import paper_epsilon
    >>> paper_epsilon([[0, 0.8, 0], [0, 0, 0.6], [0, 0, 0]])
    0.3
    """
    values = np.asarray(distance, dtype=np.float64)
    rows = _check_shape(values, intervened, values.shape[-1])
    counted = values > 0
    counted[np.arange(rows.size), rows] = False
    return float(np.min(values, where=counted, initial=np.inf)) / 2


def _read(
    distance: ArrayLike, intervened: ArrayLike | None, adjacency: Any, reach: str
) -> tuple[FloatArray, IntArray, BoolArray]:
    edges = read_dag(adjacency)
    values = np.asarray(distance, dtype=np.float64)
    rows = _check_shape(values, intervened, edges.n_variables)
    if check_reach(reach) == "children":
        return values, rows, edges.to_dense()[rows]
    return values, rows, descendants(edges, rows)


def _check_shape(values: FloatArray, intervened: ArrayLike | None, n_variables: int) -> IntArray:
    rows = check_variables(intervened, n_variables)
    if intervened is not None and not np.array_equal(rows, np.asarray(intervened)):
        raise InputError(
            "`intervened` must be sorted, as the rows of `distance` are in its order; "
            f"got {shown(np.asarray(intervened).tolist())}."
        )
    if values.shape != (rows.size, n_variables):
        raise InputError(
            f"`distance` needs one row per intervened variable and one column per variable, "
            f"{(rows.size, n_variables)}; got {values.shape}."
        )
    if not np.all(values >= 0):
        raise InputError("`distance` holds negative or missing values; a distance is at least 0.")
    return rows


def _pairs(rows: IntArray, marked: BoolArray) -> IntArray:
    row, column = np.nonzero(marked)
    return np.stack([rows[row], column], axis=1)
