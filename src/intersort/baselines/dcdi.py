"""DCDI-G: perceptrons and a mask of edges, trained under a penalty on cycles.

Brouillard, Lachapelle, Lacoste, Lacoste-Julien, Drouin (2020), "Differentiable causal discovery
from interventional data", the Gaussian form with known, perfect interventions.

Taken from the paper and the authors' public settings: two hidden layers of 16 leaky rectified
units, one sd per variable, logits of edges from 5, hard Gumbel-sigmoids, RMSprop at 0.001, batches
of 64, 80 % of the rows for training, and the rule of `neural/augmented_lagrangian.py` for the
multipliers; rows in which j is the target leave j's term out. Chosen here: rows are drawn with
replacement, float32 but for the penalty, multipliers may grow every 100 steps in place of every
200, training ends at the first graph without cycles, edges are probabilities above a half. `reg`,
the weight of the number of edges, has no default: the authors' 0.1 leaves most edges in where
theirs were tuned per kind of data, so the caller tunes it. A run that meets `max_steps` or
`time_limit` is given as it stands, its cycles broken at the least probable edge. `device` None is
CUDA where there is one. It needs the extra ``neural`` (torch) and takes neither missing values nor
fewer than ten rows.
"""

from __future__ import annotations

import numpy as np

from ..data import InterventionalData
from .graph_orders import result_from_graph
from .neural.dcdi_training import train_dcdi
from .neural.problem import OK, Problem, Trained
from .neural.take import as_problem
from .result import BaselineResult


def run(
    data: InterventionalData,
    *,
    rng: np.random.Generator,
    reg: float,
    device: str | None = None,
    max_steps: int = 1_000_000,
    time_limit: float | None = None,
) -> BaselineResult:
    """Train on one problem and draw orders of its graph."""
    problem: Problem = as_problem(data, "dcdi")
    seed = int(rng.integers(2**32))
    trained = train_dcdi(
        [problem],
        reg=reg,
        seeds=[seed],
        device=device,
        max_steps=max_steps,
        time_limit=time_limit,
    )
    return result_of(trained[0], rng)


def result_of(trained: Trained, rng: np.random.Generator) -> BaselineResult:
    """Orders of the graph of probabilities above a half."""
    strength = np.asarray(trained.probabilities, dtype=np.float64)
    found = result_from_graph(strength > 0.5, rng, strength=strength)
    if trained.status == OK:
        return found
    status = f"{trained.status} after {trained.steps:,} steps; {found.status}"
    return BaselineResult(found.orders, found.adjacency, status)
