"""Searches held against the proven optimum."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import optimality
from experiments.claims import Claim
from experiments.rivals import paper_score
from experiments.screens import Screen, draw
from experiments.task import Task
from intersort import exact_order

SMALL = Screen("linear", 6, 1, 900_000, n_control=300, n_per_target=30)


def solve(screen: Screen, method: str, fraction: float = 1.0) -> dict[str, Any]:
    cell = screen.cell | {"fraction": fraction, "method": method}
    return cell | optimality.solve(Task("optimality", cell))


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    tasks = [t for t in optimality.tasks("smoke") if t.cell["domain"] in ("linear", "rff")]
    return [dict(task.cell) | optimality.solve(task) for task in tasks]


def test_no_search_beats_the_optimum_and_both_halves_end_at_or_below_it() -> None:
    drawn = draw(SMALL)
    best = exact_order(paper_score(drawn.take(np.arange(6)), "linear")).score
    found = {method: solve(SMALL, method)["score"] for method in optimality.SEARCHES}
    optimum = solve(SMALL, optimality.OPTIMUM)
    assert optimum["score"] == pytest.approx(best)
    assert optimum["proven"]
    assert max(found.values()) <= best + 1e-9
    assert found["sort_ranking"] <= found["intersort_paper"] + 1e-9


def test_an_optimum_beyond_enumeration_is_proven_and_averaged_over_ties() -> None:
    screen = Screen("nn", 22, 1, 900_000, n_control=300, n_per_target=30)
    found = solve(screen, optimality.OPTIMUM, fraction=0.25)
    assert found["proven"]
    assert found["bound"] == pytest.approx(found["score"])
    assert found["d_top_least"] < found["d_top_most"]  # 16 variables without intervention are tied


def test_what_lies_below_epsilon_counts_for_nothing() -> None:
    score = paper_score(draw(SMALL).take(np.arange(6)), "linear")
    above = optimality.only_above(score)
    assert above.weights.min() == 0
    assert np.array_equal(above.weights > 0, score.weights > 0)


def test_without_effects_the_optimum_is_a_random_order() -> None:
    less = []
    for repetition in range(30):
        screen = Screen(
            "linear", 8, 2, 910_000 + repetition, n_control=50, n_per_target=20, effects=False
        )
        half = draw(screen).adjacency.sum() / 2
        less.append(solve(screen, optimality.OPTIMUM)["d_top"] - half)
    assert abs(np.mean(less)) < 3.3 * np.std(less) / np.sqrt(len(less))


def made(scores: list[float], errors: list[float], repetition: int) -> list[dict[str, Any]]:
    """Rows of one dataset with given scores and errors, in the order of the methods."""
    dataset = {"domain": "linear", "d": 30, "edges": 1, "fraction": 1.0, "repetition": repetition}
    each = zip(optimality.METHODS, scores, errors, strict=True)
    return [
        dataset | {"method": m, "score": s, "d_top": e, "proven": True, "bound": s, "status": "ok"}
        for m, s, e in each
    ]


def test_a_shortfall_is_a_share_of_the_optimum() -> None:
    rows = [
        *made([90.0, 95.0, 99.0, 100.0, 1.0], [1.0] * 5, 0),
        *made([90.0, 95.0, 100.0, 100.0, 1.0], [1.0] * 5, 1),
    ]
    found = optimality.shortfall(rows, "intersort_paper")
    assert (found.n, found.n_proven, found.n_reached) == (2, 2, 1)
    assert found.gap.mean == pytest.approx(0.005)
    assert found.worst == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("optimum", "answer"), [(0.0, "holds"), (9.0, "does not hold"), (None, "not decided")]
)
def test_the_verdict_follows_the_errors(optimum: float | None, answer: str) -> None:
    rows = []
    for k in range(5):
        mine = 5.0 + (-1) ** k if optimum is None else optimum + 0.1 * k
        rows += made([90.0, 95.0, 99.0, 100.0, 1.0], [5.0, 5.0, 5.0, mine, 5.0], k)
    close, better = optimality.claims(rows)
    assert better.verdict == answer
    assert close.verdict == "does not hold"  # 1 % below is not below 1 %


def test_the_page(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    text = optimality.report(rows, tmp_path)
    assert (tmp_path / "optimality_linear.svg").exists()
    assert "optimality_linear.svg" in text
    assert "nan" not in text
    assert all(isinstance(claim, Claim) for claim in optimality.claims(rows))
