"""Theorems 2 to 4 and Lemma 6: formulas, where they hold, where they do not, and the repairs."""

from __future__ import annotations

import time

import numpy as np
import pytest

from intersort import InputError
from intersort.theory.bounds import (
    effective_intervention_ratio,
    fixed_density_limit,
    lemma_6,
    repaired_theorem_2,
    repaired_theorem_3,
    repaired_theorem_4,
    theorem_2,
    theorem_3,
    theorem_4,
    theorem_4_double_sum,
    theorem_4_loose,
)
from intersort.theory.conditions import smallest_c
from intersort.theory.optima import summarise_optima
from intersort.theory.pen_and_paper import expected_d_top
from intersort.theory.small_cases import (
    all_target_sets,
    graph_from_edges,
    paths,
    score_weights,
    upper_triangular_graphs,
)

P_INT = (0.1, 0.25, 0.5, 0.75, 0.9)
STANDARD_ERRORS = 4
"""How far a simulated mean may lie above a bound that holds: 1 in 30,000 by chance."""


def draw_graphs(rng, n, d, p_e):
    return np.triu(rng.random((n, d, d)) < p_e, 1)


# ---- every graph of up to five variables -----------------------------------------------------


@pytest.mark.parametrize("d", [2, 3, 4, 5])
def test_bounds_of_the_enumeration_are_those_of_the_package(world, d):
    cases = world(d)
    rules = {
        "lemma 4": theorem_2,
        "lemma 5": theorem_3,
        "repaired lemma 4": repaired_theorem_2,
        "repaired lemma 5": repaired_theorem_3,
    }
    for rule, theorem in rules.items():
        for p_int in (0.0, 0.3, 1.0):
            ours = [theorem(graph, p_int) for graph in cases.graphs]
            np.testing.assert_allclose(ours, cases.bound(rule, p_int), atol=1e-12)


@pytest.mark.parametrize(("d", "worst_failures"), [(2, 0), (3, 0), (4, 0), (5, 2400)])
def test_theorem_2_constant_distances(world, d, worst_failures):
    """The mean over ties keeps the bound; the worst optimum breaks it from five variables on."""
    cases = world(d)
    optima = cases.optima(cases.distance(cases.paths[:, None], 0.0), 1.001 * d)
    failures = 0
    for p_int in P_INT:
        bound = cases.bound("lemma 4", p_int) + 1e-9
        assert np.all(cases.expected(optima.mean_cost, p_int) <= bound)
        too_high = cases.expected(optima.worst_cost, p_int) > bound
        failures += cases.labellings[too_high].sum()
    assert failures == worst_failures  # of 5 × 29,281 at d = 5


def test_theorem_2_worst_optimum_of_the_first_counterexample():
    graph = graph_from_edges(5, [(0, 3), (0, 4), (1, 2), (2, 3)])
    expected = expected_d_top(graph, 1.01 * paths(graph), 0.5, epsilon=1.0, c=1.01)
    assert round(expected.worst, 3) == 0.719
    assert round(expected.mean, 3) == 0.352
    assert round(theorem_2(graph, 0.5), 3) == 0.688
    assert repaired_theorem_2(graph, 0.5) >= expected.worst


def test_theorem_2_fails_with_null_distances_below_epsilon():
    """Four variables for the worst optimum, five for the mean over ties as well."""
    graph = graph_from_edges(4, [(0, 3), (1, 2), (2, 3)])
    distance = np.where(paths(graph), 1.1, 0.0)
    distance[0, [1, 2]] = 0.9
    expected = expected_d_top(graph, distance, 0.5, epsilon=1.0, c=1.1)
    assert (expected.mean, expected.worst) == (0.25, 0.5)
    assert expected.mean < theorem_2(graph, 0.5) == 0.4375 < expected.worst
    assert repaired_theorem_2(graph, 0.5) == 0.75

    graph = graph_from_edges(5, [(0, 4), (1, 3), (2, 3), (3, 4)])
    distance = np.where(paths(graph), 1.1, 0.0)
    distance[0, [1, 2, 3]] = 0.9
    expected = expected_d_top(graph, distance, 0.9, epsilon=1.0, c=1.1)
    assert expected.mean == pytest.approx(0.00596)
    assert theorem_2(graph, 0.9) == pytest.approx(0.00301)
    assert repaired_theorem_2(graph, 0.9) >= expected.worst


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
def test_repaired_theorem_2_holds_where_every_path_shows(world, sizes, d):
    cases, rng = world(d), np.random.default_rng(20 + d)
    for _ in range(sizes.n_draws // 2 + 1):
        distance = cases.distance(cases.paths[:, None], *sizes(rng, cases))
        optima = cases.optima(distance, max(d - 2, 0))
        for p_int in P_INT:
            bound = cases.bound("repaired lemma 4", p_int) + 1e-9
            assert np.all(cases.expected(optima.mean_cost, p_int) <= bound)
            assert np.all(cases.expected(optima.worst_cost, p_int) <= bound)


def test_theorem_3_fails_from_four_variables_on_for_the_mean_over_ties(world):
    graph = graph_from_edges(4, [(0, 2), (0, 3), (1, 2), (3, 1)])
    expected = expected_d_top(graph, 1.01 * graph, 0.9, epsilon=1.0, c=1.01)
    assert expected.mean == pytest.approx(0.02405)
    assert theorem_3(graph, 0.9) == pytest.approx(0.0220)
    assert expected.worst <= repaired_theorem_3(graph, 0.9)
    cases = world(3)  # none below, while all null distances are 0
    optima = cases.optima(cases.distance(cases.graphs[:, None], 0.0), 3.003)
    for p_int in P_INT:
        assert np.all(
            cases.expected(optima.worst_cost, p_int) <= cases.bound("lemma 5", p_int) + 1e-9
        )


def test_theorem_3_fails_for_three_variables_with_null_distances_below_epsilon():
    chain = graph_from_edges(3, [(0, 1), (1, 2)])
    distance = np.where(chain, 1.1, 0.0)
    distance[2] = [0.9, 0.5, 0.0]
    expected = expected_d_top(chain, distance, 0.9, epsilon=1.0, c=1.1)
    assert expected.mean == pytest.approx(0.0955)
    assert theorem_3(chain, 0.9) == pytest.approx(0.02)
    assert expected.worst <= repaired_theorem_3(chain, 0.9) == pytest.approx(0.2)


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
def test_repaired_theorem_3_holds_where_only_children_show(world, sizes, d):
    cases, rng = world(d), np.random.default_rng(30 + d)
    for _ in range(sizes.n_draws // 2 + 1):
        distance = cases.distance(cases.graphs[:, None], *sizes(rng, cases))
        optima = cases.optima(distance, max(d * d // 4 - 1, 0))
        for p_int in P_INT:
            bound = cases.bound("repaired lemma 5", p_int) + 1e-9
            assert np.all(cases.expected(optima.mean_cost, p_int) <= bound)
            assert np.all(cases.expected(optima.worst_cost, p_int) <= bound)


@pytest.mark.parametrize("d", [3, 4])
def test_repaired_theorem_3_holds_on_the_continuum(world, d):
    """1,000 draws of what shows; the bound made for paths fails in some of them."""
    cases, rng = world(d), np.random.default_rng(60 + d)
    shape = (len(cases.graphs), 1, d, d)
    too_high = 0
    for draw in range(1000):
        shows = cases.graphs[:, None] | (cases.paths[:, None] & (rng.random(shape) < rng.random()))
        null = rng.random(shape) if draw % 2 else 0.0
        optima = cases.optima(cases.distance(shows, null), d * d // 4 - 1)
        for p_int in (0.25, 0.9):
            worst = cases.expected(optima.worst_cost, p_int)
            assert np.all(worst <= cases.bound("repaired lemma 5", p_int) + 1e-9)
            too_high += np.count_nonzero(worst > cases.bound("repaired lemma 4", p_int) + 1e-9)
    assert too_high > 0


@pytest.mark.parametrize("d", [2, 3, 4, 5])
def test_a_fixed_number_of_targets_keeps_the_bounds(world, d):
    """n of d targets drawn without replacement miss a set at most as often as with p = n / d."""
    cases = world(d)
    size = cases.targets.sum(axis=1)
    optima = cases.optima(cases.distance(cases.paths[:, None], 0.0), d - 2)
    worst = optima.worst_cost.reshape(len(cases.graphs), -1)
    for n in range(d + 1):
        mean_worst = worst[:, size == n].mean(axis=1)
        assert np.all(mean_worst <= cases.bound("repaired lemma 4", n / d) + 1e-9)


# ---- Theorem 4 -------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 7, 60])
@pytest.mark.parametrize("p_int", [0.01, 0.3, 0.75, 1.0])
@pytest.mark.parametrize("p_e", [0.02, 0.5, 1.0])
def test_theorem_4_is_the_papers_formula(d, p_int, p_e):
    product = p_int * p_e
    bracket = d - (1 - product) * (1 - (1 - product) ** d) / product
    literal = (1 - p_int) ** 2 / p_int * bracket
    assert theorem_4(d, p_int, p_e) == pytest.approx(literal, rel=1e-9, abs=1e-12)
    gaps = sum((1 - product) ** (j - i - 1) for i in range(d) for j in range(i + 1, d))
    double_sum = p_e * (1 - p_int) ** 2 * gaps
    assert theorem_4_double_sum(d, p_int, p_e) == pytest.approx(double_sum)
    assert double_sum <= literal + 1e-12
    assert literal <= theorem_4_loose(d, p_int) + 1e-12


def test_theorem_4_one_probability_per_variable():
    p_int = np.array([0.1, 0.9, 0.4, 0.7])
    expected = sum(
        0.3 * (1 - p_int[i]) * (1 - p_int[j]) * np.prod(1 - 0.3 * p_int[i + 1 : j])
        for i in range(4)
        for j in range(i + 1, 4)
    )
    assert theorem_4_double_sum(4, p_int, 0.3) == pytest.approx(expected)
    assert theorem_4_double_sum(4, 0.0, 0.3) == pytest.approx(0.3 * 6)


def expected_over_graphs(d, null, reach, p_int, p_e, which):
    """Exact expectation over all Erdős–Rényi graphs in causal order and all sets of targets."""
    graphs, targets = upper_triangular_graphs(d), all_target_sets(d)
    n, m = len(graphs), len(targets)
    shows = graphs if reach == "children" else paths(graphs)
    distance = np.where(shows, 1.1, null)
    weights = score_weights(
        np.repeat(distance, m, axis=0),
        np.tile(targets, (n, 1)),
        epsilon=1.0,
        c=max(1.01, smallest_c(1.0, d, reach="children")),
    )
    optima = summarise_optima(weights, np.repeat(graphs, m, axis=0))
    cost = getattr(optima, which).reshape(n, m)
    n_edges = graphs.sum(axis=(1, 2))
    chance = p_e**n_edges * (1 - p_e) ** (d * (d - 1) // 2 - n_edges)
    return chance @ cost @ np.prod(np.where(targets, p_int, 1 - p_int), axis=1)


@pytest.mark.parametrize("d", [2, 3, 4, 5])
@pytest.mark.parametrize("p_int", [0.25, 0.5, 0.75, 0.9])
def test_theorem_4_held_exactly_while_null_distances_are_zero(d, p_int):
    for p_e in (0.1, 0.3, 0.5, 0.75):
        worst = expected_over_graphs(d, 0.0, "children", p_int, p_e, "worst_cost")
        assert worst <= theorem_4(d, p_int, p_e)
        assert worst <= repaired_theorem_4(d, p_int, p_e, reach="children")


@pytest.mark.parametrize("which", ["mean_cost", "worst_cost"])
def test_theorem_4_fails_with_null_distances_below_epsilon(which):
    """Three variables, the same null distances for every graph, for the mean over ties too."""
    null = np.zeros((3, 3))
    null[2, :2] = 0.9, 0.5
    expected = expected_over_graphs(3, null, "children", 0.97, 0.5, which)
    assert expected > 2 * theorem_4(3, 0.97, 0.5)
    assert expected <= repaired_theorem_4(3, 0.97, 0.5, reach="children")


def test_theorem_4_fails_with_uniformly_random_null_distances():
    """Nothing built for the purpose: five variables, null distances uniform on [0, ε)."""
    rng = np.random.default_rng(0)
    draws = [
        expected_over_graphs(5, rng.random((1024, 5, 5)), "children", 0.97, 0.5, "mean_cost")
        for _ in range(5)
    ]
    error = np.std(draws, ddof=1) / np.sqrt(len(draws))
    assert np.mean(draws) - STANDARD_ERRORS * error > theorem_4(5, 0.97, 0.5)


@pytest.mark.parametrize("null", ["zero", "random"])
@pytest.mark.parametrize("p_int", [0.25, 0.5, 0.75])
def test_repaired_theorem_4_and_theorem_4_against_simulation(p_int, null):
    """Exact optima of 600 random graphs of eight variables; tolerance 4 standard errors."""
    rng, d, n, p_e = np.random.default_rng(8), 8, 600, 0.3
    graphs = draw_graphs(rng, n, d, p_e)
    targets = rng.random((n, d)) < p_int
    for reach, shows in (("children", graphs), ("descendants", paths(graphs))):
        off = rng.random((n, d, d)) if null == "random" else 0.0
        c = smallest_c(1.0, d, reach=reach)
        weights = score_weights(np.where(shows, 1.1, off), targets, epsilon=1.0, c=max(c, 1.01))
        optima = summarise_optima(weights, graphs)
        for cost in (optima.mean_cost, optima.worst_cost):
            slack = STANDARD_ERRORS * cost.std() / np.sqrt(n)
            assert cost.mean() <= repaired_theorem_4(d, p_int, p_e, reach=reach) + slack
            assert cost.mean() <= theorem_4(d, p_int, p_e) + slack  # here it holds, for these
    # a negative control: half of the bound is too little for the worst optimum
    assert optima.worst_cost.mean() > repaired_theorem_4(d, p_int, p_e) / 2


def simulate_open_edges(rng, d, p_e, p_int):
    """Edges i → j of a random graph without a target among {i, j} and what lies between.

    First with the parents of j between i and j, which is what the proof of Theorem 4 keeps; then
    with all of the paper's Lemma 5, {j} ∪ Pa_j minus Pa_i.
    """
    graph = np.triu(rng.random((d, d)) < p_e, 1)
    targets = rng.random(d) < p_int
    helped = (graph & targets[:, None]).astype(np.float32)
    parents_behind = helped[::-1].cumsum(axis=0)[::-1]  # targets among Pa_j from i on, i included
    kept = graph & ~targets & (parents_behind == 0)
    of_lemma_5 = graph & ~targets & (helped.sum(axis=0) - helped.T @ helped == 0)
    return kept.sum(), of_lemma_5.sum()


def test_theorem_4_and_lemma_6_count_what_their_proofs_count():
    """Sixteen graphs of 1,500 variables, 1.5 edges each; tolerance 4 standard errors."""
    rng, d, edges_per_variable, p_int = np.random.default_rng(6), 1500, 1.5, 0.5
    p_e = 2 * edges_per_variable / (d - 1)
    draws = np.array([simulate_open_edges(rng, d, p_e, p_int) for _ in range(16)])
    (kept, of_lemma_5), errors = draws.mean(axis=0), draws.std(axis=0, ddof=1) / 4
    slack = STANDARD_ERRORS * errors[0]
    assert abs(kept - theorem_4_double_sum(d, p_int, p_e)) <= slack
    assert abs(kept / d - lemma_6(p_int, edges_per_variable)) <= slack / d
    assert of_lemma_5 < kept - slack  # parents of j before i are left out of the proof
    # a negative control: with c = edges per variable instead of twice that, the limit is too low
    assert kept / d > lemma_6(p_int, edges_per_variable / 2) + slack / d


@pytest.mark.parametrize("p_int", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("edges_per_variable", [0.5, 1.0, 3.0])
def test_lemma_6_is_the_limit_of_theorem_4(p_int, edges_per_variable):
    d, c = 100_000, 2 * edges_per_variable
    limit = lemma_6(p_int, edges_per_variable)
    literal = (1 - p_int) ** 2 / p_int * (1 - (1 - np.exp(-p_int * c)) / (p_int * c))
    assert limit == pytest.approx(literal)
    assert theorem_4(d, p_int, c / d) / d == pytest.approx(limit, rel=1e-3)
    assert theorem_4_double_sum(d, p_int, c / d) / d == pytest.approx(limit, rel=1e-3)


def test_limit_for_a_fixed_edge_probability():
    assert theorem_4(100_000, 0.4, 0.2) / 100_000 == pytest.approx(
        fixed_density_limit(0.4), rel=1e-3
    )


# ---- arguments -------------------------------------------------------------------------------


def test_one_probability_per_variable_and_a_design_that_is_drawn():
    graph = graph_from_edges(4, [(0, 1), (1, 2), (0, 3)])
    p_int = np.array([0.2, 0.5, 0.7, 0.1])
    assert repaired_theorem_3(graph, p_int) == pytest.approx(0.8 + 0.5 + 0.8)
    assert repaired_theorem_2(graph, p_int) == pytest.approx(0.8 * 0.5 + 0.5 * 0.3 + 0.8 * 0.9)
    assert theorem_2(graph, p_int) == pytest.approx(0.8 * 0.5 + 0.5 * 0.3 + 0.8 * 0.9)
    assert theorem_3(graph, p_int) == pytest.approx(0.8 * 0.5 + 0.5 * 0.3 + 0.8 * 0.9)
    assert repaired_theorem_2(graph, [0, 0, 1, 0]) == 2
    assert repaired_theorem_2(graph, 0) == repaired_theorem_3(graph, 0) == 3
    assert repaired_theorem_2(graph, 1) == repaired_theorem_3(graph, 1) == 0


def test_sparse_and_dense_graphs_give_the_same_bound():
    from scipy.sparse import csr_array

    graph = np.triu(np.random.default_rng(1).random((30, 30)) < 0.2, 1)
    for theorem in (theorem_2, theorem_3, repaired_theorem_2, repaired_theorem_3):
        assert theorem(csr_array(graph), 0.3) == theorem(graph, 0.3)


def test_bounds_of_two_thousand_variables_take_a_moment():
    from scipy.sparse import random_array, triu

    graph = triu(random_array((2000, 2000), density=1.5 / 2000 * 2, rng=1), 1)
    start = time.perf_counter()
    assert repaired_theorem_2(graph, 0.5) <= repaired_theorem_3(graph, 0.5)
    assert time.perf_counter() - start < 5  # 0.2 s on an idle core


def test_effective_intervention_ratio():
    assert effective_intervention_ratio(0.33, 0.04) == pytest.approx(1.65)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: theorem_4(5, 0.0, 0.5), "`p_int` must be one number above 0.*double_sum takes 0"),
        (lambda: theorem_4(5, 0.5, 1.5), "`p_e` must be one number at least 0 and at most 1"),
        (lambda: theorem_4(0, 0.5, 0.5), "`n_variables` must be a whole number of at least 1"),
        (lambda: lemma_6(0.5, 0.0), "`edges_per_variable` must be one number above 0"),
        (lambda: theorem_2([[0, 1], [0, 0]], 1.5), "`p_int` must lie between 0 and 1"),
        (lambda: theorem_2([[0, 1], [0, 0]], [0.5] * 3), "`p_int` must be one probability or 2"),
        (lambda: theorem_2([[0, 1], [1, 0]], 0.5), "directed cycle"),
        (lambda: repaired_theorem_4(5, 0.5, 0.5, reach="all"), "`reach` must be"),
    ],
)
def test_messages(call, message):
    with pytest.raises(InputError, match=message):
        call()
