"""What is done to a variable: each kind of intervention is one small class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .._typing import FloatArray


class Intervention(Protocol):
    """What turns the values that a variable would have taken into those that it takes.

    Any object with such an `apply` can be an intervention on a structural model:

    >>> from intersort import simulate
    >>> class Clip:
    ...     def apply(self, natural, rng):
    ...         return natural.clip(-1, 1)
    >>> population = simulate.random_population([[0]], "linear")
    >>> bool(np.abs(population.sample(1000, do={0: Clip()})).max() <= 1)
    True
    """

    def apply(self, natural: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Values under the intervention; `natural` is what the mechanism gives."""
        ...


@dataclass(frozen=True)
class FixedValue:
    """The variable is set to one value in every row.

    >>> FixedValue(3.0).apply(np.array([0.5, -1.0]), np.random.default_rng(0))
    array([3., 3.])
    """

    value: float

    def apply(self, natural: FloatArray, rng: np.random.Generator) -> FloatArray:
        return np.full_like(natural, self.value)


@dataclass(frozen=True)
class KnockOut:
    """The variable is kept at zero: a gene that is not expressed.

    >>> KnockOut().apply(np.array([0.5, -1.0]), np.random.default_rng(0))
    array([0., 0.])
    """

    def apply(self, natural: FloatArray, rng: np.random.Generator) -> FloatArray:
        return np.zeros_like(natural)


@dataclass(frozen=True)
class FreshDraw:
    """Each row draws its own value, uniform on [low, high] with a random sign.

    The mean is then zero: a statistic that compares means sees nothing in a linear system that
    is itself centred.

    >>> values = FreshDraw(1, 5).apply(np.zeros(1000), np.random.default_rng(0))
    >>> bool(np.all((np.abs(values) >= 1) & (np.abs(values) <= 5))), bool((values < 0).any())
    (True, True)
    """

    low: float = 1.0
    high: float = 5.0

    def apply(self, natural: FloatArray, rng: np.random.Generator) -> FloatArray:
        return signed_uniform(self.low, self.high, natural.size, rng)


@dataclass(frozen=True)
class NormalDraw:
    """Each row draws its own value from a normal law.

    >>> NormalDraw(2, 0).apply(np.zeros(2), np.random.default_rng(0))
    array([2., 2.])
    """

    mean: float = 2.0
    sd: float = 1.0

    def apply(self, natural: FloatArray, rng: np.random.Generator) -> FloatArray:
        return rng.normal(self.mean, self.sd, natural.size)


@dataclass(frozen=True)
class Soft:
    """A soft intervention: what the mechanism gives is multiplied and shifted, not replaced.

    The variable still listens to its causes. In gene regulation it acts on the production rate,
    so `Soft(scale=0.3)` is a knock-down to 30 %.

    >>> Soft(scale=0.5, shift=1).apply(np.array([2.0, -4.0]), np.random.default_rng(0))
    array([ 2., -1.])
    """

    scale: float = 1.0
    shift: float = 0.0

    def apply(self, natural: FloatArray, rng: np.random.Generator) -> FloatArray:
        return self.scale * natural + self.shift


def signed_uniform(
    low: float, high: float, size: int | tuple[int, ...], rng: np.random.Generator
) -> FloatArray:
    """Draw from the uniform law on [low, high], each with a random sign.

    >>> draws = signed_uniform(1, 3, 100, np.random.default_rng(0))
    >>> bool(np.abs(draws).min() >= 1)
    True
    """
    return rng.choice([-1.0, 1.0], size) * rng.uniform(low, high, size)
