"""Train DCDI-G on many problems of one size, side by side.

Weights at the start and the rows held out come from each problem's own seed. What is drawn in the
steps comes from one stream for the whole batch, because a stream per problem is slow on a GPU: a
batch reproduces as a whole, on one kind of device, and a problem does not on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .augmented_lagrangian import STEPS_A_READING, AugmentedLagrangian
from .cuda_graph import Repeated
from .dcdi_networks import DcdiNetworks
from .device_rows import DeviceRows
from .problem import (
    MET_STEP_CAP,
    MET_TIME_LIMIT,
    OK,
    Clock,
    Problem,
    Progress,
    Trained,
    choose_device,
    import_torch,
    seed_of,
)

STEPS_A_LAUNCH = 50
CLOSE_UP_AT = 0.8
"""Finished problems are left out of the batch once the open ones are this share of it."""


def train_dcdi(
    problems: Sequence[Problem],
    *,
    reg: float | Sequence[float],
    seeds: Sequence[int],
    device: str | None = None,
    max_steps: int = 1_000_000,
    time_limit: float | None = None,
    report: Callable[[Progress], None] | None = None,
) -> list[Trained]:
    """Train until each problem's own rule stops it, or a limit does.

    Parameters
    ----------
    problems : sequence of Problem
        All with the same number of variables.
    reg : float or sequence of float
        Weight of the number of edges, one for all or one per problem.
    seeds : sequence of int
        One per problem.
    device : str, optional
        ``"cpu"`` or ``"cuda"``; by default CUDA where there is one.
    max_steps : int
        Steps after which a problem that is still open is given as it stands.
    time_limit : float, optional
        Seconds after which the same is done.
    report : callable, optional
        Called with a `Progress` every 100 steps.

    Returns
    -------
    list of Trained
    """
    training = _Training(problems, reg, seeds, choose_device(device), Clock(time_limit))
    training.run(max_steps, report)
    return training.snapshot()


class _Training:
    """A batch on its way: which problems are still open, and what the others gave."""

    def __init__(
        self, problems: Sequence[Problem], reg: Any, seeds: Sequence[int], device: Any, clock: Clock
    ) -> None:
        torch, n = import_torch(), len(problems)
        rngs = [np.random.default_rng(seed) for seed in seeds]
        self.clock, self.device = clock, device
        self.generator = torch.Generator(device=device)
        self.generator.manual_seed(seed_of(list(seeds)))
        rows = DeviceRows(problems, rngs, device)
        regs = np.broadcast_to(np.asarray(reg, dtype=np.float64), n).tolist()
        self.networks = DcdiNetworks(rows, regs, rngs, self.generator)
        self.lagrangian = AugmentedLagrangian(n)
        self.n_steps, self.unfinished = 0, MET_TIME_LIMIT
        self.place = np.arange(n)
        self.done: dict[int, Trained] = {}
        self._record()

    def _record(self) -> None:
        """The step and the reading for the present size of the batch."""
        networks, to_record = self.networks, (self.generator, self.device)
        networks.press(
            self.lagrangian.gamma, self.lagrangian.mu, np.zeros(len(self.place), dtype=np.bool_)
        )
        self.steps = Repeated(networks.step, STEPS_A_LAUNCH, *to_record)
        self.read = Repeated(networks.read, 1, *to_record)

    def run(self, max_steps: int, report: Callable[[Progress], None] | None) -> None:
        """Steps, readings, and what follows from them."""
        n_problems = len(self.place)
        while len(self.done) < n_problems and not self.clock.is_over:
            if self.n_steps + STEPS_A_READING > max_steps:
                self.unfinished = MET_STEP_CAP
                break
            for _ in range(STEPS_A_READING // STEPS_A_LAUNCH):
                self.steps()
            self.n_steps += STEPS_A_READING
            self.read()
            self._follow(self.networks.readout.cpu().numpy())
            if report is not None:
                done = len(self.done)
                seconds = self.clock.seconds
                report(Progress(self.n_steps, seconds, done, n_problems, self.snapshot))

    def _follow(self, reading: Any) -> None:
        """Press harder, take what is done, and close up when much is."""
        done, changed = self.lagrangian.look(*reading)
        if changed.any():
            self.networks.press(self.lagrangian.gamma, self.lagrangian.mu, changed)
        new = [k for k in np.flatnonzero(done) if int(self.place[k]) not in self.done]
        if new:
            found = self.networks.probabilities()
            for k in new:
                self.done[int(self.place[k])] = self._trained(found[k], OK)
        still = np.array([k for k, place in enumerate(self.place) if int(place) not in self.done])
        if 0 < still.size <= CLOSE_UP_AT * self.place.size:
            self.networks.keep(still)
            self.lagrangian.keep(still)
            self.place = self.place[still]
            self._record()

    def _trained(self, probabilities: Any, status: str) -> Trained:
        return Trained(probabilities.copy(), self.n_steps, self.clock.seconds, status)

    def snapshot(self) -> list[Trained]:
        """What each problem has given, or stands at."""
        results = dict(self.done)
        found = self.networks.probabilities()
        for k, place in enumerate(self.place):
            if int(place) not in results:
                results[int(place)] = self._trained(found[k], self.unfinished)
        return [results[k] for k in range(len(results))]
