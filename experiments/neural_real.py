"""The neural rivals on real data: the same three steps as in `neural_plan`.

    python -m experiments.neural_real bundle --out FOLDER
    python -m experiments.neural dcdi --problems FOLDER/linear --out TRAINED --reg 3 ...
    python -m experiments.neural_real collect dcdi TRAINED

A folder a domain whose regulariser is taken, in it a bundle a number of variables.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from .neural_plan import read_trained, result_of
from .neural_problems import write_bundle
from .real_data import about
from .real_screens import read_screen, screen_names
from .rivals import judge
from .store import STORE, Store
from .task import canonical, seed_of

N_REPEATS = 3
"""Of the ten random variants of each data set."""


def write_bundles(folder: Path) -> None:
    """Write every data set and its first variants."""
    parts: dict[tuple[str, int], list[tuple[str, Any, Any, Any]]] = {}
    for name in screen_names():
        screen = read_screen(name)
        for repeat in range(N_REPEATS + 1):
            data, _ = screen.take(repeat)
            key = canonical({"data": name, "repeat": repeat})
            part = (key, data.values, data.targets, data.intervened)
            parts.setdefault((screen.domain, len(data.names)), []).append(part)
    for (domain, d), found in parts.items():
        (folder / domain).mkdir(parents=True, exist_ok=True)
        datasets = [(key, values, targets) for key, values, targets, _ in found]
        problems = [(key, key, shown) for key, _, _, shown in found]
        write_bundle(folder / domain / f"real_{d}.npz", datasets, problems)


def collect(method: str, folder: Path, store: Store) -> int:
    """Turn what was trained into rows, and return how many."""
    n_rows = 0
    for path in sorted(folder.glob("real_*.npz")):
        problems, how = read_trained(path)
        store.add("real_data", [_row(method, problem) for problem in problems], how)
        n_rows += len(problems)
    return n_rows


def _row(method: str, problem: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The cell and the row of one problem."""
    cell = json.loads(str(problem["problem_keys"])) | {"method": method}
    screen = read_screen(cell["data"])
    data, adjacency = screen.take(cell["repeat"])
    found = result_of(method, problem, seed_of("real data", cell["data"], cell["repeat"], method))
    row = judge(found.orders, adjacency, None) | {
        "seconds": round(float(problem["seconds"]), 1),
        "reg": round(float(np.asarray(problem["reg"])), 6),
        "status": found.status,
    }
    return cell, row | about(screen, data)


def main(arguments: list[str] | None = None) -> int:
    """Write bundles, or collect what was trained on them."""
    parser = argparse.ArgumentParser(prog="python -m experiments.neural_real", description=__doc__)
    verbs = parser.add_subparsers(required=True, dest="verb")
    bundle = verbs.add_parser("bundle", help="write the data sets")
    bundle.add_argument("--out", type=Path, required=True)
    rows = verbs.add_parser("collect", help="turn what was trained into rows")
    rows.add_argument("method", choices=["dcdi", "pacer"])
    rows.add_argument("trained", type=Path, help="folder with what experiments.neural wrote")
    rows.add_argument("--store", default=str(STORE))
    options = parser.parse_args(arguments)
    if options.verb == "bundle":
        write_bundles(options.out)
        return 0
    store = Store(options.store)
    store.load("real_data")
    print(f"{collect(options.method, options.trained, store)} rows")
    print(store.commit_to_results("real_data", "python -m experiments run real_data"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
