"""Values of a table: numbers only, counted where they are missing, never copied without need."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ._labels import is_missing
from ._typing import BoolArray, FloatArray, IntArray, Table
from ._validation import InputError, check_names, first_few, shown
from ._warnings import MetadataColumnWarning, RawCountsWarning

_MOSTLY = 0.9
_LARGEST_COUNT = 2.0**53  # from there on every float is a whole number
_CELLS_PER_BLOCK = 1 << 16
_MISSING_CHOICES = ("refuse", "omit")


def is_sparse(values: Any) -> bool:
    """Whether a table is a SciPy sparse matrix or array (without importing SciPy)."""
    return hasattr(values, "tocsc") and hasattr(values, "nnz")


def read_values(table: Any, name_column: Callable[[int], str]) -> Table:
    """Numbers of a table as a float array or a CSR or CSC matrix, shared where possible.

    Dense float32 and float64 arrays are passed through as read-only views; everything else is
    converted once. `name_column` names a column in messages.
    """
    if is_sparse(table):
        return _read_sparse(table)
    if isinstance(table, np.ma.MaskedArray):
        table = np.ma.filled(table.astype(np.float64), np.nan)
    try:
        array = np.asarray(table)
    except ValueError as error:  # a list of rows that differ in length
        raise InputError(
            "The values are no table: every row needs as many values as the others."
        ) from error
    if array.ndim != 2:
        raise InputError(
            f"The values must be a table, rows × variables; got an array with {array.ndim} "
            "dimensions. Reshape your data with reshape(-1, n_variables)."
        )
    return as_read_only(to_float(array, name_column))


def to_float(array: Any, name_column: Callable[[int], str]) -> Any:
    """A dense table of numbers as float32 or float64; text is refused with its place."""
    kind = array.dtype.kind
    if kind == "f" and array.dtype.itemsize in (4, 8):
        return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    if kind in "iubf":
        return array.astype(np.float64)
    if kind == "c":
        raise InputError("Complex data not supported: values must be real numbers.")
    if kind in "OUST":
        numbers_only = np.empty(array.shape, dtype=np.float64)
        for j in range(array.shape[1]):
            for i, cell in enumerate(array[:, j].tolist()):
                numbers_only[i, j] = _read_cell(cell, i, name_column(j))
        return numbers_only
    raise InputError(f"Values must be numbers; got an array of type {array.dtype}.")


def as_read_only(array: Any) -> Any:
    """A view that nothing can write through; the caller's own array stays as it was."""
    view = array.view()
    view.flags.writeable = False
    return view


def _read_cell(cell: Any, row: int, column: str) -> float:
    """One object as a number; None and every kind of NaN are missing."""
    if is_missing(cell):
        return float("nan")
    if isinstance(cell, numbers.Real) or hasattr(cell, "as_tuple"):  # Decimal is not a Real
        return float(cell)
    if isinstance(cell, complex):
        raise InputError("Complex data not supported: values must be real numbers.")
    raise InputError(
        f"Column {shown(column)} holds {shown(cell)} in row {row + 1}, which is not a number. "
        "Values must be numbers; convert the column, or leave it out with ignore."
    )


def _read_sparse(table: Any) -> Any:
    """CSR and CSC as they are, other formats as CSC; duplicates summed, the input untouched."""
    from scipy import sparse

    if table.ndim != 2:
        raise InputError(
            f"The values must be a table, rows × variables; got a sparse array with "
            f"{table.ndim} dimension."
        )
    if table.dtype.kind == "c":
        raise InputError("Complex data not supported: values must be real numbers.")
    if table.dtype.kind not in "iubf":
        raise InputError(f"Values must be numbers; got a sparse table of type {table.dtype}.")
    kept = table if table.format in ("csr", "csc") else table.tocsc()
    data = kept.data
    if data.dtype.kind != "f" or data.dtype.itemsize not in (4, 8) or not data.dtype.isnative:
        data = data.astype(np.float64)
    # A shell of our own around the caller's arrays: SciPy notes on the object what it finds out.
    shell = getattr(
        sparse, f"{kept.format}_{'array' if isinstance(kept, sparse.sparray) else 'matrix'}"
    )
    own = shell((data, kept.indices, kept.indptr), shape=kept.shape, copy=False)
    if not own.has_canonical_format:
        own = own.copy()
        own.sum_duplicates()
    own.data = as_read_only(own.data)
    own.indices, own.indptr = as_read_only(own.indices), as_read_only(own.indptr)
    return own


def name_columns(names: Sequence[Any] | None, width: int) -> tuple[str, ...]:
    """Distinct printable names, x0, x1, … where there are none."""
    return check_names([f"x{j}" for j in range(width)] if names is None else names, width)


def check_shape(values: Table) -> None:
    """At least two rows (a control and a target) and two variables (else no order)."""
    n_rows, width = values.shape
    if width < 2:
        raise InputError(
            f"An order needs at least two variables; got n_features={width}. "
            "Give more columns of values."
        )
    if n_rows < 2:
        raise InputError(
            f"At least two rows are needed, a control row and one with an intervention; "
            f"got n_samples={n_rows}."
        )


def check_finite(values: Table, names: Sequence[str], missing: str) -> None:
    """Refuse infinities always, and missing values unless they are to be omitted."""
    if missing not in _MISSING_CHOICES:
        raise InputError(f'missing must be "refuse" or "omit"; got {shown(missing)}.')
    n_nan, n_infinite = count_not_finite(values)
    if n_infinite.any():
        raise InputError(
            f"Infinite values (inf) in {_columns(n_infinite, names)}. Replace them: an infinity "
            "often comes from the logarithm of 0 or from a division by 0."
        )
    if n_nan.any() and missing == "refuse":
        raise InputError(
            f"Missing values (NaN) in {_columns(n_nan, names)}. Fill or drop them, or use "
            'missing="omit" (--missing omit), which compares the values that are there.'
        )


def _columns(counts: IntArray, names: Sequence[str]) -> str:
    """Which columns, and how many values in each: at most five of them."""
    hit = np.flatnonzero(counts)
    parts = [f"{shown(names[j])} ({counts[j]:,})" for j in hit[:5]]
    rest = f" and {hit.size - 5} more" if hit.size > 5 else ""
    return f"{hit.size} column{'s' if hit.size > 1 else ''}: {', '.join(parts)}{rest}"


def count_not_finite(values: Table) -> tuple[IntArray, IntArray]:
    """Number of NaN and of infinite values in each column, without a copy of the table."""
    width = values.shape[1]
    n_nan, n_infinite = np.zeros(width, dtype=np.int64), np.zeros(width, dtype=np.int64)
    stored = values.data if is_sparse(values) else values
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(np.sum(stored, dtype=np.float64)):
            return n_nan, n_infinite
    if is_sparse(values):
        column = _column_of_stored(values)
        n_nan += np.bincount(column[np.isnan(stored)], minlength=width)
        n_infinite += np.bincount(column[np.isinf(stored)], minlength=width)
        return n_nan, n_infinite
    for block in _row_blocks(values):
        n_nan += np.isnan(block).sum(axis=0)
        n_infinite += np.isinf(block).sum(axis=0)
    return n_nan, n_infinite


def _column_of_stored(values: Any) -> IntArray:
    """Column of every stored value of a CSR or CSC matrix."""
    if values.format == "csr":
        return np.asarray(values.indices, dtype=np.int64)
    return np.repeat(np.arange(values.shape[1]), np.diff(values.indptr))


def _row_blocks(values: Any) -> Iterator[Any]:
    step = max(1, _CELLS_PER_BLOCK // max(1, values.shape[1]))
    for start in range(0, values.shape[0], step):
        yield values[start : start + step]


def find_whole(values: Table) -> tuple[BoolArray, BoolArray, bool]:
    """Columns of whole numbers, those that are all zero, and whether any of them is negative."""
    width = values.shape[1]
    whole, empty = np.ones(width, dtype=bool), np.ones(width, dtype=bool)
    if is_sparse(values):
        stored, column = values.data, _column_of_stored(values)
        whole[column[_is_fractional(stored)]] = False
        empty[column[stored != 0]] = False
        return whole, empty, bool((stored[whole[column]] < 0).any())
    any_negative = False
    for block in _row_blocks(values):
        left = np.flatnonzero(whole)
        if not left.size:
            break
        if left.size < width:
            block = block[:, left]
        whole[left] = ~_is_fractional(block).any(axis=0)
        empty[left] &= ~(block != 0).any(axis=0)
        any_negative = any_negative or bool((block < 0)[:, whole[left]].any())
    return whole, empty & whole, any_negative


def _is_fractional(numbers: Any) -> Any:
    return (np.floor(numbers) != numbers) & ~np.isnan(numbers)


def warn_of_meaning(values: Table, names: Sequence[str], intervened: IntArray) -> None:
    """Warn where numbers look like something that should not be ordered as they are."""
    whole, empty, any_negative = find_whole(values)
    n_filled = np.count_nonzero(~empty)
    suspicious = whole & ~empty
    share = np.count_nonzero(suspicious) / n_filled if n_filled else 0
    if share >= _MOSTLY and not any_negative and 1 < _largest(values) < _LARGEST_COUNT:
        others = [names[j] for j in np.flatnonzero(~whole).tolist()]
        warnings.warn(
            f"{f'All columns but {first_few(others)}' if others else 'All columns'} hold whole "
            "numbers: this looks like raw counts, whose sequencing depth would pass for an "
            "effect. If they are counts, normalise first: divide each row by its depth (a "
            "logarithm alone leaves depth in).",
            RawCountsWarning,
            stacklevel=4,
        )
        return
    if whole.all():
        return
    suspicious[intervened] = False
    suspects = [names[j] for j in _varying(values, np.flatnonzero(suspicious))]
    if suspects:
        warnings.warn(
            f"{len(suspects):,} integer column{'s' if len(suspects) > 1 else ''} among fractional "
            f"ones, never intervened on: {first_few(suspects)}. If this is metadata it is now "
            "ranked as if it were a variable; name it in ignore (--ignore) to leave it out.",
            MetadataColumnWarning,
            stacklevel=4,
        )


def _largest(values: Table) -> float:
    """Largest value there is (0 if there is none)."""
    stored = values.data if is_sparse(values) else values
    return float(np.fmax.reduce(stored, axis=None, initial=0.0))


def _varying(values: Table, columns: IntArray) -> list[int]:
    """Those of some columns that hold more than one value."""
    if not columns.size:
        return []
    lowest, highest = range_per_column(values)
    return [j for j in columns.tolist() if lowest[j] < highest[j]]


def range_per_column(values: Table) -> tuple[FloatArray, FloatArray]:
    """Least and largest value of each column, missing values left out."""
    if is_sparse(values):
        lowest, highest = values.nanmin(axis=0).toarray(), values.nanmax(axis=0).toarray()
    else:
        lowest, highest = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
    return np.asarray(lowest, np.float64).ravel(), np.asarray(highest, np.float64).ravel()
