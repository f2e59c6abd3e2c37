"""What the user knows: read, followed through, contradictions named, and honoured by all."""

from itertools import permutations

import networkx as nx
import numpy as np
import pytest

from intersort import (
    Effects,
    InputError,
    Knowledge,
    OrderScore,
    exact_order,
    find_order,
    local_search,
    sort_ranking,
    ties,
)
from intersort.orders import local_search as module
from intersort.orders.causal_order import bound_by_pairs
from intersort.orders.certificate.certify import certify
from intersort.orders.knowledge import make_obedient, required_pairs
from intersort.orders.local_search import search_moves
from intersort.orders.memetic import Budget, search_memetically
from intersort.orders.plain import exact_order_plainly, local_search_plainly, sort_ranking_plainly
from intersort.scores.weight_matrix import as_order_score

NAMES = ("a", "b", "c", "d", "e")


def pairs_of(required):
    return set() if required is None else {tuple(pair) for pair in np.argwhere(required).tolist()}


def draw_required(d, rng, density=0.3):
    """Pairs of a random order, transitively closed, never none."""
    hidden = rng.permutation(d)
    pairs = [
        (int(hidden[i]), int(hidden[j]))
        for i in range(d)
        for j in range(i + 1, d)
        if rng.random() < density
    ] or [(int(hidden[0]), int(hidden[1]))]
    return pairs, required_pairs(Knowledge(before=pairs), [f"x{v}" for v in range(d)])


def breaks(order, required):
    return bool(np.tril(required[np.ix_(order, order)]).any())


# --- meaning ------------------------------------------------------------------------------------


def test_pairs_by_name_and_position_and_what_follows():
    known = Knowledge(before=[("a", "b"), (1, "c"), ("a", "b")])
    assert pairs_of(required_pairs(known, NAMES)) == {(0, 1), (1, 2), (0, 2)}


def test_every_earlier_tier_precedes_every_later_one_and_others_are_free():
    known = Knowledge(tiers=[["a", "c"], [], ["b"], ["d"]])
    expected = {(0, 1), (2, 1), (0, 3), (2, 3), (1, 3)}
    assert pairs_of(required_pairs(known, NAMES)) == expected


def test_first_and_last_are_sets_in_any_order():
    known = Knowledge(first={"b", "a"}, last=["e"])
    expected = {(v, u) for v in (0, 1) for u in (2, 3, 4)} | {(2, 4), (3, 4)}
    assert pairs_of(required_pairs(known, NAMES)) == expected


def test_all_variables_first_says_nothing():
    assert required_pairs(Knowledge(first=NAMES, last=NAMES), NAMES) is None


@pytest.mark.parametrize(
    "known", [None, Knowledge(), Knowledge([], [], [], []), Knowledge(tiers=[["a"]])]
)
def test_nothing_known_is_none(known):
    assert required_pairs(known, NAMES) is None


def test_statements_are_joined_like_a_graph():
    """Pairs, tiers and sets together against networkx, with the same refusals."""
    rng = np.random.default_rng(0)
    refused = 0
    for _ in range(300):
        d = int(rng.integers(2, 7))
        before = [tuple(pair) for pair in rng.integers(0, d, size=(rng.integers(0, 3), 2)).tolist()]
        tier_of = rng.integers(-3, 3, size=d)
        tiers = [np.flatnonzero(tier_of == number).tolist() for number in range(3)]
        first, last = (np.flatnonzero(rng.random(d) < 0.08).tolist() for _ in range(2))
        graph = nx.DiGraph(before)
        graph.add_nodes_from(range(d))
        graph.add_edges_from(
            (v, u) for v in range(d) for u in range(d) if -1 < tier_of[v] < tier_of[u]
        )
        graph.add_edges_from((v, u) for v in first for u in range(d) if u not in first)
        graph.add_edges_from((u, v) for v in last for u in range(d) if u not in last)
        known = Knowledge(before, tiers, first, last)
        names = [f"x{v}" for v in range(d)]
        if nx.is_directed_acyclic_graph(graph):
            expected = set(nx.transitive_closure(graph).edges)
            assert pairs_of(required_pairs(known, names)) == expected
            continue
        refused += 1
        shortest = min(len(cycle) for cycle in nx.simple_cycles(graph))
        with pytest.raises(InputError, match="contradicts itself") as caught:
            required_pairs(known, names)
        assert str(caught.value).count(" before 'x") == shortest
    assert 50 < refused < 250


def test_many_variables_in_tiers_are_joined_fast():
    known = Knowledge(tiers=[range(500), range(500, 1000), range(1000, 1500)], last=[1499])
    required = required_pairs(known, [f"x{v}" for v in range(1500)])
    assert required.sum() == 3 * 500 * 500 + 499


# --- refusals -----------------------------------------------------------------------------------


def test_the_shortest_cycle_is_spelled_out():
    known = Knowledge(
        before=[("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("c", "a")], tiers=[["e"], ["d"]]
    )
    with pytest.raises(InputError) as caught:
        required_pairs(known, NAMES)
    assert str(caught.value) == (
        "The knowledge contradicts itself: 'a' before 'b' (before), 'b' before 'c' (before), "
        "'c' before 'a' (before). Take one of these out."
    )


@pytest.mark.parametrize(
    ("known", "cycle"),
    [
        (Knowledge(before=[("a", "a")]), r"itself: 'a' before 'a' \(before\)\. Take"),
        (
            Knowledge(before=[("c", "a")], tiers=[["a"], ["b"], ["c"]]),
            r"itself: 'a' before 'c' \(tiers\), 'c' before 'a' \(before\)\. Take",
        ),
        (Knowledge(first=["a"], last=["a"]), r"'a' before 'b' \(first\), 'b' before 'a' \(last\)"),
        (Knowledge(before=[(3, 0)], first=["a"]), r"'a' before 'd' \(first\), 'd' before 'a'"),
    ],
)
def test_contradictions_name_the_statements(known, cycle):
    with pytest.raises(InputError, match=cycle):
        required_pairs(known, NAMES)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        (Knowledge(first=["stat1"]), "'stat1', which no variable is called; did you mean 'STAT1'"),
        (Knowledge(last=["q9"]), "'q9', which no variable is called. Take a name"),
        (Knowledge(before=[(0, 3)]), "names column 3, and columns run from 0 to 2"),
        (Knowledge(before=[(-1, 0)]), "names column -1, and columns run from 0 to 2"),
        (Knowledge(tiers=[["JAK2"], [1]]), "'JAK2' stands in tiers 1 and 2"),
    ],
)
def test_refuses_unknown_variables(known, message):
    with pytest.raises(InputError, match=message):
        required_pairs(known, ("STAT1", "JAK2", "IFNGR2"))


def test_text_is_a_name_first_and_a_position_only_where_no_name_is_a_number():
    assert pairs_of(required_pairs(Knowledge(before=[("0", "2")]), NAMES)) == {(0, 2)}
    years = ("2", "1", "0")
    assert pairs_of(required_pairs(Knowledge(before=[("0", "2")]), years)) == {(2, 0)}
    with pytest.raises(InputError, match="'3', which no variable is called"):
        required_pairs(Knowledge(before=[("0", "3")]), years)
    with pytest.raises(InputError, match="Is 2 in the knowledge the column position or the vari"):
        required_pairs(Knowledge(before=[(2, 1)]), years)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"before": "ab"}, "before must be a list of pairs"),
        ({"before": ["ab"]}, "before must be a list of pairs .* got 'ab'"),
        ({"before": [("a",)]}, "must be a pair"),
        ({"before": {"a": "b"}}, "before must be a list of pairs"),
        ({"tiers": ["a", "b"]}, "tiers must be a list of lists of names .* got 'a'"),
        ({"tiers": 3}, "tiers must be a list of lists of names"),
        ({"first": "a"}, "first must be a list of names or column positions; got 'a'"),
        ({"last": [1.5]}, "last must hold names .* got '1.5'"),
        ({"last": [True]}, "last must hold names .* got 'True'"),
        ({"first": None}, "first must be a list"),
    ],
)
def test_refuses_what_is_no_list_of_variables(arguments, message):
    with pytest.raises(InputError, match=message):
        Knowledge(**arguments)


def test_knowledge_must_be_knowledge():
    with pytest.raises(InputError, match=r"must be a Knowledge, not dict; make one"):
        exact_order(np.zeros((2, 2)), knowledge={"before": [(0, 1)]})


def test_is_frozen_and_equal_by_value():
    known = Knowledge(before=[["a", "b"]], first={np.int64(2), np.int64(1)})
    assert known == Knowledge(before=[("a", "b")], first=[1, 2])
    assert hash(known) == hash(Knowledge(before=(("a", "b"),), first=(1, 2)))
    with pytest.raises(AttributeError):
        known.first = ()


def test_an_initial_that_breaks_it_is_refused():
    known = Knowledge(before=[("x0", "x2"), ("x1", "x2")])
    message = "'x0' must precede 'x2' and is behind it, and so are 1 more pairs"
    with pytest.raises(InputError, match=message):
        local_search(np.zeros((3, 3)), [2, 0, 1], knowledge=known)
    with pytest.raises(InputError, match=r"'x1' must precede 'x2' and is behind it\. Start"):
        local_search(np.zeros((3, 3)), [0, 2, 1], knowledge=known)


# --- honoured, and best among what honours it -----------------------------------------------------


def test_the_optimum_under_knowledge_is_brute_force(draw):
    rng = np.random.default_rng(1)
    for d in (2, 3, 4, 5, 6, 7):
        weights = draw(d, rng)
        pairs, required = draw_required(d, rng)
        orders = np.array(list(permutations(range(d))))
        rank = np.argsort(orders, axis=1)
        legal = np.all([rank[:, a] < rank[:, b] for a, b in pairs], axis=0)
        orders, rank = orders[legal], rank[legal]
        scores = ((rank[:, :, None] < rank[:, None, :]) * weights).sum(axis=(1, 2))
        tolerance = 1e-9 * abs(weights).max()
        result = exact_order(weights, knowledge=Knowledge(before=pairs))
        optimal = orders[scores >= scores.max() - tolerance]
        assert result.score == pytest.approx(scores.max(), abs=tolerance)
        assert result.upper_bound == result.score
        assert result.n_optimal == len(optimal)
        assert result.order.tolist() in optimal.tolist()
        drawn = result.sample_optimal(4 * len(optimal) + 30, rng=rng)
        assert not any(breaks(order, required) for order in drawn)
        assert {tuple(order) for order in drawn} <= {tuple(order) for order in optimal}
        bound = bound_by_pairs(as_order_score(weights), required)
        forced = sum(
            weights[a, b]
            if required[a, b]
            else weights[b, a]
            if required[b, a]
            else max(weights[a, b], weights[b, a])
            for a in range(d)
            for b in range(a)
        )
        assert bound == pytest.approx(forced, abs=tolerance)
        assert bound >= scores.max() - tolerance


def test_the_plain_versions_move_for_move(draw, monkeypatch):
    rng = np.random.default_rng(2)
    for trial in range(12):
        d = int(rng.integers(2, 9))
        weights = draw(d, rng)
        pairs, required = draw_required(d, rng, density=0.15)
        start = exact_order(rng.normal(size=(d, d)), knowledge=Knowledge(before=pairs)).order
        score = as_order_score(weights)
        with monkeypatch.context() as patch:
            if trial % 2:
                patch.setattr(module, "_GAINS_KEPT_UP_TO", 0)
            found, moves = search_moves(score, start, 1, required)
        expected, expected_moves = local_search_plainly(weights, start.tolist(), 1, pairs)
        assert moves == expected_moves
        assert found.tolist() == expected
        value, n_optimal = exact_order_plainly(weights, pairs_of(required))
        result = exact_order(weights, knowledge=Knowledge(before=pairs))
        assert result.score == pytest.approx(value, abs=1e-9 * abs(weights).max())
        assert result.n_optimal == n_optimal


def test_two_moves_deep_and_many_moves_under_knowledge():
    rng = np.random.default_rng(3)
    for d in (3, 4, 5, 6):
        pairs, required = draw_required(d, rng)
        weights = as_order_score(rng.normal(size=(d, d))).to_dense()
        start = exact_order(-weights, knowledge=Knowledge(before=pairs)).order
        found, moves = search_moves(as_order_score(weights), start, 2, required)
        expected, expected_moves = local_search_plainly(weights, start.tolist(), 2, pairs)
        assert (found.tolist(), moves) == (expected, expected_moves)
    weights = as_order_score(rng.normal(size=(18, 18)))
    pairs, required = draw_required(18, rng, density=0.04)
    start = sort_ranking(
        Effects.from_matrix(np.zeros((18, 18))), 0.0, knowledge=Knowledge(before=pairs)
    ).order
    found, moves = search_moves(weights, start, 1, required)
    expected, expected_moves = local_search_plainly(weights.to_dense(), start.tolist(), 1, pairs)
    assert len(moves) > 18
    assert (found.tolist(), moves) == (expected, expected_moves)


def test_sort_ranking_puts_the_required_pairs_in_first():
    rng = np.random.default_rng(4)
    for _ in range(40):
        d = int(rng.integers(2, 10))
        distance = rng.integers(0, 5, size=(d, d)) / 4.0
        pairs, required = draw_required(d, rng, density=0.2)
        effects = Effects.from_matrix(distance)
        result = sort_ranking(effects, 0.3, knowledge=Knowledge(before=pairs))
        order, accepted = sort_ranking_plainly(effects.distance, 0.3, pairs)
        assert result.order.tolist() == order
        assert {tuple(edge) for edge in np.argwhere(result.graph).tolist()} == set(accepted)
        assert not breaks(result.order, required)


def test_sort_ranking_overrules_the_strongest_effect():
    effects = Effects.from_matrix([[0, 9.0, 1], [0, 0, 5], [0, 0, 0]], names=["a", "b", "c"])
    result = sort_ranking(effects, 0.5, knowledge=Knowledge(before=[("c", "a")]))
    assert result.ordered_names == ("c", "a", "b")
    assert result.graph.astype(int).tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]


def test_few_interventions_under_knowledge():
    rng = np.random.default_rng(5)
    block = rng.normal(size=(2, 6))
    block[[0, 1], [1, 4]] = 0
    score = OrderScore(block, np.array([1, 4]), tuple("abcdef"))
    known = Knowledge(tiers=[["e", "f"], ["a", "b"]])
    result = exact_order(score, knowledge=known)
    found = local_search(score, [4, 5, 0, 1, 2, 3], depth=2, knowledge=known)
    assert found.score <= result.score + 1e-12
    assert result.score <= found.upper_bound + 1e-12
    dense = score.to_dense()
    required = required_pairs(known, score.names)
    larger = np.where(required, dense, np.where(required.T, dense.T, np.maximum(dense, dense.T)))
    assert found.upper_bound == pytest.approx(np.triu(larger, 1).sum())


def orders_of_every_method(case, d, known, required, rng):
    """The orders that one of the methods, in turn, returns; and the one it would without."""
    weights = rng.normal(size=(d, d))
    if case % 7 == 0:
        effects = Effects.from_matrix(rng.random((d, d)))
        free = sort_ranking(effects, 0.4).order
        return [sort_ranking(effects, 0.4, knowledge=known).order], free
    best = exact_order(weights, knowledge=known)
    free = exact_order(weights).order
    start = make_obedient(rng.permutation(d), known, best.names)
    if case % 7 == 1:
        return [best.order, best.sample_optimal(1)[0]], free
    if case % 7 == 2:
        structure = ties(weights, best, knowledge=known)
        assert np.all(structure.forced[required])
        return [structure.order, structure.sample(1)[0]], free
    score = as_order_score(weights)
    if case % 7 == 3:
        steps = search_memetically(score, start, budget=Budget(work=3000), before=required)
        return [step.order for step in steps], free
    if case % 7 == 4:
        certificate = certify(score, start, must_precede=required)
        assert certificate.upper_bound >= best.score - 1e-9
        return [certificate.order], free
    if case % 7 == 5:
        return [find_order(weights, knowledge=known, initial=start, certify=False).order], free
    return [local_search(weights, start, depth=1 + (d < 5), knowledge=known).order], free


def test_no_violation_in_ten_thousand_cases():
    rng = np.random.default_rng(6)
    changed = 0
    for case in range(10_000):
        d = int(rng.integers(2, 8))
        before, required = draw_required(d, rng, density=rng.random() * 0.5)
        known = Knowledge(before=before)
        found, free = orders_of_every_method(case, d, known, required, rng)
        assert not any(breaks(order, required) for order in found)
        changed += breaks(free, required)
    assert changed > 1000  # without the knowledge it would often be broken
