"""GIES: the class of graphs of the plain package, found sooner."""

import json
from pathlib import Path

import numpy as np
import pytest

from intersort import InterventionalData, baselines, simulate
from intersort.baselines._gies_search import load_search
from intersort.baselines.gies import split_environments
from intersort.metrics import d_top_range

gies = pytest.importorskip("gies")
FROZEN = json.loads(Path(__file__).with_name("frozen").joinpath("graph_rivals.json").read_text())


@pytest.mark.parametrize("case", FROZEN["cases"], ids=range(8))
def test_graph_and_score_are_those_that_the_package_gave(case):
    values = np.array(case["hundredths"]) / 100
    graph, score = load_search().fit_bic(*split_environments(values, np.array(case["targets"])))
    np.testing.assert_array_equal(graph, case["gies"]["graph"])
    assert score == pytest.approx(case["gies"]["score"])


@pytest.mark.parametrize("domain", ["linear", "rff", "nn", "gene_regulation"])
def test_graph_and_score_are_bit_by_bit_those_of_the_plain_call(domain):
    adjacency = simulate.random_graph(7, edges_per_variable=2, rng=900_101)
    population = simulate.random_population(adjacency, domain, rng=900_102)
    values, targets = population.screen(1000, 50, np.array([0, 3, 6]), rng=900_103)
    environments = split_environments(values, targets)
    graph, score = load_search().fit_bic(*environments)
    plain_graph, plain_score = gies.fit_bic(*environments)
    np.testing.assert_array_equal(graph, plain_graph)
    assert score == plain_score


def test_recovers_a_clear_linear_system(clear_screen):
    data, adjacency = clear_screen
    result = baselines.run("gies", data)
    assert d_top_range(adjacency, result.orders).mean == 0
    assert result.adjacency[adjacency != 0].all()


def test_without_effects_there_is_nothing_to_find(cut_screen):
    data, adjacency = cut_screen
    found = baselines.run("gies", data, rng=3)
    n_edges = np.count_nonzero(adjacency)
    assert 0.25 * n_edges < d_top_range(adjacency, found.orders).mean < 0.75 * n_edges


def test_lines_without_direction_count_as_no_edge():
    chain = simulate.random_population([[0, 1], [0, 0]], "linear", noise="gaussian", rng=0)
    values, targets = chain.screen(500, 50, [0], rng=0)
    observed = InterventionalData(values[targets == -1], targets[targets == -1], ("A", "B"))
    result = baselines.run("gies", observed)
    assert not result.adjacency.any()
    assert len(np.unique(result.orders, axis=0)) == 2


def test_the_same_seed_gives_the_same_orders(clear_screen):
    data, _ = clear_screen
    first, second = (baselines.run("gies", data, rng=5).orders for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_a_variable_that_is_the_target_of_every_row_is_refused():
    values = np.random.default_rng(0).normal(size=(30, 2))
    data = InterventionalData(values, np.zeros(30, dtype=np.int64), ("A", "B"))
    with pytest.raises(ValueError, match=r"no row in which 'A' was left alone.*Add control rows"):
        baselines.run("gies", data)
