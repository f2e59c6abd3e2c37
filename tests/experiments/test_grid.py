"""Tables and pictures of the grid: what is missing is said, and the rest is unharmed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from experiments import grid
from experiments.screens import DOMAINS, FRACTIONS
from experiments.statistics import Estimate

Make = Callable[..., list[dict[str, Any]]]
OUT = {"status": "out of time", "seconds": 600.0}
FAILED = {"status": "failed: ValueError: nothing"}


def ok(*values: float) -> list[dict[str, Any]]:
    return [{"status": "ok", "d_top": value} for value in values]


def test_every_method_meets_every_share_of_every_screen_in_one_chunk() -> None:
    screens = grid.screens_of(30, "full")
    tasks = grid.grid_tasks("figure2", screens, ("a", "b"))
    assert len(screens) == 4 * 10
    assert len(tasks) == 40 * 2 * len(FRACTIONS)
    assert len({task.key for task in tasks}) == len(tasks)
    assert len({task.chunk for task in tasks}) == 40
    assert [t.chunk for t in tasks] == [
        c for c in dict.fromkeys(t.chunk for t in tasks) for _ in range(8)
    ]
    assert {task.cell["domain"] for task in tasks} == set(DOMAINS)
    assert {s.edges: sum(t.edges == s.edges for t in screens) for s in screens} == {1: 20, 2: 20}


def test_a_smoke_test_takes_a_small_dataset_a_domain() -> None:
    assert [(s.domain, s.d, s.n_control) for s in grid.screens_of(30, "smoke")] == [
        (domain, grid.SMOKE_D, 300) for domain in DOMAINS
    ]


@pytest.mark.parametrize(
    ("rows", "n", "text"),
    [
        (ok(1, 2, 3), 3, "2.00 [-0.48, 4.48]"),
        ([*ok(1, 2, 3), OUT, OUT, FAILED], 6, "2.00 [-0.48, 4.48] (2 out of time, 1 failed)"),
        (ok(1, 2, 3), 10, "2.00 [-0.48, 4.48] (7 not run)"),
        (ok(1, 2), 0, "1.50 (n = 2)"),
        ([OUT, OUT], 2, "2 out of time"),
        ([OUT], 2, "1 out of time, 1 not run"),
        ([], 10, "10 not run"),
        ([], 0, "not run"),
    ],
)
def test_a_cell_says_what_could_not_be_counted(
    rows: list[dict[str, Any]], n: int, text: str
) -> None:
    assert grid.cell_of(rows, n) == text


def test_the_shares_of_a_dataset_are_one_observation(grid_rows: Make) -> None:
    rows = grid_rows({"pc": lambda _, fraction, k: 4 * fraction + k}, domains=["nn"], n=3)
    found = grid.over_fractions(rows, FRACTIONS)
    assert [row["d_top"] for row in found] == [2.5, 3.5, 4.5]
    assert all("fraction" not in row and row["noise_drawn"] == "laplace" for row in found)


def test_a_dataset_that_lacks_a_share_has_no_mean(grid_rows: Make) -> None:
    rows = grid_rows(
        {"pc": lambda _, fraction, k: None if (fraction, k) == (1.0, 1) else 2.0},
        domains=["nn"],
        n=3,
    )
    found = grid.over_fractions(rows[:-1], FRACTIONS)  # the last dataset was not run at 100 %
    assert [row.get("d_top") for row in found] == [2.0, None, None]
    assert grid.cell_of(found) == "2.00 (n = 1) (1 out of time, 1 not run)"
    assert len(grid.over_fractions(rows, (0.25, 0.5))) == 3


def test_two_methods_are_not_averaged(grid_rows: Make) -> None:
    with pytest.raises(ValueError, match="two rows of one fraction"):
        grid.over_fractions(grid_rows({"pc": 1.0, "gies": 2.0}), FRACTIONS)


def test_differences_are_marked_for_the_first(grid_rows: Make) -> None:
    low, high = (grid_rows({"pc": v}, domains=["nn"], fractions=[1.0]) for v in (1.0, 3.0))
    assert grid.difference_of(low, high) == "-2.00 [-2.00, -2.00] **▼**"
    assert grid.difference_of(high, low) == "2.00 [2.00, 2.00] **▲**"
    assert grid.difference_of(low, low) == "0.00 [0.00, 0.00]"
    assert grid.difference_of(low[:4], high, n=6) == "-2.00 [-2.00, -2.00] (n = 4) **▼**"
    assert grid.difference_of(low[:2], high, n=6) == "-2.00 (n = 2)"
    assert grid.difference_of([], high, n=6) == "–"
    assert grid.with_n(Estimate(1, 0, 2, 6), 6) == "1.00 [0.00, 2.00]"


def test_tables_have_a_line_a_method_and_a_column_a_share(grid_rows: Make) -> None:
    rows = grid_rows({"ours": 1.0, "pc": 2.0, "ease": None}, domains=["nn"])
    methods = ("ours", "pc", "ease", "gies")
    means = grid.table_of_means(rows, methods, FRACTIONS).splitlines()
    assert means[0] == "| method | 25% | 50% | 75% | 100% |"
    assert means[-2:] == [
        "| ease |" + " 6 out of time |" * 4,
        "| gies |" + " 6 not run |" * 4,
    ]
    differences = grid.table_of_differences(rows, "ours", methods, FRACTIONS).splitlines()
    assert differences[2:] == [
        "| pc |" + " -1.00 [-1.00, -1.00] **▼** |" * 4,
        "| ease | – | – | – | – |",
        "| gies | – | – | – | – |",
    ]


def test_a_page_shows_what_there_is(grid_rows: Make, tmp_path: Path) -> None:
    rows = grid_rows({"ours": 1.0, "pc": None}, domains=["rff"], fractions=[0.5])
    text = grid.report_grid("toy", rows, tmp_path, ("ours", "pc", "gies"), ("ours", "absent"))
    assert [path.name for path in tmp_path.iterdir()] == ["toy_rff.svg"]
    assert "out of time" in (tmp_path / "toy_rff.svg").read_text(encoding="utf-8")
    assert "## Random Fourier features" in text
    assert "## Linear" not in text
    assert "gies" not in text
    assert "absent" not in text
    assert "Methods that failed or ran out of time are drawn from the datasets left." in text
    assert "| pc | 6 out of time |" in text
    assert "nan" not in text


def test_one_method_alone_is_compared_with_nobody(grid_rows: Make, tmp_path: Path) -> None:
    text = grid.report_grid(
        "toy", grid_rows({"ours": 1.0}, domains=["nn"]), tmp_path, ("ours",), ("ours",)
    )
    assert "less that of" not in text
    assert "ran out of time" not in text


def test_the_paper_has_a_picture_of_its_own_beside_that_of_all(
    grid_rows: Make, tmp_path: Path
) -> None:
    methods = (*grid.PAPER, "random")
    rows = grid_rows(dict.fromkeys(methods, 1.0), domains=["nn"], fractions=[1.0], n=3)
    text = grid.report_grid("toy", rows, tmp_path, methods, ())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["toy_nn.svg", "toy_nn_all.svg"]
    shown = [name in (tmp_path / "toy_nn.svg").read_text(encoding="utf-8") for name in methods]
    assert shown == [True] * len(grid.PAPER) + [False]
    assert text.index("toy_nn.svg") < text.index("toy_nn_all.svg")
    assert "3 datasets" in text
