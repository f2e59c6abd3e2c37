from __future__ import annotations

import numpy as np
import pytest

from intersort import InputError
from intersort.simulate import (
    FixedValue,
    KnockOut,
    Population,
    Soft,
    choose_off_targets,
    random_graph,
    random_population,
)


@pytest.fixture(scope="module")
def population() -> Population:
    adjacency = random_graph(8, edges_per_variable=1, rng=1)
    return random_population(adjacency, "linear", intervention=FixedValue(40.0), rng=1)


def test_a_screen_is_controls_then_targets_in_the_order_given(population: Population) -> None:
    values, targets = population.screen(50, [3, 0, 2], [4, 1, 6])
    assert values.shape == (55, 8)
    assert targets.tolist() == [-1] * 50 + [4] * 3 + [6] * 2
    assert (values[targets == 4, 4] == 40).all()
    assert (values[targets == 6, 6] == 40).all()
    assert (values[targets == -1] != 40).all()
    assert values.flags.c_contiguous


def test_a_screen_without_targets_is_its_controls(population: Population) -> None:
    values, targets = population.screen(20, 5, [])
    assert values.shape == (20, 8)
    assert (targets == -1).all()


@pytest.mark.parametrize("domain", ["linear", "gene_regulation"])
def test_fewer_targets_are_a_part_of_more_for_any_number_of_threads(domain: str) -> None:
    adjacency = random_graph(6, edges_per_variable=1, rng=2)
    system = random_population(adjacency, domain, rng=3)  # type: ignore[arg-type]
    all_values, all_targets = system.screen(40, 10, range(6), rng=9)  # type: ignore[arg-type]
    values, targets = system.screen(40, 10, [5, 2], rng=9, n_jobs=2)
    for label in (-1, 2, 5):
        np.testing.assert_array_equal(values[targets == label], all_values[all_targets == label])
    other, _ = system.screen(40, 10, [5, 2], rng=10)
    assert not np.isclose(other, values).all()


def test_none_is_seed_zero(population: Population) -> None:
    np.testing.assert_array_equal(population.sample(5), population.sample(5, rng=0))
    np.testing.assert_array_equal(
        population.screen(5, 2, [1])[0], population.screen(5, 2, [1], rng=0)[0]
    )
    rng = np.random.default_rng(1)
    assert not np.isclose(population.sample(5, rng=rng), population.sample(5, rng=rng)).any()


def test_a_failed_intervention_leaves_a_control_under_the_targets_label(
    population: Population,
) -> None:
    values, targets = population.screen(10, 4000, [2, 3], failure=[0.25, 0.0])
    assert (values[targets == 3, 3] == 40).all()
    failed = values[targets == 2][values[targets == 2, 2] != 40]
    assert len(failed) == pytest.approx(1000, abs=4 * np.sqrt(4000 * 0.25 * 0.75))
    control = population.sample(4000, rng=5)
    z = (failed.mean(axis=0) - control.mean(axis=0)) / control.std(axis=0)
    assert np.abs(z).max() < 4 * np.sqrt(1 / 1000 + 1 / 4000)
    everything, labels = population.screen(0, 50, [2], failure=1.0)
    assert (everything[:, 2] != 40).all()
    assert (labels == 2).all()


def test_off_targets_are_hit_where_the_intervention_works(population: Population) -> None:
    values, targets = population.screen(10, 500, [2, 3], off_targets={2: [5]}, failure=0.5)
    mine = values[targets == 2]
    np.testing.assert_array_equal(mine[:, 2] == 40, mine[:, 5] == 40)
    assert 0 < (mine[:, 5] == 40).sum() < 500
    assert (values[targets == 3, 5] != 40).all()


def test_doing_nothing_one_thing_and_several(population: Population) -> None:
    assert (population.sample(100)[:, 2] != 40).all()
    assert (population.sample(100, do=2)[:, 2] == 40).all()
    both = population.sample(100, do={0: -3, 2: KnockOut()})
    assert (both[:, 0] == -3).all()
    assert (both[:, 2] == 0).all()


def test_hidden_variables_are_simulated_and_not_shown(chain: np.ndarray) -> None:
    # 2 → 0 → 1 with 0 hidden: do(2) still reaches 1, and nothing tells of 0
    whole = random_population(chain, "linear", noise="gaussian", rng=4)
    part = random_population(chain, "linear", noise="gaussian", hidden=[0], rng=4)
    assert part.shown.tolist() == [1, 2]
    assert part.shown_adjacency.sum() == 0
    np.testing.assert_array_equal(part.sample(50), whole.sample(50)[:, [1, 2]])
    # column 1 of what is shown is variable 2
    moved = part.sample(2000, do={1: 100.0})
    np.testing.assert_array_equal(moved, whole.sample(2000, do={2: 100.0})[:, [1, 2]])
    assert abs(moved[:, 0].mean() - part.sample(2000)[:, 0].mean()) > 50
    values, targets = part.screen(5, 5, [0, 1])
    assert values.shape == (15, 2)
    assert set(targets) == {-1, 0, 1}
    fixed = random_population(chain, "linear", intervention=FixedValue(40.0), hidden=[0])
    values, targets = fixed.screen(5, 5, [0, 1])
    for target in (0, 1):
        np.testing.assert_array_equal(values[:, target] == 40, targets == target)


def test_hiding_a_number_draws_which() -> None:
    adjacency = random_graph(6, edges_per_variable=1)
    shown = [random_population(adjacency, "linear", hidden=2, rng=s).shown for s in range(300)]
    assert all(columns.size == 4 and np.all(np.diff(columns) > 0) for columns in shown)
    counts = np.bincount(np.concatenate(shown), minlength=6)
    assert np.abs(counts - 200).max() < 4 * np.sqrt(300 * 2 / 9)


def test_what_a_population_says_of_itself(chain: np.ndarray) -> None:
    text = repr(random_population(chain, "linear", noise="laplace", hidden=1))
    assert text == "Population of 2 variables, 1 more hidden, 2 edges: linear, laplace noise"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: p.sample(-1), "number of rows must be 0 or more"),
        (lambda p: p.sample(5, do=8), "no columns of 0 … 7"),
        (lambda p: p.sample(5, do={-1: 0.0}), "no columns of 0 … 7"),
        (lambda p: p.screen(-5, 1, [0]), "Numbers of rows"),
        (lambda p: p.screen(5, -1, [0]), "Numbers of rows"),
        (lambda p: p.screen(5, [1, 2], [0]), "one number, or one per target"),
        (lambda p: p.screen(5, 1, [0, 0]), "more than once"),
        (lambda p: p.screen(5, 1, [0.5]), "list of column numbers"),
        (lambda p: p.screen(5, 1, [0], failure=1.5), "share of rows"),
        (lambda p: p.screen(5, 1, [0], failure=np.nan), "share of rows"),
        (lambda p: p.screen(5, 1, [0], off_targets={0: [0]}), "more than once"),
        (lambda p: p.screen(5, 1, [0], off_targets={0: [99]}), "no columns"),
    ],
)
def test_bad_calls_are_refused(population: Population, call: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call(population)  # type: ignore[operator]


def test_off_targets_can_be_drawn() -> None:
    hit = choose_off_targets(50, range(50), share=0.4, rng=1)  # type: ignore[arg-type]
    assert len(hit) == pytest.approx(20, abs=4 * np.sqrt(12))
    assert all(others[0] != target and 0 <= others[0] < 50 for target, others in hit.items())
    assert choose_off_targets(50, [1, 2], share=0.0) == {}


def test_a_soft_intervention_keeps_the_parents_influence(chain: np.ndarray) -> None:
    system = random_population(chain, "linear", noise="gaussian", intervention=Soft(0.5), rng=2)
    natural, soft = system.sample(20_000), system.sample(20_000, do=0, rng=1)
    slope = np.polyfit(natural[:, 2], natural[:, 0], 1)[0]
    assert np.polyfit(soft[:, 2], soft[:, 0], 1)[0] == pytest.approx(0.5 * slope, rel=0.05)
    hard = system.sample(20_000, do={0: FixedValue(1.0)}, rng=1)
    assert np.ptp(hard[:, 0]) == 0
