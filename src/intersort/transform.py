"""Values on another scale, before anything is measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ._validation import InputError, first_few, shown
from ._values import as_read_only, range_per_column
from .data import InterventionalData

TRANSFORMS = {"log": (np.log, 0.0), "log1p": (np.log1p, -1.0)}
"""Each transform with the value that all data must exceed."""


def transform_values(data: InterventionalData, transform: str) -> InterventionalData:
    """Take the logarithm of every value, or of one plus it.

    Distances depend on the scale: measurements that span orders of magnitude, such as
    fluorescence, belong on the log scale.

    Parameters
    ----------
    data : InterventionalData
        Not modified; the result holds one copy of the values.
    transform : {"log", "log1p"}
        ``"log"`` needs values above 0, ``"log1p"`` above −1. Sparse values stay sparse under
        ``"log1p"``.

    Examples
    --------
    >>> import intersort
    >>> from intersort.transform import transform_values
    >>> data = intersort.InterventionalData.from_arrays([[1.0, 1.0], [1.5, 2.5]], [-1, 0])
    >>> transform_values(data, "log").values.round(2)
    array([[0.  , 0.  ],
           [0.41, 0.92]])
    """
    if transform not in TRANSFORMS:
        raise InputError(
            f"transform must be one of {', '.join(TRANSFORMS)}; got {shown(transform)}."
        )
    function, floor = TRANSFORMS[transform]
    lowest, _ = range_per_column(data.values)
    below = [name for name, least in zip(data.names, lowest, strict=True) if least <= floor]
    if below:
        raise InputError(
            f"{transform} needs values above {floor:g}; these columns hold others: "
            f"{first_few(below)} (the least value is {np.nanmin(lowest):g}). "
            + ("Take log1p, or drop the columns." if transform == "log" else "Drop the columns.")
        )
    values = data.values
    if isinstance(values, np.ndarray):
        values = as_read_only(function(values))
    else:
        values = values.copy()
        values.data = as_read_only(function(values.data))
    return replace(data, values=values)
