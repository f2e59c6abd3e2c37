"""Parameters of many networks in one flat tensor: an optimiser changes all in one operation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .problem import import_torch

Shapes = Mapping[str, tuple[int, ...]]


def size_of(n_problems: int, shapes: Shapes) -> int:
    """How many numbers there are.

    >>> size_of(10, {"weights": (2, 3), "bias": (3,)})
    90
    """
    return n_problems * sum(math.prod(shape) for shape in shapes.values())


def as_views(flat: Any, n_problems: int, shapes: Shapes) -> dict[str, Any]:
    """Parts of one flat tensor, each contiguous, its first axis the problem."""
    views, begin = {}, 0
    for name, shape in shapes.items():
        size = n_problems * math.prod(shape)
        views[name] = flat[begin : begin + size].view(n_problems, *shape)
        begin += size
    return views


def xavier(part: Any, gain: float, rngs: Sequence[np.random.Generator]) -> None:
    """Xavier's uniform weights (problems, networks, inputs, outputs), each problem's from its own.

    One network of a variable is one draw of its problem's generator.
    """
    torch, shape = import_torch(), tuple(part.shape[1:])
    most = gain * math.sqrt(6 / (shape[1] + shape[2]))
    for k, rng in enumerate(rngs):
        part[k].copy_(torch.from_numpy(rng.uniform(-most, most, size=shape)))
