"""Rows of measurements, each labelled with the variable that was intervened on (draft)."""

from __future__ import annotations

from dataclasses import dataclass

from ._typing import IntArray, Table


@dataclass(frozen=True, eq=False, repr=False)
class InterventionalData:
    """Values (n × d, dense or sparse), targets (n,) and names; validated once, here.

    targets: column intervened on in that row, −1 control, −2 not used.
    values may hold NaN only when missing="omit".
    """

    values: Table
    targets: IntArray
    names: tuple[str, ...]
