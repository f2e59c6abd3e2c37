"""Raw, standardised, rescaled: rows belong to scalings, and words follow the intervals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import robustness
from experiments.figure2_claims import OURS
from experiments.screens import DOMAINS, Screen, draw
from experiments.statistics import Estimate, estimate

Make = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def scaled(grid_rows: Make) -> Callable[..., list[dict[str, Any]]]:
    """Rows of all three scalings; `raw` changes the errors of some methods on the raw data."""

    def make(usual: dict[str, Any], raw: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
        rows = grid_rows(usual, **more)  # Figure 2's, which say nothing of scaling
        rows += grid_rows(usual | raw, fractions=[0.25, 1.0], scaling="raw", **more)
        return rows + grid_rows(usual, fractions=[0.25, 1.0], scaling="rescaled", **more)

    return make


def test_two_scalings_are_run_and_the_third_is_figure_2_s() -> None:
    cells = [task.cell for task in robustness.tasks("full")]
    assert {cell["scaling"] for cell in cells} == {"raw", "rescaled"}
    assert {cell["fraction"] for cell in cells} == {0.25, 1.0}
    assert len(cells) == 2 * 4 * 10 * 2 * len(robustness.METHODS)
    assert robustness.scaling_of(Screen("nn", 30, 1, 0).cell) == "standardised"
    assert robustness.scaling_of(Screen("nn", 30, 1, 0, scaling="raw").cell) == "raw"


def test_scalings_are_units_of_the_same_rows() -> None:
    given = {"n_control": 50, "n_per_target": 5}
    raw, usual, units = (
        draw(Screen("rff", 5, 1, 900_000, scaling=scaling, **given)).values  # type: ignore[arg-type]
        for scaling in ("raw", "standardised", "rescaled")
    )
    ratio = units / usual
    np.testing.assert_allclose(ratio, ratio[:1].repeat(len(ratio), axis=0))
    assert ratio[0].min() >= 0.1
    assert ratio[0].max() <= 10
    control = raw[:50]
    np.testing.assert_allclose(usual, (raw - control.mean(axis=0)) / control.std(axis=0))


@pytest.mark.parametrize(
    ("change", "error", "same"),
    [
        (Estimate(0, 0, 0, 10), 0.0, True),
        (Estimate(0.1, -0.3, 0.5, 10), 5.0, True),
        (Estimate(0.1, -0.3, 0.5, 10), 4.9, False),
        (Estimate(-0.1, -0.5, 0.3, 10), 4.9, False),
        (Estimate(0, 0, 0, 2), 5.0, False),
        (estimate([]), 5.0, False),
        (estimate([]), float("nan"), False),
    ],
)
def test_the_same_is_a_whole_interval(change: Estimate, error: float, same: bool) -> None:
    assert robustness.is_same(change, error) is same


def test_a_method_that_ignores_units_holds_and_those_that_do_not_are_named(scaled: Make) -> None:
    usual = {OURS: 5.0, "var_sort": 15.0, "pc": 7.0, "random": 15.0}
    rows = scaled(usual, {"var_sort": 2.0, "random": 1.0})
    (claim,) = robustness.claims(rows)
    assert claim.verdict == "holds"
    assert "the same in 16 of 16 comparisons" in claim.measured
    assert "by 0.00 edges on average at most" in claim.measured
    assert claim.measured.endswith("Of the rivals change significantly: `var_sort` in 8 of 16.")


@pytest.mark.parametrize(
    ("raw", "word", "counts"),
    [
        (9.0, "holds partly", "significantly different in 8, by 4.00 edges"),
        (1.0, "holds partly", "significantly different in 8"),
        (5.4, "holds", "significantly different in 0, by 0.40 edges"),
        (lambda d, f, k: 5.0 + (-1) ** k, "holds partly", "significantly different in 0"),
    ],
    ids=["raw is worse", "raw is better", "little", "wide"],
)
def test_the_verdict_follows_the_intervals(scaled: Make, raw: Any, word: str, counts: str) -> None:
    (claim,) = robustness.claims(scaled({OURS: 5.0}, {OURS: raw}))
    assert claim.verdict == word
    assert counts in claim.measured


def test_what_is_missing_is_not_decided(scaled: Make, grid_rows: Make) -> None:
    for rows in ([], grid_rows({OURS: 5.0}), scaled({OURS: 5.0}, {}, n=2), scaled({"pc": 5.0}, {})):
        (claim,) = robustness.claims(rows)
        assert claim.verdict == "not decided"
        assert "the same in 0 of 16" in claim.measured
    assert robustness.claims([])[0].measured.endswith("change significantly: not run.")
    (claim,) = robustness.claims(scaled({OURS: 5.0}, {}, domains=DOMAINS[:3]))
    assert claim.verdict == "holds partly"
    assert "the same in 12 of 16" in claim.measured


def test_the_page(scaled: Make, tmp_path: Path) -> None:
    rows = scaled({OURS: 5.0, "var_sort": 15.0, "gies": None}, {"var_sort": 2.0}, domains=["nn"])
    text = robustness.report(rows, tmp_path)
    assert robustness.claims(rows)[0].measured in text
    same = "5.00 [5.00, 5.00]"
    nothing = "0.00 [0.00, 0.00]"
    assert f"| {OURS} | 25% | {same} | {same} | {same} | {nothing} | {nothing} |" in text
    assert f"| -13.00 [-13.00, -13.00] **▼** | {nothing} |" in text
    assert "| gies | 100% | 6 out of time | 6 out of time | 6 out of time | – | – |" in text
    assert "| 50% |" not in text  # Figure 2 has them, this page does not
    assert "## Linear" not in text
    assert "nan" not in text
