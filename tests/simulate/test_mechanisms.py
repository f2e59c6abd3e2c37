from __future__ import annotations

import numpy as np
import pytest

from intersort.simulate.mechanisms import (
    FourierFeatures,
    draw_fourier,
    draw_linear,
    draw_network,
    draw_noise,
)

NO_PARENTS = np.zeros((20_000, 0))


def test_linear_weights_and_biases_follow_their_laws() -> None:
    rng = np.random.default_rng(0)
    drawn = [draw_linear(2, rng) for _ in range(4000)]
    weights = np.concatenate([mechanism.weights for mechanism in drawn])
    assert np.abs(weights).min() >= 1
    assert np.abs(weights).max() <= 3
    assert np.abs(weights).mean() == pytest.approx(2, abs=0.03)
    assert (weights > 0).mean() == pytest.approx(0.5, abs=0.03)
    biases = np.array([mechanism.bias for mechanism in drawn])
    assert np.abs(biases).max() <= 3
    assert biases.std() == pytest.approx(np.sqrt(3), rel=0.03)


def test_fourier_features_are_the_printed_sum() -> None:
    rng = np.random.default_rng(0)
    parents = rng.normal(0, 10, (700, 3))
    function = draw_fourier(3, np.random.default_rng(5))
    angles = parents @ function.frequencies + function.phases
    expected = (function.amplitudes * np.cos(angles)).sum(axis=1) + function.bias
    np.testing.assert_allclose(function(parents), expected, rtol=0, atol=1e-9)
    constant = draw_fourier(0, rng)
    assert np.ptp(constant(np.zeros((5, 0)))) == 0


def test_fourier_features_draw_from_the_gaussian_process() -> None:
    # covariance of f(0) and f(x): c² exp(−x² / 2ℓ²), on average over functions
    rng = np.random.default_rng(1)
    points = np.array([[0.0], [4.0], [10.0]])
    drawn = np.array(
        [
            draw_fourier(1, rng, length_scale=8.0, output_scale=3.0, bias=0.0)(points)
            for _ in range(4000)
        ]
    )
    expected = 9 * np.exp(-(points[:, 0] ** 2) / (2 * 8.0**2))
    covariance = (drawn[:, :1] * drawn).mean(axis=0)
    np.testing.assert_allclose(covariance, expected, atol=4 * 9 * np.sqrt(2 / 4000))


def test_fourier_scales_follow_their_laws() -> None:
    rng = np.random.default_rng(2)
    drawn = [draw_fourier(1, rng) for _ in range(1000)]
    # sd of the frequencies is E √(1/ℓ²), of the amplitudes √(2/M) √E c²
    frequencies = np.concatenate([f.frequencies.ravel() for f in drawn])
    assert frequencies.var() == pytest.approx(1 / 70, rel=0.03)  # E 1/ℓ² on U(7, 10) is 1/70
    amplitudes = np.concatenate([f.amplitudes for f in drawn])
    assert amplitudes.var() == pytest.approx(2 / 100 * (20**3 - 10**3) / 30, rel=0.04)
    assert np.ptp([f.bias for f in drawn]) == pytest.approx(6, rel=0.05)


def test_network_is_one_hidden_layer_of_ten_rectified_units() -> None:
    network = draw_network(2, np.random.default_rng(0), np.array([1.0, 2.0]), np.array([2.0, 0.5]))
    parents = np.random.default_rng(1).normal(size=(50, 2))
    expected = []
    for row in parents:
        hidden = (row - [1.0, 2.0]) / [2.0, 0.5] @ network.hidden_weights + network.hidden_biases
        assert hidden.size == 10
        expected.append(
            sum(max(h, 0) * w for h, w in zip(hidden, network.output_weights, strict=True))
        )
    np.testing.assert_allclose(network(parents), np.array(expected) + network.output_bias)


def test_network_weights_keep_away_from_zero() -> None:
    rng = np.random.default_rng(0)
    drawn = [draw_network(2, rng, np.zeros(2), np.ones(2)) for _ in range(300)]
    numbers = np.concatenate(
        [
            np.concatenate(
                [n.hidden_weights.ravel(), n.hidden_biases, n.output_weights, [n.output_bias]]
            )
            for n in drawn
        ]
    )
    assert np.abs(numbers).min() >= 0.5
    assert np.abs(numbers).max() <= 2
    assert np.abs(numbers).mean() == pytest.approx(1.25, abs=0.02)
    assert (numbers > 0).mean() == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(("kind", "variance"), [("gaussian", 1.0), ("laplace", 2.0)])
def test_noise_of_a_given_scale(kind: str, variance: float) -> None:
    noise = draw_noise(kind, 0, "code", np.random.default_rng(0), scale=1.5)
    draws = noise.draw(NO_PARENTS, np.random.default_rng(1))
    assert draws.mean() == pytest.approx(0, abs=0.06)
    assert draws.var() == pytest.approx(variance * 1.5**2, rel=0.06)
    kurtosis = (draws**4).mean() / (draws**2).mean() ** 2
    assert kurtosis == pytest.approx(6 if kind == "laplace" else 3, rel=0.15)


def test_noise_scales_are_uniform() -> None:
    rng = np.random.default_rng(0)
    scales = np.array([draw_noise("gaussian", 1, "code", rng).scale for _ in range(2000)])
    assert scales.min() >= 0.2
    assert scales.max() <= 2
    assert scales.mean() == pytest.approx(1.1, abs=0.04)


@pytest.mark.parametrize("reading", ["code", "text"])
def test_heteroscedastic_scale_follows_the_reading(reading: str) -> None:
    noise = draw_noise("heteroscedastic", 1, reading, np.random.default_rng(3))
    function: FourierFeatures = noise.scale.function  # type: ignore[union-attr]
    for place in (-8.0, 0.0, 8.0):
        parents = np.full((20_000, 1), place)
        softplus = np.log(1 + np.exp(function(parents[:1])[0]))
        expected = np.sqrt(softplus) if reading == "code" else softplus
        draws = noise.draw(parents, np.random.default_rng(4))
        assert draws.std() == pytest.approx(expected, rel=0.03)


def test_heteroscedastic_functions_have_length_ten_scale_two_and_no_bias() -> None:
    rng = np.random.default_rng(0)
    drawn = [draw_noise("heteroscedastic", 1, "code", rng).scale.function for _ in range(300)]  # type: ignore[union-attr]
    assert {function.bias for function in drawn} == {0.0}
    assert np.array([f.frequencies for f in drawn]).var() == pytest.approx(1 / 100, rel=0.05)
    assert np.array([f.amplitudes for f in drawn]).var() == pytest.approx(4 * 2 / 100, rel=0.05)
