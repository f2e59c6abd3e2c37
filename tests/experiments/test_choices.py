"""What was chosen for each rival is what the committed rows chose, and what rivals are given."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

from experiments import neural_tuning
from experiments.choices import NEURAL_REG, SETTINGS, regulariser
from experiments.rivals import TAKES_EPSILON, TAKES_REG, settings_of
from experiments.screens import DOMAINS
from experiments.store import Store
from intersort import baselines

NAMES = baselines.available()


def parameters_of(name: str) -> dict[str, inspect.Parameter]:
    run = import_module(f"intersort.baselines.{name}").run
    return dict(inspect.signature(run).parameters)


def test_the_regularisers_are_those_that_the_tuning_rows_choose() -> None:
    store = Store(":memory:")
    store.load("neural_tuning")
    assert neural_tuning.choose(store.rows("neural_tuning")) == NEURAL_REG


def test_every_neural_rival_has_one_for_each_domain_and_size() -> None:
    everything = {(name, d, domain) for name in TAKES_REG for d in (10, 30) for domain in DOMAINS}
    assert set(NEURAL_REG) == everything


@pytest.mark.parametrize(
    ("d", "chosen_at"), [(3, 10), (10, 10), (19, 10), (20, 10), (21, 30), (100, 30)]
)
def test_other_sizes_take_that_of_the_nearest(d: int, chosen_at: int) -> None:
    expected = NEURAL_REG["dcdi", chosen_at, "gene_regulation"]
    assert regulariser("dcdi", "gene_regulation", d) == expected
    assert regulariser("dcdi", "gene_regulation", 10) != regulariser("dcdi", "gene_regulation", 30)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("domain", DOMAINS)
def test_a_rival_is_given_what_it_needs_and_nothing_it_does_not_know(
    name: str, domain: str
) -> None:
    parameters, settings = parameters_of(name), settings_of(name, domain, 10)
    assert set(settings) <= set(parameters)
    needed = {key for key, p in parameters.items() if p.default is p.empty} - {"data", "rng"}
    assert needed <= set(settings)


def test_every_list_names_rivals() -> None:
    assert {*SETTINGS, *TAKES_EPSILON, *TAKES_REG} <= set(NAMES)


def test_settings_are_a_copy() -> None:
    settings_of("ease", "linear", 10)["form"] = "other"
    assert settings_of("ease", "linear", 10) == {"form": "one_sided"}
