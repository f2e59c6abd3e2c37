"""An experiment for tests of the runner, outside `experiments`: `run own.toy`.

Each task scores a random order. The environment says how long that takes at least (TOY_STEP,
seconds) and what goes wrong with task 5, or with all (TOY_TROUBLE).
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from experiments.limits import cpu_limit
from experiments.task import Task, seed_of

TITLE = "A toy"
N_TASKS = 24


def tasks(size):
    """Three tasks to a chunk."""
    n = N_TASKS if size == "full" else 3
    return [Task("own.toy", {"d": 6, "repetition": r}, chunk=f"{r // 3}") for r in range(n)]


def solve(task):
    """Score a random order and a bound on it; the same for the same task."""
    repetition, kind = task.cell["repetition"], os.environ.get("TOY_TROUBLE", "")
    if kind == "all":
        raise ImportError("a mistake of the whole file")
    if repetition == 5:
        row = trouble(kind)
        if row is not None:
            return row
    rng = np.random.default_rng(seed_of("toy", repetition))
    weights = rng.normal(size=(6, 6))
    order = np.argsort(weights.sum(axis=1))
    time.sleep(float(os.environ.get("TOY_STEP", "0")))
    score = float(weights[np.ix_(order, order)][np.triu_indices(6, 1)].sum())
    bound = float(np.maximum(weights, weights.T)[np.triu_indices(6, 1)].sum())
    found = {"d_top": int((np.diff(order) < 0).sum()), "score": score, "bound": bound}
    return found | {"seconds": time.perf_counter(), "peak_mb": os.getpid()}  # never the same


def trouble(kind):
    """What can go wrong with one task."""
    if kind == "raise":
        raise KeyError("no such rival")
    if kind == "die":
        os._exit(7)
    if kind == "nan":
        return {"d_top": float("nan")}
    if kind == "slow":
        with cpu_limit(0.05):
            while True:
                pass
    return search() if kind == "search" else None


def search():
    """A search that takes minutes, and that would return what it has when it is interrupted."""
    from intersort import find_order

    weights = np.random.default_rng(0).normal(size=(120, 120))
    Path(os.environ["TOY_BEGUN"]).touch()
    return {"d_top": 0, "score": float(find_order(weights, time_limit=300).score)}


def report(rows, folder):
    """As text."""
    return f"{len(rows)} rows"
