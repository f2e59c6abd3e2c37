"""Oracle distances: what a graph would show if measuring were perfect."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from .._adjacency import check_variables, descendants, read_dag
from .._rng import RandomLike, make_rng
from .._typing import ArrayLike, BoolArray, FloatArray
from .._validation import InputError, shown

OracleReach: TypeAlias = Literal["descendants", "children"] | float


def oracle_distances(
    adjacency: Any,
    intervened: ArrayLike | None = None,
    epsilon: float = 0.3,
    *,
    reach: OracleReach = "descendants",
    effect: float | Literal["random"] = 1.0,
    null: Literal["zero", "random"] = "zero",
    rng: RandomLike = None,
    dtype: npt.DTypeLike = np.float64,
) -> FloatArray:
    """Make up the distances that interventions in a graph would show.

    Parameters
    ----------
    adjacency : array or SciPy sparse matrix of shape (d, d)
        ``adjacency[i, j] != 0`` is the edge i → j; without cycles.
    intervened : array of int
        Distinct columns that are intervened on; None is all of them. The rows of the result are
        in sorted order.
    epsilon : float
        Pairs that show lie above it, all others below it.
    reach : {"descendants", "children"} or float
        What shows: every path, every edge and nothing else, or every edge and each further
        descendant with this probability (the continuum of the paper's section 6).
    effect : float or "random"
        Distance of the pairs that show: one number above `epsilon`, or drawn uniformly from
        (ε, 3 ε] ((0, 1] where ε is 0).
    null : {"zero", "random"}
        Distance of all other pairs: 0, or drawn uniformly from [0, ε). The paper's definition
        also allows ε itself, which would tie what its Lemma 4 decides.
    rng : int, numpy.random.Generator, optional
        Randomness; None is seed 0.
    dtype : dtype
        ``np.float32`` halves the 400 MB of 5,000 targets and 10,000 variables.

    Returns
    -------
    array of shape (|I|, d)
        The variable's own column is 0.

    Examples
    --------
    >>> from intersort.theory.oracle import oracle_distances
    >>> chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> oracle_distances(chain, [0, 2])
    array([[0., 1., 1.],
           [0., 0., 0.]])
    >>> oracle_distances(chain, [0], reach="children")
    array([[0., 1., 0.]])
    """
    edges = read_dag(adjacency)
    rows = check_variables(intervened, edges.n_variables)
    kind = np.dtype(dtype)
    _check(epsilon, effect, null, kind)
    generator = make_rng(rng)
    shows = np.zeros((rows.size, edges.n_variables), dtype=np.bool_)
    if reach == "children":
        place = np.full(edges.n_variables, -1)
        place[rows] = np.arange(rows.size)
        kept = place[edges.source] >= 0
        shows[place[edges.source[kept]], edges.target[kept]] = True
    else:
        shows = descendants(edges, rows)
        if reach != "descendants":
            shows = _thin(shows, edges.to_dense()[rows], reach, generator)
    return _fill(shows, rows, epsilon, effect, null, generator, kind)


def _thin(
    paths: BoolArray, edge: BoolArray, probability: object, generator: np.random.Generator
) -> BoolArray:
    """Keep all children and each further descendant with the given probability."""
    number = isinstance(probability, int | float | np.number)
    if not number or isinstance(probability, bool) or not 0 <= float(probability) <= 1:  # type: ignore[arg-type]
        raise InputError(
            '`reach` must be "descendants", "children" or a probability between 0 and 1; '
            f"got {shown(probability)}."
        )
    row, column = np.nonzero(paths & ~edge)
    dropped = generator.random(row.size) >= float(probability)  # type: ignore[arg-type]
    paths[row[dropped], column[dropped]] = False
    return paths


def _fill(
    shows: BoolArray,
    rows: np.ndarray,
    epsilon: float,
    effect: float | str,
    null: str,
    generator: np.random.Generator,
    dtype: np.dtype,
) -> FloatArray:
    """Give every pair its size; rounding must not push one onto or over ε."""
    if null == "random":
        drawn_type = np.float32 if dtype.itemsize <= 4 else np.float64
        distance = generator.random(shows.shape, dtype=drawn_type).astype(dtype, copy=False)
        distance *= epsilon
        threshold = np.asarray(epsilon, dtype=dtype)
        np.minimum(distance, np.nextafter(threshold, dtype.type(0)), out=distance)
    else:
        distance = np.zeros(shows.shape, dtype=dtype)
    if effect == "random":
        drawn = 1 - generator.random(np.count_nonzero(shows))
        drawn = epsilon + (2 * epsilon if epsilon > 0 else 1.0) * drawn
        above = np.nextafter(np.asarray(epsilon, dtype=dtype), dtype.type(np.inf))
        distance[shows] = np.maximum(drawn.astype(dtype), above)
    else:
        distance[shows] = effect
    distance[np.arange(rows.size), rows] = 0
    return distance


def _check(epsilon: float, effect: object, null: str, dtype: np.dtype) -> None:
    if dtype.kind != "f":
        raise InputError(f"`dtype` must be a floating-point type; got {dtype}.")
    if not np.isfinite(epsilon) or epsilon < 0:
        raise InputError(f"`epsilon` must be finite and not negative; got {shown(epsilon)}.")
    if null not in ("zero", "random"):
        raise InputError(f'`null` must be "zero" or "random"; got {shown(null)}.')
    if effect == "random":
        return
    if isinstance(effect, str) or not epsilon < float(effect) < np.inf:  # type: ignore[arg-type]
        raise InputError(
            f'`effect` must be "random" or a number above epsilon = {epsilon:g}; '
            f"got {shown(effect)}."
        )
