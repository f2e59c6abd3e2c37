"""The control columns of a block, centred, scaled and summed, ready to be compared with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._typing import BoolArray, FloatArray, IntArray
from ._columns import SortedColumns

LARGEST_VALUE = 1e150
"""Standardised values beyond this are cut, so that a distance may square them."""


@dataclass(eq=False)
class ControlColumns:
    """Sorted control columns in units in which no square overflows.

    A value x of a column is compared as x · scale − shift, and a distance in these units is
    divided by `divisor`: the control's sd or, where the control is constant, the sd over all rows
    used (0 where these are constant too). `sd` is the control's own, in the units of the data.
    """

    values: FloatArray
    zeros: IntArray
    below: IntArray
    counts: IntArray
    scale: FloatArray
    shift: FloatArray
    divisor: FloatArray
    sd: FloatArray
    constant: BoolArray

    @classmethod
    def prepare(cls, columns: SortedColumns) -> ControlColumns:
        """Sort, centre and scale the control rows of a block of columns."""
        values, zeros = columns.control()
        below, counts, scale, shift, divisor = _centre(values, zeros)
        constant = (divisor == 0.0) & (counts > 0)
        sd = divisor / scale
        for column in np.flatnonzero(constant):
            value = shift[column] / scale[column]
            _, _, all_scale, _, all_sd = _centre(*columns.used(int(column)))
            scale[column], divisor[column] = all_scale[0], all_sd[0]
            shift[column] = value * all_scale[0]
        return cls(values, zeros, below, counts, scale, shift, divisor, sd, constant)

    def running_sums(self) -> FloatArray:
        """Sums of the centred values of smaller rank, one row a column."""
        from ._kernels import sum_columns

        running = np.empty((self.values.shape[0], self.values.shape[1] + 1))
        sum_columns(self.values, self.below, self.zeros, self.counts, running)
        return running

    def standardised(self, column: int) -> FloatArray:
        """One control column, zeros written out, centred and divided: for any other distance."""
        below, zeros = int(self.below[column]), int(self.zeros[column])
        others = self.values[column, : self.counts[column] - zeros]
        zero = np.full(zeros, -self.shift[column])
        dense = np.concatenate([others[:below], zero, others[below:]]) / self._unit(column)
        dense.flags.writeable = False  # it is handed to a function that may be anyone's
        return dense

    def standardise(self, column: int, sample: FloatArray, zeros: int) -> FloatArray:
        """A target's sorted values in the same units, missing ones left out."""
        present = sample[: np.searchsorted(sample, np.nan)]
        negative = int(np.searchsorted(present, 0.0)) if zeros else present.size
        dense = np.concatenate([present[:negative], np.zeros(zeros), present[negative:]])
        with np.errstate(over="ignore"):
            scaled = (dense * self.scale[column] - self.shift[column]) / self._unit(column)
        clipped: FloatArray = np.clip(scaled, -LARGEST_VALUE, LARGEST_VALUE)
        return clipped

    def _unit(self, column: int) -> float:
        return float(self.divisor[column]) or 1.0

    def in_control_sd(self, distances: FloatArray) -> FloatArray:
        """Distances in scaled units (one row a column) divided, never infinite; −1 stays −1."""
        divisor = np.where(self.divisor > 0.0, self.divisor, 1.0)[:, np.newaxis]
        largest = np.finfo(np.float64).max
        with np.errstate(over="ignore"):
            divided = np.minimum(distances / divisor, largest)
        return np.where(distances < 0.0, -1.0, divided)


def _centre(
    values: FloatArray, zeros: IntArray
) -> tuple[IntArray, IntArray, FloatArray, FloatArray, FloatArray]:
    """Centre sorted columns in place: values under the zeros, counts, scale, shift, sd."""
    from ._kernels import centre_columns

    n_columns = values.shape[0]
    below, counts = np.empty((2, n_columns), dtype=np.int64)
    scale, shift, sd = np.empty((3, n_columns))
    centre_columns(values, zeros, below, counts, scale, shift, sd)
    return below, counts, scale, shift, sd
