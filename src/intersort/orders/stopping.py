"""Ctrl-C while a search runs: the first asks it to stop with what it has, the second raises."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType


@dataclass
class StopRequest:
    """Whether someone asked the search to stop."""

    requested: bool = False


@contextmanager
def stop_on_interrupt() -> Iterator[StopRequest]:
    """Turn the first interrupt into a request; the second raises KeyboardInterrupt.

    Signals reach the main thread only. In any other thread, and where interrupts are ignored or
    handled by somebody else, nothing is changed.

    >>> with stop_on_interrupt() as stop:
    ...     stop.requested
    False
    """
    stop = StopRequest()
    ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if not ours:
        yield stop
        return

    def request(_: int, __: FrameType | None) -> None:
        stop.requested = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, request)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
