"""Designs with oracle distances: what is drawn, what an optimum is, what a bound is."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from experiments.oracle import (
    EPSILON,
    METHODS,
    C,
    Problem,
    bounds_of,
    draw_graph,
    draw_problem,
    oracle_tasks,
    solve_oracle,
)
from experiments.task import Task
from intersort import Effects, d_top, score_orders
from intersort.theory.bounds import repaired_theorem_2

CELL = {"d": 5, "p_e": 0.6, "p_int": 0.4, "graph": 900_000, "draw": 0}


def solve(method: str, **changed: Any) -> dict[str, Any]:
    return solve_oracle(Task("oracle", CELL | changed | {"method": method}))


@pytest.mark.parametrize("graph", range(900_000, 900_006))
def test_the_exact_row_agrees_with_every_order_tried(graph: int) -> None:
    problem = draw_problem(CELL | {"graph": graph})
    orders = list(permutations(range(5)))
    scores = np.array([problem.score.score(order) for order in orders])
    best = np.flatnonzero(scores >= scores.max() - 1e-9)
    errors = [d_top(problem.adjacency, orders[k]) for k in best]
    row = solve("exact", graph=graph)
    assert row["n_optimal"] == best.size
    assert row["score"] == pytest.approx(scores.max())
    assert (row["least"], row["most"]) == (min(errors), max(errors))
    assert row["mean"] == pytest.approx(np.mean(errors))
    assert row["d_top"] in errors


def test_no_search_scores_more_than_the_optimum_and_local_search_not_less_than_its_start() -> None:
    for draw in range(5):
        rows = {method: solve(method, draw=draw, p_int=0.7) for method in METHODS}
        scores = {method: row["score"] for method, row in rows.items()}
        assert scores["exact"] == pytest.approx(scores["intersort"])
        assert scores["sort_ranking"] <= scores["intersort_paper"] <= scores["exact"] + 1e-6


def test_every_variable_intervened_on_leaves_no_error_and_no_target_leaves_every_order() -> None:
    assert solve("exact", p_int=1.0)["most"] == 0
    row = solve("exact", p_int=0.0)
    n_edges = draw_graph(CELL | {"p_int": 0.0}).adjacency.sum()
    assert (row["n_optimal"], row["least"], row["most"]) == (120, 0, n_edges)
    assert row["mean"] == pytest.approx(n_edges / 2)
    assert solve("intersort_paper", p_int=0.0)["score"] == 0


def test_draws_of_equal_optima_have_the_mean_of_all_of_them() -> None:
    for draw in range(4):
        every, drawn = (solve(m, draw=draw, p_int=0.25) for m in ("exact", "intersort"))
        spread = (every["most"] - every["least"]) / 2
        assert drawn["mean"] == pytest.approx(every["mean"], abs=4 * spread / np.sqrt(100) + 1e-9)
        assert every["least"] <= drawn["least"] <= drawn["most"] <= every["most"]


def test_beyond_twenty_variables_the_ties_of_the_proven_optimum_obey_the_bound() -> None:
    cell = CELL | {"d": 24, "p_e": 0.1}
    row, problem = solve("intersort", **cell), draw_problem(cell)
    assert row["proven"]
    assert row["least"] <= row["mean"] <= row["most"]
    chosen = np.isin(np.arange(24), problem.effects.intervened).astype(float)
    assert 0 < row["most"] <= repaired_theorem_2(problem.adjacency, chosen)


def test_with_effects_cut_every_method_is_as_good_as_chance() -> None:
    ratios: dict[str, list[float]] = {"exact": [], "intersort_paper": [], "sort_ranking": []}
    for graph in range(900_000, 900_200):
        problem = draw_problem(CELL | {"graph": graph})
        nothing = Effects.from_matrix(
            np.zeros_like(problem.effects.distance), problem.effects.intervened
        )
        cut = Problem(nothing, score_orders(nothing, EPSILON, C), problem.adjacency)
        for method, found in ratios.items():
            row = METHODS[method](cut)
            found.append(row.get("mean", row["d_top"]) / problem.adjacency.sum())
    for found in ratios.values():
        assert np.mean(found) == pytest.approx(0.5, abs=4 * np.std(found) / np.sqrt(200))


def test_methods_meet_the_same_design_and_draws_differ() -> None:
    one, two = (solve(method) for method in ("exact", "intersort_paper"))
    assert (one["seed"], one["n_targets"]) == (two["seed"], two["n_targets"])
    targets = {draw_problem(CELL | {"draw": d}).effects.intervened.tobytes() for d in range(8)}
    assert len(targets) > 3
    other = draw_graph(CELL | {"p_int": 0.5})
    assert not np.array_equal(other.adjacency, draw_graph(CELL).adjacency)


def test_both_directions_of_a_scale_free_graph_are_one_graph() -> None:
    cell = {"d": 30, "edges": 2, "graph": 900_000}
    inwards, outwards = (draw_graph(cell | {"hubs": hubs}).adjacency for hubs in ("in", "out"))
    assert np.array_equal(inwards, outwards.T)


def test_bounds_take_the_edges_that_were_drawn_where_the_graph_is_scale_free() -> None:
    two, three = (bounds_of({"d": 5, "edges": m, "p_int": 0.5, "graph": 900_000}) for m in (2, 3))
    assert two["n_edges"] == three["n_edges"] == 6
    assert two["theorem_4"] == three["theorem_4"]
    random = bounds_of(CELL)
    assert random["theorem_4_double_sum"] < random["theorem_4"] < random["theorem_4_loose"]
    assert random["theorem_2"] <= random["repaired_theorem_2"] <= random["repaired_theorem_3"]


def test_a_setting_is_a_chunk_and_its_tasks_are_told_apart() -> None:
    tasks = oracle_tasks("toy", 5, {"p_e": (0.5, 0.6)}, ("exact",), n_graphs=2, n_draws=3)
    assert len({task.key for task in tasks}) == len(tasks) == 2 * 5 * 2 * (1 + 3)
    assert len({task.chunk for task in tasks}) == 10
    assert replace(tasks[0], chunk="").key == tasks[0].key
