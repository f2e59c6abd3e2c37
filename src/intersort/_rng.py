"""Randomness is an argument: every function takes `rng`, and None is seed 0."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from ._validation import InputError, shown

RandomLike: TypeAlias = (
    int | np.random.Generator | np.random.SeedSequence | np.random.RandomState | None
)


def make_rng(rng: RandomLike = None) -> np.random.Generator:
    """Turn a seed, a generator or None (seed 0, so that equal calls agree) into a generator.

    >>> make_rng(None).integers(10) == make_rng(0).integers(10)
    np.True_
    """
    if rng is None:
        return np.random.default_rng(0)
    if isinstance(rng, np.random.RandomState):
        return np.random.default_rng(rng.randint(2**31, size=4))
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"A seed must be a whole number, 0 or more, or a NumPy generator; got {shown(rng)}."
        ) from error
