"""When to stop: work, a deadline, or a request."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Limits:
    """How much may be spent on a certificate, and how much has been.

    Attributes
    ----------
    work : float
        Row updates that may be spent.
    deadline : float
        Value of `time.perf_counter` at which to stop.
    is_interrupted : callable
        Says whether someone asked to stop.
    spent : float
        Row updates spent so far.
    """

    work: float = math.inf
    deadline: float = math.inf
    is_interrupted: Callable[[], bool] = lambda: False
    spent: float = 0.0

    def reached(self, work: float = 0.0) -> bool:
        """Whether to stop, given work that is not yet counted in `spent`."""
        return self.spent + work >= self.work or self.stopped_from_outside()

    def stopped_from_outside(self) -> bool:
        """Whether the clock or a request, not the work, says to stop."""
        return time.perf_counter() >= self.deadline or self.is_interrupted()
