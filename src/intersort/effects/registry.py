"""Distances by name: every file in the folder `distances` is one, nothing is listed twice."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from types import ModuleType
from typing import TypeAlias

from .._typing import FloatArray
from .._validation import InputError, closest, shown
from . import distances

DistanceFunction: TypeAlias = Callable[[FloatArray, FloatArray], float]
DistanceLike: TypeAlias = str | DistanceFunction


def distance_names() -> list[str]:
    """Names that `measure_effects(distance=…)` takes.

    >>> from intersort.effects.registry import distance_names
    >>> distance_names()
    ['energy', 'kolmogorov_smirnov', 'mean_shift', 'wasserstein', 'wasserstein2']
    """
    return sorted(module.name for module in pkgutil.iter_modules(distances.__path__))


def find_distance(distance: DistanceLike) -> ModuleType | DistanceFunction:
    """The file of that name, or the function itself."""
    if callable(distance):
        return distance
    names = distance_names()
    if not isinstance(distance, str) or distance not in names:
        raise InputError(
            f"There is no distance {shown(distance)}{closest(str(distance), names) or '.'} "
            f"Choose one of {', '.join(names)}, or give a function "
            "(control_sorted, sample) -> float."
        )
    return importlib.import_module(f"{distances.__name__}.{distance}")


def name_of(distance: DistanceLike) -> str:
    """How a distance is called in a file: a function by its own name."""
    return distance if isinstance(distance, str) else getattr(distance, "__name__", "function")
