"""IGSP: its tests against SciPy, its graphs against those of causaldag."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from intersort import InterventionalData, baselines
from intersort.baselines._bits import as_bits, members
from intersort.baselines._igsp_search import Limits, Rules, count_edges, descend
from intersort.baselines.igsp import PartialCorrelations, as_adjacency, find_moved
from intersort.metrics import d_top_range

FROZEN = json.loads(Path(__file__).with_name("frozen").joinpath("graph_rivals.json").read_text())
ALPHA = 1e-3


def read_case(case: dict) -> InterventionalData:
    values = np.array(case["hundredths"]) / 100
    return InterventionalData.from_arrays(values, np.array(case["targets"]), control=-1)


def as_graph(edges: list, d: int) -> tuple[int, ...]:
    return tuple(as_bits(i for i, child in edges if child == j) for j in range(d))


def prepare(case: dict) -> tuple[np.ndarray, Rules, list]:
    """Control rows, the rules at their level, and causaldag's graphs from each start."""
    data = read_case(case)
    control = data.values[data.targets == -1]
    moved = find_moved(data.values, data.targets, data, ALPHA)
    independent = PartialCorrelations(control, ALPHA).independent
    rules = Rules.from_moves(independent, moved, data.intervened)
    frozen = [
        (np.array(found["start"]), {as_graph(edges, 6) for edges in found["graphs"]})
        for found in case["causaldag"]
    ]
    return control, rules, frozen


def end_points(start: tuple[int, ...], rules: Rules) -> set:
    return {
        descend(start, rules, Limits(4, 3000), np.random.default_rng(seed)) for seed in range(5)
    }


@pytest.mark.parametrize("case", FROZEN["cases"], ids=range(8))
def test_from_the_same_graph_it_ends_where_causaldag_ended(case):
    # causaldag draws its first graph by tests of twice the level that it names.
    control, rules, frozen = prepare(case)
    for start, theirs in frozen:
        first = PartialCorrelations(control, 2 * ALPHA).draw_graph(start)
        assert end_points(first, rules) <= theirs


def test_from_a_graph_at_the_level_named_it_ends_there_or_in_a_better_one():
    elsewhere = 0
    for case in FROZEN["cases"]:
        control, rules, frozen = prepare(case)

        def worth(graph, rules=rules):
            return count_edges(graph), rules.count_contradictions(graph)

        for start, theirs in frozen:
            found = end_points(PartialCorrelations(control, ALPHA).draw_graph(start), rules)
            if not found <= theirs:
                elsewhere += 1
                assert max(map(worth, found)) <= min(map(worth, theirs))
    assert elsewhere == 3


def test_partial_correlations_are_those_of_residuals():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(40, 5)) @ rng.normal(size=(5, 5))
    for level in (0.01, 0.2, 0.7):
        tests = PartialCorrelations(rows, level)
        for i, j, given in [(0, 1, []), (2, 4, [0]), (3, 1, [0, 2]), (4, 0, [1, 2, 3])]:
            design = np.column_stack([np.ones(40), rows[:, given]])
            left = rows - design @ np.linalg.lstsq(design, rows, rcond=None)[0]
            r = np.corrcoef(left[:, i], left[:, j])[0, 1]
            z = np.sqrt(40 - len(given) - 3) * np.arctanh(abs(r))
            assert tests.independent(i, j, as_bits(given)) == (2 * stats.norm.sf(z) >= level)


def test_the_graph_of_an_order_is_that_of_single_tests():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(300, 6)) @ (np.eye(6) + np.triu(rng.normal(size=(6, 6)), 1))
    tests = PartialCorrelations(rows, 0.01)
    order = rng.permutation(6)
    graph = tests.draw_graph(order)
    for place, j in enumerate(order):
        before = as_bits(order[:place])
        for i in order[:place]:
            assert (graph[j] >> int(i) & 1) != tests.independent(i, j, before ^ (1 << int(i)))
    assert 0 < count_edges(graph) < 15


def test_moves_are_those_of_welch_and_of_the_ratio_of_variances():
    rng = np.random.default_rng(2)
    control, rows = rng.normal(size=(60, 30)), rng.normal(size=(15, 30))
    rows = rows * rng.uniform(0.3, 2, size=30) + rng.normal(0, 0.4, size=30)
    values = np.concatenate([control, rows])
    data = InterventionalData.from_arrays(values, np.repeat([-1, 0], [60, 15]))
    moved = find_moved(values, data.targets, data, 0.05)
    p_mean = stats.ttest_ind(control, rows, equal_var=False).pvalue
    law = stats.f(14, 59)
    ratio = rows.var(axis=0, ddof=1) / control.var(axis=0, ddof=1)
    p_variance = 2 * np.minimum(law.cdf(ratio), law.sf(ratio))
    expected = np.minimum(p_mean, p_variance) < 0.025
    np.testing.assert_array_equal(moved[0, 1:], expected[1:])
    assert 3 < expected[1:].sum() < 26
    assert not moved[0, 0]
    assert not moved[1:].any()


def strong_tree() -> tuple[InterventionalData, np.ndarray]:
    """Five variables, each the sum of its parents and noise, all but one intervened on."""
    adjacency = np.zeros((5, 5), dtype=bool)
    adjacency[[4, 4, 2, 2], [2, 0, 1, 3]] = True
    rng = np.random.default_rng(0)
    targets = np.repeat([-1, 0, 1, 2, 4], [1000, 60, 60, 60, 60])
    values = rng.normal(size=(targets.size, 5))
    for j in (4, 2, 0, 1, 3):
        values[:, j] += values @ adjacency[:, j]
        values[targets == j, j] = 3.0
    return InterventionalData.from_arrays(values, targets, control=-1), adjacency


def test_recovers_a_clear_linear_system():
    data, adjacency = strong_tree()
    result = baselines.run("igsp", data)
    np.testing.assert_array_equal(result.adjacency, adjacency)
    assert d_top_range(adjacency, result.orders).mean == 0


def test_without_effects_there_is_nothing_to_find(cut_screen):
    data, adjacency = cut_screen
    found = baselines.run("igsp", data, rng=3)
    assert not found.adjacency.any()
    n_edges = np.count_nonzero(adjacency)
    assert 0.25 * n_edges < d_top_range(adjacency, found.orders).mean < 0.75 * n_edges


def test_interventions_orient_what_rows_alone_leave_open():
    data, adjacency = strong_tree()
    observed = np.where(data.targets == 0, 0, np.where(data.targets == -1, -1, -2))
    of_a_leaf = InterventionalData(data.values, observed, data.names)
    wrong = []
    for screen in (data, of_a_leaf):
        orders = [baselines.run("igsp", screen, rng=seed).orders for seed in range(12)]
        wrong.append(d_top_range(adjacency, np.concatenate(orders)).mean)
    assert wrong[0] == 0 < wrong[1]


def test_the_same_seed_gives_the_same_orders(clear_screen):
    data, _ = clear_screen
    first, second = (baselines.run("igsp", data, rng=5).orders for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_a_graph_as_matrix_has_its_parents_in_columns():
    assert as_adjacency((0, 0b101, 0)).nonzero()[0].tolist() == [0, 2]
    assert members(0b101) == [0, 2]


def test_a_screen_without_control_rows_is_refused(screen_without_control):
    with pytest.raises(ValueError, match="it was given 0 rows of 2 columns"):
        baselines.run("igsp", screen_without_control)


def test_an_intervention_of_one_row_is_refused():
    values = np.random.default_rng(0).normal(size=(30, 2))
    data = InterventionalData(values, np.append(np.repeat([-1, 0], [20, 9]), 1), ("A", "B"))
    with pytest.raises(ValueError, match="at least two rows of each intervention; 'B' has 1"):
        baselines.run("igsp", data)


@pytest.mark.parametrize("name", ["alpha", "alpha_invariance"])
def test_a_level_that_is_none_is_refused(name, clear_screen):
    with pytest.raises(ValueError, match=f"{name} must lie between 0 and 1, say 1e-5; got '1.5'"):
        baselines.run("igsp", clear_screen[0], **{name: 1.5})
