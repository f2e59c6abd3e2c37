"""The paper's distance: the area between two quantile functions (1-Wasserstein)."""

from __future__ import annotations

import numpy as np

from ..._typing import FloatArray, IntArray
from .._control import ControlColumns


def distance(control_sorted: FloatArray, sample: FloatArray) -> float:
    r"""Area between the quantile functions, in plain NumPy.

    .. math:: W_1 = \int_0^1 |F_{control}^{-1}(u) - F_{sample}^{-1}(u)| \, du

    `measure_effects` takes the compiled version below; this one is what it is tested against.

    >>> import numpy as np
    >>> from intersort.effects.distances.wasserstein import distance
    >>> distance(np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0]))
    1.0
    """
    gaps, widths = quantile_pieces(control_sorted, sample)
    return float(np.sum(np.abs(gaps) * widths))


def quantile_pieces(
    control_sorted: FloatArray, sample: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Gaps between the quantile functions, and the widths on which they are constant.

    The widths add up to one.
    """
    sample_sorted = np.sort(sample)
    n_control, n_sample = control_sorted.size, sample_sorted.size
    # edges of the pieces, as whole numbers in units of 1 / (n_control · n_sample)
    edges = np.union1d(np.arange(n_control + 1) * n_sample, np.arange(n_sample + 1) * n_control)
    pieces = edges[:-1]
    gaps = control_sorted[pieces // n_sample] - sample_sorted[pieces // n_control]
    return gaps, np.diff(edges) / (n_control * n_sample)


class Compiled:
    """The same, for a block of columns at once and without dividing each value by the sd."""

    def __init__(self, control: ControlColumns) -> None:
        self.control = control
        self.running = control.running_sums()

    def place(self, samples: FloatArray, zeros: IntArray, targets: IntArray) -> FloatArray:
        """Distances of sorted samples (columns × targets), −1 where there is no value."""
        from .._kernels import place_samples

        control = self.control
        distances = np.empty(zeros.shape)
        place_samples(
            control.values, self.running, control.below, control.zeros, control.counts,
            control.scale, control.shift, samples, zeros, distances,
        )  # fmt: skip
        return control.in_control_sd(distances)

    def place_draws(self, draws: FloatArray) -> FloatArray:
        """Distances of draws from the control (columns × draws); draws are sorted in [0, 1)."""
        from .._kernels import place_draws

        control = self.control
        drawn = np.empty(draws.shape[1])
        distances = np.empty((control.values.shape[0], draws.shape[0]))
        place_draws(
            control.values, self.running, control.below, control.zeros, control.counts,
            control.shift, draws, drawn, distances,
        )  # fmt: skip
        return control.in_control_sd(distances)
