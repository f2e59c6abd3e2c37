"""Worker processes: each runs chunks of tasks and writes every row itself.

Workers leave Ctrl-C to the parent, which ends them: a search that is stopped early returns what it
has, and a row made of that must not be stored. When the parent is killed they end by themselves.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import platform
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from tqdm import tqdm

from . import catalogue
from .limits import OUT_OF_TIME, OutOfTime
from .store import Store
from .task import Task

LIBRARIES = ("intersort", "numpy", "scipy", "numba", "causal-learn", "gies", "permscore", "torch")

SECONDS_TO_LEAVE = 10


@dataclass(frozen=True)
class Ended:
    """A task that came to its end; `failure` is None where its row is in the store."""

    task: Task
    seconds: float
    failure: str | None = None


class Worker:
    """One process and the tasks it has in hand, the running one first."""

    def __init__(self, path: Path) -> None:
        # Fresh processes: a forked one would share locks of compiled code and of other threads.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, str(path)))
        with interrupts_held_back():
            self.process.start()
        theirs.close()
        self.tasks: deque[Task] = deque()

    def give(self, chunk: list[Task]) -> None:
        """Hand over a chunk."""
        self.tasks.extend(chunk)
        with suppress(BrokenPipeError):  # it has died: `hear` says so
            self.connection.send(chunk)

    def hear(self) -> Ended:
        """Wait for the running task to end, one way or the other."""
        task = self.tasks[0]
        try:
            seconds, failure = self.connection.recv()
        except (EOFError, ConnectionResetError):
            self.process.join()
            code = self.process.exitcode
            how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
            seconds, failure = 0.0, f"its process died ({how})"
        self.tasks.popleft()
        return Ended(task, seconds, failure)

    @property
    def died(self) -> bool:
        """Whether `hear` found it dead."""
        return self.process.exitcode is not None

    def dismiss(self) -> None:
        """There is nothing more to do for it."""
        self.connection.close()
        self.process.join(SECONDS_TO_LEAVE)
        self.stop()

    def stop(self) -> None:
        """End it at once; what it writes at this moment is written whole or not at all."""
        self.process.kill()
        self.process.join()
        self.connection.close()


def run_chunks(chunks: Iterable[list[Task]], path: Path, n_workers: int) -> Generator[Ended | None]:
    """Run chunks in worker processes; yield each task as it ends, and None every second."""
    queue, workers = deque(chunks), list[Worker]()
    try:
        while queue or workers:
            while queue and len(workers) < n_workers:
                workers.append(Worker(path))
                workers[-1].give(queue.popleft())
            ready = wait([worker.connection for worker in workers], timeout=1.0)
            if not ready:
                yield None
            for worker in [worker for worker in workers if worker.connection in ready]:
                yield worker.hear()
                if worker.died and worker.tasks:
                    queue.appendleft(list(worker.tasks))
                    worker.tasks.clear()
                if queue and not worker.tasks and not worker.died:
                    worker.give(queue.popleft())
                if not worker.tasks:
                    workers.remove(worker)
                    worker.dismiss()
    finally:
        for worker in workers:
            worker.stop()


def work(connection: Connection, path: str) -> None:
    """What a worker does until there is nothing more to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    tqdm.set_lock(threading.RLock())  # its own lock spans processes, and is left behind by a kill
    store, how = Store(path), how_made()
    try:
        while True:
            for task in connection.recv():
                connection.send(run_task(task, store, how))
            gc.collect()
    except (EOFError, BrokenPipeError):
        store.close()


def run_task(task: Task, store: Store, how: dict[str, Any]) -> tuple[float, str | None]:
    """Make a row and write it; return the seconds and, where it failed, why."""
    begin = time.monotonic()
    failure = None
    try:
        try:
            row = catalogue.find(task.experiment).solve(task)
        except OutOfTime:
            row = {"status": OUT_OF_TIME}
        store.add(task.experiment, [(task.cell, row)], how)
    except Exception:  # noqa: BLE001  one task's failure is no reason to stop the others
        failure = traceback.format_exc()
    return time.monotonic() - begin, failure


def end_with_parent() -> None:
    """Wait until the parent is gone, however it went."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """A Ctrl-C in here counts afterwards; a process started here does not see it at all."""
    came: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # what the process inherits
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
    if came:
        signal.raise_signal(signal.SIGINT)


def how_made() -> dict[str, Any]:
    """Machine and versions, as they stand beside every row."""
    versions = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            versions[library] = version(library)
        except PackageNotFoundError:
            continue
    device = f"CPU, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return {"device": device, "versions": versions}
