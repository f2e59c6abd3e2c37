"""The search of IGSP with perfect knowledge: what its theory promises."""

import itertools

import networkx as nx
import numpy as np
import pytest

from intersort.baselines._bits import as_bits, members
from intersort.baselines._igsp_search import (
    Limits,
    Rules,
    count_edges,
    descend,
    eliminate_by_degree,
)

D = 5
UNLIMITED = Limits(depth=20, most_graphs=100_000)


def random_dag(seed: int) -> nx.DiGraph:
    rng = np.random.default_rng(seed)
    order = rng.permutation(D)
    pairs = [(order[a], order[b]) for a, b in itertools.combinations(range(D), 2)]
    graph = nx.DiGraph([(int(i), int(j)) for i, j in pairs if rng.random() < 0.5])
    graph.add_nodes_from(range(D))
    return graph


def parents_of(graph: nx.DiGraph) -> tuple[int, ...]:
    return tuple(as_bits(graph.predecessors(j)) for j in range(D))


def perfect_rules(truth: nx.DiGraph, intervened: list[int]) -> Rules:
    moved = np.zeros((D, D), dtype=bool)
    for i in intervened:
        moved[i, list(nx.descendants(truth, i))] = True
    known: dict = {}

    def independent(i: int, j: int, given: int) -> bool:
        key = (frozenset((i, j)), given)
        if key not in known:
            known[key] = nx.is_d_separator(truth, {i}, {j}, set(members(given)))
        return known[key]

    return Rules.from_moves(independent, moved, np.array(intervened, dtype=np.int64))


def draw_graph(order: np.ndarray, rules: Rules) -> tuple[int, ...]:
    graph = [0] * D
    for place, j in enumerate(order):
        before = as_bits(order[:place])
        graph[j] = as_bits(
            i
            for i in order[:place]
            if not rules.independent(int(i), int(j), before ^ (1 << int(i)))
        )
    return tuple(graph)


@pytest.mark.parametrize("seed", range(12))
def test_without_interventions_it_ends_in_the_class_of_the_truth(seed):
    truth = random_dag(seed)
    rules = perfect_rules(truth, [])
    rng = np.random.default_rng(1000 + seed)
    for _ in range(4):
        found = descend(draw_graph(rng.permutation(D), rules), rules, UNLIMITED, rng)
        assert count_edges(found) == truth.number_of_edges()
        joined = {frozenset((i, j)) for j in range(D) for i in members(found[j])}
        assert joined == {frozenset(edge) for edge in truth.edges}


@pytest.mark.parametrize("seed", range(12))
def test_the_truth_contradicts_nothing_that_its_interventions_showed(seed):
    truth = random_dag(seed)
    rules = perfect_rules(truth, [0, 2, 3])
    assert rules.count_contradictions(parents_of(truth)) == 0


def test_with_every_variable_intervened_on_it_turns_towards_the_truth():
    ended_there = []
    for seed in range(20):
        truth = random_dag(seed)
        rules = perfect_rules(truth, list(range(D)))
        rng = np.random.default_rng(1000 + seed)
        start = draw_graph(rng.permutation(D), rules)
        found = descend(start, rules, UNLIMITED, rng)
        assert rules.count_contradictions(found) <= rules.count_contradictions(start)
        ended_there.append(found == parents_of(truth))
    assert np.mean(ended_there) > 0.8


def test_an_edge_may_be_turned_if_covered_and_not_seen_at_work():
    # 0 → 1, both → 2: 0 → 1 and 1 → 2 are covered, 0 → 2 is not.
    graph = (0b000, 0b001, 0b011)
    nothing = np.zeros((3, 3), dtype=bool)
    free = Rules.from_moves(lambda *_: False, nothing, np.array([], dtype=np.int64))
    assert sorted(free.turnable(graph)) == [(0, 1), (1, 2)]
    moved = nothing.copy()
    moved[1, 2] = True
    bound = Rules.from_moves(lambda *_: False, moved, np.array([1]))
    assert bound.turnable(graph) == [(0, 1)]
    # do(1) moved 2 and not 0: 1 → 2 is confirmed, 1 → 0 and 2 → 1 would be contradicted.
    assert bound.count_contradictions(graph) == 0
    assert bound.count_contradictions((0b010, 0b000, 0b011)) == 1
    assert bound.count_contradictions((0b000, 0b101, 0b001)) == 1


def test_turning_drops_only_edges_of_common_parents_that_are_needed_no_longer():
    graph = (0b0000, 0b0001, 0b0011)
    asked = []

    def independent(i, j, given):
        asked.append((i, j, given))
        return (i, j) == (2, 0)

    rules = Rules.from_moves(independent, np.zeros((3, 3), dtype=bool), np.array([], dtype=int))
    assert rules.turn(graph, 1, 2) == (0b000, 0b101, 0b000)
    assert asked == [(1, 0, 0b100), (2, 0, 0)]


def test_a_limit_on_graphs_ends_the_descent_early():
    n_true = sum(random_dag(seed).number_of_edges() for seed in range(30))
    ended = {}
    for most_graphs in (1, 3000):
        ended[most_graphs] = 0
        for seed in range(30):
            rules = perfect_rules(random_dag(seed), [])
            rng = np.random.default_rng(1000 + seed)
            start = draw_graph(rng.permutation(D), rules)
            ended[most_graphs] += count_edges(descend(start, rules, Limits(4, most_graphs), rng))
    assert n_true == ended[3000] < ended[1]


def test_elimination_of_a_tree_adds_no_edge():
    rng = np.random.default_rng(0)
    for seed in range(10):
        tree = nx.to_numpy_array(nx.random_labeled_tree(12, seed=seed)) != 0
        order = eliminate_by_degree(tree, rng)
        assert sorted(order) == list(range(12))
        rank = np.argsort(order)
        before = [sum(tree[j] & (rank < rank[j])) for j in range(12)]
        assert max(before) == 1
