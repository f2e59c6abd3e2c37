"""How far each intervention moves each variable: a matrix with one row a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._typing import ArrayLike, FloatArray, IntArray
from .._validation import InputError, check_names, first_few, shown
from .registry import DistanceLike, name_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Effects:
    """How far do(i) moves j, in standard deviations of the control rows.

    Made by `measure_effects` from data, or by `Effects.from_matrix` from distances that are
    known already.

    Attributes
    ----------
    distance : array of shape (|I|, d)
        `distance[k, j]` is how far the intervention on `intervened[k]` moves column j: never
        negative, NaN or infinite; 0 where j is the target itself, which never counts. Read-only.
    intervened : array of shape (|I|,)
        Sorted columns that have interventional rows. It may be empty.
    names : tuple of str
        Names of the d columns.
    control_sd : array of shape (d,) or None
        Standard deviation (ddof = 0) of each column over the control rows; 0 where they are
        constant or all missing. None where only distances are known.
    n_rows : array of shape (|I|,) or None
        Rows of each target.
    n_without_values : array of shape (|I|,) or None
        For each target, in how many columns a distance is 0 because the control or the target
        has no value there (only with missing="omit").
    measured_by : str or function
        The distance that was measured, so that `null_threshold` can measure it again.

    Examples
    --------
    >>> import intersort
    >>> effects = intersort.Effects.from_matrix([[0, 2, 1], [0, 0, 3], [0, 0, 0]], names="ABC")
    >>> effects
    Effects(3 of 3 variables intervened on, wasserstein distances up to 3)
    >>> effects.to_frame().loc["B", "C"]
    np.float64(3.0)
    """

    distance: FloatArray
    intervened: IntArray
    names: tuple[str, ...]
    control_sd: FloatArray | None = None
    n_rows: IntArray | None = None
    n_without_values: IntArray | None = None
    measured_by: DistanceLike = "wasserstein"

    @classmethod
    def from_matrix(
        cls,
        distance: ArrayLike,
        intervened: ArrayLike | None = None,
        names: Sequence[str] | None = None,
    ) -> Effects:
        """Take distances that are known already, for instance from an oracle.

        Parameters
        ----------
        distance : array of shape (|I|, d)
            Not negative. The input is copied; entries of a target with itself become 0.
        intervened : array of int of shape (|I|,), optional
            The column each row of `distance` intervened on, in any order. None: the matrix is
            square and row i intervened on column i.
        names : sequence of str, optional
            Names of the columns; x0, x1, … by default.

        Examples
        --------
        >>> import intersort
        >>> effects = intersort.Effects.from_matrix([[0.1, 0.0, 9.0], [5.0, 2.0, 0.3]], [2, 0])
        >>> effects.intervened
        array([0, 2])
        >>> effects.distance
        array([[0. , 2. , 0.3],
               [0.1, 0. , 0. ]])
        """
        matrix = _check_matrix(distance)
        columns = _check_intervened(intervened, matrix)
        n_variables = matrix.shape[1]
        taken = [f"x{column}" for column in range(n_variables)] if names is None else names
        checked_names = check_names(taken, n_variables)
        _check_distances(matrix, columns, checked_names)
        order = np.argsort(columns, kind="stable")
        matrix, columns = np.ascontiguousarray(matrix[order]), columns[order]
        matrix[np.arange(columns.size), columns] = 0.0
        matrix.flags.writeable = False
        return cls(distance=matrix, intervened=columns, names=checked_names)

    @property
    def intervened_names(self) -> tuple[str, ...]:
        """Names of the targets, in the order of the rows of `distance`."""
        return tuple(self.names[column] for column in self.intervened)

    def to_frame(self) -> pd.DataFrame:
        """The distances as a pandas table: one row a target, one column a variable."""
        import pandas as pd

        index = pd.Index(list(self.intervened_names), name="target", dtype=object)
        columns = pd.Index(list(self.names), dtype=object)
        return pd.DataFrame(self.distance.copy(), index=index, columns=columns)

    def __repr__(self) -> str:
        n_targets, n_variables = self.distance.shape
        text = f"Effects({n_targets} of {n_variables} variables intervened on"
        if self.distance.size:
            text += f", {name_of(self.measured_by)} distances up to {self.distance.max():.3g}"
        return text + ")"


def check_effects(effects: Any, function: str) -> None:
    """Refuse a bare matrix where `function` needs effects."""
    if not isinstance(effects, Effects):
        raise InputError(
            f"{function} needs effects, not {shown(type(effects).__name__)}; make them of data "
            "with measure_effects(data), or of distances with Effects.from_matrix(distance)."
        )


def _check_matrix(distance: Any) -> FloatArray:
    """A copy of the distances as a matrix of float64."""
    try:
        matrix = np.array(distance, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            "The distances must be a matrix of numbers, one row a target and one column a "
            f"variable; got {shown(type(distance).__name__)} that cannot be read as one."
        ) from error
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise InputError(
            "The distances must be a matrix, one row a target and one column a variable; "
            f"got an array of shape {matrix.shape}."
        )
    return matrix


def _check_intervened(intervened: Any, matrix: FloatArray) -> IntArray:
    """The column that each row of the matrix intervened on."""
    n_targets, n_variables = matrix.shape
    if intervened is None:
        if n_targets != n_variables:
            raise InputError(
                f"The distances have {n_targets} rows and {n_variables} columns. Give "
                "`intervened`, the column that each row intervened on; without it the matrix "
                "must be square."
            )
        return np.arange(n_variables, dtype=np.int64)
    columns = np.asarray(intervened)
    if columns.size == 0:
        columns = columns.astype(np.int64).reshape(-1)
    if columns.ndim != 1 or columns.dtype.kind not in "iu":
        raise InputError(
            "`intervened` must be a list of column positions (integers); "
            f"got {shown(np.asarray(intervened).tolist())}."
        )
    if columns.size != n_targets:
        raise InputError(
            f"`intervened` has {columns.size} entries and the distances have {n_targets} rows; "
            "give one column for each row."
        )
    outside = columns[(columns < 0) | (columns >= n_variables)]
    if outside.size:
        raise InputError(
            f"`intervened` holds column {first_few(outside.tolist())}, but the columns are "
            f"numbered 0 … {n_variables - 1}."
        )
    distinct, repeats = np.unique(columns, return_counts=True)
    if distinct.size < columns.size:
        raise InputError(
            f"`intervened` names column {first_few(distinct[repeats > 1].tolist())} more than "
            "once; give one row of distances for each target."
        )
    return columns.astype(np.int64)


def _check_distances(matrix: FloatArray, columns: IntArray, names: Sequence[str]) -> None:
    """Distances other than those of a target with itself: numbers, not negative."""
    bad = ~(np.isfinite(matrix) & (matrix >= 0.0))
    bad[np.arange(columns.size), columns] = False
    if not bad.any():
        return
    row, column = np.argwhere(bad)[0]
    raise InputError(
        f"{int(bad.sum())} distances are negative, NaN or infinite, the first of "
        f"{shown(names[columns[row]])} to {shown(names[column])} ({matrix[row, column]:g}). "
        "A distance is a number that is zero or more; use 0 where nothing is known."
    )
