"""Which rows belong to the control and to each target, and how targets are cut into blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._typing import IntArray

WIDEST_BLOCK = 2**19
"""Padded values of one block of targets in one block of columns: 4 MB, so that it stays cached."""


@dataclass(frozen=True, eq=False)
class RowGroups:
    """Rows by what was done to them.

    Attributes
    ----------
    control : rows of the control
    intervened : sorted columns that have rows
    n_rows : rows of each of them
    rows : their rows, one target after the other
    starts : where each target's rows begin in `rows`; the last entry is where they end
    """

    control: IntArray
    intervened: IntArray
    n_rows: IntArray
    rows: IntArray
    starts: IntArray

    @classmethod
    def from_targets(cls, targets: IntArray) -> RowGroups:
        """Sort the rows by target once, keeping their order within a target."""
        order = np.argsort(targets, kind="stable").astype(np.int64)
        first = int(np.searchsorted(targets[order], 0))
        intervened, n_rows = np.unique(targets[order[first:]], return_counts=True)
        starts = np.concatenate([[0], np.cumsum(n_rows)]).astype(np.int64)
        return cls(
            control=np.flatnonzero(targets == -1).astype(np.int64),
            intervened=intervened.astype(np.int64),
            n_rows=n_rows.astype(np.int64),
            rows=order[first:],
            starts=starts,
        )

    def rows_of(self, group: int) -> IntArray:
        """Rows of the target at that place in `intervened`."""
        return self.rows[self.starts[group] : self.starts[group + 1]]

    def group_of_row(self, n_rows: int) -> IntArray:
        """0 for the control, 1 + place in `intervened` for a target, −1 for an unused row."""
        groups = np.full(n_rows, -1, dtype=np.int64)
        groups[self.control] = 0
        groups[self.rows] = np.repeat(np.arange(1, self.intervened.size + 1), self.n_rows)
        return groups

    def target_blocks(self, n_columns: int) -> list[IntArray]:
        """Targets of similar size together: a block is padded to the largest of them."""
        blocks: list[IntArray] = []
        by_size = np.argsort(-self.n_rows, kind="stable").astype(np.int64)
        start = 0
        for stop in range(1, by_size.size + 1):
            widest = int(self.n_rows[by_size[start]])
            full = (stop - start + 1) * widest * n_columns > WIDEST_BLOCK
            if stop == by_size.size or full or 2 * self.n_rows[by_size[stop]] < widest:
                blocks.append(by_size[start:stop])
                start = stop
        return blocks
