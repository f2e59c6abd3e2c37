"""GIES and PC as their packages run them, and as our rivals run them: same graph, sooner.

Run it as `python benchmarks/graph_rivals_speed.py`. One dataset each, every variable intervened on;
the plain call is stopped after a minute.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from itertools import product
from types import FrameType

import gies
import numpy as np
from _results import keep
from causallearn.search.ConstraintBased.PC import pc
from ease_forms import DOMAINS, draw

from intersort.baselines._gies_search import load_search
from intersort.baselines.gies import split_environments
from intersort.baselines.pc import find_oriented

MOST_SECONDS = 60


class Stopped(BaseException):
    """The time of a plain call is over."""


def stop(number: int, frame: FrameType | None) -> None:
    """Called by the timer."""
    raise Stopped


def measure(call: Callable[..., np.ndarray], *given: object) -> tuple[np.ndarray | None, float]:
    """What a call gives, or None where it was stopped, and its seconds of one core."""
    begin = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        found = call(*given)
    except Stopped:
        return None, float(MOST_SECONDS)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return found, time.process_time() - begin


def plain_pc(values: np.ndarray) -> np.ndarray:
    """The edges that causal-learn orients."""
    ends = pc(values, 0.05, show_progress=False).G.graph
    return (ends == -1) & (ends.T == 1)


def quick_pc(values: np.ndarray) -> np.ndarray:
    """The same through our test."""
    return find_oriented(values, 0.05)


def plain_gies(environments: list[np.ndarray], known: list[list[int]]) -> np.ndarray:
    """The class of graphs that the package finds."""
    return np.asarray(gies.fit_bic(environments, known)[0])


def quick_gies(environments: list[np.ndarray], known: list[list[int]]) -> np.ndarray:
    """The same through our answers about paths."""
    return np.asarray(load_search().fit_bic(environments, known)[0])


def main() -> None:
    """Measure, print and keep."""
    signal.signal(signal.SIGPROF, stop)
    find_oriented(np.random.default_rng(0).normal(size=(20, 2)), 0.05)
    rows = []
    for domain, d in product(DOMAINS, (10, 30)):
        values, targets, _ = draw(domain, d, 1)
        parts = split_environments(values, targets)
        calls = {
            "gies": (plain_gies, quick_gies, parts),
            "pc, pooled": (plain_pc, quick_pc, (values,)),
        }
        for rival, (plain, ours, given) in calls.items():
            theirs, slow = measure(plain, *given)
            found, quick = measure(ours, *given)
            row: dict[str, object] = {"rival": rival, "domain": domain, "d": d}
            row |= {"package, s": slow if theirs is not None else f"> {MOST_SECONDS}"}
            same = "" if theirs is None else str(np.array_equal(theirs, found))
            rows.append(row | {"here, s": quick, "same graph": same})
    keep("graph_rivals_speed", rows)


if __name__ == "__main__":
    main()
