"""Figure 2's rows by noise and density: a dataset counts once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments import noise

Make = Callable[..., list[dict[str, Any]]]


def lines_of(text: str, method: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(f"| {method} |")]


def test_datasets_are_split_by_what_they_drew(grid_rows: Make, tmp_path: Path) -> None:
    rows = grid_rows({"gies": lambda _, f, k: 10 * (k % 2) + f, "pc": 1.0}, domains=["linear"])
    for row in rows:
        row["noise_drawn"] = "laplace noise" if row["edges"] == 1 else "gaussian noise"
    text = noise.report(rows, tmp_path)
    assert (
        "| method | gaussian noise | laplace noise | 1 edge per variable | 2 edges per variable |"
    ) in text
    dense, sparse = "10.62 [10.62, 10.62]", "0.62 [0.62, 0.62]"  # the mean over the shares is 0.625
    assert lines_of(text, "gies") == [f"| gies | {dense} | {sparse} | {sparse} | {dense} |"]


def test_the_shares_of_a_dataset_do_not_count_as_datasets(grid_rows: Make, tmp_path: Path) -> None:
    text = noise.report(grid_rows({"pc": 1.0}, domains=["nn"], n=4), tmp_path)
    assert lines_of(text, "pc") == ["| pc | 1.00 (n = 2) | 1.00 (n = 2) |"]
    assert "laplace" not in text  # one noise alone has no column


def test_a_dataset_out_of_time_at_one_share_is_not_averaged(
    grid_rows: Make, tmp_path: Path
) -> None:
    rows = grid_rows(
        {"pc": lambda _, f, k: None if f == 1 and k == 0 else 1.0}, domains=["nn"], n=8
    )
    text = noise.report(rows, tmp_path)
    assert lines_of(text, "pc") == [
        "| pc | 1.00 [1.00, 1.00] (1 out of time) | 1.00 [1.00, 1.00] |"
    ]


def test_a_method_without_rows_has_no_line(grid_rows: Make, tmp_path: Path) -> None:
    text = noise.report(grid_rows({"pc": 1.0}, domains=["nn"]), tmp_path)
    assert not lines_of(text, "gies")
    assert "## Linear" not in text
