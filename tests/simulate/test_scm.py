"""The laws of structural models: regressions on parents, total effects, what stays untouched."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from intersort.simulate import StructuralModel, random_graph, random_population


def structural(*arguments: object, **settings: object) -> StructuralModel:
    population = random_population(*arguments, **settings)  # type: ignore[arg-type]
    assert isinstance(population, StructuralModel)
    return population


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
def test_regressing_on_the_parents_gives_the_mechanism_back(noise: str) -> None:
    adjacency = random_graph(8, edges_per_variable=1.5, rng=3)
    model = structural(adjacency, "linear", noise=noise, rng=1)
    values = model.sample(20_000, rng=2)
    for variable in range(8):
        parents = np.flatnonzero(adjacency[:, variable])
        design = np.column_stack([values[:, parents], np.ones(len(values))])
        found, *_ = np.linalg.lstsq(design, values[:, variable])
        residual = values[:, variable] - design @ found
        mechanism = model.mechanisms[variable]
        expected = np.append(mechanism.weights, mechanism.bias)  # type: ignore[attr-defined]
        error = np.sqrt(residual.var() * np.linalg.inv(design.T @ design).diagonal())
        assert np.abs((found - expected) / error).max() < 4.5
        scale = float(model.noises[variable].scale)  # type: ignore[arg-type]
        variance = scale**2 * (2 if noise == "laplace" else 1)
        assert residual.var() == pytest.approx(variance, rel=0.08)


def test_a_fixed_value_moves_descendants_by_the_product_of_the_weights(chain: np.ndarray) -> None:
    model = structural(chain, "linear", noise="gaussian", reading="text", rng=5)
    value = model.interventions[2].value  # type: ignore[attr-defined]
    assert 1 <= abs(value) <= 5
    control, moved = model.sample(40_000), model.sample(40_000, do=2, rng=1)
    first = model.mechanisms[0].weights[0]  # type: ignore[attr-defined]
    second = model.mechanisms[1].weights[0]  # type: ignore[attr-defined]
    shift = (moved - control).mean(axis=0)
    error = 4 * (control.std(axis=0) + moved.std(axis=0)) / np.sqrt(40_000)
    root_shift = value - model.mechanisms[2].bias  # type: ignore[attr-defined]
    expected = np.array([first, first * second, 1.0]) * root_shift
    assert np.all(np.abs(shift - expected) < error)


def test_interventions_move_no_ancestor(
    chain: np.ndarray, distances: Callable[..., np.ndarray]
) -> None:
    for domain in ("linear", "rff", "nn"):
        population = random_population(chain, domain, rng=2)  # type: ignore[arg-type]
        distance = distances(*population.screen(5000, 1000, [0, 1, 2]))
        assert distance[0, 2] < 0.12  # two samples of one law: 95 % below 0.07
        assert distance[1, 2] < 0.12
        assert distance[1, 0] < 0.12
        assert distance[2, 0] > 0.3


def test_fresh_draws_are_blind_to_a_shift_of_means(chain: np.ndarray) -> None:
    # the reading of the code: each row draws its own ±U(1, 5), of mean 0 and variance 31 / 3
    model = structural(chain, "linear", noise="gaussian", rng=7)
    moved = model.sample(40_000, do=2)
    assert moved[:, 2].mean() == pytest.approx(0, abs=0.07)
    assert moved[:, 2].var() == pytest.approx(31 / 3, rel=0.03)


def test_roots_of_the_network_domain_are_standard_normal(chain: np.ndarray) -> None:
    model = structural(chain, "nn", rng=1)
    values = model.sample(20_000)
    assert values[:, 2].mean() == pytest.approx(0, abs=0.03)
    assert values[:, 2].std() == pytest.approx(1, rel=0.03)
    residual = values[:, 0] - model.mechanisms[0](values[:, [2]])
    assert residual.std() == pytest.approx(1, rel=0.03)
    moved = model.sample(20_000, do=0)
    assert moved[:, 0].mean() == pytest.approx(2, abs=0.03)
    assert moved[:, 0].std() == pytest.approx(1, rel=0.03)
    assert abs(np.corrcoef(moved[:, 0], moved[:, 2])[0, 1]) < 0.03


def test_networks_see_standardised_inputs_in_the_code_and_raw_ones_in_the_text(
    chain: np.ndarray,
) -> None:
    code = structural(chain, "nn", rng=1)
    control = code.sample(20_000)
    network = code.mechanisms[1]
    assert network.input_mean[0] == pytest.approx(control[:, 0].mean(), rel=0.05)  # type: ignore[attr-defined]
    assert network.input_sd[0] == pytest.approx(control[:, 0].std(), rel=0.05)  # type: ignore[attr-defined]
    text = structural(chain, "nn", reading="text", rng=1)
    assert text.mechanisms[1].input_mean.tolist() == [0]  # type: ignore[attr-defined]
    assert text.mechanisms[1].input_sd.tolist() == [1]  # type: ignore[attr-defined]
    np.testing.assert_array_equal(
        text.mechanisms[1].hidden_weights,  # type: ignore[attr-defined]
        network.hidden_weights,  # type: ignore[attr-defined]
    )


@pytest.mark.parametrize("domain", ["linear", "rff", "nn"])
def test_independent_rows_have_the_null_distance_of_the_paper(
    domain: str, distances: Callable[..., np.ndarray]
) -> None:
    """5,000 controls against 100 rows: median 0.12, 95 % below 0.21–0.22.

    The negative control too: with the effects cut nothing but the target moves.
    """
    cut = random_population(np.zeros((15, 15)), domain, rng=1)  # type: ignore[arg-type]
    distance = distances(*cut.screen(5000, 100, range(15)))  # type: ignore[arg-type]
    null = distance[~np.eye(15, dtype=bool)]
    assert np.median(null) == pytest.approx(0.12, abs=0.015)
    assert np.quantile(null, 0.95) == pytest.approx(0.215, abs=0.03)
    assert (null > 0.3).mean() < 0.02
    whole = random_graph(15, edge_probability=0.5, rng=1)
    connected = random_population(whole, domain, rng=1)  # type: ignore[arg-type]
    distance = distances(*connected.screen(5000, 100, range(15)))  # type: ignore[arg-type]
    assert (distance[whole] > 0.3).mean() > 0.5
