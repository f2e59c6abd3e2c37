"""Policies: what they choose, what that leaves open, and what the page concludes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import selection
from experiments.oracle import draw_problem
from experiments.task import Task

CELL = {"d": 30, "count": 10, "hubs": "out", "edges": 2, "graph": 900_000, "draw": 0}


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return [dict(task.cell) | selection.solve(task) for task in selection.tasks("smoke")]


def n_children(policy: str, **changed: Any) -> tuple[np.ndarray, np.ndarray]:
    """Children of the chosen and of the others."""
    problem = draw_problem(CELL | changed | {"policy": policy})
    children = problem.adjacency.sum(axis=1)
    chosen = np.isin(np.arange(30), problem.effects.intervened)
    assert chosen.sum() == 10
    return children[chosen], children[~chosen]


def test_policies_choose_by_children_and_break_ties_at_random() -> None:
    most, rest = n_children("most_children")
    assert most.min() >= rest.max()
    fewest, rest = n_children("fewest_children")
    assert fewest.max() <= rest.min()
    chosen = {
        draw_problem(CELL | {"policy": "fewest_children", "draw": k}).effects.intervened.tobytes()
        for k in range(5)
    }
    assert len(chosen) > 1


def test_from_new_to_old_variables_the_numbers_of_children_are_all_but_equal() -> None:
    most, rest = n_children("most_children", hubs="in")
    assert set(np.append(most, rest)) == {0, 2}
    assert np.count_nonzero(rest == 0) == 2


def test_no_optimum_reverses_more_edges_than_the_design_leaves_open(
    rows: list[dict[str, Any]],
) -> None:
    optima = [row for row in rows if row["method"] == "intersort"]
    assert all(row["proven"] and row["most"] <= row["open"] for row in optima)
    assert any(row["most"] > 0 for row in optima)


def test_the_page_has_a_panel_for_each_direction(
    rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    text = selection.report(rows, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"selection_in.svg", "selection_out.svg"}
    assert all(claim.measured in text for claim in selection.claims(rows))


@pytest.mark.parametrize(
    ("gain", "verdict"), [(-2.0, "holds"), (2.0, "does not hold"), (0.0, "not decided")]
)
def test_the_verdict_follows_the_differences(
    rows: list[dict[str, Any]], gain: float, verdict: str
) -> None:
    rng = np.random.default_rng(0)
    changed = [
        row | {"d_top": 5 + gain * (row["policy"] == "most_children") + rng.uniform(-0.1, 0.1)}
        for row in rows
    ]
    assert {claim.verdict for claim in selection.claims(changed)} == {verdict}


def test_the_paper_size_is_run() -> None:
    tasks = selection.tasks("full")
    assert len(tasks) == 2 * 3 * 20 * 10 * 3 * 2
    assert isinstance(tasks[0], Task)
    assert {(t.cell["d"], t.cell["count"]) for t in tasks} == {(30, 10)}
