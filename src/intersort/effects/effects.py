"""How far each intervention moves each variable: a matrix with one row a target."""

from __future__ import annotations

from dataclasses import dataclass

from .._typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Effects:
    """How far do(i) moves j, in standard deviations of the control rows (draft).

    Attributes
    ----------
    distance : array of shape (|I|, d)
    intervened : array of shape (|I|,), sorted columns that have interventional rows
    names : tuple of str
    control_sd : array of shape (d,) or None
    n_rows : array of shape (|I|,) or None
    """

    distance: FloatArray
    intervened: IntArray
    names: tuple[str, ...]
    control_sd: FloatArray | None = None
    n_rows: IntArray | None = None
