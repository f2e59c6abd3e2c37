"""Frames of pandas and polars, through their own methods; neither is imported here."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ._columns import RawTable, choose_columns
from ._memory import require_memory
from ._validation import InputError, shown
from ._values import to_float


def read_frame(frame: Any, targets: Any, ignore: Any) -> RawTable:
    """Take labels and values out of a frame, one column at a time, copied once."""
    if hasattr(frame, "collect") and not hasattr(frame, "to_numpy"):
        raise InputError("This is a lazy frame; pass frame.collect().")
    if not (hasattr(frame, "columns") and hasattr(frame, "dtypes") and hasattr(frame, "shape")):
        raise InputError(
            f"frame must be a pandas or polars DataFrame; got {shown(type(frame).__name__)}. "
            "Arrays go into InterventionalData.from_arrays, files into read_table."
        )
    columns = choose_columns(list(frame.columns), targets, ignore)
    labels = np.asarray(_column(frame, columns.labels))
    values = _sparse_values(frame, columns.taken)
    if values is None:
        values = _dense_values(frame, columns.taken, columns.names)
    return RawTable(values, labels, columns.names, columns.left_out)


def _column(frame: Any, j: int) -> Any:
    """Column by position: pandas has iloc, polars to_series."""
    return frame.iloc[:, j] if hasattr(frame, "iloc") else frame.to_series(j)


def _dense_values(frame: Any, taken: tuple[int, ...], names: tuple[Any, ...]) -> Any:
    """One float array, filled column by column; float32 only if every column is."""
    n_rows = frame.shape[0]
    small = all(str(_column(frame, j).dtype).lower() == "float32" for j in taken)
    dtype = np.dtype(np.float32 if small else np.float64)
    require_memory(n_rows * len(taken) * dtype.itemsize, "The table")
    values = np.empty((n_rows, len(taken)), dtype=dtype, order="F")
    for k, j in enumerate(taken):
        cells = _column_values(_column(frame, j), names[k]).reshape(-1, 1)
        values[:, k] = to_float(cells, partial(_name_of, names[k]))[:, 0]
    return values


def _name_of(name: Any, _: int) -> str:
    return str(name)


def _column_values(column: Any, name: Any) -> Any:
    """A column as a plain NumPy array in which missing values are NaN or None."""
    kind = str(column.dtype).lower()
    if kind.startswith(("datetime", "timedelta", "date", "time", "duration", "period", "interval")):
        raise InputError(
            f"Column {shown(name)} holds dates or times ({column.dtype}), which are not numbers; "
            "leave it out with ignore, or convert it."
        )
    numeric = kind.lstrip("u").startswith(("int", "float", "double"))
    if numeric and hasattr(column, "iloc") and not isinstance(column.dtype, np.dtype):
        # pandas' nullable and Arrow columns hold their own missing value.
        single = np.float32 if kind == "float32" else np.float64
        return column.to_numpy(dtype=single, na_value=np.nan)
    return np.asarray(column.to_numpy())


def keep_sparse(table: Any) -> Any:
    """A pandas frame of sparse columns as a sparse matrix; every other table as it is."""
    if not (hasattr(table, "iloc") and hasattr(table, "dtypes") and table.ndim == 2):
        return table
    values = _sparse_values(table, tuple(range(table.shape[1])))
    return table if values is None else values


def _sparse_values(frame: Any, taken: tuple[int, ...]) -> Any:
    """A pandas frame of sparse columns stays sparse; None for every other frame."""
    if not hasattr(frame, "iloc") or not taken:
        return None
    kinds = [frame.dtypes.iloc[j] for j in taken]
    if not all(str(kind).startswith("Sparse[") and kind.fill_value == 0 for kind in kinds):
        return None
    return frame.iloc[:, list(taken)].sparse.to_coo().tocsc()
