"""Hand the tasks that have no row yet to worker processes; each writes its rows itself."""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import os
import platform
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from typing import Any

from tqdm import tqdm

from .store import Store
from .task import Task

LIBRARIES = ("intersort", "numpy", "scipy", "numba", "causal-learn", "gies", "permscore", "torch")
COMMIT_EVERY = 0.5
"""Seconds between two writes of a worker: quick tasks share one."""


def run_tasks(tasks: Sequence[Task], store: Store, path: Path, n_workers: int) -> int:
    """Run the tasks that have no row; return how many there were.

    Interrupted or killed, it loses what the workers had in hand and nothing else.
    """
    open_tasks = without_row(tasks, store)
    chunks = [list(chunk) for _, chunk in groupby(open_tasks, key=lambda task: task.chunk or task)]
    with tqdm(
        total=len(open_tasks), desc="tasks", unit="task", disable=None, smoothing=0.05
    ) as bar:
        for n_done in _in_processes(chunks, path, n_workers):
            bar.update(n_done)
    return len(open_tasks)


def without_row(tasks: Sequence[Task], store: Store) -> list[Task]:
    """Tasks that are still to be run."""
    done = {name: store.done(name) for name in {task.experiment for task in tasks}}
    return [task for task in tasks if task.key not in done[task.experiment]]


def _in_processes(chunks: list[list[Task]], path: Path, n_workers: int) -> Iterator[int]:
    """Run chunks in worker processes; yield how many tasks each did."""
    # One core a task: what is timed is the method, not the number of cores.
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    # Fresh processes: a forked one would share locks of compiled code, and of this one's threads.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(n_workers, mp_context=context, initializer=start_worker)
    futures: set[Future[int]] = set()
    try:
        for chunk in chunks:
            futures.add(pool.submit(run_chunk, chunk, str(path)))
        while futures:
            done, futures = wait(futures, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def start_worker() -> None:
    """Leave interrupts to the parent; end when the parent was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def run_chunk(chunk: list[Task], path: str) -> int:
    """Run tasks one after the other and write their rows."""
    store = Store(path)
    waiting: list[tuple[dict[str, Any], dict[str, Any]]] = []
    last, how = time.monotonic(), how_made()
    try:
        for task in chunk:
            waiting.append((dict(task.cell), solve(task)))
            if time.monotonic() - last > COMMIT_EVERY:
                store.add(task.experiment, waiting, how)
                waiting, last = [], time.monotonic()
        store.add(chunk[0].experiment, waiting, how)
    finally:
        store.close()
    gc.collect()
    return len(chunk)


def solve(task: Task) -> dict[str, Any]:
    """Let the experiment's own file make the row."""
    module = importlib.import_module(f"{__package__}.{task.experiment}")
    row: dict[str, Any] = module.solve(task)
    return row


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
