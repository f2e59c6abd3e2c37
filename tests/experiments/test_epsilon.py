"""Faithfulness at the paper's ε."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import epsilon
from experiments.screens import Screen, draw, draw_population
from experiments.shares import LENGTHS, NO_PATH, variant
from experiments.task import Task, seed_of
from intersort import InterventionalData, measure_effects

Row = dict[str, Any]


def solve(repetition: int, n: int = 200, **more: Any) -> Row:
    screen = Screen(
        "linear", 7, 1, 900_000 + repetition, n_control=max(500, n), n_per_target=n, **more
    )
    cell = screen.cell | {"fraction": 0.5}
    return cell | epsilon.solve(Task("epsilon", cell))


def test_a_few_targets_at_once_are_the_whole_screen() -> None:
    screen = Screen("linear", 9, 1, 900_000)
    population, _ = draw_population(screen)
    chosen = np.array([1, 3, 4, 6, 8])
    found = epsilon.measure(population, 300, 40, chosen, screen.seed)
    values, targets = population.screen(300, 40, chosen, rng=seed_of(screen.seed, "rows"))
    data = InterventionalData.from_arrays(values, targets, control=-1)
    np.testing.assert_allclose(found.distance, measure_effects(data).distance, rtol=1e-12)
    np.testing.assert_array_equal(found.intervened, chosen)


def test_targets_are_those_of_the_other_experiments() -> None:
    screen = Screen("linear", 9, 1, 900_000, n_control=20, n_per_target=2)
    population, _ = draw_population(screen)
    chosen = epsilon.choose(population, 0.5, screen.seed)
    np.testing.assert_array_equal(chosen, np.sort(draw(screen).choose(0.5)))


def test_faithful_means_every_path_above_and_no_other_pair() -> None:
    seen = set()
    for repetition in range(12):
        row = solve(repetition, n=1000)
        hidden = sum(row[f"pairs_{k}"] - row[f"above_epsilon_{k}"] for k in LENGTHS)
        assert row["faithful"] == (hidden == 0 and row["above_epsilon_none"] == 0)
        assert row["some_epsilon"] or not row["faithful"]
        if "smallest_path" in row:
            assert row["some_epsilon"] == (row["largest_other"] < row["smallest_path"])
        assert row["above_others_none"] == 0
        seen.add(row["faithful"])
    assert seen == {True, False}  # so that both sides of the law were met


def test_pairs_without_a_path_fall_below_with_more_rows() -> None:
    few = [solve(repetition, n=10) for repetition in range(4)]
    many = [solve(repetition, n=2000) for repetition in range(4)]
    assert epsilon.share_of(few, "epsilon", (NO_PATH,)).mean > 0.4
    assert epsilon.share_of(many, "epsilon", (NO_PATH,)).mean == 0.0


def test_a_chosen_share_of_the_targets_is_the_same_for_any_number_of_rows() -> None:
    few, many = solve(0, n=10), solve(0, n=500)
    for name in (*LENGTHS, NO_PATH):
        assert few[f"pairs_{name}"] == many[f"pairs_{name}"]
    assert sum(few[f"pairs_{name}"] for name in (*LENGTHS, NO_PATH)) == 4 * 6


def made_up(shown: int, faithful: list[bool]) -> list[Row]:
    """Rows at 100 and 100,000 rows per target, the second with these verdicts."""
    rows = []
    for domain, half in (("linear", None), ("gene_regulation", None), ("gene_regulation", "w")):
        for n in (100, 100_000):
            for repetition, holds in enumerate(faithful):
                row: Row = {"domain": domain, "edges": 1, "repetition": repetition}
                row |= {} if n == 100 else {"n_per_target": n}
                row |= {"half_response": "wild_type"} if half else {}
                for group in (*LENGTHS, NO_PATH):
                    row |= {f"pairs_{group}": 10, f"above_epsilon_{group}": shown}
                    row[f"above_others_{group}"] = shown
                row |= {"above_epsilon_none": 0, "largest_other": 0.1, "smallest_path": 0.2}
                rows.append(row | {"faithful": holds, "some_epsilon": True})
    return rows


@pytest.mark.parametrize(
    ("faithful", "verdict"),
    [([True] * 3, "holds"), ([True, False, True], "holds partly"), ([False] * 3, "does not hold")],
)
def test_the_verdict_follows_the_definition(faithful: list[bool], verdict: str) -> None:
    claim = epsilon.claims(made_up(8, faithful))[0]
    assert claim.verdict == verdict
    assert "80% and 80% of the path pairs" in claim.measured


def test_the_page_has_a_figure_for_each_domain_and_both_half_responses(tmp_path: Path) -> None:
    rows = made_up(8, [False] * 3)
    assert {variant(row) for row in rows} == {"linear", "gene_regulation", "wild_type"}
    text = epsilon.report(rows, tmp_path)
    assert "**does not hold**" in text
    assert {path.name for path in tmp_path.iterdir()} == {
        "epsilon_linear.svg",
        "epsilon_gene_regulation.svg",
        "epsilon_wild_type.svg",
    }
    assert "| Linear | 100,000 | 0 of 3 | 3 of 3 | 0.100 | 0.200 |" in text


def test_control_rows_are_never_fewer_than_those_of_a_target() -> None:
    for task in epsilon.tasks("full"):
        n = task.cell.get("n_per_target", 100)
        assert task.cell.get("n_control", 5000) == max(5000, n)
