"""The text's reading beside the code's: rows belong to variants, differences to datasets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from experiments import readings
from experiments.grid import over_fractions
from experiments.readings import VARIANTS, by_variant, variant_of
from experiments.screens import FRACTIONS, Screen

Make = Callable[..., list[dict[str, Any]]]


def test_every_variant_is_drawn_where_it_differs() -> None:
    cells = [task.cell for task in readings.tasks("full")]
    found = {(variant_of(dict(cell)), cell["domain"]) for cell in cells}
    everywhere = {("text", domain) for domain in ("linear", "rff", "nn", "gene_regulation")}
    assert found == everywhere | {(name, "gene_regulation") for name in list(VARIANTS)[2:]}
    assert len(cells) == (4 + 3) * 10 * 3 * len(FRACTIONS)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_row_belongs_to_the_variant_that_made_it(name: str) -> None:
    cell = Screen("gene_regulation", 30, 1, 0, **VARIANTS[name]).cell  # type: ignore[arg-type]
    assert variant_of(cell | {"method": "intersort", "d_top": 1.0, "seed": 3}) == name


def test_variants_share_the_graph() -> None:
    seeds = {Screen("nn", 30, 1, 0, **settings).seed for settings in VARIANTS.values()}  # type: ignore[arg-type]
    assert len(seeds) == 1


def test_variants_come_in_their_order_the_code_first(grid_rows: Make) -> None:
    rows = grid_rows({"intersort": 1.0}, reading="text") + grid_rows({"intersort": 1.0})
    assert list(by_variant(rows)) == ["code", "text"]


def test_the_difference_is_paired_and_counts_a_dataset_once(
    grid_rows: Make, tmp_path: Path
) -> None:
    code = grid_rows({"intersort": lambda _, f, k: 10.0 * k + f}, domains=["rff"])
    text = grid_rows({"intersort": lambda _, f, k: 10.0 * k + 2 * f + 1}, domains=["rff"])
    rows = [row | {"reading": "text"} for row in text] + code
    page = readings.report(rows, tmp_path)
    lines = [line for line in page.splitlines() if line.startswith("| intersort |")]
    assert len(lines) == 2
    assert lines[0].endswith("|  |")  # the code's own
    assert lines[1].endswith("| 1.62 [1.62, 1.62] **▲** |")
    assert len(over_fractions(code, FRACTIONS)) == 6
    two = readings.report([row for row in rows if row["repetition"] == 0], tmp_path)
    assert "1.62 (n = 2) |" in two  # of two datasets with four shares each


def test_what_is_missing_is_said(grid_rows: Make, tmp_path: Path) -> None:
    code = grid_rows({"intersort": 1.0, "pc": 1.0}, domains=["linear"])
    text = grid_rows({"intersort": None}, domains=["linear"], n=2, reading="text")
    page = readings.report([*code, *text], tmp_path)
    assert "| intersort | text | 2 out of time, 4 not run |" in page
    assert "## Neural network" not in page
    assert "| pc |" not in page
    only_text = readings.report(text, tmp_path)
    assert "| intersort | text | 2 out of time |" in only_text
    assert "nan" not in page + only_text
