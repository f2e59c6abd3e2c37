from __future__ import annotations

import time

import numpy as np
import pytest

from intersort import InputError
from intersort.simulate import (
    FixedValue,
    FreshDraw,
    KnockOut,
    NormalDraw,
    Soft,
    random_graph,
    random_population,
)

CHAIN = np.eye(4, k=1)


@pytest.mark.parametrize(
    ("domain", "reading", "expected"),
    [
        ("linear", "code", FreshDraw(1, 5)),
        ("rff", "code", FreshDraw(1, 5)),
        ("nn", "code", NormalDraw(2, 1)),
        ("nn", "text", NormalDraw(2, 1)),
        ("gene_regulation", "code", KnockOut()),
        ("gene_regulation", "text", KnockOut()),
    ],
)
def test_each_domain_has_the_papers_intervention(
    domain: str, reading: str, expected: object
) -> None:
    population = random_population(CHAIN, domain, reading=reading)  # type: ignore[arg-type]
    assert population.interventions == (expected,) * 4


@pytest.mark.parametrize("domain", ["linear", "rff"])
def test_the_text_sets_one_constant_per_variable(domain: str) -> None:
    wide = np.zeros((1000, 1000))
    population = random_population(wide, domain, reading="text")  # type: ignore[arg-type]
    constants = np.array([how.value for how in population.interventions])  # type: ignore[attr-defined]
    assert np.unique(constants).size == 1000
    assert np.abs(constants).min() >= 1
    assert np.abs(constants).max() <= 5
    assert np.abs(constants).mean() == pytest.approx(3, abs=0.15)
    assert (constants > 0).mean() == pytest.approx(0.5, abs=0.07)


def test_interventions_by_name_and_by_object() -> None:
    def chosen(intervention: object) -> object:
        population = random_population(CHAIN, "linear", intervention=intervention)  # type: ignore[arg-type]
        return population.interventions[0]

    assert isinstance(chosen("fixed_value"), FixedValue)
    assert chosen("fresh_draw") == FreshDraw(1, 5)
    assert chosen("normal_draw") == NormalDraw(2, 1)
    assert chosen("knock_out") == KnockOut()
    assert chosen(Soft(0.3)) == Soft(0.3)


@pytest.mark.parametrize("domain", ["linear", "rff"])
def test_noise_is_one_of_three_at_random(domain: str) -> None:
    kinds = [
        random_population([[0]], domain, rng=seed).description  # type: ignore[arg-type]
        for seed in range(300)
    ]
    counts = np.unique(kinds, return_counts=True)[1]
    assert counts.size == 3
    assert np.abs(counts - 100).max() < 4 * np.sqrt(300 * 2 / 9)


def test_choices_that_are_no_mechanism_leave_the_mechanisms_alone() -> None:
    base = random_population(CHAIN, "linear", noise="gaussian", rng=3)
    for settings in (
        {"noise": "laplace"},
        {"reading": "text"},
        {"intervention": "knock_out"},
        {"hidden": 2},
    ):
        other = random_population(CHAIN, "linear", **({"noise": "gaussian"} | settings), rng=3)  # type: ignore[arg-type]
        for one, two in zip(base.mechanisms, other.mechanisms, strict=True):  # type: ignore[attr-defined]
            np.testing.assert_array_equal(one.weights, two.weights)
    genes = random_population(CHAIN, "gene_regulation", rng=3)
    for settings in ({"half_response": "wild_type"}, {"sampler": "long"}, {"reading": "text"}):
        other = random_population(CHAIN, "gene_regulation", **settings, rng=3)  # type: ignore[arg-type]
        np.testing.assert_array_equal(genes.strengths, other.strengths)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"domain": "liner"}, "did you mean 'linear'"),
        ({"noise": "cauchy"}, "noise must be one of"),
        ({"reading": "paper"}, "reading must be one of code, text"),
        ({"intervention": "drug"}, "intervention must be one of"),
        ({"hidden": 4}, "from 0 to 3"),
        ({"hidden": -1}, "from 0 to 3"),
        ({"hidden": [4]}, "leaves at least one"),
        ({"hidden": [0, 1, 2, 3]}, "leaves at least one"),
        ({"hidden": [0.5]}, "or an array of columns"),
        ({"sampler": "long"}, "belong to domain='gene_regulation'"),
        ({"half_response": "wild_type"}, "belong to domain='gene_regulation'"),
        ({"domain": "gene_regulation", "noise": "laplace"}, "makes its own noise"),
        ({"adjacency": np.ones((2, 2))}, "cycle"),
        ({"adjacency": np.ones((2, 3))}, "square"),
    ],
)
def test_bad_choices_are_refused(arguments: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        random_population(**({"adjacency": CHAIN, "domain": "linear"} | arguments))


@pytest.mark.parametrize("domain", ["linear", "rff", "nn"])
def test_a_hundred_variables_take_about_a_second(domain: str) -> None:
    adjacency = random_graph(100, edges_per_variable=2)
    population = random_population(adjacency, domain)  # type: ignore[arg-type]
    population.sample(10)  # compiles
    start = time.process_time()
    values, _ = population.screen(5000, 100, range(100))  # type: ignore[arg-type]
    assert time.process_time() - start < 3
    assert values.shape == (15_000, 100)
    assert np.isfinite(values).all()
