"""Committed rows are what today's code makes: one row of each experiment is made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments import catalogue
from experiments.__main__ import main
from experiments.again import make_again, some_of, tasks_with_answers
from experiments.store import RESULTS, Store
from experiments.task import Task

COMMITTED = [name for name in catalogue.NAMES if (RESULTS / f"{name}.csv").exists()]
TOY = Path(__file__).parent


def is_quick(task: Task, seconds: float) -> bool:
    """Whether its data are drawn at once, and its method is as quick."""
    drawn_at_once = task.cell.get("domain", "linear") == "linear" and task.cell.get("d", 0) <= 40
    few_rows = task.cell.get("n_control", 0) <= 5000
    return drawn_at_once and few_rows and seconds < 0.5


@pytest.mark.parametrize("name", COMMITTED)
def test_a_committed_row_is_made_again(name: str) -> None:
    store = Store(":memory:")
    store.load(name)
    rows = store.measured(name)
    tasks = [
        task
        for task in tasks_with_answers(store, name)
        if is_quick(task, rows[task.key].get("seconds", 0.0))
    ]
    # Rows that were trained on a GPU are no task's, and there is none to make again.
    for again in make_again(store, some_of(tasks, 1, seed=len(tasks))):
        assert again.same, f"{again}; `python -m experiments forget` drops rows, to make them again"


def test_a_row_that_is_not_the_same_is_found(
    toy, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(TOY)
    assert toy.run("--jobs", "1").returncode == 0
    results = toy.path.with_name("results")
    command = ["again", "own.toy", "--results", str(results), "--rows", "24"]
    assert main(command) == 0
    assert capsys.readouterr().out == "own.toy: 24 of 24 rows made again, 0 differ\n"
    path = results / "own.toy.csv"
    header, first, *_ = path.read_text().splitlines()
    score = first.split(",")[header.split(",").index("score")]
    path.write_text(path.read_text().replace(score, "99.5"))
    assert main(command) == 1
    said = capsys.readouterr().out
    assert "24 of 24 rows made again, 1 differ" in said
    assert f"score was 99.5, is {score}" in said
