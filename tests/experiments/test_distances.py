"""Every registered distance with a threshold of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import distances
from experiments.screens import Screen, draw
from experiments.task import Task, seed_of
from intersort import Intersort, d_top, measure_effects, null_threshold
from intersort.effects.registry import distance_names

SMALL = Screen("linear", 6, 1, 900_000, n_control=300, n_per_target=30)


def solve(screen: Screen, fraction: float = 1.0, **setting: str) -> dict[str, Any]:
    cell = screen.cell | {"fraction": fraction} | setting
    return cell | distances.solve(Task("distances", cell))


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    tasks = [t for t in distances.tasks("smoke") if t.cell["domain"] == "linear"]
    return [dict(task.cell) | distances.solve(task) for task in tasks]


def test_every_distance_has_its_rows(rows: list[dict[str, Any]]) -> None:
    own = {row["distance"] for row in rows if row["threshold"] == distances.OWN}
    assert own == set(distance_names())
    assert {r["distance"] for r in rows if r["threshold"] == distances.HAND_PICKED} == {
        distances.PAPER
    }


@pytest.mark.parametrize("distance", ["wasserstein", "kolmogorov_smirnov"])
def test_a_share_of_the_targets_is_measured_as_if_alone(distance: str) -> None:
    """Distances are taken once for all targets: those of a part must not differ."""
    drawn = draw(SMALL)
    chosen = drawn.choose(0.5)
    effects, threshold = distances.part_of(SMALL, distance, chosen)
    data = drawn.take(chosen)
    alone = measure_effects(data, distance)
    np.testing.assert_array_equal(effects.intervened, alone.intervened)
    np.testing.assert_allclose(effects.distance, alone.distance)
    again = null_threshold(data, alone, rng=seed_of(SMALL.seed, "null"))
    np.testing.assert_allclose(threshold, again)


def test_the_search_is_that_of_the_estimator() -> None:
    drawn = draw(SMALL)
    effects, threshold = distances.part_of(SMALL, "energy", np.arange(6))
    found = solve(SMALL, distance="energy", threshold=distances.OWN, method="intersort")
    fitted = Intersort(epsilon=threshold, c=max(0.5, threshold.max())).fit_effects(effects)
    assert found["proven"]
    assert found["d_top_found"] == d_top(drawn.adjacency, fitted.order_)


def test_shares_above_the_threshold_count_paths_and_others_apart() -> None:
    chain = np.eye(3, k=1, dtype=bool)
    effects, threshold = distances.part_of(SMALL, "wasserstein", np.arange(3))
    effects = type(effects).from_matrix([[0, 2.0, 0.1], [0, 0, 2.0], [2.0, 0, 0]])
    found = distances.shown(effects, np.full((3, 3), 0.3), chain)
    assert found == {"path_above": round(2 / 3, 4), "other_above": round(1 / 3, 4)}
    assert threshold.shape == (3, 6)


def test_without_effects_as_little_passes_on_paths_as_elsewhere() -> None:
    passed = []
    for repetition in range(10):
        screen = Screen(
            "linear", 8, 2, 910_000 + repetition, n_control=300, n_per_target=30, effects=False
        )
        found = solve(screen, distance="wasserstein", threshold=distances.OWN, method="intersort")
        passed.append(found["path_above"])
    assert np.mean(passed) < 0.05


def made(own: float, hand: float, other: float) -> list[dict[str, Any]]:
    settings = [
        (distances.PAPER, distances.OWN, own),
        (distances.PAPER, distances.HAND_PICKED, hand),
        ("energy", distances.OWN, other),
    ]
    return [
        {"domain": "nn", "d": 30, "edges": 1, "fraction": 1.0, "repetition": k}
        | {"distance": d, "threshold": t, "method": "intersort", "d_top": e + 0.1 * k}
        for d, t, e in settings
        for k in range(5)
    ]


@pytest.mark.parametrize(
    ("own", "hand", "other", "answers"),
    [
        (3.0, 5.0, 1.0, ["holds", "holds"]),
        (3.0, 1.0, 5.0, ["does not hold", "does not hold"]),
        (3.0, 3.0, 3.0, ["not decided", "holds"]),
    ],
)
def test_the_verdicts_follow_the_errors(
    own: float, hand: float, other: float, answers: list[str]
) -> None:
    rows = made(own, hand, other)
    assert [claim.verdict for claim in distances.claims(rows)] == answers


def test_the_page(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    text = distances.report(rows, tmp_path)
    assert (tmp_path / "distances_linear.svg").exists()
    assert "nan" not in text
