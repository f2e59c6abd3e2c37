"""Steady states of the gene model, with its noise switched off where the answer is then exact."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from intersort import InputError
from intersort.simulate import (
    FixedValue,
    FreshDraw,
    GeneRegulation,
    KnockOut,
    Soft,
    gene_regulation,
    random_graph,
    random_population,
)

# 0 and 1 regulate 2, which regulates 3
FUNNEL = np.zeros((4, 4))
FUNNEL[0, 2] = FUNNEL[1, 2] = FUNNEL[2, 3] = 1


def regulation(adjacency: np.ndarray = FUNNEL, **settings: object) -> GeneRegulation:
    population = random_population(adjacency, "gene_regulation", **settings)  # type: ignore[arg-type]
    assert isinstance(population, GeneRegulation)
    return population


@pytest.fixture
def no_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gene_regulation, "NOISE", 0.0)


def cell_types(population: GeneRegulation) -> np.ndarray:
    """The noiseless expression of every gene in every type."""
    cells = population.simulate(4, {}, np.random.default_rng(0))
    assert np.ptp(cells, axis=1).max() < 1e-9
    return cells[:, 0]


def test_parameters_follow_their_laws() -> None:
    adjacency = np.triu(np.ones((120, 120)), k=1)
    population = regulation(adjacency)
    sizes = np.abs(population.strengths[adjacency == 1])
    assert sizes.min() >= 1
    assert sizes.max() <= 5
    assert sizes.mean() == pytest.approx(3, abs=0.05)
    assert (population.strengths[adjacency == 0] == 0).all()
    assert population.basal_rates.shape == (120, 5)
    assert population.basal_rates.min() >= 1
    assert population.basal_rates.max() <= 3
    # each regulator activates with a probability of its own, uniform on [0, 1]
    shares = (population.strengths > 0)[:90].sum(axis=1) / adjacency[:90].sum(axis=1)
    assert shares.mean() == pytest.approx(0.5, abs=0.1)
    assert shares.std() == pytest.approx(np.sqrt(1 / 12), abs=0.05)


@pytest.mark.parametrize("reading", ["code", "text"])
@pytest.mark.usefixtures("no_noise")
def test_without_noise_every_gene_rests_where_production_meets_decay(reading: str) -> None:
    population = regulation(reading=reading, rng=3)
    cells = cell_types(population)
    np.testing.assert_allclose(cells[:, :2], population.basal_rates[:2].T / 0.8)
    for gene in (2, 3):
        production = np.zeros(5)
        for regulator in np.flatnonzero(FUNNEL[:, gene]):
            x = cells[:, regulator]
            hill = x**2 / (x.mean() ** 2 + x**2)  # half response: the mean over the types
            strength = population.strengths[regulator, gene]
            production += abs(strength) * (hill if strength > 0 else 1 - hill)
        np.testing.assert_allclose(cells[:, gene], production / 0.8)


def test_a_master_regulator_has_the_mean_and_variance_of_its_equation() -> None:
    # d mean = P − λ mean, d var = −2 λ var + ζ² (P + λ mean): both P / λ; far from the clip
    population = regulation(np.zeros((1, 1)), sampler="long")
    population = replace(population, basal_rates=np.full((1, 5), 20.0))
    values = population.sample(20_000)[:, 0]
    assert values.mean() == pytest.approx(25, abs=0.2)
    assert values.var() == pytest.approx(25, rel=0.05)


def test_the_memory_of_a_gene_is_its_decay() -> None:
    # autocorrelation exp(−λ dt · steps): 0.30 after the 150 steps of the long sampler
    population = regulation(np.zeros((1, 1)), sampler="long")
    population = replace(population, basal_rates=np.full((1, 5), 20.0))
    cells = population.simulate(4000, {}, np.random.default_rng(0))[:, :, 0]
    both = [np.corrcoef(one[:-1], one[1:])[0, 1] for one in cells]
    assert np.mean(both) == pytest.approx(np.exp(-0.8 * 0.01 * 150), abs=0.03)


@pytest.mark.usefixtures("no_noise")
def test_cells_come_from_all_types_alike_in_no_order() -> None:
    population = regulation(np.zeros((1, 1)))
    values = population.sample(100)[:, 0]
    levels, counts = np.unique(values.round(9), return_counts=True)
    np.testing.assert_allclose(levels, np.sort(population.basal_rates[0]) / 0.8)
    assert counts.tolist() == [20] * 5
    assert (np.diff(values) != 0).sum() > 50
    assert population.sample(7).shape == (7, 1)  # not a multiple of five
    assert population.sample(0).shape == (0, 1)


@pytest.mark.parametrize("strength", [3.0, -3.0])
@pytest.mark.usefixtures("no_noise")
def test_a_knocked_out_regulator_neither_activates_nor_represses(strength: float) -> None:
    population = regulation(np.eye(2, k=1))
    population = replace(population, strengths=np.array([[0, strength], [0, 0]]))
    values = population.sample(10, do={0: KnockOut()})
    assert (values[:, 0] == 0).all()
    np.testing.assert_allclose(values[:, 1], 0.0 if strength > 0 else 3.0 / 0.8)  # H(0) = 0


@pytest.mark.usefixtures("no_noise")
def test_recomputed_half_responses_hide_what_passes_through_a_gene() -> None:
    """With types alike, H(mean) = 1/2 whatever the mean: the grandchild does not move at all."""
    moved = {}
    for half_response in ("recomputed", "wild_type"):
        population = replace(regulation(rng=1), basal_rates=np.full((4, 5), 2.0))
        if half_response == "wild_type":
            wild = population.sample(5)[0]
            population = replace(population, half_responses=wild)
        control, knocked = population.sample(5), population.sample(5, do=0)
        moved[half_response] = np.abs(knocked - control).mean(axis=0)
    assert moved["recomputed"][2] > 0.5
    assert moved["recomputed"][3] < 1e-9
    assert moved["wild_type"][3] > 0.1


def test_the_grandchild_shows_with_the_wild_types_half_response(
    distances: Callable[..., np.ndarray],
) -> None:
    shown: dict[str, list[np.ndarray]] = {"recomputed": [], "wild_type": []}
    for half_response, found in shown.items():
        for seed in range(6):
            population = regulation(half_response=half_response, rng=seed)
            found.append(distances(*population.screen(2000, 2000, [0, 1], rng=seed)))
    child = {name: np.median([d[:, 2] for d in found]) for name, found in shown.items()}
    grandchild = {name: np.median([d[:, 3] for d in found]) for name, found in shown.items()}
    assert min(child.values()) > 0.4
    assert grandchild["recomputed"] < 0.2
    assert grandchild["wild_type"] > 0.3


def test_wild_type_half_responses_are_the_means_without_intervention() -> None:
    population = regulation(half_response="wild_type", sampler="long")
    means = population.sample(5000, rng=7).mean(axis=0)
    assert population.half_responses is not None
    np.testing.assert_allclose(population.half_responses, means, rtol=0.12)


@pytest.mark.usefixtures("no_noise")
def test_soft_and_fixed_interventions_on_a_gene() -> None:
    population = regulation(np.zeros((2, 2)))
    natural = population.sample(5)
    np.testing.assert_allclose(
        np.sort(population.sample(5, do={0: Soft(0.3)})[:, 0]), 0.3 * np.sort(natural[:, 0])
    )
    assert (population.sample(5, do={0: FixedValue(4.0)})[:, 0] == 4).all()
    assert (population.sample(5, do={0: Soft(1, -9.0)})[:, 0] == 0).all()  # no production below 0
    with pytest.raises(InputError, match="KnockOut, FixedValue and Soft"):
        population.sample(5, do={0: FreshDraw()})


class Ramp(Soft):
    """Production that grows with time, so that expression tells when a cell was read."""

    def apply(self, natural: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return natural + np.arange(natural.shape[1])


@pytest.mark.parametrize(("reading", "lag"), [("code", 10), ("text", 0)])
@pytest.mark.usefixtures("no_noise")
def test_when_the_genes_of_a_cell_are_read(reading: str, lag: int) -> None:
    # 0 → 1, and 2 alone: same rates and same ramp on 0 and 2, so they differ by the time alone
    adjacency = np.zeros((3, 3))
    adjacency[0, 1] = 1
    population = regulation(adjacency, reading=reading)
    population = replace(population, basal_rates=np.full((3, 5), 2.0))
    cells = population.sample(2000, do={0: Ramp(), 2: Ramp()}, rng=1)
    trajectory = gene_trajectory(6000 + 10)
    ahead = np.searchsorted(trajectory, cells[:, 0] - 1e-9)
    ahead -= np.searchsorted(trajectory, cells[:, 2] - 1e-9)
    assert set(ahead) == {lag}
    assert np.unique(cells[:, 2]).size > 300


def gene_trajectory(n_steps: int) -> np.ndarray:
    """A gene with production 2 + step, from its steady state on."""
    path = [2 / 0.8]
    for step in range(n_steps):
        path.append(path[-1] + 0.01 * (2 + step - 0.8 * path[-1]))
    return np.array(path)


def test_cells_of_the_papers_sampler_are_not_independent(
    distances: Callable[..., np.ndarray],
) -> None:
    """Null distances at d = 10: median 0.29 where independent cells would give 0.12."""
    median = {}
    for sampler in ("paper", "long"):
        population = regulation(np.zeros((10, 10)), sampler=sampler)
        distance = distances(*population.screen(5000, 100, range(10)))  # type: ignore[arg-type]
        median[sampler] = np.median(distance[~np.eye(10, dtype=bool)])
    assert 0.22 < median["paper"] < 0.34
    assert 0.1 < median["long"] < 0.16


def test_with_the_effects_cut_a_knock_out_moves_nothing_else(
    distances: Callable[..., np.ndarray],
) -> None:
    adjacency = random_graph(10, edges_per_variable=2, rng=1)
    moved = {}
    for name, graph in (("whole", adjacency), ("cut", np.zeros_like(adjacency))):
        population = regulation(graph, sampler="long", rng=1)
        distance = distances(*population.screen(5000, 100, range(10)))  # type: ignore[arg-type]
        moved[name] = np.median(distance[adjacency])
    assert moved["whole"] > 0.4
    assert moved["cut"] < 0.16


def test_a_hundred_genes_are_well_under_a_minute() -> None:
    population = regulation(random_graph(100, edges_per_variable=2))
    population.sample(5)  # compiles
    start = time.process_time()
    values, _ = population.screen(5000, 100, range(100))  # type: ignore[arg-type]
    assert time.process_time() - start < 15
    assert values.shape == (15_000, 100)
    assert values.min() == 0
    assert np.isfinite(values).all()
