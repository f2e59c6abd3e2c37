"""How far control rows alone seem to move: a threshold for every pair."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .._rng import RandomLike, make_rng
from .._threads import run_blocks
from .._typing import FloatArray, IntArray, Table
from .._validation import InputError, first_few
from ..data import InterventionalData, check_data
from ._columns import column_blocks, column_slabs, take_columns
from ._comparison import Comparison, compare_with
from ._control import ControlColumns
from ._groups import RowGroups
from .effects import Effects, check_effects
from .registry import find_distance

N_DRAWS = 200
MOST_SIZES = 12
FEWEST_CONTROLS = 10
SDS_ABOVE_MEAN = 4.0
FEW_CONTROLS_QUANTILE = 0.95

MOST_DRAWN = 2**21
"""Numbers drawn at once (16 MB)."""


def null_threshold(
    data: InterventionalData, effects: Effects, *, rng: RandomLike = None
) -> FloatArray:
    """Take the threshold ε of every pair from what control rows alone do (provisional).

    With few rows, chance alone moves a distribution: of 20 rows drawn from the control, a third
    lie further than 0.3 sd from it. So ε of a pair is the mean plus 4 sd of the distances of 200
    draws from the control rows of that column, each draw as large as the target's sample.

    Parameters
    ----------
    data : InterventionalData
        The data the effects were measured on.
    effects : Effects
        Measured by `measure_effects`; the same distance measures the draws.
    rng : int, Generator or None
        Seed of the draws; None is seed 0.

    Returns
    -------
    array of shape (|I|, d)
        One threshold per target and column, in the units of `effects.distance`. The entry of a
        target with itself is never read.

    Notes
    -----
    This rule is provisional: it knows nothing but the control rows, so what differs between
    experiments for other reasons (batches, cells that are no independent samples) is not in it.
    Rows are drawn with replacement. At most 12 sizes are drawn: where targets have more different
    numbers of rows, 12 on a geometric grid from the smallest to the largest, and each target
    takes the next smaller one, whose threshold is a little too high rather than too low. Where
    fewer than 10 control rows have a value, nothing can be resampled: there ε is the 95 %
    quantile of that column's distances over all targets but itself. Where the control rows are
    all equal, so are the draws, and ε is 0.

    Examples
    --------
    Columns A, B; an intervention on A moves B too, one on B does not move A.

    >>> import numpy as np
    >>> import intersort
    >>> rng = np.random.default_rng(0)
    >>> targets = np.repeat([-1, 0, 1], [1000, 100, 100])
    >>> a = rng.normal(size=1200) + 2 * (targets == 0)
    >>> b = np.where(targets == 1, 5.0, a) + rng.normal(size=1200)
    >>> data = intersort.InterventionalData(
    ...     values=np.column_stack([a, b]), targets=targets, names=("A", "B")
    ... )
    >>> effects = intersort.measure_effects(data)
    >>> effects.distance > intersort.null_threshold(data, effects)
    array([[False,  True],
           [False, False]])
    """
    check_data(data, "null_threshold")
    check_effects(effects, "null_threshold")
    groups = RowGroups.from_targets(np.asarray(data.targets))
    _check_match(data, effects, groups)
    job = _NullDraws(data, effects, groups, make_rng(rng))
    for start, _, part in column_slabs(data.values):
        run_blocks(
            partial(job.fill, part, start),
            column_blocks(groups, part.shape[1], n_threads=1),
            None,
            "Drawing control rows",
        )
    return job.threshold


def choose_sizes(counts: IntArray) -> IntArray:
    """Row counts that are drawn: all different ones, or 12 on a geometric grid.

    >>> import numpy as np
    >>> from intersort.effects.null import choose_sizes
    >>> choose_sizes(np.array([100, 50, 100]))
    array([ 50, 100])
    >>> choose_sizes(np.arange(10, 1000))
    array([ 10,  15,  23,  35,  53,  81, 123, 187, 284, 432, 657, 999])
    """
    sizes = np.unique(counts[counts > 0])
    if sizes.size > MOST_SIZES:
        grid = np.geomspace(sizes[0], sizes[-1], MOST_SIZES)
        sizes = np.unique(np.concatenate([sizes[:1], grid[1:-1].astype(np.int64), sizes[-1:]]))
    return sizes.astype(np.int64)


class _NullDraws:
    """The thresholds being filled; every column meets the same draws of each size."""

    def __init__(
        self,
        data: InterventionalData,
        effects: Effects,
        groups: RowGroups,
        rng: np.random.Generator,
    ) -> None:
        self.data = data
        self.effects = effects
        self.groups = groups
        self.found = find_distance(effects.measured_by)
        self.row_groups = groups.group_of_row(data.targets.size)
        self.has_missing = _has_missing(data.values)
        self.sizes = choose_sizes(self._all_counts() if self.has_missing else groups.n_rows)
        self.seeds = rng.integers(2**63, size=self.sizes.size)
        self.threshold = np.zeros(effects.distance.shape)

    def fill(self, part: Any, offset: int, block: slice) -> None:
        """Thresholds of one block of columns, each at the pair's number of values."""
        taken = take_columns(part, self.groups, self.row_groups, block)
        control = ControlColumns.prepare(taken)
        columns = slice(offset + block.start, offset + block.stop)
        comparison = compare_with(control, self.found, self.data.names[columns], ())
        counts = taken.n_values() if self.has_missing else self.groups.n_rows[:, np.newaxis]
        next_smaller = np.maximum(np.searchsorted(self.sizes, counts, side="right") - 1, 0)
        by_size = [self._threshold(comparison, place) for place in range(self.sizes.size)]
        if by_size:
            self.threshold[:, columns] = np.array(by_size)[
                next_smaller, np.arange(columns.stop - columns.start)
            ]
        for place in np.flatnonzero(control.counts < FEWEST_CONTROLS):
            column = columns.start + int(place)
            self.threshold[:, column] = _high_quantile(self.effects, column)

    def _all_counts(self) -> IntArray:
        """The different numbers of values that the pairs have, where some are missing."""
        found = [
            np.unique(take_columns(part, self.groups, self.row_groups, block).n_values())
            for _, _, part in column_slabs(self.data.values)
            for block in column_blocks(self.groups, part.shape[1], n_threads=1)
        ]
        return np.unique(np.concatenate(found))

    def _threshold(self, comparison: Comparison, place: int) -> FloatArray:
        rng = np.random.default_rng(self.seeds[place])
        size = int(self.sizes[place])
        at_once = min(N_DRAWS, max(1, MOST_DRAWN // size))
        distances = []
        for first in range(0, N_DRAWS, at_once):
            draws = rng.random((min(at_once, N_DRAWS - first), size))
            draws.sort(axis=1)
            distances.append(comparison.place_draws(draws))
        drawn = np.concatenate(distances, axis=1)
        threshold: FloatArray = drawn.mean(axis=1) + SDS_ABOVE_MEAN * drawn.std(axis=1)
        return threshold


def _high_quantile(effects: Effects, column: int) -> float:
    """The 95 % quantile of a column's distances, that of the column's own target left out."""
    others = effects.distance[effects.intervened != column, column]
    return float(np.quantile(others, FEW_CONTROLS_QUANTILE)) if others.size else 0.0


def _check_match(data: InterventionalData, effects: Effects, groups: RowGroups) -> None:
    """The effects must be those of these data."""
    if tuple(data.names) != tuple(effects.names):
        raise InputError(
            f"The effects are of {len(effects.names)} variables and the data of "
            f"{len(data.names)}, or their names differ. Give the data that the effects were "
            "measured on."
        )
    differing = np.setxor1d(effects.intervened, groups.intervened)
    if differing.size:
        raise InputError(
            f"{differing.size} targets are in the effects or in the data but not in both: "
            f"{first_few(data.names[column] for column in differing)}. Give the data that the "
            "effects were measured on."
        )


def _has_missing(values: Table) -> bool:
    stored = values if isinstance(values, np.ndarray) else values.data
    return bool(stored.size) and bool(np.isnan(np.min(stored)))
