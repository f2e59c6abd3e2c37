"""One move or two, beside the exact optimum."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from experiments import depth
from experiments.screens import Screen
from experiments.task import Task

ONE, TWO = depth.DEPTHS


def solve(screen: Screen, method: str, fraction: float = 0.5) -> dict[str, Any]:
    cell = screen.cell | {"fraction": fraction, "method": method}
    return cell | depth.solve(Task("depth", cell))


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    tasks = [t for t in depth.tasks("smoke") if t.cell["domain"] in ("nn", "gene_regulation")]
    return [dict(task.cell) | depth.solve(task) for task in tasks]


def test_two_moves_never_end_above_the_optimum_and_each_reaches_it_somewhere(
    rows: list[dict[str, Any]],
) -> None:
    found = depth.pair_up(rows)
    assert len(found) == 8
    assert all(min(pair[ONE], pair[TWO]) >= 0 for pair in found)
    # depth 1 stops short somewhere on these data, depth 2 nowhere
    assert max(pair[ONE] for pair in found) > 0
    assert max(pair[TWO] for pair in found) == 0


def test_a_row_holds_score_error_and_time() -> None:
    screen = Screen("linear", 5, 1, 900_000, n_control=200, n_per_target=20)
    found = solve(screen, TWO)
    assert found["seconds"] > 0
    assert found["d_top"] >= 0
    assert solve(screen, depth.EXACT)["n_optimal"] >= 1


def made(one: float, two: float, repetition: int) -> list[dict[str, Any]]:
    dataset = {"domain": "nn", "d": 10, "edges": 1, "fraction": 1.0, "repetition": repetition}
    scores = {ONE: (one, 0.001), TWO: (two, 0.004), depth.EXACT: (10.0, 0.0)}
    return [
        dataset | {"method": m, "score": s, "d_top": 1.0, "seconds": t, "status": "ok"}
        for m, (s, t) in scores.items()
    ]


@pytest.mark.parametrize(
    ("one", "two", "answer"),
    [(9.0, 10.0, "holds"), (10.0, 9.0, "does not hold"), (10.0, 10.0, "not decided")],
)
def test_the_verdict_follows_the_scores(one: float, two: float, answer: str) -> None:
    rows = [row for k in range(8) for row in made(one, two, k)]
    claim = depth.claims(rows)[0]
    assert claim.verdict == answer
    assert "4 times as long" in claim.measured


def test_a_few_datasets_decide_nothing() -> None:
    assert depth.is_unlike_chance(9, 0)
    assert not depth.is_unlike_chance(4, 0)
    assert not depth.is_unlike_chance(0, 0)


def test_the_page(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    text = depth.report(rows, tmp_path)
    assert (tmp_path / "depth_nn.svg").exists()
    assert "nan" not in text
