"""Lemmas 4 and 5 and Theorem 1: the paper's statements with their counterexamples, and repaired."""

from __future__ import annotations

import numpy as np
import pytest

from intersort import InputError
from intersort.theory.conditions import (
    lemma_4_condition,
    lemma_5_condition,
    repaired_lemma_4_condition,
    repaired_lemma_5_condition,
    smallest_c,
)
from intersort.theory.optima import optimal_orders
from intersort.theory.oracle import oracle_distances
from intersort.theory.small_cases import graph_from_edges, paths, score_weights

C_ABOVE_EPSILON = 1.001


def best_orders(distance, intervened, *, c, epsilon=1.0):
    targets = np.isin(np.arange(len(distance)), intervened)
    return optimal_orders(score_weights(np.asarray(distance), targets, epsilon=epsilon, c=c))


def shown(graph, reach, null=(), effect=1.01):
    """Distances at ε = 1: `effect` where something shows, `null` for some other pairs, else 0."""
    distance = np.where(paths(graph) if reach == "descendants" else graph, effect, 0.0)
    for pair, value in dict(null).items():
        assert distance[pair] == 0
        distance[pair] = value
    return distance


# ---- the paper's lemmas, and the smallest graphs that break them -----------------------------


@pytest.mark.parametrize(("d", "failures"), [(2, 0), (3, 0), (4, 0), (5, 720)])
def test_lemma_4_fails_from_five_variables_on_with_constant_distances(world, d, failures):
    cases = world(d)
    reversible = cases.reversible(cases.distance(cases.paths[:, None], 0.0), C_ABOVE_EPSILON * d)
    promised = cases.promised("lemma 4")
    broken = (promised & reversible).sum(axis=(1, 2, 3))
    assert broken @ cases.labellings == failures
    if d == 5:
        assert promised.sum(axis=(1, 2, 3)) @ cases.labellings == 4_684_960


@pytest.mark.parametrize(("d", "fails"), [(2, False), (3, False), (4, True)])
def test_lemma_4_fails_from_four_variables_on_with_distances_below_epsilon(world, d, fails):
    cases, rng, broken = world(d), np.random.default_rng(4), 0
    for _ in range(40):
        null = 0.98 * rng.random((len(cases.graphs), len(cases.targets), d, d))
        distance = cases.distance(cases.paths[:, None], null)
        reversible = cases.reversible(distance, C_ABOVE_EPSILON * d)
        broken += np.count_nonzero(cases.promised("lemma 4") & reversible)
    assert (broken > 0) == fails


def test_lemma_4_smallest_counterexample_with_zero_null_distances():
    graph = graph_from_edges(5, [(0, 3), (0, 4), (1, 2), (2, 3)])
    assert lemma_4_condition(graph, [0, 1]).tolist() == [True] * 4
    orders = best_orders(shown(graph, "descendants"), [0, 1], c=C_ABOVE_EPSILON)
    assert len(orders) == 4
    assert [0, 4, 1, 3, 2] in orders.tolist()  # 3 before 2, against the lemma
    assert repaired_lemma_4_condition(graph, [0, 1]).tolist() == [True, True, True, False]


def test_lemma_4_counterexample_where_half_of_the_optima_are_wrong():
    graph = graph_from_edges(6, [(0, 2), (2, 3), (1, 3), (1, 4), (1, 5)])
    assert lemma_4_condition(graph, [0, 1]).all()
    orders = best_orders(shown(graph, "descendants"), [0, 1], c=C_ABOVE_EPSILON)
    rank = np.argsort(orders, axis=1)
    assert np.mean(rank[:, 3] < rank[:, 2]) == 0.5


def test_lemma_4_smallest_counterexample_with_null_distances_below_epsilon():
    graph = graph_from_edges(4, [(0, 3), (1, 2), (2, 3)])
    distance = shown(graph, "descendants", {(0, 1): 0.9, (0, 2): 0.9})
    assert lemma_4_condition(graph, [0, 1]).all()
    orders = best_orders(distance, [0, 1], c=C_ABOVE_EPSILON)
    assert orders.tolist() == [[0, 1, 2, 3], [0, 1, 3, 2]]
    assert repaired_lemma_4_condition(graph, [0, 1]).tolist() == [True, True, False]


def test_a_null_distance_equal_to_epsilon_decides_nothing():
    """The definition allows D = ε where there is no path; both lemmas then fail for one edge."""
    graph = graph_from_edges(2, [(0, 1)])
    distance = shown(graph, "descendants", {(1, 0): 1.0})
    for condition in (lemma_4_condition, lemma_5_condition, repaired_lemma_4_condition):
        assert condition(graph, [1]).tolist() == [True]
    assert len(best_orders(distance, [1], c=C_ABOVE_EPSILON)) == 2
    assert len(best_orders(distance - 1e-6 * (distance == 1), [1], c=C_ABOVE_EPSILON)) == 1


@pytest.mark.parametrize(("d", "failures"), [(2, 0), (3, 0), (4, 144), (5, 52_200)])
def test_lemma_5_fails_from_four_variables_on_with_constant_distances(world, d, failures):
    cases = world(d)
    reversible = cases.reversible(cases.distance(cases.graphs[:, None], 0.0), C_ABOVE_EPSILON * d)
    broken = (cases.promised("lemma 5") & reversible).sum(axis=(1, 2, 3))
    assert broken @ cases.labellings == failures


def test_lemma_5_counterexamples():
    graph = graph_from_edges(4, [(0, 1), (0, 3), (1, 2), (2, 3)])
    assert lemma_5_condition(graph, [0, 1]).all()
    orders = best_orders(shown(graph, "children"), [0, 1], c=C_ABOVE_EPSILON)
    assert orders.tolist() == [[0, 3, 1, 2]]  # the only optimum reverses 2 → 3

    chain = graph_from_edges(3, [(0, 1), (1, 2)])
    assert lemma_5_condition(chain, [0, 2]).all()
    distance = shown(chain, "children", {(2, 0): 0.9, (2, 1): 0.5})
    assert best_orders(distance, [0, 2], c=C_ABOVE_EPSILON).tolist() == [[2, 0, 1]]
    assert repaired_lemma_5_condition(chain, [0, 2]).tolist() == [True, False]


def test_where_only_children_show_an_intervention_on_the_effect_is_not_enough():
    graph = graph_from_edges(4, [(0, 3), (1, 2), (3, 1)])
    orders = best_orders(shown(graph, "children"), [0, 1], c=C_ABOVE_EPSILON)
    assert sorted(orders.tolist()) == [[0, 3, 1, 2], [1, 2, 0, 3]]
    assert repaired_lemma_4_condition(graph, [0, 1])[2]  # 3 → 1: right where every path shows
    assert not repaired_lemma_5_condition(graph, [0, 1])[2]


# ---- the repaired statements -----------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("c_times_d", ["least", "paper"])
def test_repaired_lemma_4_holds_where_every_path_shows(world, sizes, d, c_times_d):
    cases, rng = world(d), np.random.default_rng(40 + d)
    bonus = max(d - 2, 0) if c_times_d == "least" else C_ABOVE_EPSILON * d
    assert bonus >= smallest_c(1.0, d) * d - 1e-12
    promised = cases.promised("repaired lemma 4")
    for _ in range(sizes.n_draws):
        distance = cases.distance(cases.paths[:, None], *sizes(rng, cases))
        assert not np.any(promised & cases.reversible(distance, bonus))


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
def test_repaired_lemma_5_holds_where_only_children_show(world, sizes, d):
    cases, rng = world(d), np.random.default_rng(50 + d)
    promised = cases.promised("repaired lemma 5")
    for _ in range(sizes.n_draws):
        distance = cases.distance(cases.graphs[:, None], *sizes(rng, cases))
        for bonus in (
            max(d * d // 4 - 1, 0),
            C_ABOVE_EPSILON * d,
        ):  # equal to ε·d is enough to d = 5
            assert not np.any(promised & cases.reversible(distance, bonus))


@pytest.mark.parametrize("d", [3, 4])
def test_on_the_continuum_the_cause_is_enough_and_a_variable_between_is_not(world, d):
    """1,000 draws: each descendant further than a child shows with a probability of its own."""
    cases, rng = world(d), np.random.default_rng(d)
    shape = (len(cases.graphs), len(cases.targets), d, d)
    safe, unsafe = cases.promised("repaired lemma 5"), cases.promised("repaired lemma 4")
    failures = 0
    for draw in range(1000):
        shows = cases.graphs[:, None] | (cases.paths[:, None] & (rng.random(shape) < rng.random()))
        null = rng.random(shape) if draw % 2 else 0.0
        reversible = cases.reversible(cases.distance(shows, null), d * d // 4 - 1)
        assert not np.any(safe & reversible)
        failures += np.count_nonzero(unsafe & reversible)
    assert failures > 0


def test_between_the_extremes_the_sharper_condition_fails_on_a_chain():
    chain = graph_from_edges(4, [(0, 1), (1, 2), (2, 3)])
    orders = best_orders(shown(chain, "children"), [0, 2], c=C_ABOVE_EPSILON)
    rank = np.argsort(orders, axis=1)
    assert repaired_lemma_4_condition(chain, [0, 2]).all()
    assert np.any(rank[:, 2] < rank[:, 1])


# ---- what c must be --------------------------------------------------------------------------


def test_without_enough_c_the_repaired_lemma_fails():
    graph = graph_from_edges(4, [(0, 3), (1, 2)])
    orders = best_orders(shown(graph, "descendants"), [0, 1], c=0.0)
    assert orders.tolist() == [[2, 0, 3, 1], [3, 1, 2, 0]]
    kept = best_orders(shown(graph, "descendants"), [0, 1], c=smallest_c(1.0, 4))
    rank = np.argsort(kept, axis=1)
    assert np.all(rank[:, 0] < rank[:, 3])
    assert np.all(rank[:, 1] < rank[:, 2])


@pytest.mark.parametrize("d", [3, 4, 5, 6, 7])
@pytest.mark.parametrize(("factor", "honoured"), [(0.99, False), (1.0, True)])
def test_smallest_c_is_sharp_where_every_path_shows(d, factor, honoured):
    """One edge 0 → 1; everything else, a hair below ε, would rather have 1 first and 0 last."""
    below = 1 - 1e-6
    null = {(1, 0): below}
    null |= {(1, k): below for k in range(2, d)} | {(k, 0): below for k in range(2, d)}
    null |= {(a, b): below for a in range(2, d) for b in range(a + 1, d)}
    distance = shown(graph_from_edges(d, [(0, 1)]), "descendants", null, effect=1 + 1e-6)
    orders = best_orders(distance, np.arange(d), c=factor * smallest_c(1.0, d))
    rank = np.argsort(orders, axis=1)
    assert np.all(rank[:, 0] < rank[:, 1]) == honoured


def hourglass(d):
    """d // 2 variables up to i, the others from j on: b → i → j → a, and all of them targets."""
    i = d // 2 - 1
    edges = [(b, i) for b in range(i)] + [(i, i + 1)] + [(i + 1, a) for a in range(i + 2, d)]
    graph = graph_from_edges(d, edges)
    below = {(a, b): 1 - 1e-6 for a in range(i + 1, d) for b in range(i + 1)}
    return graph, shown(graph, "children", below, effect=1 + 1e-6)


@pytest.mark.parametrize("d", [4, 5, 6, 7])
@pytest.mark.parametrize(("factor", "honoured"), [(0.99, False), (1.0, True)])
def test_smallest_c_is_sharp_where_only_children_show(d, factor, honoured):
    graph, distance = hourglass(d)
    orders = best_orders(distance, np.arange(d), c=factor * smallest_c(1.0, d, reach="children"))
    rank = np.argsort(orders, axis=1)
    assert np.all(rank[:, d // 2 - 1] < rank[:, d // 2]) == honoured
    assert repaired_lemma_5_condition(graph, np.arange(d)).all()


def test_where_only_children_show_the_papers_c_above_epsilon_is_too_small_from_six_variables_on():
    _, distance = hourglass(6)
    orders = best_orders(distance, np.arange(6), c=1.3)
    rank = np.argsort(orders, axis=1)
    assert np.all(rank[:, 3] < rank[:, 2])  # every optimum reverses 2 → 3, with all intervened on


def test_smallest_c_is_small_for_small_graphs_and_refuses_nonsense():
    assert smallest_c(1.0, 1) == smallest_c(1.0, 2, reach="children") == 0.0
    with pytest.raises(InputError, match='`reach` must be "descendants" or "children"'):
        smallest_c(1.0, 3, reach="parents")
    with pytest.raises(InputError, match="`n_variables` must be a whole number of at least 1"):
        smallest_c(1.0, 0)


# ---- Theorem 1 -------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
def test_theorem_1_every_optimum_is_causal_where_everything_is_intervened_on(world, sizes, d):
    cases, rng = world(d), np.random.default_rng(10 + d)
    for bonus in (max(d - 2, 0), C_ABOVE_EPSILON * d):
        for _ in range(sizes.n_draws):
            optima = cases.optima(cases.distance(cases.paths[:, None], *sizes(rng, cases)), bonus)
            assert not np.any(optima.worst_cost.reshape(len(cases.graphs), -1)[:, -1])
    assert cases.targets[-1].all()


@pytest.mark.parametrize(
    ("d", "null", "optima"),
    [
        (3, {(1, 0): 0.5, (1, 2): 1.0, (2, 0): 1.0}, [[1, 2, 0]]),
        (
            4,
            {(1, 2): 1.0, (1, 3): 1.0, (2, 0): 1.0, (3, 0): 1.0},
            [[1, 2, 3, 0], [1, 3, 2, 0]],
        ),
    ],
)
def test_theorem_1_fails_with_the_c_of_its_proof(d, null, optima):
    """The proof sets c = 0 and takes D = 0 off the paths; the definition only gives D ≤ ε."""
    distance = shown(graph_from_edges(d, [(0, 1)]), "descendants", null)
    orders = best_orders(distance, np.arange(d), c=0.0)
    rank = np.argsort(orders, axis=1)
    assert np.all(rank[:, 1] < rank[:, 0])
    assert orders.tolist() == optima
    repaired = best_orders(distance, np.arange(d), c=smallest_c(1.0, d))
    assert np.all(np.argsort(repaired, axis=1)[:, 0] < np.argsort(repaired, axis=1)[:, 1])


# ---- the functions themselves ----------------------------------------------------------------


def test_conditions_of_a_large_graph_agree_with_plain_sets():
    rng = np.random.default_rng(3)
    order = rng.permutation(40)
    graph = np.zeros((40, 40), dtype=bool)
    graph[np.ix_(order, order)] = np.triu(rng.random((40, 40)) < 0.08, 1)
    closure, members = paths(graph), rng.choice(40, 5, replace=False)
    inside = set(members.tolist())

    def above(relation, j):
        return set(np.flatnonzero(relation[:, j]).tolist())

    expected = {rule: [] for rule in ("4", "5", "r4", "r5")}
    for i, j in np.argwhere(graph):
        expected["4"].append(bool(inside & ({j} | above(closure, j)) - above(closure, i)))
        expected["5"].append(bool(inside & ({j} | above(graph, j)) - above(graph, i)))
        between = set(np.flatnonzero(closure[i]).tolist()) & above(closure, j)
        expected["r4"].append(bool(inside & ({i, j} | between)))
        expected["r5"].append(int(i) in inside)
    assert lemma_4_condition(graph, members).tolist() == expected["4"]
    assert lemma_5_condition(graph, members).tolist() == expected["5"]
    assert repaired_lemma_4_condition(graph, members).tolist() == expected["r4"]
    assert repaired_lemma_5_condition(graph, members).tolist() == expected["r5"]


def test_conditions_of_a_graph_without_edges_are_empty():
    assert lemma_4_condition(np.zeros((3, 3)), [0]).shape == (0,)


def test_oracle_and_conditions_agree_on_what_children_means():
    graph = graph_from_edges(3, [(0, 1), (1, 2)])
    assert (oracle_distances(graph, reach="children") > 0.3).tolist() == graph.tolist()
