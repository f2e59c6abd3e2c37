"""A bar of tasks done, and how long the others will take."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable

from tqdm import tqdm

from .task import Task, canonical

FORM = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} tasks, {elapsed} so far{postfix}"


class TimeLeft:
    """How long the open tasks will take, from those that are done.

    Tasks differ a thousandfold in time, and those that are alike hardly: an open task is taken to
    last as long as the mean of the tasks done that differ in nothing but the repetition; where
    there is none, of those with the same method; where there is none, of all. The sum is divided
    by the number of workers.

    >>> quick, slow = [[Task("toy", {"method": m, "repetition": r}) for r in (1, 2)] for m in "ab"]
    >>> left = TimeLeft([*quick, *slow], n_workers=1)
    >>> left.end(quick[0], 1.0)
    >>> left.end(slow[0], 600.0)
    >>> left.seconds()
    601.0
    """

    def __init__(self, tasks: Iterable[Task], n_workers: int) -> None:
        self.open = Counter(likeness(task) for task in tasks)
        self.n_workers = n_workers
        self.total: dict[str, float] = defaultdict(float)
        self.count: dict[str, int] = defaultdict(int)

    def end(self, task: Task, seconds: float) -> None:
        """A task is done."""
        levels = likeness(task)
        self.open[levels] -= 1
        for level in levels:
            self.total[level] += seconds
            self.count[level] += 1

    def seconds(self) -> float | None:
        """The estimate; None before the first task is done."""
        if not self.count:
            return None
        left = 0.0
        for levels, n_open in self.open.items():
            known = next(level for level in levels if self.count[level])
            left += n_open * self.total[known] / self.count[known]
        return left / self.n_workers


def likeness(task: Task) -> tuple[str, str, str]:
    """What a task shares with tasks that take as long, from the most alike to all."""
    alike = {key: value for key, value in task.cell.items() if key != "repetition"}
    return canonical(alike), f"method {task.cell.get('method')}", "all"


class Bar:
    """The line on the terminal; nothing where standard error is none."""

    def __init__(self, name: str, tasks: list[Task], n_workers: int) -> None:
        self.left = TimeLeft(tasks, n_workers)
        self.bar = tqdm(total=len(tasks), desc=name, disable=None, bar_format=FORM)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.close()

    def end(self, task: Task, seconds: float) -> None:
        """A task is done."""
        self.left.end(task, seconds)
        if not self.bar.disable:
            left = tqdm.format_interval(self.left.seconds() or 0)
            self.bar.set_postfix_str(f"about {left} left", refresh=False)
            self.bar.update()

    def tick(self) -> None:
        """Time goes by."""
        self.bar.refresh()

    def say(self, text: str) -> None:
        """A line above the bar, on standard error."""
        self.bar.write(text, file=sys.stderr)
