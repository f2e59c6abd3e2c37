"""Who gains most from interventions: falls are paired by dataset, words follow the intervals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments import efficiency
from experiments.figure2_claims import OURS, RIVALS

Make = Callable[..., list[dict[str, Any]]]


def fall_by(amount: float, spread: float = 0.0) -> Callable[[str, float, int], float]:
    """An error that falls by that much from 25 to 100 %, on datasets of very different errors."""
    return lambda _, f, k: 10.0 * k + 20 - amount * (f - 0.25) / 0.75 + spread * k * (f == 1)


def rivals(amount: float) -> dict[str, Any]:
    return dict.fromkeys(RIVALS, fall_by(amount))


def test_falls_are_compared_dataset_by_dataset(grid_rows: Make) -> None:
    rows = grid_rows({OURS: fall_by(6), "pc": fall_by(4)}, domains=["nn"])
    difference = efficiency.against(rows, "pc", "nn")
    assert (difference.mean, difference.n) == (2.0, 6)
    assert difference.high - difference.low < 1e-9  # the datasets' own errors, 20 to 70, drop out
    without = [r for r in rows if (r["method"], r["edges"]) != ("pc", 1)]
    assert efficiency.against(without, "pc", "nn").n == 3


def test_the_verdict_follows_the_falls(grid_rows: Make) -> None:
    (claim,) = efficiency.claims(grid_rows({OURS: fall_by(6)} | rivals(4)))
    assert claim.verdict == "holds"
    assert "more from 25 to 100 % than the rival's in 16 of 16 comparisons" in claim.measured
    assert "A smaller share of it is left in 16." in claim.measured

    (claim,) = efficiency.claims(grid_rows({OURS: fall_by(6)} | rivals(4) | {"dcdi": fall_by(8)}))
    assert claim.verdict == "holds partly"
    assert "less in 4 (dcdi (Linear), dcdi (Random Fourier features)" in claim.measured

    (claim,) = efficiency.claims(grid_rows({OURS: fall_by(2)} | rivals(4)))
    assert claim.verdict == "does not hold"
    (claim,) = efficiency.claims(grid_rows({OURS: fall_by(4)} | rivals(4)))
    assert claim.verdict == "not decided"


def test_what_is_missing_is_not_decided(grid_rows: Make) -> None:
    methods = {OURS: fall_by(6)} | rivals(4)
    (claim,) = efficiency.claims(grid_rows(methods | {"gies": None}))
    assert "12 of 16 comparisons (domain × rival), less in 0; 4 not decided" in claim.measured
    assert claim.verdict == "holds partly"
    for rows in (
        grid_rows(methods, n=2),
        grid_rows(methods, fractions=[0.25]),
        grid_rows({OURS: fall_by(6)}),
        [],
    ):
        (claim,) = efficiency.claims(rows)
        assert claim.verdict == "not decided"
        assert "16 not decided" in claim.measured


def test_the_page_has_a_line_a_method_that_has_falls(grid_rows: Make, tmp_path: Path) -> None:
    rows = grid_rows(
        {OURS: fall_by(6), "pc": fall_by(4), "ease": fall_by(9), "gies": None, "random": 15.0},
        domains=["nn"],
    )
    text = efficiency.report(rows, tmp_path)
    assert efficiency.claims(rows)[0].measured in text
    assert "| intersort_paper | 6.00 [6.00, 6.00] | 87% |  |" in text
    assert "| pc | 4.00 [4.00, 4.00] | 91% | 2.00 [2.00, 2.00] **▼** |" in text
    assert "-3.00 [-3.00, -3.00] **▲** |" in text
    assert "gies |" not in text
    assert "## Neural network" in text
    assert "## Linear" not in text
