"""PACER: an order and gates of edges learned together from sampled graphs.

Viñas Torné et al. (2026). The authors' code is not to be had; this is written from the paper.

Taken from the paper: Plackett–Luce order logits with Gumbel noise, an independent gate per pair,
perceptrons with two hidden layers of 4 units for the means, Gaussian, rows in which j is the target
leave j's term out, 200 sampled graphs a step, score-function slopes, steps of 0.01, batches of 64,
5,000 steps, a penalty on the expected number of edges. Chosen here: Adam; the order's logits at
0.001 in place of 0.01, since at the rate of the networks the order settles before these have learnt
anything (both are in docs/paper/neural_tuning.md); the slope of each gate from its own child's loss
alone and the exact slope of the penalty, which are the same in the mean and less noisy; 80 % of the
rows for training, as in DCDI. `reg` is the weight of one edge against the mean negative
log-likelihood of a row; what it is measured against is not said in the paper's default of 1, so it
has no default here. Its one order is that of its logits; the graph is that of the gates more open
than shut, along the order. `max_steps` (5,000) and `time_limit` end it, `device` None is CUDA where
there is one. It needs the extra ``neural`` (torch) and takes neither missing values nor fewer than
ten rows.
"""

from __future__ import annotations

import numpy as np

from ..data import InterventionalData
from .neural.pacer_training import N_STEPS, train_pacer
from .neural.problem import OK, Trained
from .neural.take import as_problem
from .result import BaselineResult


def run(
    data: InterventionalData,
    *,
    rng: np.random.Generator,
    reg: float,
    device: str | None = None,
    max_steps: int = N_STEPS,
    time_limit: float | None = None,
) -> BaselineResult:
    """Train on one problem."""
    problem = as_problem(data, "pacer")
    trained = train_pacer(
        [problem],
        reg=reg,
        seeds=[int(rng.integers(2**32))],
        device=device,
        max_steps=max_steps,
        time_limit=time_limit,
    )
    return result_of(trained[0])


def result_of(trained: Trained) -> BaselineResult:
    """The order of the logits, and the gates along it."""
    order = np.argsort(-np.asarray(trained.ranking), kind="stable")
    rank = np.argsort(order)
    along = rank[:, None] < rank[None, :]
    adjacency = (np.asarray(trained.probabilities) > 0.5) & along
    status = OK if trained.status == OK else f"{trained.status} after {trained.steps:,} steps"
    return BaselineResult(order[None], adjacency, status)
