"""Make committed rows again: are the answers still the same?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import catalogue
from .store import Store, answers_in
from .task import Task

CLOSE = 1e-6
"""Relative: another processor adds numbers up in another order."""


@dataclass(frozen=True)
class Again:
    """An answer as it was and as it is now."""

    task: Task
    before: dict[str, Any]
    now: dict[str, Any]

    @property
    def same(self) -> bool:
        """Whether every answer is."""
        return not self.differing

    @property
    def differing(self) -> list[str]:
        """Columns with another answer."""
        columns = self.before | self.now
        return [k for k in columns if not _alike(self.before.get(k), self.now.get(k))]

    def __str__(self) -> str:
        said = [f"{k} was {self.before.get(k)}, is {self.now.get(k)}" for k in self.differing]
        return f"{self.task.experiment} {self.task.key}: {'; '.join(said)}"


def _alike(before: Any, now: Any) -> bool:
    """Numbers up to rounding, all else as it is."""
    if isinstance(before, int | float) and isinstance(now, int | float):
        return math.isclose(before, now, rel_tol=CLOSE, abs_tol=CLOSE)
    return bool(before == now)


def tasks_with_answers(store: Store, name: str) -> list[Task]:
    """Tasks whose row holds an answer; those that met their limit need not give it again."""
    answers = store.answers(name)
    return [task for task in catalogue.find(name).tasks("full") if task.key in answers]


def make_again(store: Store, tasks: Iterable[Task]) -> Iterator[Again]:
    """Run tasks whose rows are there, and keep nothing."""
    for task in tasks:
        row = catalogue.find(task.experiment).solve(task)
        yield Again(task, store.answers(task.experiment)[task.key], answers_in(row))


def some_of(tasks: Sequence[Task], n_tasks: int, seed: int) -> list[Task]:
    """Some at random, fewer if there are no more."""
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(len(tasks))[:n_tasks]
    return [tasks[k] for k in sorted(chosen)]
