"""Train PACER on many problems of one size, side by side, a fixed number of steps.

Weights at the start and the rows for training come from each problem's own seed, what is drawn in
the steps from one stream for the whole batch, which reproduces as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .cuda_graph import Repeated
from .device_rows import DeviceRows
from .pacer_networks import PacerNetworks
from .problem import (
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

N_STEPS = 5000
STEPS_A_LAUNCH = 10
STEPS_A_REPORT = 50


def train_pacer(
    problems: Sequence[Problem],
    *,
    reg: float | Sequence[float],
    seeds: Sequence[int],
    device: str | None = None,
    max_steps: int = N_STEPS,
    time_limit: float | None = None,
    report: Callable[[Progress], None] | None = None,
) -> list[Trained]:
    """Train `max_steps` steps, or until time is over.

    Parameters are those of `train_dcdi`, and `reg` is the weight of one edge against the mean
    negative log-likelihood of a row.
    """
    torch, clock, n = import_torch(), Clock(time_limit), len(problems)
    chosen = choose_device(device)
    rngs = [np.random.default_rng(seed) for seed in seeds]
    generator = torch.Generator(device=chosen)
    generator.manual_seed(seed_of(list(seeds)))
    regs = np.broadcast_to(np.asarray(reg, dtype=np.float64), n).tolist()
    networks = PacerNetworks(DeviceRows(problems, rngs, chosen), regs, rngs, generator)
    steps = Repeated(networks.step, STEPS_A_LAUNCH, generator, chosen)
    done = 0

    def results() -> list[Trained]:
        gates, ranking = networks.probabilities(), networks.ranking()
        status = OK if done >= max_steps else MET_TIME_LIMIT
        taken = clock.seconds
        return [Trained(g, done, taken, status, r) for g, r in zip(gates, ranking, strict=True)]

    while done < max_steps and not clock.is_over:
        steps()
        done += STEPS_A_LAUNCH
        if done % STEPS_A_REPORT == 0:
            networks.n_steps.item()  # waits for the device, so that the clock is right
            if report is not None:
                finished = n if done >= max_steps else 0
                report(Progress(done, clock.seconds, finished, n, results))
    return results()
