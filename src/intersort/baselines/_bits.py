"""Sets of variables as the bits of an integer: small graphs are searched faster that way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from .._typing import BoolArray


def as_bits(members_of_set: Iterable[int]) -> int:
    """The integer whose bits are the members of a set.

    >>> as_bits([0, 2, 3]) == 0b1101
    True
    """
    return sum(1 << int(member) for member in members_of_set)


def rows_as_bits(matrix: BoolArray) -> tuple[int, ...]:
    """For each row the columns that are True.

    >>> rows_as_bits(np.array([[0, 1], [1, 1]], dtype=bool))
    (2, 3)
    """
    packed = np.packbits(matrix, axis=1, bitorder="little")
    return tuple(int.from_bytes(row.tobytes(), "little") for row in packed)


def members(bits: int) -> list[int]:
    """The positions of the bits that are set.

    >>> members(0b1101)
    [0, 2, 3]
    """
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def spread(reached: int, steps: Sequence[int], closed: int) -> int:
    """All that is reached step by step without entering what is closed.

    >>> spread(0b001, [0b010, 0b100, 0b000], closed=0b100) == 0b011
    True
    """
    fresh = reached
    while fresh:
        following = 0
        for member in members(fresh):
            following |= steps[member]
        fresh = following & ~reached & ~closed
        reached |= fresh
    return reached
