"""Real data with a known or textbook graph: every rival, and what such data can show."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from intersort import (
    InterventionalData,
    WeakBonusWarning,
    baselines,
    exact_order,
    measure_effects,
    null_threshold,
    score_orders,
)
from intersort._typing import FloatArray

from . import figure2
from .claims import Claim
from .real_data_page import (
    DRAWN,
    INTRODUCTION,
    dream4_section,
    of_kind,
    sachs_section,
    spread,
    told,
    tunnel_section,
)
from .real_screens import RealScreen, data_folder, read_screen, screen_names
from .rivals import TAKES_EPSILON, C, run_rival
from .store import Row
from .task import Task, seed_of

TITLE = "Real data with a known or textbook graph"
METHODS = figure2.METHODS
PAPER, OWN = "paper", "own"
"""Thresholds of the methods that take one: the paper's for such data, or the data's own null."""
N_REPEATS = 10
"""Random variants of each data set, see `RealScreen.take`."""
SACHS, TUNNEL, DREAM4 = "sachs", "light_tunnel", "dream4"
PAPERS_FIGURE = 3
"""D_top of the paper's order of the proteins."""


def tasks(size: str) -> list[Task]:
    """Every rival on every data set, and on random variants of it.

    Without the folder of third-party data there is nothing to run, and a line says so.
    """
    if data_folder() is None:
        print(
            "real_data: no third-party data found, so nothing is run; set INTERSORT_DATA to the "
            "folder that holds sachs, causal_chamber_lt and dream4_size10. The page can still be "
            "written from the committed rows.",
            file=sys.stderr,
        )
        return []
    small = size == "smoke"
    names = [SACHS, "light_tunnel_mid", "dream4_1"] if small else screen_names()
    methods = ("intersort_paper", "sort_ranking", "random") if small else METHODS
    return [
        Task("real_data", {"data": name, "method": method, "repeat": k} | setting, chunk=name)
        for name in names
        for k in range((1 if small else N_REPEATS) + 1)
        for method in methods
        for setting in settings_of(method)
    ]


def settings_of(method: str) -> list[dict[str, str]]:
    """Both thresholds for methods that take one."""
    if method in TAKES_EPSILON:
        return [{"threshold": PAPER}, {"threshold": OWN}]
    return [{}]


def solve(task: Task) -> dict[str, Any]:
    """One rival on one data set, or on a variant of it."""
    cell = dict(task.cell)
    screen = read_screen(cell["data"])
    data, adjacency = screen.take(cell["repeat"])
    settings: dict[str, Any] = {}
    row: dict[str, Any] = {}
    if "threshold" in cell:
        settings["epsilon"], row["pairs_above"] = threshold_of(screen, data, cell)
    seed = seed_of("real data", cell["data"], cell["repeat"], cell["method"])
    with warnings.catch_warnings():
        # The paper's own ε breaks the condition on c for Sachs; the page says so.
        warnings.simplefilter("ignore", WeakBonusWarning)
        row |= run_rival(
            cell["method"],
            data,
            adjacency,
            domain=screen.domain,
            seed=seed,
            cpu_seconds=task.cpu_seconds,
            **settings,
        )
        drawn = cell["data"] == SACHS and cell["repeat"] == 0 and cell["method"] in DRAWN
        if drawn and cell["threshold"] == PAPER:
            row |= draw_again(cell["method"], screen, data, seed, settings)
    return row | about(screen, data)


def threshold_of(
    screen: RealScreen, data: InterventionalData, cell: dict[str, Any]
) -> tuple[float | FloatArray, int]:
    """The threshold, and how many pairs lie above it."""
    distance = "mean_shift" if cell["method"] == "mean_shift" else "wasserstein"
    effects = measure_effects(data, distance)
    epsilon: float | FloatArray = screen.epsilon
    if cell["threshold"] == OWN:
        epsilon = null_threshold(data, effects, rng=seed_of("real data", screen.name, "null"))
    return epsilon, int((effects.distance > epsilon).sum())


def about(screen: RealScreen, data: InterventionalData) -> dict[str, Any]:
    """Sizes of a data set, and the least error that any order of its graph has."""
    n_edges = int(screen.adjacency.sum())
    best = exact_order(screen.adjacency.astype(np.float64))
    counts = np.unique(data.targets, return_counts=True)[1]
    return {
        "n_variables": len(screen.names),
        "n_edges": n_edges,
        "least_possible": n_edges - round(best.score),
        "n_control": int(counts[0]),
        "n_targets": len(counts) - 1,
        "n_per_target": int(counts[1:].min()),
    }


def draw_again(
    method: str,
    screen: RealScreen,
    data: InterventionalData,
    seed: int,
    settings: dict[str, Any],
) -> dict[str, Any]:
    """The order in names with its edges, and how far apart the errors of equal optima are."""
    order = baselines.run(method, data, rng=seed, **settings).orders[0]
    rank = np.argsort(order)
    edges = [(int(i), int(j)) for i, j in np.argwhere(screen.adjacency)]
    best = exact_order(score_orders(measure_effects(data), settings["epsilon"], C))
    return {
        "order": " ".join(screen.names[v] for v in order),
        "forward": " ".join(
            f"{screen.names[i]}>{screen.names[j]}" for i, j in edges if rank[i] < rank[j]
        ),
        "backward": " ".join(
            f"{screen.names[i]}>{screen.names[j]}" for i, j in edges if rank[i] > rank[j]
        ),
        "intervened": " ".join(data.names[v] for v in data.intervened),
        "n_optimal": best.n_optimal,
    }


def report(rows: list[Row], folder: Path) -> str:
    """A section a source of data: what it can show, then the table."""
    parts = [INTRODUCTION]
    for name, section in (
        (SACHS, sachs_section),
        (TUNNEL, tunnel_section),
        (DREAM4, dream4_section),
    ):
        here = [row for row in rows if row["data"].startswith(name)]
        if here:
            parts.append(section(here, folder))
    return "\n\n".join(parts)


def claims(rows: list[Row]) -> list[Claim]:
    """The paper's figure of the proteins."""
    ours = of_kind([row for row in rows if row["data"] == SACHS], ("intersort_paper", PAPER))
    whole = [row for row in ours if row["repeat"] == 0]
    if not whole:
        return []
    chance = [
        r for r in rows if r["data"] == SACHS and r["method"] == "random" and r["repeat"] == 0
    ]
    return [
        Claim(
            "Appendix, qualitative example on real-world data",
            "On the proteins of Sachs and others, with ε 1.5, Intersort has D_top 3.",
            f"D_top {told(whole)} on all rows, {spread(ours)} on random halves of them with the "
            f"columns in random order; a random order has {told(chance)}. The score has "
            f"{whole[0].get('n_optimal')} best orders. {best_other(rows)}",
            "holds" if whole[0].get("d_top") == PAPERS_FIGURE else "does not hold",
            "The order is one of several with the same score and other errors, its ε was chosen "
            "for this data set, and the graph is a textbook's; see [real data](real_data.md) and "
            "[Sachs](../sachs.md).",
        )
    ]


def best_other(rows: list[Row]) -> str:
    """The rival with the lowest error on all rows of the proteins that is no relative of ours."""
    relatives = {*TAKES_EPSILON, "intersort", "random"}
    others = [
        row
        for row in rows
        if row["data"] == SACHS
        and row["repeat"] == 0
        and row["method"] not in relatives
        and row.get("d_top") is not None
    ]
    if not others:
        return ""
    best = min(others, key=lambda row: float(row["d_top"]))
    return f"The lowest of the other rivals is {best['method']} with {told([best])}."
