"""Comparing samples with a block of control columns: compiled, or one call a pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Protocol

import numpy as np

from .._typing import FloatArray, IntArray
from .._validation import InputError, shown
from ._control import ControlColumns
from .registry import DistanceFunction, name_of


class Comparison(Protocol):
    """What a distance does with a block of control columns: compare samples with them."""

    def place(self, samples: FloatArray, zeros: IntArray, targets: IntArray) -> FloatArray:
        """Distances of sorted samples (columns × targets), −1 where there is no value."""

    def place_draws(self, draws: FloatArray) -> FloatArray:
        """Distances of draws from the control (columns × draws); draws are sorted in [0, 1)."""


def compare_with(
    control: ControlColumns,
    found: ModuleType | DistanceFunction,
    column_names: Sequence[str],
    target_names: Sequence[str],
) -> Comparison:
    """The compiled comparison that a distance's file brings, else one call a pair."""
    compiled: Callable[[ControlColumns], Comparison] | None = getattr(found, "Compiled", None)
    if compiled is not None:
        return compiled(control)
    function = found.distance if isinstance(found, ModuleType) else found
    return _OneByOne(control, function, column_names, target_names)


class _OneByOne:
    """Calls `(control_sorted, sample) -> float` on one standardised column after the other."""

    def __init__(
        self,
        control: ControlColumns,
        function: DistanceFunction,
        column_names: Sequence[str],
        target_names: Sequence[str],
    ) -> None:
        self.control = control
        self.function = function
        self.column_names = column_names
        self.target_names = target_names

    def place(self, samples: FloatArray, zeros: IntArray, targets: IntArray) -> FloatArray:
        distances = np.full(zeros.shape, -1.0)
        for column, distances_here in enumerate(distances):
            if self.control.counts[column] == 0:
                continue
            control = self.control.standardised(column)
            for place in range(targets.size):
                row = samples[column * targets.size + place]
                sample = self.control.standardise(column, row, int(zeros[column, place]))
                if sample.size:
                    pair = self._pair(column, self.target_names[targets[place]])
                    distances_here[place] = self._measure(column, control, sample, pair)
        return distances

    def place_draws(self, draws: FloatArray) -> FloatArray:
        distances = np.zeros((len(self.column_names), draws.shape[0]))
        for column, distances_here in enumerate(distances):
            count = int(self.control.counts[column])
            if count == 0:
                continue
            control = self.control.standardised(column)
            pair = self._pair(column, None)
            for place, draw in enumerate(draws):
                sample = control[np.minimum((draw * count).astype(np.int64), count - 1)]
                distances_here[place] = self._measure(column, control, sample, pair)
        return distances

    def _pair(self, column: int, target: str | None) -> str:
        sample = "control rows" if target is None else f"target {shown(target)}"
        return f"{sample} in column {shown(self.column_names[column])}"

    def _measure(self, column: int, control: FloatArray, sample: FloatArray, pair: str) -> float:
        if self.control.divisor[column] == 0.0:
            return 0.0  # every row has the same value
        measured = float(self.function(control, sample))
        if not math.isfinite(measured) or measured < 0.0:
            raise InputError(
                f"The distance {shown(name_of(self.function))} gave {measured} for {pair}. "
                "A distance must be a finite number that is zero or more."
            )
        return measured
