from __future__ import annotations

import time

import numpy as np
import pytest

from intersort import InputError
from intersort._adjacency import read_dag
from intersort.simulate import choose_targets, random_graph


@pytest.mark.parametrize("edges_per_variable", [0, 1, 2.5])
def test_erdos_renyi_has_the_expected_number_of_edges(edges_per_variable: float) -> None:
    d, n_graphs = 40, 200
    counts = [
        random_graph(d, edges_per_variable=edges_per_variable, rng=seed).sum()
        for seed in range(n_graphs)
    ]
    n_pairs = d * (d - 1) / 2
    p = edges_per_variable * d / n_pairs
    standard_error = np.sqrt(n_pairs * p * (1 - p) / n_graphs)
    assert abs(np.mean(counts) - edges_per_variable * d) <= 4 * standard_error


def test_probability_is_capped_and_can_be_given() -> None:
    # three edges per variable do not exist at d = 5: 15 of 10 pairs
    counts = [random_graph(5, edges_per_variable=3, rng=seed).sum() for seed in range(500)]
    assert abs(np.mean(counts) - 9.9) < 0.1
    assert random_graph(30, edge_probability=1).sum() == 30 * 29 / 2
    assert random_graph(1, edges_per_variable=1).sum() == 0


@pytest.mark.parametrize("kind", ["erdos_renyi", "scale_free"])
@pytest.mark.parametrize("hubs", ["in", "out"])
def test_no_cycles_and_column_numbers_say_nothing(kind: str, hubs: str) -> None:
    forwards = total = 0
    for seed in range(60):
        adjacency = random_graph(20, edges_per_variable=2, kind=kind, hubs=hubs, rng=seed)  # type: ignore[arg-type]
        read_dag(adjacency)
        forwards += np.triu(adjacency).sum()
        total += adjacency.sum()
    # one graph's edges move together with its labels, so the mean of 60 is not sharper than this
    assert abs(forwards / total - 0.5) < 0.06


@pytest.mark.parametrize(("d", "m"), [(5, 2), (5, 3), (50, 1), (200, 3)])
def test_scale_free_brings_m_edges_per_new_variable(d: int, m: int) -> None:
    into = random_graph(d, edges_per_variable=m, kind="scale_free", rng=1)
    out = random_graph(d, edges_per_variable=m, kind="scale_free", hubs="out", rng=1)
    assert into.sum() == m * (d - m)
    assert set(into.sum(axis=1)) == {0, m}
    np.testing.assert_array_equal(out, into.T)


def test_scale_free_has_hubs_and_independent_edges_have_none() -> None:
    hubs = [
        random_graph(1000, edges_per_variable=1, kind="scale_free", rng=s).sum(axis=0).max()
        for s in range(5)
    ]
    plain = [random_graph(1000, edges_per_variable=1, rng=s).sum(axis=0).max() for s in range(5)]
    assert min(hubs) > 2 * max(plain)


def test_ten_thousand_variables_are_quick() -> None:
    start = time.process_time()
    adjacency = random_graph(10_000, edges_per_variable=1.5)
    random_graph(10_000, edges_per_variable=3, kind="scale_free")
    assert time.process_time() - start < 5
    assert adjacency.dtype == np.bool_
    assert abs(adjacency.sum() - 15_000) < 500


def test_same_seed_same_graph() -> None:
    first, second = (random_graph(30, edges_per_variable=1, rng=3) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    other = random_graph(30, edges_per_variable=1, rng=4)
    assert (first != other).any()
    np.testing.assert_array_equal(
        random_graph(30, edges_per_variable=1), random_graph(30, edges_per_variable=1, rng=0)
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "either edges_per_variable or edge_probability"),
        ({"edges_per_variable": 1, "edge_probability": 0.1}, "and not both"),
        ({"edges_per_variable": -1}, "must be 0 or more"),
        ({"edges_per_variable": np.nan}, "must be 0 or more"),
        ({"edge_probability": 1.5}, "between 0 and 1"),
        ({"edges_per_variable": 1, "kind": "ring"}, "kind must be"),
        ({"edges_per_variable": 1, "hubs": "both"}, "hubs must be"),
        ({"edges_per_variable": 1.5, "kind": "scale_free"}, "whole number"),
        ({"edges_per_variable": 10, "kind": "scale_free"}, "from 1 to 9"),
        ({"edge_probability": 0.1, "kind": "scale_free"}, "no edge_probability"),
    ],
)
def test_bad_graphs_are_refused(arguments: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        random_graph(10, **arguments)
    with pytest.raises(InputError, match="at least one variable"):
        random_graph(0, edges_per_variable=1)


@pytest.mark.parametrize(
    ("d", "fraction", "expected"), [(30, 0.25, 8), (10, 0.25, 3), (30, 1, 30), (100, 0, 0)]
)
def test_fraction_rounds_half_up(d: int, fraction: float, expected: int) -> None:
    targets = choose_targets(d, fraction=fraction, rng=2)
    assert targets.size == expected == np.unique(targets).size
    assert np.all(np.diff(targets) > 0)


def test_fewer_targets_are_among_more() -> None:
    small, large = (set(choose_targets(40, fraction=f, rng=5)) for f in (0.25, 0.75))
    assert small < large
    small, large = (set(choose_targets(40, probability=p, rng=5)) for p in (0.25, 0.75))
    assert small < large


def test_every_variable_is_equally_likely() -> None:
    chosen = np.zeros(10)
    for seed in range(2000):
        chosen[choose_targets(10, count=3, rng=seed)] += 1
    assert np.abs(chosen - 600).max() < 4 * np.sqrt(2000 * 0.3 * 0.7)


@pytest.mark.parametrize("how", [{"fraction": 0.25}, {"probability": 0.25}])
def test_targets_do_not_depend_on_a_graph_of_the_same_seed(how: dict[str, float]) -> None:
    # In a chain the variables chosen would be the first ones, if both took the same permutation.
    first, n_chosen = 0, 0
    for seed in range(1000):
        complete = random_graph(8, edge_probability=1, rng=seed)
        chosen = choose_targets(8, **how, rng=seed)
        first += int((complete[:, chosen].sum(axis=0) < 4).sum())
        n_chosen += chosen.size
    assert abs(first - n_chosen / 2) < 4 * np.sqrt(n_chosen / 4)


def test_probability_takes_each_variable_on_its_own() -> None:
    counts = np.array([choose_targets(5, probability=0.25, rng=s).size for s in range(4000)])
    binomial = np.array([0.75**5, 5 * 0.25 * 0.75**4, 10 * 0.25**2 * 0.75**3])
    shares = np.bincount(counts, minlength=6)[:3] / counts.size
    np.testing.assert_allclose(shares, binomial, atol=0.03)  # none at all is kept too


def test_policies_take_most_and_fewest_children_ties_at_random() -> None:
    adjacency = np.zeros((6, 6))
    adjacency[0, [1, 2, 3]] = adjacency[1, [4, 5]] = adjacency[2, 5] = 1
    assert choose_targets(adjacency, count=2, policy="most_children").tolist() == [0, 1]
    fewest = {
        tuple(choose_targets(adjacency, count=1, policy="fewest_children", rng=seed))
        for seed in range(50)
    }
    assert fewest == {(3,), (4,), (5,)}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "Give one of count, fraction and probability"),
        ({"count": 1, "fraction": 0.5}, "Give one of"),
        ({"count": 11}, "from 0 to 10"),
        ({"fraction": 1.1}, "fraction must be between"),
        ({"probability": -0.1}, "probability must be between"),
        ({"count": 1, "policy": "hubs"}, "policy must be"),
        ({"count": 1, "policy": "most_children"}, "give the adjacency"),
    ],
)
def test_bad_choices_are_refused(arguments: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        choose_targets(10, **arguments)
    with pytest.raises(InputError, match="goes with policy='random'"):
        choose_targets(np.eye(3, k=1), probability=0.5, policy="most_children")
