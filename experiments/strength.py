"""How strong must an intervention be for its descendants to rise above the threshold?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from intersort import InterventionalData, measure_effects, null_threshold, simulate
from intersort.simulate.interventions import FixedValue, Intervention, Soft

from .claims import Claim
from .grid import SMOKE_D
from .screens import (
    DOMAINS,
    EPSILON,
    Screen,
    draw_population,
    repetitions,
    screen_of,
)
from .shares import count_above, count_pairs, path_lengths
from .store import Row
from .task import Task, seed_of

TITLE = "The strength that an intervention needs"
D = 30
SHIFTS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Structural models: the value that is set, control sds away from the control mean."""
KNOCK_DOWNS = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)
"""Gene regulation: the share of the production rate that is taken away; 1 is the knock-out."""
ROWS = (10, 30, 100, 300, 1000, 3000)
SIZES = (10, 30, 100)
N_REFERENCE_ROWS = 5000


def strengths(domain: str) -> tuple[float, ...]:
    """What is tried in a domain."""
    return KNOCK_DOWNS if domain == "gene_regulation" else SHIFTS


def tasks(size: str) -> list[Task]:
    """Strength, rows per target and number of variables, one varied at a time."""
    found = []
    for screen in _screens("gene_regulation", size, D, half_response="wild_type"):
        knocks = KNOCK_DOWNS if size == "full" else KNOCK_DOWNS[1::4]
        found += [_task(screen, varied="strength", strength=strength) for strength in knocks]
        found.append(_task(screen, varied="d"))
    for domain in DOMAINS:
        for screen in _screens(domain, size, D):
            tried = strengths(domain) if size == "full" else strengths(domain)[1::4]
            found += [_task(screen, varied="strength", strength=strength) for strength in tried]
            for n in ROWS if size == "full" else ROWS[:2]:
                found.append(_task(replace(screen, n_per_target=n), varied="rows"))
        for d in SIZES if size == "full" else (SMOKE_D, SMOKE_D + 2):
            found += [_task(screen, varied="d") for screen in _screens(domain, size, d)]
    return found


def _screens(domain: str, size: str, d: int, **more: Any) -> list[Screen]:
    """The paper's datasets; for a smoke test one small one."""
    if size == "full":
        return repetitions(domain, d, **more)
    return [Screen(domain, min(d, SMOKE_D + 2), 1, 0, n_control=300, n_per_target=30, **more)]


def _task(screen: Screen, **setting: Any) -> Task:
    cell = screen.cell | setting
    return Task("strength", cell, chunk=f"{screen.domain}/{screen.d}/{screen.seed}")


def solve(task: Task) -> Row:
    """Count pairs above both thresholds, by the length of the path between them."""
    cell = dict(task.cell)
    screen = screen_of(cell)
    population, adjacency = draw_population(screen)
    if "strength" in cell:
        population = with_strength(population, screen, cell["strength"])
    everyone = np.arange(population.n_variables)
    values, targets = population.screen(
        screen.n_control, screen.n_per_target, everyone, rng=seed_of(screen.seed, "rows")
    )
    data = InterventionalData.from_arrays(values, targets, control=-1)
    effects = measure_effects(data)
    own = null_threshold(data, effects, rng=seed_of(screen.seed, "null"))
    lengths = path_lengths(adjacency)
    row: Row = {"seed": screen.seed, "own_threshold": round(float(own.mean()), 4)}
    row |= count_pairs(lengths, effects.intervened)
    for name, threshold in (("epsilon", EPSILON[screen.domain]), ("own", own)):
        row |= count_above(effects.distance, effects.intervened, lengths, threshold, name)
    return row


def with_strength(
    population: simulate.Population, screen: Screen, strength: float
) -> simulate.Population:
    """The population with weaker or stronger interventions.

    Gene regulation: that share of the production is taken away. Elsewhere the variable is set to
    its control mean plus or minus (at random) so many control sds.
    """
    do: list[Intervention]
    if screen.domain == "gene_regulation":
        do = [Soft(scale=1.0 - strength)] * len(population.adjacency)
    else:
        reference = population.sample(N_REFERENCE_ROWS, rng=seed_of(screen.seed, "reference"))
        rng = np.random.default_rng(seed_of(screen.seed, "signs"))
        signs = rng.choice([-1.0, 1.0], size=population.n_variables)
        places = reference.mean(axis=0) + strength * signs * reference.std(axis=0)
        do = [FixedValue(float(place)) for place in places]
    return replace(population, interventions=tuple(do))


def report(rows: list[Row], folder: Path) -> str:
    """The page; its text and pictures have a file of their own."""
    from .strength_page import write

    return write(rows, folder)


def claims(rows: list[Row]) -> list[Claim]:
    """Can one study the strength that is needed?"""
    from .strength_page import claim

    return [claim(rows)]
