"""The exported files alone are enough: the same data, the same truth, the same answer."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from experiments import catalogue
from experiments.__main__ import main
from experiments.export import export_screens, name_of
from experiments.grid import solve_grid
from experiments.screens import Screen, draw
from experiments.task import Task
from intersort import InterventionalData, d_top, measure_effects, read_table, sort_ranking

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


@pytest.mark.parametrize("fraction", [0.5, 1.0])
def test_the_files_give_the_row_of_the_table(folder: Path, fraction: float) -> None:
    """As somebody else would do it, who has the files and no part of `experiments`."""
    read = read_table(folder / "rows.csv.gz", targets="target")
    targets = json.loads((folder / "about.json").read_text())["targets_by_fraction"]
    chosen = [read.names.index(name) for name in targets[f"{fraction:g}"]]
    keep = np.isin(read.targets, [-1, *chosen])
    data = InterventionalData.from_arrays(read.values[keep], read.targets[keep], control=-1)
    order = sort_ranking(measure_effects(data), 0.3).order
    adjacency = np.zeros((6, 6))
    for cause, effect in list(csv.reader((folder / "graph.csv").read_text().splitlines()))[1:]:
        adjacency[read.names.index(cause), read.names.index(effect)] = 1
    row = solve_grid(Task("toy", SCREEN.cell | {"fraction": fraction, "method": "sort_ranking"}))
    assert d_top(adjacency, order) == row["d_top"]


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
