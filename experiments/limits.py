"""A limit on processor time that stops code that knows of none."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfTime(BaseException):
    """The processor time of one task is used up; no `except Exception` may swallow it."""


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTime once the process has used that much processor time; main thread only.

    A compiled routine ends before the signal is seen, so the time may be overrun by one call.
    """

    def stop(_: int, __: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, stop)
    # Some code loses the first exception in a callback that cannot raise: ask again each second.
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
