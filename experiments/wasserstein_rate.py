"""How fast does the empirical Wasserstein distance approach the true one?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from intersort._typing import FloatArray
from intersort.effects.distances.wasserstein import distance

from .claims import Claim
from .screens import DOMAINS, Screen, draw_population, repetitions, screen_of
from .shares import path_lengths
from .store import Row
from .task import Task, seed_of

TITLE = "The error of the Wasserstein distance"
ROWS = (10, 30, 100, 300, 1000, 3000, 10_000)
LAWS = ("normal", "laplace", "student_3", "student_1.5")
AS_MANY = 0
CONTROLS = (AS_MANY, 5000, 100)
"""Control rows beside those of a target."""
DRAWS = 50
CELL_DRAWS = 20
N_REPETITIONS = 20
POOL = 200_000
"""Rows of a domain's columns that stand for the distribution; draws are taken from them."""
SHIFT = 1.0
Draw = Callable[[int, np.random.Generator], FloatArray]


@dataclass(frozen=True)
class Pair:
    """Two distributions to draw from, and their true distance."""

    control: Draw
    target: Draw
    truth: float


def tasks(size: str) -> list[Task]:
    """Laws with a known distance, then columns of each domain."""
    cells: list[dict[str, Any]] = []
    for law in LAWS:
        for case in ("same", "moved"):
            for controls in CONTROLS:
                for repetition in range(N_REPETITIONS if size == "full" else 3):
                    cells.append(
                        {"law": law, "case": case, "controls": controls, "repetition": repetition}
                    )
    for domain in DOMAINS:
        for screen in repetitions(domain, 30) if size == "full" else [Screen(domain, 6, 1, 0)]:
            laws = ("rows", "cells") if domain == "gene_regulation" else ("rows",)
            for case in ("same", "moved"):
                cells += [
                    screen.cell | {"law": law, "case": case, "controls": controls}
                    for law in laws
                    for controls in (CONTROLS[:2] if law == "rows" else CONTROLS[:1])
                ]
    pool = POOL if size == "full" else 5000
    draws = DRAWS if size == "full" else 10
    shared = {"draws": draws, "pool": pool}
    return [Task("wasserstein_rate", cell | shared, chunk=_chunk(cell)) for cell in cells]


def _chunk(cell: dict[str, Any]) -> str:
    """Columns of a dataset share its pool; laws are quick and go together."""
    return "/".join(str(cell.get(key)) for key in ("domain", "edges", "repetition", "law"))


def solve(task: Task) -> Row:
    """The mean error at each number of rows."""
    cell = dict(task.cell)
    pair, seed = find_pair(cell)
    # cells of gene regulation are simulated anew each time, which is slower
    n_draws = min(cell["draws"], CELL_DRAWS) if cell["law"] == "cells" else cell["draws"]
    row: Row = {"seed": seed, "truth": round(pair.truth, 6)}
    for n in ROWS:
        n_control = cell["controls"] or n
        rng = np.random.default_rng(seed_of(seed, cell["case"], cell["controls"], n))
        row[f"error_{n}"] = float(f"{mean_error(pair, n_control, n, n_draws, rng):.4g}")
    return row


def mean_error(pair: Pair, n_control: int, n: int, n_draws: int, rng: np.random.Generator) -> float:
    """How far the distance of two samples lies from the true one, on average."""
    errors = []
    for _ in range(n_draws):
        control = np.sort(pair.control(n_control, rng))
        errors.append(abs(distance(control, pair.target(n, rng)) - pair.truth))
    return float(np.mean(errors))


def find_pair(cell: dict[str, Any]) -> tuple[Pair, int]:
    """The two distributions of a cell, and its seed."""
    if "domain" in cell:
        screen = replace(screen_of(cell), n_control=cell["pool"])
        return columns_of(screen, cell["case"], cell["law"]), screen.seed
    draw = law_of(cell["law"])
    moved = cell["case"] == "moved"
    shift = SHIFT if moved else 0.0
    seed = seed_of("wasserstein_rate", cell["law"], cell["repetition"])
    # a law and the same law moved: the distance is the way it was moved
    return Pair(draw, lambda n, rng: draw(n, rng) + shift, shift), seed


def law_of(name: str) -> Draw:
    """A law by name; sd 1 where it has one."""
    if name == "normal":
        return lambda n, rng: rng.normal(size=n)
    if name == "laplace":
        return lambda n, rng: rng.laplace(scale=np.sqrt(0.5), size=n)
    degrees = float(name.removeprefix("student_"))
    scale = np.sqrt((degrees - 2) / degrees) if degrees > 2 else 1.0
    return lambda n, rng: scale * rng.standard_t(degrees, size=n)


def columns_of(screen: Screen, case: str, law: str) -> Pair:
    """A column before and after an intervention that moves it ("moved"), or one that does not.

    "rows" are drawn, each on its own, from a very large sample, which is the distribution then.
    "cells" are simulated anew as many at a time as are asked for, as the paper's screens are.
    """
    population, adjacency = draw_population(screen)
    target, column = choose_pair(path_lengths(adjacency), case, screen.seed)
    control, moved = pools(screen, target)
    sd = float(control[:, column].std())
    before, after = np.sort(control[:, column]) / sd, np.sort(moved[:, column]) / sd
    # two long simulations differ by chance; where nothing moves, the truth is 0
    truth = 0.0 if case == "same" else distance(before, after)
    if law == "cells":
        return Pair(
            lambda n, rng: population.sample(n, rng=rng)[:, column] / sd,
            lambda n, rng: population.sample(n, do=target, rng=rng)[:, column] / sd,
            truth,
        )
    other = before if case == "same" else after
    return Pair(
        lambda n, rng: before[rng.integers(before.size, size=n)],
        lambda n, rng: other[rng.integers(other.size, size=n)],
        truth,
    )


@lru_cache(maxsize=1)
def pools(screen: Screen, target: int) -> tuple[FloatArray, FloatArray]:
    """Very many rows without and with an intervention; the last ones are kept."""
    population, _ = draw_population(screen)
    control = population.sample(screen.n_control, rng=seed_of(screen.seed, "pool"))
    rng = seed_of(screen.seed, "pool", target)
    return control, population.sample(screen.n_control, do=target, rng=rng)


def choose_pair(lengths: Any, case: str, seed: int) -> tuple[int, int]:
    """A target and, at random, a child of it or a variable that no path joins to it."""
    rng = np.random.default_rng(seed_of(seed, "pair"))
    has_both = (lengths == 1).any(axis=1) & ((lengths == 0).sum(axis=1) > 1)
    target = int(rng.choice(np.flatnonzero(has_both)))
    columns = np.flatnonzero(lengths[target] == (1 if case == "moved" else 0))
    return target, int(rng.choice(columns[columns != target]))


def report(rows: list[Row], folder: Path) -> str:
    """The page; its text and pictures have a file of their own."""
    from .wasserstein_rate_page import write

    return write(rows, folder)


def claims(rows: list[Row]) -> list[Claim]:
    """Is the error as small as the rate that the paper quotes?"""
    from .wasserstein_rate_page import claim

    return [claim(rows)]
