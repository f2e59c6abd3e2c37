"""Sorted columns of dense and sparse data, a block of columns at a time, never the whole table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from .._typing import FloatArray, IntArray, Table
from ._groups import RowGroups

SLABS = 8
"""Sparse data are turned to columns an eighth at a time, so that no second copy is held."""

MOST_COLUMNS = 64
"""Columns of a block: wide enough to read a row's cache lines once, narrow enough for threads."""

LARGEST_GROUP = 2**21
"""Values of the largest group of rows in a block (16 MB): with many rows, fewer columns."""

LONG_ROW = 2000
"""From here on a radix sort is faster than NumPy's."""


class SortedColumns(Protocol):
    """A block of columns: values other than zero are sorted, missing ones last, zeros counted."""

    n_columns: int

    def control(self) -> tuple[FloatArray, IntArray]:
        """Sorted control values, one row a column, and the zeros of each column."""

    def used(self, column: int) -> tuple[FloatArray, IntArray]:
        """The same for all used rows of one column, control and targets."""

    def samples(self, groups: IntArray) -> tuple[FloatArray, IntArray]:
        """Sorted values of some targets, one row a column and target, and their zeros."""

    def n_values(self) -> IntArray:
        """Values that are there, for every target and column of the block."""


class DenseColumns:
    """Some columns of an array."""

    def __init__(self, values: Table, groups: RowGroups, columns: slice) -> None:
        self.values = values
        self.groups = groups
        self.columns = columns
        self.n_columns = columns.stop - columns.start

    def _sorted(self, rows: IntArray, columns: slice) -> tuple[FloatArray, IntArray]:
        taken = np.array(self.values[rows, columns].T, dtype=np.float64, order="C")
        _sort(taken)
        return taken, np.zeros(taken.shape[0], dtype=np.int64)

    def control(self) -> tuple[FloatArray, IntArray]:
        return self._sorted(self.groups.control, self.columns)

    def used(self, column: int) -> tuple[FloatArray, IntArray]:
        rows = np.concatenate([self.groups.control, self.groups.rows])
        start = self.columns.start + column
        return self._sorted(rows, slice(start, start + 1))

    def samples(self, groups: IntArray) -> tuple[FloatArray, IntArray]:
        sizes = self.groups.n_rows[groups]
        rows = np.concatenate([self.groups.rows_of(group) for group in groups])
        taken = self.values[rows, self.columns]
        shape = (self.n_columns, groups.size, int(sizes.max()))
        if sizes.min() == sizes.max():
            samples = np.empty(shape)
            samples[...] = taken.reshape(groups.size, shape[2], shape[0]).transpose(2, 0, 1)
        else:
            samples = np.full(shape, np.nan)
            stops = np.cumsum(sizes)
            for place, (stop, size) in enumerate(zip(stops, sizes, strict=True)):
                samples[:, place, :size] = taken[stop - size : stop].T
        samples = samples.reshape(-1, shape[2])
        _sort(samples)
        return samples, np.zeros(shape[:2], dtype=np.int64)

    def n_values(self) -> IntArray:
        present = ~np.isnan(self.values[self.groups.rows, self.columns])
        return np.add.reduceat(present, self.groups.starts[:-1], axis=0, dtype=np.int64)


class SparseColumns:
    """Some columns of a CSC matrix: only the stored entries are touched."""

    def __init__(self, slab: Any, groups: RowGroups, row_groups: IntArray, columns: slice):
        from ._kernels import group_entries

        start, stop = columns.start, columns.stop
        first, last = int(slab.indptr[start]), int(slab.indptr[stop])
        entries = np.array(slab.data[first:last], dtype=np.float64)
        indptr = slab.indptr[start : stop + 1].astype(np.int64) - first
        self.groups = groups
        self.n_columns = stop - start
        self.grouped = np.empty_like(entries)
        self.offsets = np.empty((self.n_columns, groups.intervened.size + 2), dtype=np.int64)
        group_entries(
            indptr, row_groups[slab.indices[first:last]], entries, self.offsets, self.grouped
        )

    def _sorted(self, groups: IntArray, sizes: IntArray) -> tuple[FloatArray, IntArray]:
        from ._kernels import spread_entries

        stored = self.offsets[:, groups + 1] - self.offsets[:, groups]
        samples = np.full((stored.size, max(1, int(stored.max(initial=0)))), np.nan)
        spread_entries(self.offsets, self.grouped, groups, samples)
        _sort(samples)
        return samples, sizes - stored

    def control(self) -> tuple[FloatArray, IntArray]:
        size = np.array([[self.groups.control.size]], dtype=np.int64)
        control, zeros = self._sorted(np.zeros(1, dtype=np.int64), size)
        return control, zeros[:, 0].copy()

    def used(self, column: int) -> tuple[FloatArray, IntArray]:
        start, stop = self.offsets[column, [0, -1]]
        taken = self.grouped[start:stop].copy()[np.newaxis]
        _sort(taken)
        n_used = self.groups.control.size + self.groups.rows.size
        return taken, np.array([n_used - taken.size], dtype=np.int64)

    def samples(self, groups: IntArray) -> tuple[FloatArray, IntArray]:
        return self._sorted(groups + 1, self.groups.n_rows[groups][np.newaxis])

    def n_values(self) -> IntArray:
        missing = np.concatenate([[0], np.cumsum(np.isnan(self.grouped))])[self.offsets]
        return self.groups.n_rows[:, np.newaxis] - np.diff(missing[:, 1:], axis=1).T


def _sort(rows: FloatArray) -> None:
    """Sort each row in place, NaN last: NumPy's sort for short rows, a radix sort for long ones.

    At 5,000 values the radix sort takes half the time, at 200,000 a quarter; see
    benchmarks/effects_speed.py.
    """
    from ._kernels import sort_rows

    width = rows.shape[1]
    if width < LONG_ROW:
        rows.sort(axis=1)
        return
    rows[np.isnan(rows)] = np.nan
    keys, others = np.empty((2, width), dtype=np.uint64)
    sort_rows(rows.view(np.int64), keys, others, np.empty((6, 2048), dtype=np.int64))


def take_columns(
    part: Any, groups: RowGroups, row_groups: IntArray, columns: slice
) -> SortedColumns:
    """A block of columns of an array or of a CSC matrix."""
    if isinstance(part, np.ndarray):
        return DenseColumns(part, groups, columns)
    return SparseColumns(part, groups, row_groups, columns)


def column_blocks(groups: RowGroups, n_columns: int, n_threads: int) -> list[slice]:
    """Few columns a block, so that every thread has work and no block is large."""
    largest = max(groups.control.size, int(groups.n_rows.max(initial=1)))
    fair = -(-n_columns // (2 * n_threads))
    width = max(1, min(MOST_COLUMNS, fair, LARGEST_GROUP // largest))
    return [slice(first, min(first + width, n_columns)) for first in range(0, n_columns, width)]


def column_slabs(values: Table) -> Iterator[tuple[int, int, Any]]:
    """Parts of the table that are worked on one after the other: start, stop, values or CSC.

    A dense table is one part and is not copied. Of a sparse one, an eighth is copied at a time.
    """
    n_columns = values.shape[1]
    if isinstance(values, np.ndarray):
        yield 0, n_columns, values
        return
    width = max(64, -(-n_columns // SLABS))
    for start in range(0, n_columns, width):
        stop = min(start + width, n_columns)
        slab = values[:, start:stop].tocsc(copy=True)
        slab.sum_duplicates()
        yield start, stop, slab
        del slab
