"""The time that is left, where tasks differ a thousandfold; the bar on a terminal."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

from experiments.progress import Bar, TimeLeft
from experiments.task import Task

COST = {"quick": 0.01, "slow": 600.0}


def plan(n: int = 20) -> list[Task]:
    """As the grid has it: every method on every dataset."""
    return [
        Task("toy", {"d": 30, "fraction": f, "method": m, "repetition": r})
        for r in range(n)
        for m in COST
        for f in (0.25, 1.0)
    ]


def cost(task: Task, rng: np.random.Generator) -> float:
    return COST[task.cell["method"]] * task.cell["fraction"] * rng.uniform(0.8, 1.25)


def test_after_one_dataset_the_estimate_is_close_to_what_is_left() -> None:
    rng, tasks = np.random.default_rng(0), plan()
    costs = [cost(task, rng) for task in tasks]
    left = TimeLeft(tasks, 1)
    assert left.seconds() is None
    for k, task in enumerate(tasks):
        left.end(task, costs[k])
        if 4 <= k < len(tasks) - 1:
            truth = sum(costs[k + 1 :])
            assert left.seconds() == pytest.approx(truth, rel=0.35)
    assert left.seconds() == 0


def test_two_workers_take_half_as_long() -> None:
    tasks = plan()
    one, two = (TimeLeft(tasks, n) for n in (1, 2))
    for left in (one, two):
        left.end(tasks[0], 10.0)
    assert one.seconds() == 2 * two.seconds() == 10.0 * (len(tasks) - 1)


def test_the_same_method_counts_before_others() -> None:
    tasks = [
        Task("toy", {"domain": domain, "method": m, "repetition": r})
        for domain in ("linear", "nn")
        for m in COST
        for r in (0, 1)
    ]
    left = TimeLeft(tasks, 1)
    left.end(tasks[0], 1.0)
    left.end(tasks[2], 100.0)
    # Left: one quick and one slow of linear, two quick and two slow of nn, none of which is done.
    assert left.seconds() == pytest.approx(1 + 100 + 2 * 1 + 2 * 100)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    tasks = plan(2)
    with Bar("toy", tasks, 1) as bar:
        bar.end(tasks[0], 3600.0)
        bar.say("one line")
        bar.tick()
    shown = terminal.getvalue()
    assert "toy:" in shown
    assert "1/8 tasks" in shown
    assert "about 7:00:00 left" in shown
    assert "one line\n" in shown


def test_there_is_no_bar_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    tasks = plan(1)
    with Bar("toy", tasks, 1) as bar:
        for task in tasks:
            bar.end(task, 1.0)
    assert capsys.readouterr() == ("", "")
