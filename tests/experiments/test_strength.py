"""The strength that an intervention needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import strength, strength_page
from experiments.screens import Screen, draw_population
from experiments.shares import LENGTHS, NO_PATH, share_of
from experiments.task import Task

Row = dict[str, Any]
SMALL = {"n_control": 600, "n_per_target": 60}


def solve(domain: str, repetition: int, **setting: Any) -> Row:
    more = {"half_response": "wild_type"} if domain == "gene_regulation" else {}
    screen = Screen(domain, 8, 1, 900_000 + repetition, **SMALL, **more)  # type: ignore[arg-type]
    cell = screen.cell | setting
    return cell | strength.solve(Task("strength", cell))


def test_a_value_is_set_that_many_control_sds_away() -> None:
    screen = Screen("linear", 8, 1, 900_000)
    population, _ = draw_population(screen)
    stronger = strength.with_strength(population, screen, 3.0)
    control = population.sample(5000, rng=1)
    for variable in range(8):
        value = stronger.sample(1, do=variable)[0, variable]
        away = (value - control[:, variable].mean()) / control[:, variable].std()
        assert abs(away) == pytest.approx(3.0, abs=0.15)


def test_a_full_knock_down_is_the_knock_out() -> None:
    screen = Screen("gene_regulation", 8, 1, 900_000)
    population, _ = draw_population(screen)
    gone = strength.with_strength(population, screen, 1.0)
    assert not gone.sample(50, do=2)[:, 2].any()
    half = strength.with_strength(population, screen, 0.5)
    assert half.sample(50, do=2)[:, 2].any()


def test_nothing_taken_away_shows_no_descendants() -> None:
    """The negative control: descendants stand out no more often than other variables."""
    rows = [solve("gene_regulation", r, varied="strength", strength=0.0) for r in range(8)]
    below = share_of(rows, "epsilon", LENGTHS).mean
    assert abs(below - share_of(rows, "epsilon", (NO_PATH,)).mean) < 0.1


@pytest.mark.parametrize("domain", ["linear", "gene_regulation"])
def test_a_stronger_intervention_shows_more_descendants(domain: str) -> None:
    most = strength.strengths(domain)[-1]
    weak, strong = (
        [solve(domain, r, varied="strength", strength=s) for r in range(6)] for s in (0.0, most)
    )
    rise = strength_page.rise({0.0: weak, most: strong})
    assert rise.low > 0
    assert share_of(strong, "epsilon", (NO_PATH,)).mean < 0.2


def test_what_does_not_reach_a_variable_does_not_depend_on_the_strength() -> None:
    weak, strong = (solve("linear", 0, varied="strength", strength=s) for s in (0.25, 8.0))
    assert weak["above_epsilon_none"] == strong["above_epsilon_none"]


def test_one_thing_is_varied_at_a_time() -> None:
    tasks = strength.tasks("full")
    keys = [task.key for task in tasks]
    assert len(set(keys)) == len(keys)
    for task in tasks:
        moved = {
            "strength": "strength" in task.cell,
            "rows": task.cell.get("n_per_target", 100) != 100,
            "d": task.cell["d"] != strength.D,
        }
        moved.pop(task.cell["varied"])
        assert not any(moved.values())


def made_up(rise: float) -> list[Row]:
    """Rows of two domains, the share above ε rising by so much."""
    rows = []
    settings: list[Row] = [{"varied": "strength", "strength": s} for s in (0.25, 8.0)]
    settings += [{"varied": "rows", "n_per_target": 30}, {"varied": "rows"}, {"varied": "d"}]
    for domain in ("linear", "nn"):
        for setting in settings:
            for repetition in range(6):
                above = 40 + repetition % 2 + rise * (setting.get("strength") == 8.0)
                row: Row = {"domain": domain, "d": 30, "edges": 1, "repetition": repetition}
                for group in (*LENGTHS, NO_PATH):
                    row |= {f"pairs_{group}": 100, f"above_epsilon_{group}": above}
                    row[f"above_own_{group}"] = above
                rows.append(row | setting)
    return rows


@pytest.mark.parametrize(("rise", "verdict"), [(30, "holds"), (-30, "does not hold")])
def test_the_verdict_follows_the_numbers(rise: float, verdict: str) -> None:
    assert strength.claims(made_up(rise))[0].verdict == verdict


def test_the_least_sufficient_strength_is_the_first_that_suffices() -> None:
    here = strength_page.part_of(made_up(30), "linear", "strength")
    assert list(here) == [0.25, 8.0]
    assert strength_page.least_strength(here, 0.3, LENGTHS) == 0.25
    assert strength_page.least_strength(here, 0.5, LENGTHS) == 8.0
    assert strength_page.least_strength(here, 0.9, LENGTHS) is None


def test_the_page_shows_what_was_varied(tmp_path: Path) -> None:
    text = strength.report(made_up(30), tmp_path)
    assert "**holds**" in text
    assert {path.name for path in tmp_path.iterdir()} == {
        "strength_strength_linear.svg",
        "strength_strength_nn.svg",
        "strength_rows_linear.svg",
        "strength_rows_nn.svg",
        "strength_path_length.svg",
        "strength_d.svg",
    }
    assert "| 8 | 70.5 % [" in text


def test_smoke_varies_everything_in_each_domain() -> None:
    cells = [task.cell for task in strength.tasks("smoke")]
    found = {(c["domain"], c["varied"]) for c in cells}
    assert found == {(d, v) for d in strength.DOMAINS for v in ("strength", "rows", "d")}
    assert np.mean([c["d"] for c in cells]) < 10
