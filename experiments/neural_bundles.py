"""Bundles of the paper's grid for the neural rivals: `python -m experiments.neural_bundles`.

A problem's key is the cell of the row that it becomes, less the method. Tuning is done on
repetitions that no table has.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from .neural_problems import write_bundle
from .screens import DOMAINS, FRACTIONS, Screen, draw, repetitions
from .task import canonical

FIRST_TUNING_REPETITION = 900_000
TUNING_FRACTIONS = (0.25, 1.0)


def tuning_screens(d: int) -> list[Screen]:
    """Two datasets a domain, one of each density."""
    return [
        Screen(domain, d, edges, FIRST_TUNING_REPETITION) for domain in DOMAINS for edges in (1, 2)
    ]


def grid_screens(d: int) -> list[Screen]:
    """The paper's datasets."""
    return [screen for domain in DOMAINS for screen in repetitions(domain, d)]


BUNDLES: dict[str, tuple[Callable[[], list[Screen]], Sequence[float]]] = {
    "tuning_ten": (lambda: tuning_screens(10), TUNING_FRACTIONS),
    "tuning_thirty": (lambda: tuning_screens(30), TUNING_FRACTIONS),
    "ten": (lambda: grid_screens(10), FRACTIONS),
    "thirty": (lambda: grid_screens(30), FRACTIONS),
}


def bundle(path: Path, screens: Iterable[Screen], fractions: Sequence[float]) -> int:
    """Write every screen and its fractions; say how many problems that are."""
    datasets, problems = [], []
    for screen in screens:
        drawn, name = draw(screen), canonical(screen.cell)
        datasets.append((name, drawn.values, drawn.targets))
        for fraction in fractions:
            key = canonical(screen.cell | {"fraction": fraction})
            problems.append((key, name, drawn.choose(fraction)))
    write_bundle(path, datasets, problems)
    return len(problems)


def main(arguments: list[str] | None = None) -> int:
    """Write the bundles asked for."""
    parser = argparse.ArgumentParser(prog="python -m experiments.neural_bundles")
    parser.add_argument("names", nargs="+", choices=sorted(BUNDLES))
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names:
        path = options.out / f"{name}.npz"
        screens, fractions = BUNDLES[name]
        n = bundle(path, screens(), fractions)
        print(f"{path}: {n} problems, {path.stat().st_size / 2**20:.1f} MiB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
