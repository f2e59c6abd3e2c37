"""What a neural rival is trained on, and what it hands back: plain arrays, no torch."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..._optional import import_extra
from ..._typing import IntArray

SHARE_FOR_TRAINING = 0.8

OK = "ok"
MET_STEP_CAP = "met the step cap"
MET_TIME_LIMIT = "met the time limit"


@dataclass(frozen=True, eq=False)
class Problem:
    """A dataset, and which of its interventions are to be seen.

    Parameters
    ----------
    values : float array of shape (n, d)
        Rows of measurements, standardised. Problems that share one array share it on the device.
    targets : int array of shape (n,)
        Column that was intervened on in each row; −1 is a control row, −2 a row that is not used.
    shown : int array, optional
        Targets whose rows are used, beside the control rows; all by default.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.zeros((4, 2), dtype=np.float32)
    >>> Problem(values, np.array([-1, 0, 1, -2]), shown=np.array([1])).rows()
    array([0, 2])
    """

    values: Any
    targets: IntArray
    shown: IntArray | None = None

    @property
    def n_variables(self) -> int:
        """Number of columns."""
        return int(self.values.shape[1])

    def rows(self) -> IntArray:
        """Rows that are used."""
        seen = self.targets >= 0 if self.shown is None else np.isin(self.targets, self.shown)
        return np.flatnonzero(seen & (self.targets >= 0) | (self.targets == -1))

    def split(self, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
        """Rows for training, and rows that are held out."""
        rows = rng.permutation(self.rows())
        n_training = int(SHARE_FOR_TRAINING * rows.size)
        return rows[:n_training], rows[n_training:]


@dataclass(frozen=True, eq=False)
class Trained:
    """What training gave for one problem.

    Attributes
    ----------
    probabilities : float32 array of shape (d, d)
        Probability of each edge i → j.
    steps : int
        How many steps of gradient descent it took.
    seconds : float
        How long after the start of the whole batch it was done.
    status : str
        ``"ok"``, or the limit that was met before the method's own rule stopped it.
    ranking : float32 array of shape (d,), optional
        Where the method learns an order: its logits, causes highest.
    """

    probabilities: Any
    steps: int
    seconds: float
    status: str = OK
    ranking: Any = None


@dataclass
class Progress:
    """How far a batch has come; `results` copies the present state from the device."""

    step: int
    seconds: float
    n_finished: int
    n_problems: int
    results: Callable[[], list[Trained]]


@dataclass
class Clock:
    """Seconds since the start, and whether a limit is met."""

    limit: float | None = None
    begin: float = field(default_factory=time.perf_counter)

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.begin

    @property
    def is_over(self) -> bool:
        """Whether the limit is met."""
        return self.limit is not None and self.seconds > self.limit


def import_torch() -> Any:
    """Import torch, or say how to install it."""
    return import_extra("torch", "neural", "A neural rival")


def choose_device(device: str | None) -> Any:
    """The device asked for; without one CUDA where there is one, the CPU otherwise."""
    torch = import_torch()
    return torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))


def seed_of(seeds: list[int]) -> int:
    """One seed for the steps of a whole batch, made of those of its problems."""
    return int(np.random.SeedSequence(seeds).generate_state(1, np.uint32)[0])
