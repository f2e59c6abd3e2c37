"""Times: which problem is timed, how far the neural rivals go, and the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments import training_time
from experiments.choices import NEURAL_REG
from experiments.store import Row
from experiments.task import Task
from intersort.baselines import dcdi


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Task, dict]]:
    """What `solve` runs, without running it."""
    runs = []

    def note(task: Task, **settings: object) -> Row:
        runs.append((task, settings))
        return {"seconds": float(len(runs)), "status": "ok"}

    monkeypatch.setattr(training_time, "solve_grid", note)
    return runs


def task_of(method: str, size: str, d: int) -> Task:
    tasks = training_time.tasks(size)
    return next(t for t in tasks if (t.cell["method"], t.cell["d"]) == (method, d))


@pytest.mark.parametrize(("method", "few"), [("sort_ranking", {}), ("dcdi", {"max_steps": 100})])
def test_a_small_run_comes_before_the_one_that_is_timed(asked, method: str, few: dict) -> None:
    task = task_of(method, "full", 30)
    assert training_time.solve(task)["seconds"] == 2
    (small, settings), (timed, in_full) = asked
    assert (small.cell["d"], small.cell["n_control"], settings) == (6, 300, few)
    assert small.cell["method"] == method
    assert (timed, in_full) == (task, {})


def test_a_smoke_test_is_the_small_run_alone(asked) -> None:
    assert training_time.solve(task_of("pacer", "smoke", 6))["seconds"] == 1
    assert asked[0][1] == {"max_steps": 100}


def test_neural_rivals_have_half_an_hour_and_all_others_the_usual_time() -> None:
    for task in training_time.tasks("full"):
        assert task.cpu_seconds == (1800 if task.cell["method"] in ("dcdi", "pacer") else 600)
    methods = {task.cell["method"] for task in training_time.tasks("smoke")}
    assert methods == {task.cell["method"] for task in training_time.tasks("full")}


@pytest.mark.usefixtures("one_thread")
def test_dcdi_runs_its_steps_with_the_regulariser_chosen_for_it(monkeypatch) -> None:
    given, train = [], dcdi.train_dcdi

    def note(*problems: object, **settings: object) -> object:
        given.append(settings["reg"])
        return train(*problems, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(dcdi, "train_dcdi", note)
    row = training_time.solve(task_of("dcdi", "smoke", 6))
    assert row["status"].startswith("met the step cap after 100 steps")
    assert given == [NEURAL_REG["dcdi", 10, "nn"]]


def test_the_page_has_times_their_ratio_and_what_was_stopped(tmp_path: Path) -> None:
    rows: list[Row] = [
        {"d": d, "fraction": 0.25, "method": method, "seconds": seconds, "status": status}
        for d, method, seconds, status in (
            (10, "intersort", 0.5, "ok"),
            (30, "intersort", 4.0, "ok"),
            (10, "dcdi", 700.0, "ok"),
            (30, "dcdi", 1800.0, "out of time"),
        )
    ]
    page = training_time.report(rows, tmp_path)
    assert "| intersort | 10 | 0.5 | not run |" in page
    assert "1.8e+03 (out of time)" in page
    figures = ("10", "30", "ratio")
    assert all((tmp_path / f"training_time_{name}.svg").exists() for name in figures)
    assert all(f"training_time_{name}.svg" in page for name in figures)
