"""Forty act, thirty are measured: the same rows seen twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import hidden
from experiments.screens import DOMAINS, Screen, draw
from experiments.task import Task

SMALL = {"n_control": 200, "n_per_target": 20, "hidden": 3}


def solve(screen: Screen, method: str, measured: str, fraction: float = 1.0) -> dict[str, Any]:
    cell = screen.cell | {"fraction": fraction, "method": method, "measured": measured}
    return cell | hidden.solve(Task("hidden", cell))


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    tasks = [t for t in hidden.tasks("smoke") if t.cell["domain"] == "linear"]
    return [dict(task.cell) | hidden.solve(task) for task in tasks]


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("effects", [True, False])
def test_what_is_hidden_belongs_to_the_very_same_rows(domain: str, effects: bool) -> None:
    screen = Screen(domain, 6, 1, 900_000, effects=effects, **SMALL)  # type: ignore[arg-type]
    both = hidden.draw_both(screen)
    shown = both.drawn.population.shown
    assert both.all_values.shape[1] == 9
    np.testing.assert_array_equal(both.all_values[:, shown], both.drawn.values)


def test_targets_and_truth_are_the_same_variables_in_both_views() -> None:
    screen = Screen("linear", 6, 2, 900_001, **SMALL)  # type: ignore[arg-type]
    both = hidden.draw_both(screen)
    shown = both.drawn.population.shown
    chosen = both.drawn.choose(0.5)
    small, whole = (both.take(chosen, measured) for measured in (hidden.SHOWN, hidden.ALL))
    np.testing.assert_array_equal(shown[small.intervened], whole.intervened)
    np.testing.assert_array_equal(small.values, whole.values[:, shown])
    truth = both.truth(hidden.ALL)
    np.testing.assert_array_equal(truth[np.ix_(shown, shown)], both.truth(hidden.SHOWN))
    assert truth.sum() == both.projection.sum()


def test_the_projection_joins_what_hidden_variables_mediate() -> None:
    """Every edge between shown variables stays; paths through hidden ones are edges too."""
    more = 0
    for repetition in range(20):
        screen = Screen("linear", 6, 2, 910_000 + repetition, **SMALL)  # type: ignore[arg-type]
        both = hidden.draw_both(screen)
        direct = draw(screen).adjacency
        assert (both.projection >= direct).all()
        more += int(both.projection.sum() - direct.sum())
    assert more > 0


def test_without_effects_every_method_is_a_random_order() -> None:
    less = []
    for repetition in range(25):
        screen = Screen(
            "linear",
            8,
            2,
            920_000 + repetition,
            effects=False,
            **SMALL,  # type: ignore[arg-type]
        )
        half = hidden.draw_both(screen).projection.sum() / 2
        less.append(solve(screen, "intersort_paper", hidden.SHOWN)["d_top"] - half)
    assert abs(np.mean(less)) < 3.3 * np.std(less) / np.sqrt(len(less))


def made(method: str, measured: str, error: float) -> list[dict[str, Any]]:
    dataset = {"domain": "nn", "d": 30, "edges": 1, "fraction": 1.0, "hidden": 10}
    return [
        dataset
        | {"repetition": k, "method": method, "measured": measured, "d_top": error + 0.1 * k}
        | {"n_directed": 5, "n_confounded": 2, "status": "ok"}
        for k in range(5)
    ]


@pytest.mark.parametrize(
    ("found", "whole", "answer"),
    [(2.0, 2.0, "holds"), (4.0, 2.0, "holds partly"), (10.0, 10.0, "does not hold")],
)
def test_the_verdict_follows_the_errors(found: float, whole: float, answer: str) -> None:
    rows = [
        *made("intersort_paper", hidden.SHOWN, found),
        *made("intersort_paper", hidden.ALL, whole),
        *made("random", hidden.SHOWN, 10.0),
    ]
    assert hidden.claims(rows)[0].verdict == answer


def test_the_page(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    text = hidden.report(rows, tmp_path)
    assert (tmp_path / "hidden_linear.svg").exists()
    assert "nan" not in text
