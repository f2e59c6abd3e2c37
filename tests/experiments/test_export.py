"""The exported files alone are enough: the same data, the same truth, the same answer."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from experiments import catalogue
from experiments.__main__ import main
from experiments.export import export_screens, name_of
from experiments.grid import solve_grid
from experiments.screens import Screen, draw
from experiments.task import Task
from intersort import read_table

ROOT = Path(__file__).resolve().parents[2]
SCREEN = Screen("linear", 6, 1, 900_003, n_control=300, n_per_target=30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of one dataset."""
    tasks = [
        Task("toy", SCREEN.cell | {"fraction": fraction, "method": method})
        for fraction in (0.5, 1.0)
        for method in ("pc", "sort_ranking")
    ]
    (path,) = export_screens(tasks, tmp_path)
    assert path == tmp_path / name_of(SCREEN)
    assert sorted(file.name for file in path.iterdir()) == [
        "about.json",
        "graph.csv",
        "rows.csv.gz",
    ]
    return path


def test_the_files_hold_the_same_data(folder: Path) -> None:
    read = read_table(folder / "rows.csv.gz", targets="target")
    drawn = draw(SCREEN)
    np.testing.assert_array_equal(read.values, drawn.values)
    np.testing.assert_array_equal(read.targets, drawn.targets)
    assert json.loads((folder / "about.json").read_text())["seed"] == SCREEN.seed


def test_the_files_give_the_row_of_the_table(folder: Path) -> None:
    """The page's own block, which knows the files and nothing of `experiments`."""
    page = (ROOT / "docs" / "paper" / "index.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    assert code.count("domain=linear_d=30_edges=1_repetition=0") == 1
    assert "experiments" not in code
    known: dict = {"Path": Path}
    place = re.sub(r"folder = Path\(.*\)", f"folder = Path({str(folder)!r})", code)
    exec(compile(place, "index.md", "exec"), known)
    row = solve_grid(Task("toy", SCREEN.cell | {"fraction": 0.25, "method": "sort_ranking"}))
    assert known["error"] == row["d_top"]
    assert len(known["targets"]) == 2 == len(known["data"].intervened)


def test_equal_data_make_equal_files(folder: Path, tmp_path: Path) -> None:
    before = (folder / "rows.csv.gz").read_bytes()
    draw.cache_clear()
    list(export_screens([Task("toy", SCREEN.cell)], tmp_path))
    assert (folder / "rows.csv.gz").read_bytes() == before


def test_data_that_are_no_screen_are_not_passed_off_as_one(tmp_path: Path) -> None:
    tasks = [
        Task("toy", {"graph": 1, "method": "pc"}),
        Task("toy", SCREEN.cell | {"strength": 2.0, "method": "pc"}),
    ]
    assert list(export_screens(tasks, tmp_path)) == []


def test_the_command_writes_a_folder_a_dataset(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "figure2", "strength", "--size", "smoke", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "strength: it draws no screens of the grid; there is nothing to write"
    datasets = {task.chunk for task in catalogue.find("figure2").tasks("smoke")}
    assert len(said) - 1 == len(datasets) == len(list(tmp_path.iterdir()))
