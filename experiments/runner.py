"""Hand the tasks that have no row yet to worker processes, and say how it goes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field

from .progress import Bar
from .store import Store
from .task import Task
from .workers import Ended, run_chunks

MOST_FAILURES = 10
"""An experiment with so many failed tasks is wrong itself: no more are begun."""


@dataclass
class Outcome:
    """How many rows were made, and what went wrong."""

    n_made: int = 0
    failed: list[Ended] = field(default_factory=list)


def run_tasks(tasks: Sequence[Task], store: Store, n_workers: int) -> Outcome:
    """Run an experiment's tasks that have no row.

    Interrupted or killed, it loses what the workers had in hand and nothing else. A task that
    fails has no row, so that the next run tries it again.
    """
    # One core a task: what is timed is the method, not the number of cores.
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    outcome, still_open = Outcome(), without_row(tasks, store)
    if not still_open:
        return outcome
    ended = run_chunks(chunks_of(still_open), store.path, n_workers)
    with Bar(still_open[0].experiment, still_open, n_workers) as bar, closing(ended):
        for end in ended:
            if end is None:
                bar.tick()
                continue
            bar.end(end.task, end.seconds)
            if end.failure is None:
                outcome.n_made += 1
                continue
            outcome.failed.append(end)
            bar.say(message(end))
            if len(outcome.failed) == MOST_FAILURES:
                bar.say(f"{MOST_FAILURES} tasks failed; no more are begun")
                break
    return outcome


def without_row(tasks: Sequence[Task], store: Store) -> list[Task]:
    """Tasks that are still to be run."""
    done = {name: store.done(name) for name in {task.experiment for task in tasks}}
    return [task for task in tasks if task.key not in done[task.experiment]]


def chunks_of(tasks: Sequence[Task]) -> list[list[Task]]:
    """Tasks of one chunk together; a task without one is a chunk of its own."""
    found: dict[str, list[Task]] = {}
    for k, task in enumerate(tasks):
        found.setdefault(task.chunk or f"task {k}", []).append(task)
    return list(found.values())


def message(end: Ended) -> str:
    """What failed, why, and where: the cell, then the last line of the error, then the rest."""
    *trace, last = str(end.failure).strip().splitlines()
    text = f"experiments: no row for {end.task.experiment} {end.task.key}: {last}"
    return "\n".join([text, *trace])
