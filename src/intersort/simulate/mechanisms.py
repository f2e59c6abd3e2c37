"""How a variable answers to its parents: linear, random Fourier features, a neural network.

Each mechanism is a function of the parents' values, an array of shape (n, number of parents)
with the parents in the order of their columns; a variable without parents gets a constant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .._typing import FloatArray
from .interventions import signed_uniform

N_FEATURES = 100
N_HIDDEN_UNITS = 10
ROWS_AT_ONCE = 512  # so that their features stay in the processor's cache


class Mechanism(Protocol):
    """The part of a variable that its parents decide."""

    def __call__(self, parents: FloatArray) -> FloatArray:
        """Values of shape (n,) for parents' values of shape (n, number of parents)."""
        ...


@dataclass(frozen=True, eq=False)
class Linear:
    """Weights times parents, plus a bias.

    >>> Linear(np.array([2.0, -1.0]), 0.5)(np.array([[1.0, 1.0], [0.0, 3.0]]))
    array([ 1.5, -2.5])
    """

    weights: FloatArray
    bias: float

    def __call__(self, parents: FloatArray) -> FloatArray:
        return parents @ self.weights + self.bias


@dataclass(frozen=True, eq=False)
class FourierFeatures:
    r"""A smooth random function: a sum of cosines that approximates a Gaussian process.

    .. math:: f(x) = b + c \sqrt{2 / M} \sum_m \alpha_m \cos(\omega_m \cdot x / \ell + \delta_m)

    Attributes
    ----------
    frequencies : array of shape (number of parents, M)
        ω_m / ℓ.
    phases, amplitudes : arrays of shape (M,)
        δ_m and c √(2 / M) α_m.
    bias : float
        b.

    Examples
    --------
    >>> flat = FourierFeatures(np.zeros((1, 1)), np.zeros(1), np.array([2.0]), 1.0)
    >>> flat(np.array([[5.0], [7.0]]))  # frequency 0, phase 0: the amplitude and the bias
    array([3., 3.])
    """

    frequencies: FloatArray
    phases: FloatArray
    amplitudes: FloatArray
    bias: float

    def __call__(self, parents: FloatArray) -> FloatArray:
        if not parents.shape[1]:  # a root: the same formula with no inputs
            constant = np.cos(self.phases) @ self.amplitudes + self.bias
            return np.full(len(parents), constant)
        from ._kernels import cosines

        values = np.empty(len(parents))
        for start in range(0, len(parents), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            angles = np.ascontiguousarray(parents[rows]) @ self.frequencies
            angles += self.phases
            cosines(angles.reshape(-1))
            values[rows] = angles @ self.amplitudes
        return values + self.bias


@dataclass(frozen=True, eq=False)
class NeuralNetwork:
    """One hidden layer of rectified linear units; the inputs are shifted and scaled first.

    >>> network = NeuralNetwork(
    ...     np.ones((1, 2)), np.zeros(2), np.array([1.0, 1.0]), 0.5, np.zeros(1), np.ones(1)
    ... )
    >>> network(np.array([[2.0], [-2.0]]))  # 2 + 2 + 0.5, and two silent units
    array([4.5, 0.5])
    """

    hidden_weights: FloatArray
    hidden_biases: FloatArray
    output_weights: FloatArray
    output_bias: float
    input_mean: FloatArray
    input_sd: FloatArray

    def __call__(self, parents: FloatArray) -> FloatArray:
        inputs = (parents - self.input_mean) / self.input_sd
        hidden = np.maximum(inputs @ self.hidden_weights + self.hidden_biases, 0)
        return hidden @ self.output_weights + self.output_bias


@dataclass(frozen=True)
class Silent:
    """No mechanism: zero, whatever the parents (a root of the neural-network domain)."""

    def __call__(self, parents: FloatArray) -> FloatArray:
        return np.zeros(len(parents))


def draw_linear(n_parents: int, rng: np.random.Generator) -> Linear:
    """Weights ±U(1, 3), bias U(−3, 3).

    >>> mechanism = draw_linear(50, np.random.default_rng(0))
    >>> bool(np.all(np.abs(np.abs(mechanism.weights) - 2) <= 1))
    True
    """
    return Linear(signed_uniform(1, 3, n_parents, rng), rng.uniform(-3, 3))


def draw_fourier(
    n_parents: int,
    rng: np.random.Generator,
    *,
    length_scale: float | None = None,
    output_scale: float | None = None,
    bias: float | None = None,
) -> FourierFeatures:
    """Length scale U(7, 10), output scale U(10, 20), bias U(−3, 3) where none is given.

    >>> draw_fourier(3, np.random.default_rng(0)).frequencies.shape
    (3, 100)
    """
    length = rng.uniform(7, 10) if length_scale is None else length_scale
    scale = rng.uniform(10, 20) if output_scale is None else output_scale
    return FourierFeatures(
        frequencies=rng.standard_normal((n_parents, N_FEATURES)) / length,
        phases=rng.uniform(0, 2 * np.pi, N_FEATURES),
        amplitudes=scale * np.sqrt(2 / N_FEATURES) * rng.standard_normal(N_FEATURES),
        bias=rng.uniform(-3, 3) if bias is None else bias,
    )


def draw_network(
    n_parents: int, rng: np.random.Generator, input_mean: FloatArray, input_sd: FloatArray
) -> NeuralNetwork | Silent:
    """All weights and biases ±U(0.5, 2); a root is silent.

    >>> draw_network(0, np.random.default_rng(0), np.zeros(0), np.ones(0))
    Silent()
    """
    if not n_parents:
        return Silent()
    return NeuralNetwork(
        hidden_weights=signed_uniform(0.5, 2, (n_parents, N_HIDDEN_UNITS), rng),
        hidden_biases=signed_uniform(0.5, 2, N_HIDDEN_UNITS, rng),
        output_weights=signed_uniform(0.5, 2, N_HIDDEN_UNITS, rng),
        output_bias=float(signed_uniform(0.5, 2, 1, rng)[0]),
        input_mean=input_mean,
        input_sd=input_sd,
    )


@dataclass(frozen=True, eq=False)
class Noise:
    """What is added to the mechanism: a standard law times a scale that parents may decide.

    Attributes
    ----------
    law : {"gaussian", "laplace"}
        The law at scale 1. The Laplace law then has variance 2.
    scale : float or callable
        A number, or a function of the parents' values.

    Examples
    --------
    >>> noise = Noise("gaussian", 0.1)
    >>> draws = noise.draw(np.zeros((1000, 0)), np.random.default_rng(0))
    >>> round(float(draws.std()), 1)
    0.1
    """

    law: str
    scale: float | Callable[[FloatArray], FloatArray]

    def draw(self, parents: FloatArray, rng: np.random.Generator) -> FloatArray:
        """One draw per row of `parents`."""
        standard = rng.laplace if self.law == "laplace" else rng.normal
        scale = self.scale(parents) if callable(self.scale) else self.scale
        return scale * standard(0.0, 1.0, len(parents))


@dataclass(frozen=True, eq=False)
class SoftplusScale:
    """A noise scale that parents decide: log(1 + exp(g)), or the square root of that."""

    function: FourierFeatures
    square_root: bool

    def __call__(self, parents: FloatArray) -> FloatArray:
        scale = np.logaddexp(0.0, self.function(parents))
        return np.sqrt(scale) if self.square_root else scale


def draw_noise(
    kind: str, n_parents: int, reading: str, rng: np.random.Generator, scale: float | None = None
) -> Noise:
    """Noise of one kind for one variable; its scale is U(0.2, 2) where none is given.

    >>> draw_noise("laplace", 0, "code", np.random.default_rng(0), scale=1.0)
    Noise(law='laplace', scale=1.0)
    """
    if kind == "heteroscedastic":
        function = draw_fourier(n_parents, rng, length_scale=10.0, output_scale=2.0, bias=0.0)
        return Noise("gaussian", SoftplusScale(function, square_root=reading == "code"))
    return Noise(kind, rng.uniform(0.2, 2) if scale is None else scale)
