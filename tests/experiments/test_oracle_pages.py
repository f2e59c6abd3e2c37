"""Means over graphs, the order of the settings, and what the pages conclude."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import figure1, scale_free
from experiments.oracle_pages import (
    Series,
    average_draws,
    count_above,
    differences,
    settings_of,
    spearman,
)
from experiments.oracle_report import claims_of, panels_of

Row = dict[str, Any]
PAPER = Series("intersort_paper", "d_top", "Intersort")


def made_up(error: Any, worse: float = 0.0, bound: float = 99.0) -> list[Row]:
    """Rows of five variables in which the error of a design is a function of p_e and p_int."""
    rng = np.random.default_rng(0)
    rows: list[Row] = []
    for p_e in (0.5, 0.75):
        for p_int in (0.25, 0.5, 0.75):
            for graph in range(6):
                cell = {"d": 5, "p_e": p_e, "p_int": p_int, "graph": graph}
                rows.append(cell | {"method": "bounds", "theorem_2": bound, "theorem_4": bound})
                for draw in range(2):
                    value = error(p_e, p_int) + rng.uniform(-0.01, 0.01)
                    both = cell | {"draw": draw}
                    exact = {"mean": value, "least": value - 0.5, "most": value + 0.5}
                    more = {"score": 2.0, "n_optimal": 2, "d_top": value}
                    rows.append(both | {"method": "exact"} | exact | more)
                    paper = {"d_top": value + worse, "score": 2.0 - worse}
                    rows.append(both | {"method": "intersort_paper"} | paper)
    return rows


def verdicts(rows: list[Row]) -> list[str]:
    return [claim.verdict for claim in claims_of(figure1.TWIN, rows)]


def falling(p_e: float, p_int: float) -> float:
    return 4 - p_int / np.sqrt(p_e)


def test_draws_within_a_graph_count_once() -> None:
    graphs = [
        {"d": 5, "p_e": 0.5, "p_int": 0.5, "graph": g, "draw": k, "method": "exact", "mean": v}
        for g, values in enumerate(([1.0, 3.0], [5.0, 5.0]))
        for k, v in enumerate(values)
    ]
    averaged = average_draws(graphs)
    assert [row["mean"] for row in averaged] == [2.0, 5.0]


def test_a_number_that_some_draws_lack_is_left_out() -> None:
    rows = [
        {"d": 30, "graph": 0, "draw": 0, "method": "intersort", "d_top": 1, "mean": 1.5},
        {"d": 30, "graph": 0, "draw": 1, "method": "intersort", "d_top": 3},
    ]
    (row,) = average_draws(rows)
    assert row["d_top"] == 2
    assert "mean" not in row


def test_settings_come_in_the_order_of_the_ratio() -> None:
    settings = list(settings_of(average_draws(made_up(falling))))
    ratios = [setting.ratio for setting in settings]
    assert ratios == sorted(ratios)
    assert settings[0].p_int / np.sqrt(settings[0].p_e) == pytest.approx(ratios[0])


def test_the_density_of_scale_free_graphs_is_that_of_their_edges() -> None:
    rows = [
        {"d": 5, "edges": 2, "p_int": 0.5, "graph": 0, "method": "bounds", "n_edges": 6},
        {"d": 5, "edges": 2, "p_int": 0.5, "graph": 0, "method": "exact", "mean": 1.0},
    ]
    (setting,) = settings_of(rows)
    assert (setting.p_e, setting.density) == (0.6, "2")


def test_spearman_tells_what_follows_the_ratio_from_what_does_not() -> None:
    follows = settings_of(average_draws(made_up(falling)))
    assert spearman(follows, PAPER) == (-1.0, -1.0, -1.0)
    against = settings_of(average_draws(made_up(lambda p_e, p_int: 4 + p_int / np.sqrt(p_e))))
    assert spearman(against, PAPER)[0] == 1.0
    nothing = settings_of(average_draws(made_up(lambda *_: 1.0)))
    rho, low, high = spearman(nothing, PAPER)
    assert low < rho < high
    assert high - low > 0.8


def test_differences_are_taken_graph_by_graph() -> None:
    settings = settings_of(average_draws(made_up(falling, worse=0.25)))
    for rows in settings.values():
        assert differences(rows, PAPER, Series("exact", "mean", "")) == pytest.approx([0.25] * 6)


def test_means_above_a_bound_are_counted() -> None:
    settings = settings_of(average_draws(made_up(falling, bound=3.2)))
    above = sum(setting.ratio < 0.8 for setting in settings)
    assert count_above(settings, PAPER, "theorem_2") == (above, above)


def test_verdicts_follow_the_numbers() -> None:
    assert verdicts(made_up(falling)) == ["holds", "holds", "holds"]
    assert verdicts(made_up(falling, worse=1.5))[0] == "does not hold"
    assert verdicts(made_up(lambda p_e, p_int: p_int))[1] == "does not hold"
    assert verdicts(made_up(falling, bound=1.0))[2] == "does not hold"
    assert verdicts(made_up(lambda *_: 2.0, bound=2.2))[2] == "holds partly"  # the worst optimum


@pytest.fixture(scope="module")
def smoke() -> dict[str, list[Row]]:
    return {
        name: [dict(task.cell) | module.solve(task) for task in module.tasks("smoke")]
        for name, module in (("figure1", figure1), ("scale_free", scale_free))
    }


@pytest.mark.parametrize("module", [figure1, scale_free])
def test_the_page_shows_every_panel_and_says_what_the_claims_say(
    module: Any, smoke: dict[str, list[Row]], tmp_path: Path
) -> None:
    name = module.TWIN.name
    text = module.report(smoke[name], tmp_path)
    drawn = {
        f"{name}_{d}_{what}.svg" for d in (5, 22) for what in ("errors", "difference", "bounds")
    }
    assert {path.name for path in tmp_path.iterdir()} == drawn
    assert set(re.findall(r"\{figure\} (\S+)", text)) == drawn
    claims = module.claims(smoke[name])
    assert len(claims) == 6
    assert all(claim.measured in text for claim in claims)
    assert "nan" not in text


def test_the_paper_sizes_are_drawn(smoke: dict[str, list[Row]]) -> None:
    for module in (figure1, scale_free):
        cells = [task.cell for task in module.tasks("full")]
        designs = {
            tuple(sorted((k, v) for k, v in cell.items() if k != "method"))
            for cell in cells
            if "draw" in cell
        }
        assert len(designs) == 2 * 15 * 20 * 10
    assert {panel.d: panel.exact for panel in panels_of(smoke["figure1"])} == {5: True, 22: False}


def test_three_edges_per_variable_do_not_exist_at_five(smoke: dict[str, list[Row]]) -> None:
    bounds = [r for r in smoke["scale_free"] if r["method"] == "bounds" and r["d"] == 5]
    edges = {(row["edges"], row["n_edges"]) for row in bounds}
    assert edges == {(1, 4), (2, 6), (3, 6)}
