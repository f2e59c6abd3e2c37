"""Markdown that Sphinx takes, figures that are the same for the same rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from experiments.figures import draw_curves, draw_violins, shorten
from experiments.pages import figure, table
from experiments.statistics import estimate

METHODS = [f"method_{k}" for k in range(10)]


def violins(path: Path, methods: list[str]) -> str:
    rng = np.random.default_rng(0)
    groups = {
        name: {m: (rng.poisson(9, 10) if m != "pc" else []) for m in methods}
        for name in ("25%", "100%")
    }
    missing = {("25%", "pc"): "out of time"}
    draw_violins(path, groups, x_label="intervened on", missing=missing)
    return path.read_text()


@pytest.mark.parametrize("methods", [["intersort", "pc"], ["intersort", "pc", *METHODS]])
def test_violins_are_the_same_again_and_say_what_is_missing(
    tmp_path: Path, methods: list[str]
) -> None:
    first = violins(tmp_path / "a.svg", methods)
    assert violins(tmp_path / "b.svg", methods) == first
    assert first.count("out of time") == 1
    assert all(f">{method}<" in first or f"> {method}<" in first for method in methods)
    assert "<dc:date>" not in first
    assert all(line == line.rstrip() for line in first.splitlines())


def test_one_number_has_a_dot_and_no_shape(tmp_path: Path) -> None:
    draw_violins(tmp_path / "a.svg", {"25%": {"pc": [3.0]}}, x_label="")
    assert "FillBetweenPoly" not in (tmp_path / "a.svg").read_text()


def test_curves_have_bands_where_there_are_intervals(tmp_path: Path) -> None:
    points = {"ours": [(d, estimate([d, d + 1.0, d + 2.0])) for d in (10, 30, 100)]}
    bounds = {"bound": [(10, 3.0), (100, 4.0)]}
    for name, curves in (("a", points), ("b", bounds)):
        draw_curves(
            tmp_path / f"{name}.svg", curves, x_label="d", y_label="s", log_x=True, log_y=True
        )
    first, second = ((tmp_path / f"{name}.svg").read_text() for name in "ab")
    assert "FillBetweenPoly" in first
    assert "FillBetweenPoly" not in second
    assert all(f">{d}<" in first or f"> {d}<" in first for d in (10, 30, 100))


def test_more_curves_than_colours_are_refused(tmp_path: Path) -> None:
    curves = {f"{k}": [(1.0, 1.0)] for k in range(13)}
    with pytest.raises(ValueError, match="13 names are more than can be told apart"):
        draw_curves(tmp_path / "a.svg", curves, x_label="", y_label="")


def test_only_coordinates_are_shortened() -> None:
    text = '<text x="1.23456" style="font: 0.1234px">0.12345</text><g transform="scale(0.12345)"/>'
    assert shorten(text) == text.replace("1.23456", "1.23")


def test_a_figure_has_one_caption_line() -> None:
    assert figure("a.svg", "two\n lines").count("two lines") == 2


def test_a_table_aligns_numbers_right_and_keeps_its_columns() -> None:
    lines = table(["method", "n", "error"], [["|I| \\|J\\|", True, 0.123456], ["b", 3, "7 [6, 8]"]])
    assert lines.splitlines() == [
        "| method | n | error |",
        "| :-- | --: | --: |",
        "| \\|I\\| \\|J\\| | yes | 0.1235 |",
        "| b | 3 | 7 [6, 8] |",
    ]
