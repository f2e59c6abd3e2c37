"""Correlated pairs along the order and against it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import correlations
from experiments.screens import Screen
from experiments.task import Task

Row = dict[str, Any]


def rows_of(effects: bool, method: str, n: int = 12) -> list[Row]:
    """Small linear datasets, all variables intervened on."""
    rows = []
    for repetition in range(n):
        screen = Screen(
            "linear", 8, 1, 900_000 + repetition,
            noise="gaussian", effects=effects, n_control=400, n_per_target=40,
        )  # fmt: skip
        cell = screen.cell | {"fraction": 1.0, "method": method}
        rows.append(cell | correlations.solve(Task("correlations", cell)))
    return rows


def test_an_order_from_interventions_puts_ancestors_first() -> None:
    found = correlations.gain(rows_of(True, "intersort_paper"), "significant")
    assert found.low > 0.3


def test_with_the_effects_cut_the_order_says_nothing() -> None:
    rows = rows_of(False, "intersort_paper")
    assert correlations.shares(rows, "along", "significant").mean > 0.1
    assert not correlations.gain(rows, "significant").significant


def test_random_orders_are_as_often_along_as_against() -> None:
    found = correlations.gain(rows_of(True, "random"), "significant")
    assert abs(found.mean) < 0.05


def test_counts_by_hand() -> None:
    related = np.zeros((3, 3), dtype=bool)
    related[0, 1] = related[2, 1] = True
    pairs = np.triu(np.ones((3, 3), dtype=bool), 1)
    one = correlations.count(np.array([[0, 1, 2]]), related, pairs)
    assert one == {"n": 3, "along": 1.0, "against": 1.0}
    two = correlations.count(np.array([[0, 1, 2], [2, 0, 1]]), related, pairs)
    assert two == {"n": 3, "along": 1.5, "against": 0.5}


def test_independent_columns_are_rarely_significant_and_dependent_ones_always() -> None:
    rng = np.random.default_rng(900_000)
    values = rng.normal(size=(300, 20))
    values[:, 1] = values[:, 0] + 0.5 * values[:, 1]
    values[:, 2] = -values[:, 0]
    values[:, 3] = 7.0  # does not vary
    r, significant = correlations.correlate(values)
    assert significant[0, 1]
    assert significant[1, 2]
    assert r[0, 2] == pytest.approx(-1.0)
    assert r[0, 3] == 0.0
    assert not significant[3].any()
    assert np.triu(significant, 1).sum() <= 8  # 3 of 190 pairs are dependent
    np.testing.assert_allclose(r[:3, :3], np.corrcoef(values[:, :3].T), atol=1e-12)


def test_open_pairs_have_no_target_in_them() -> None:
    rng = np.random.default_rng(900_001)
    values = rng.normal(size=(200, 1)) + 0.1 * rng.normal(size=(200, 5))
    selected = correlations.select_pairs(values, np.array([1, 2]))
    assert selected["significant"].sum() == 10
    assert np.argwhere(selected["open"]).tolist() == [[0, 3], [0, 4], [3, 4]]
    assert not selected["not_significant"].any()


def made_up(along: float, against: float) -> list[Row]:
    """Rows of two domains, with a little spread."""
    rows = []
    for domain in ("linear", "nn"):
        for method, a, b in (("intersort_paper", along, against), ("random", 3.0, 3.0)):
            for repetition in range(6):
                row: Row = {"domain": domain, "fraction": 1.0, "method": method}
                row |= {"d": 8, "edges": 1, "repetition": repetition}
                for name in correlations.SELECTIONS:
                    row |= {f"n_{name}": 10, f"along_{name}": a, f"against_{name}": b}
                    row[f"along_{name}"] += 0.1 * (-1) ** repetition
                rows.append(row | {"n_unrelated": 4, "n_unrelated_significant": 1})
    return rows


@pytest.mark.parametrize(
    ("along", "against", "verdict"),
    [(5.0, 1.0, "holds"), (1.0, 5.0, "does not hold"), (3.0, 3.0, "not decided")],
)
def test_the_verdict_follows_the_numbers(along: float, against: float, verdict: str) -> None:
    claim = correlations.claims(made_up(along, against))[0]
    assert claim.verdict == verdict


def test_the_page_shows_each_domain_and_its_own_verdict(tmp_path: Path) -> None:
    rows = made_up(5.0, 1.0)
    text = correlations.report(rows, tmp_path)
    assert "**holds**" in text
    assert {path.name for path in tmp_path.iterdir()} == {
        "correlations_linear.svg",
        "correlations_nn.svg",
    }
    assert "| 100% | significant | 10 | 50.0 % [" in text
    assert "called correlated all the same: 25.0 % [25.0, 25.0]" in text


def test_smoke_covers_each_domain_fraction_and_method() -> None:
    cells = [task.cell for task in correlations.tasks("smoke")]
    assert {c["domain"] for c in cells} == set(correlations.DOMAINS)
    assert {c["fraction"] for c in cells} == {0.25, 0.5, 0.75, 1.0}
    assert {c["method"] for c in cells} == set(correlations.METHODS)
