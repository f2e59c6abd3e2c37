"""Run one rival on one dataset and say how well it did."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from intersort import InterventionalData, baselines, measure_effects, score_orders
from intersort._typing import BoolArray, FloatArray, IntArray
from intersort.metrics import d_top_range
from intersort.scores.paper import OrderScore

from .choices import SETTINGS, regulariser
from .limits import OUT_OF_TIME, OutOfTime, cpu_limit
from .screens import EPSILON

TAKES_EPSILON = {
    "sort_ranking",
    "intersort_paper",
    "local_search",
    "diffintersort",
    "mean_shift",
}
TAKES_REG = {"dcdi", "pacer"}
C = 0.5


def settings_of(method: str, domain: str, d: int) -> dict[str, Any]:
    """What an experiment gives a rival of d variables: the paper's ε, and what was chosen for it.

    >>> settings_of("sort_ranking", "linear", 30)
    {'epsilon': 0.3}
    """
    settings = dict(SETTINGS.get(method, {}).get(domain, {}))
    if method in TAKES_EPSILON:
        settings["epsilon"] = EPSILON[domain]
    if method in TAKES_REG:
        settings["reg"] = regulariser(method, domain, d)
    return settings


def paper_score(data: InterventionalData, domain: str) -> OrderScore:
    """The paper's score at the domain's ε."""
    return score_orders(measure_effects(data), EPSILON[domain], C)


def run_rival(
    method: str,
    data: InterventionalData,
    adjacency: BoolArray,
    *,
    domain: str,
    seed: int,
    cpu_seconds: float,
    score: OrderScore | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """A row: D_top over the orders that it gave (mean, least, most), score, seconds, status.

    A rival that fails or runs out of time says so in `status` and has no D_top.
    """
    chosen = settings_of(method, domain, len(data.names)) | settings
    begin = time.perf_counter()
    try:
        with cpu_limit(cpu_seconds):
            result = baselines.run(method, data, rng=seed, **chosen)
    except OutOfTime:
        return {"status": OUT_OF_TIME, "seconds": round(time.perf_counter() - begin, 3)}
    except Exception as error:  # noqa: BLE001  a rival's failure is a result
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        return {"status": f"failed: {reason[:200]}"}
    seconds = round(time.perf_counter() - begin, 4)
    measured = judge(result.orders, adjacency, score) | {"seconds": seconds}
    return measured | {"status": result.status}


def judge(orders: IntArray, adjacency: BoolArray, score: OrderScore | None) -> dict[str, Any]:
    """D_top of orders, and the mean of their scores."""
    found = d_top_range(adjacency, orders)
    row: dict[str, Any] = {"d_top": round(found.mean, 6)}
    if len(orders) > 1:
        row |= {"d_top_least": found.least, "d_top_most": found.most}
    if score is not None:
        row["score"] = mean_score(score, orders)
    return row


def mean_score(score: OrderScore, orders: IntArray) -> float:
    """The mean score of orders."""
    values: FloatArray = np.array([score.score(order) for order in orders])
    return float(values.mean())
