"""A limit on processor time that stops code that knows of none."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

OUT_OF_TIME = "out of time"
"""The status of a row whose method met its limit."""
AGAIN = 1.0
"""Processor seconds until code that swallowed OutOfTime meets it once more."""


class OutOfTime(BaseException):
    """The processor time of one task is used up; no `except Exception` may swallow it."""


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTime once the process has used that much processor time; main thread only.

    A compiled routine ends before it is seen, so the time may be overrun by one call. Inside
    another limit the earlier of the two counts, and the outer one goes on afterwards.

    >>> try:
    ...     with cpu_limit(0.01):
    ...         while True:
    ...             pass
    ... except OutOfTime:
    ...     print("stopped")
    stopped
    """
    if not seconds > 0:
        raise ValueError(f"a limit must be above 0 seconds; got {seconds}")

    def stop(_: int, __: FrameType | None) -> None:
        raise OutOfTime

    begin = time.process_time()
    left, again = signal.getitimer(signal.ITIMER_PROF)
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, min(seconds, left or seconds), AGAIN)
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    finally:  # again, as the signal may have come just before the timer was stopped
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        if left:
            left = max(left - (time.process_time() - begin), 1e-3)
            signal.setitimer(signal.ITIMER_PROF, left, again)


def met_limit(row: Mapping[str, Any]) -> bool:
    """Whether a row's method was stopped by its limit: how far it came is then left to chance."""
    return str(row.get("status", "")).startswith(OUT_OF_TIME)
