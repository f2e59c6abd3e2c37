"""How far does do(i) move j? One distance for every target and every column."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from .._threads import count_threads, run_blocks
from .._typing import IntArray
from .._validation import InputError, first_few
from .._warnings import ConstantControlWarning
from ..data import InterventionalData, check_data
from ._columns import SortedColumns, column_blocks, column_slabs, take_columns
from ._comparison import Comparison, compare_with
from ._control import ControlColumns
from ._groups import RowGroups
from .effects import Effects
from .registry import DistanceFunction, DistanceLike, find_distance


def measure_effects(
    data: InterventionalData, distance: DistanceLike = "wasserstein", n_jobs: int | None = None
) -> Effects:
    r"""Measure how far each intervention moves each variable, in sd of the control rows.

    .. math:: D_{ij} = W_1(P_{control}(x_j), P_{do(i)}(x_j)) / sd_{control}(x_j)

    Parameters
    ----------
    data : InterventionalData
        Values (dense or sparse, float32 or float64), and the target of each row.
    distance : str or function, default "wasserstein"
        "wasserstein" (the paper's), "wasserstein2", "kolmogorov_smirnov", "energy" or
        "mean_shift"; or a function `(control_sorted, sample) -> float`. All but "wasserstein"
        receive the values of one column, centred and divided by the control's sd, missing ones
        left out.
    n_jobs : int, optional
        Threads: None is one, −1 all. The result is the same to the last bit for any number.

    Returns
    -------
    Effects
        `distance` is 0 where i = j. (The paper's pseudo-code fills that diagonal; no score ever
        reads it.)

    Notes
    -----
    Standardising is one division: the distance of standardised columns is that of the columns
    divided by the control's sd (ddof = 0). Where the control rows are constant, the sd over all
    rows used takes its place, and the distance is 0 where these are constant too;
    `ConstantControlWarning` names such columns. A distance says how far a marginal moved, not
    whether by more than chance: see `null_threshold`.

    Examples
    --------
    Column B follows column A, so an intervention on A moves both.

    >>> import numpy as np
    >>> import intersort
    >>> values = np.array([[0.0, 0.0], [2.0, 4.0], [9.0, 6.0], [9.0, 10.0], [0.0, 7.0], [2.0, 7.0]])
    >>> data = intersort.InterventionalData(
    ...     values=values, targets=np.array([-1, -1, 0, 0, 1, 1]), names=("A", "B")
    ... )
    >>> intersort.measure_effects(data).distance
    array([[0., 3.],
           [0., 0.]])
    """
    check_data(data, "measure_effects")
    found = find_distance(distance)
    groups = RowGroups.from_targets(np.asarray(data.targets))
    if groups.control.size == 0:
        raise InputError(
            "No row is a control (target −1), so there is nothing to measure a distance from. "
            "Mark the rows without an intervention as control."
        )
    job = _Measurement(data, groups, found)
    job.run(n_jobs)
    _warn_of_constant(np.flatnonzero(job.constant), data.names)
    return job.effects(distance)


def _warn_of_constant(constant: IntArray, names: Sequence[str]) -> None:
    """Name the columns whose distances are not in sd of the control."""
    if constant.size:
        named = first_few(names[column] for column in constant)
        are = "column is" if constant.size == 1 else "columns are"
        warnings.warn(
            f"{constant.size:,} {are} constant in the control rows: {named}. Distances there are "
            "in sd over all rows used, or 0 where these are constant too.",
            ConstantControlWarning,
            stacklevel=3,
        )


class _SharedBlock:
    """A block of columns, prepared by the first thread that needs it, dropped by the last."""

    def __init__(self, prepare: Callable[[], tuple[SortedColumns, Comparison]], uses: int) -> None:
        self.prepare = prepare
        self.uses = uses
        self.lock = threading.Lock()
        self.prepared: tuple[SortedColumns, Comparison] | None = None

    def take(self) -> tuple[SortedColumns, Comparison]:
        with self.lock:
            if self.prepared is None:
                self.prepared = self.prepare()
            taken = self.prepared
            self.uses -= 1
            if self.uses == 0:
                self.prepared = None
        return taken


class _Measurement:
    """The result being filled, and the blocks of targets × columns that fill it."""

    def __init__(
        self, data: InterventionalData, groups: RowGroups, found: ModuleType | DistanceFunction
    ) -> None:
        n_rows, n_columns = data.values.shape
        self.data = data
        self.groups = groups
        self.found = found
        self.target_names = [data.names[column] for column in groups.intervened]
        self.row_groups = groups.group_of_row(n_rows)
        self.distance = np.zeros((groups.intervened.size, n_columns))
        self.control_sd = np.zeros(n_columns)
        self.constant = np.zeros(n_columns, dtype=np.bool_)

    def run(self, n_jobs: int | None) -> None:
        """Work through the table, a slab of columns after the other."""
        n_threads = count_threads(n_jobs)
        for start, _, part in column_slabs(self.data.values):
            blocks = self._blocks(part, start, n_threads)
            run_blocks(lambda block: block(), blocks, n_jobs, "Measuring effects")

    def _blocks(self, part: Any, offset: int, n_threads: int) -> list[Callable[[], None]]:
        """Blocks of targets × columns; targets are shared out where columns are too few."""
        column_parts = column_blocks(self.groups, part.shape[1], n_threads)
        targets = self.groups.target_blocks(column_parts[0].stop)
        n_parts = max(1, min(len(targets), -(-2 * n_threads // len(column_parts))))
        shares = [targets[share::n_parts] for share in range(n_parts)]
        blocks = []
        for columns in column_parts:
            shared = _SharedBlock(self._prepare(part, offset, columns), n_parts)
            placed = slice(offset + columns.start, offset + columns.stop)
            blocks += [self._work(shared, placed, share) for share in shares]
        return blocks

    def _prepare(
        self, part: Any, offset: int, block: slice
    ) -> Callable[[], tuple[SortedColumns, Comparison]]:
        def prepare() -> tuple[SortedColumns, Comparison]:
            taken = take_columns(part, self.groups, self.row_groups, block)
            control = ControlColumns.prepare(taken)
            columns = slice(offset + block.start, offset + block.stop)
            self.control_sd[columns] = control.sd
            self.constant[columns] = control.constant
            names = self.data.names[columns]
            return taken, compare_with(control, self.found, names, self.target_names)

        return prepare

    def _work(
        self, shared: _SharedBlock, columns: slice, targets: list[IntArray]
    ) -> Callable[[], None]:
        def work() -> None:
            taken, comparison = shared.take()
            for block in targets:
                self.distance[block, columns] = comparison.place(*taken.samples(block), block).T

        return work

    def effects(self, distance: DistanceLike) -> Effects:
        """The result: zero where a target meets itself or a pair has no value."""
        self.distance[np.arange(self.groups.intervened.size), self.groups.intervened] = 0.0
        without = self.distance < 0.0
        self.distance[without] = 0.0
        self.distance.flags.writeable = False
        return Effects(
            distance=self.distance,
            intervened=self.groups.intervened,
            names=tuple(self.data.names),
            control_sd=self.control_sd,
            n_rows=self.groups.n_rows,
            n_without_values=without.sum(axis=1).astype(np.int64),
            measured_by=distance,
        )
