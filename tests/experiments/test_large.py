"""Large systems: densities, bounds beside errors, memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import large
from experiments.memory import with_peak_memory


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return [dict(task.cell) | large.solve(task) for task in large.tasks("smoke")]


def test_ours_is_proven_or_bounded_and_never_scores_less(rows: list[dict[str, Any]]) -> None:
    found = {method: [row for row in rows if row["method"] == method] for method in large.METHODS}
    for paper, low, normal in zip(*found.values(), strict=True):
        assert paper["seed"] == low["seed"] == normal["seed"]
        assert paper["score"] <= low["score"] <= normal["score"] + 1e-6
        assert normal["score"] <= low["bound"] + 1e-6
        assert low["gap"] < 0.01


def test_two_thousand_variables_are_run_as_printed_and_at_both_densities_of_a_thousand() -> None:
    by_name = {group.name: group for group in large.GROUPS}
    thousand, printed = by_name["1000"], by_name["2000_as_printed"]
    edges = [p_e * (thousand.d - 1) / 2 for p_e in thousand.densities]
    same = by_name["2000_same_edges"]
    assert [p_e * (same.d - 1) / 2 for p_e in same.densities] == pytest.approx(edges, rel=1e-3)
    assert by_name["2000_same_p_e"].densities == thousand.densities
    assert [p_e * 1999 / 2 for p_e in printed.densities] == pytest.approx(
        [0.1, 0.05, 0.02], rel=1e-3
    )


def test_every_design_is_run_once() -> None:
    tasks = large.tasks("full")
    assert len({task.key for task in tasks}) == len(tasks)
    designs = {tuple((k, v) for k, v in t.cell.items() if k != "method") for t in tasks}
    assert len(designs) == (3 + 3 + 3 + 2 + 3 + 3) * 5 * 2  # p_e 0.001 serves two panels
    normal = {t.cell["d"] for t in tasks if t.cell["method"] == "intersort_normal"}
    assert normal == {1000}


def test_the_page_has_a_panel_a_group(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    text = large.report(rows, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        "large_40.svg",
        "large_40_scale_free.svg",
    }
    assert all(claim.measured in text for claim in large.claims(rows))


@pytest.mark.parametrize(("error", "verdict"), [(1e6, "holds"), (0.0, "does not hold")])
def test_the_verdict_follows_the_numbers(
    rows: list[dict[str, Any]], error: float, verdict: str
) -> None:
    changed = [row | ({"d_top": error} if row["method"] == "sort_ranking" else {}) for row in rows]
    assert {claim.verdict for claim in large.claims(changed)} == {verdict}


def test_the_peak_of_a_call_is_its_own() -> None:
    big, peak, added = with_peak_memory(lambda: int(np.ones(4_000_000).sum()))
    assert big == 4_000_000
    if peak is None or added is None:
        pytest.skip("this system does not tell a process its peak memory")
    assert 30 < added < 60
    assert peak > added
    _, _, little = with_peak_memory(lambda: int(np.ones(1000).sum()))
    assert little is not None
    assert little < 5
