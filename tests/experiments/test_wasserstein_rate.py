"""How fast the empirical distance approaches the true one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import wasserstein_rate
from experiments.wasserstein_exact import expected_distance
from experiments.wasserstein_rate import ROWS, Pair, mean_error
from experiments.wasserstein_rate_page import against, quoted, slope_of

Row = dict[str, Any]


def slope(law: str, moved: bool, n_draws: int = 60) -> float:
    """The slope over 10 to 1,000 rows."""
    case = "moved" if moved else "same"
    cell = {"law": law, "case": case, "controls": 0, "repetition": 900_000}
    pair, _ = wasserstein_rate.find_pair(cell)
    assert pair.truth == (1.0 if moved else 0.0)
    rng = np.random.default_rng(900_000)
    errors = [mean_error(pair, n, n, n_draws, rng) for n in (10, 100, 1000)]
    return slope_of(errors, [10, 100, 1000])


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("law", ["normal", "laplace"])
def test_a_light_tail_gives_the_root_of_n(law: str, moved: bool) -> None:
    assert slope(law, moved) == pytest.approx(-0.5, abs=0.07)


def test_without_a_variance_it_is_slower_than_the_quoted_rate() -> None:
    rate = slope_of(quoted([10, 100, 1000]), [10, 100, 1000])
    assert slope("student_1.5", False, 200) > rate > slope("normal", False)


def test_laws_have_the_sd_one() -> None:
    rng = np.random.default_rng(900_001)
    for law in ("normal", "laplace"):
        assert wasserstein_rate.law_of(law)(200_000, rng).std() == pytest.approx(1, abs=0.01)
    quarter, middle, three = np.quantile(
        wasserstein_rate.law_of("student_3")(200_000, rng) * np.sqrt(3), [0.25, 0.5, 0.75]
    )
    assert [quarter, middle, three] == pytest.approx([-0.7649, 0, 0.7649], abs=0.01)


@pytest.mark.parametrize("law", ["normal", "laplace", "student_3"])
@pytest.mark.parametrize("n", [1, 40])
def test_the_mean_error_is_the_one_that_is_computed(law: str, n: int) -> None:
    draw = wasserstein_rate.law_of(law)
    found = mean_error(Pair(draw, draw, 0.0), n, n, 3000, np.random.default_rng(900_005))
    assert found == pytest.approx(expected_distance(law, n), rel=0.06)


def test_a_heavy_tail_is_computed_as_slow_as_it_is_drawn() -> None:
    n = [10, 100, 1000]
    exact = slope_of([expected_distance("student_1.5", x) for x in n], n)
    assert exact == pytest.approx(slope("student_1.5", False, 300), abs=0.08)
    assert -1 / 3 < exact < -0.2


def test_the_smaller_sample_governs() -> None:
    draw = wasserstein_rate.law_of("normal")
    pair = Pair(draw, draw, 0.0)
    rng = np.random.default_rng(900_002)
    both = mean_error(pair, 100, 100, 200, rng)
    one = mean_error(pair, 100, 10_000, 200, rng)
    assert one / both == pytest.approx(np.sqrt(0.5), abs=0.08)


def test_a_wrong_truth_does_not_converge() -> None:
    """The negative control: against a distance that is not theirs the error stays."""
    draw = wasserstein_rate.law_of("normal")
    rng = np.random.default_rng(900_003)
    wrong = Pair(draw, lambda n, rng: draw(n, rng) + 1.0, 1.2)
    errors = [mean_error(wrong, n, n, 20, rng) for n in (100, 1000, 10_000)]
    assert slope_of(errors, [100, 1000, 10_000]) > -0.15
    assert errors[-1] == pytest.approx(0.2, abs=0.03)


def test_a_pair_is_a_child_or_has_no_path() -> None:
    lengths = np.array([[0, 1, 2, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    for seed in range(20):
        target, child = wasserstein_rate.choose_pair(lengths, "moved", seed)
        assert lengths[target, child] == 1
        again, other = wasserstein_rate.choose_pair(lengths, "same", seed)
        assert again == target
        assert other != target
        assert lengths[target, other] == 0


@pytest.mark.parametrize("law", ["rows", "cells"])
def test_a_column_that_no_path_reaches_has_distance_zero(law: str) -> None:
    domain = "gene_regulation"
    cell = {"domain": domain, "d": 6, "edges": 1, "repetition": 900_000, "pool": 4000}
    same, _ = wasserstein_rate.find_pair(cell | {"law": law, "case": "same"})
    moved, _ = wasserstein_rate.find_pair(cell | {"law": law, "case": "moved"})
    assert same.truth == 0.0
    assert moved.truth > 0.2
    rng = np.random.default_rng(900_004)
    assert mean_error(same, 2000, 2000, 3, rng) < 0.2
    assert mean_error(moved, 2000, 2000, 3, rng) < moved.truth / 2


def made_up(power: float) -> list[Row]:
    """Rows in which the error falls as that power of n."""
    rows = []
    cells: list[Row] = [{"law": "normal", "repetition": r} for r in range(4)]
    cells += [{"domain": "nn", "edges": 1, "law": "rows", "repetition": r} for r in range(4)]
    for cell in cells:
        for case in ("same", "moved"):
            for controls in wasserstein_rate.CONTROLS:
                errors = {f"error_{n}": n**power * (1 + 0.01 * cell["repetition"]) for n in ROWS}
                rows.append(cell | {"case": case, "controls": controls} | errors)
    return rows


@pytest.mark.parametrize(("power", "verdict"), [(-0.5, "holds"), (-0.3, "does not hold")])
def test_the_verdict_follows_the_slopes(power: float, verdict: str) -> None:
    assert wasserstein_rate.claims(made_up(power))[0].verdict == verdict


def test_one_slow_law_makes_it_hold_partly() -> None:
    rows = [row for row in made_up(-0.5) if "domain" in row]
    rows += [row for row in made_up(-0.3) if "domain" not in row]
    claim = wasserstein_rate.claims(rows)[0]
    assert claim.verdict == "holds partly"
    assert "slower in 2 (normal" in claim.measured


def test_a_slope_whose_interval_holds_the_rate_decides_nothing() -> None:
    from experiments.statistics import Estimate

    assert against(Estimate(-0.42, -0.5, -0.38, 9), -0.4) == "not decided"
    assert against(Estimate(-0.5, -0.52, -0.48, 9), -0.4) == "faster"
    assert against(Estimate(-0.5, -0.52, -0.48, 2), -0.4) == "not decided"


def test_the_page_shows_figures_and_slopes(tmp_path: Path) -> None:
    text = wasserstein_rate.report(made_up(-0.5), tmp_path)
    assert "**holds**" in text
    assert {path.name for path in tmp_path.iterdir()} == {
        "wasserstein_rate_laws.svg",
        "wasserstein_rate_domains.svg",
        "wasserstein_rate_smaller.svg",
    }
    assert "-0.500 [-0.500, -0.500]" in text


def test_cells_read_the_same_after_a_csv_file() -> None:
    from experiments.committed import as_text, from_text

    for task in wasserstein_rate.tasks("smoke"):
        assert {key: from_text(as_text(v)) for key, v in task.cell.items()} == dict(task.cell)
