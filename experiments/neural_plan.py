"""What the neural rivals train on, fixed in advance, and its rows once it is trained.

    python -m experiments.neural_plan bundle tuning --out FOLDER
    python -m experiments.neural dcdi --problems FOLDER --out TRAINED ...   (any machine with torch)
    python -m experiments.neural_plan collect tuning TRAINED

Training is apart because it runs many datasets side by side as one program, on a machine with a GPU
where there is one. `tuning` are datasets that no table uses: repetitions from 900 on. The
regulariser of each domain is the one with the least mean error there (`choose`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from intersort.baselines.graph_orders import result_from_graph

from .grid import screens_of
from .neural_problems import write_bundle
from .rivals import judge, paper_score
from .screens import DOMAINS, FRACTIONS, Screen, draw, screen_of
from .store import STORE, Store
from .task import canonical

TUNING_FROM = 900
PLANS: dict[str, tuple[int, str, Sequence[float]]] = {
    "tuning10": (10, "neural_tuning", (0.25, 1.0)),
    "tuning30": (30, "neural_tuning", (0.25, 1.0)),
    "grid10": (10, "ten_variables", FRACTIONS),
    "grid30": (30, "figure2", FRACTIONS),
}
"""Name → variables, the experiment whose rows they are, fractions."""


def screens_of_plan(name: str) -> list[Screen]:
    """The datasets: two a domain for tuning, one of each density; the paper's ten for the grids."""
    d = PLANS[name][0]
    if not name.startswith("tuning"):
        return screens_of(d, "full")
    return [Screen(domain, d, edges, TUNING_FROM + edges) for domain in DOMAINS for edges in (1, 2)]


def write_plan(name: str, folder: Path) -> None:
    """Write a plan's datasets and problems as one bundle, which is trained as one program."""
    folder.mkdir(parents=True, exist_ok=True)
    datasets, problems = [], []
    for screen in screens_of_plan(name):
        drawn, key = draw(screen), canonical(screen.cell)
        datasets.append((key, drawn.values, drawn.targets))
        for fraction in PLANS[name][2]:
            cell = canonical(screen.cell | {"fraction": fraction})
            problems.append((cell, key, drawn.choose(fraction)))
    write_bundle(folder / f"{name}.npz", datasets, problems)


def collect(name: str, method: str, folder: Path, store: Store) -> int:
    """Turn what was trained into rows, and return how many."""
    n_rows = 0
    experiment = PLANS[name][1]
    for path in sorted(folder.glob(f"{name}*.npz")):
        about = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        how = {key: about[key] for key in ("device", "versions", "settings") if key in about}
        with np.load(path) as file:
            rows = [
                _row(method, experiment, {key: file[key][k] for key in file.files})
                for k in range(len(file["problem_keys"]))
            ]
        store.add(experiment, rows, how)
        n_rows += len(rows)
    return n_rows


def _row(
    method: str, experiment: str, trained: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The cell and the row of one problem."""
    cell = json.loads(str(trained["problem_keys"]))
    screen = screen_of(cell)
    drawn = draw(screen)
    data = drawn.take(drawn.choose(cell["fraction"]))
    rng = np.random.default_rng(screen.seed)
    probabilities = np.asarray(trained["probabilities"], dtype=np.float64)
    if method == "pacer":
        orders = trained["order"][None].astype(np.int64)
    else:
        orders = result_from_graph(probabilities > 0.5, rng, strength=probabilities).orders
    row = judge(orders, drawn.adjacency, paper_score(data, screen.domain)) | {
        "seconds": round(float(trained["seconds"]), 1),
        "steps": int(trained["steps"]),
        "n_edges": int((probabilities > 0.5).sum()),
        "reg": round(float(trained["reg"]), 6),
        "status": str(trained["status"]),
        "seed": screen.seed,
        "noise_drawn": drawn.population.description.split(", ")[-1],
    }
    cell |= {"method": method}
    if experiment == "neural_tuning":
        cell["reg"] = row.pop("reg")
    return cell, row


def main(arguments: list[str] | None = None) -> int:
    """Write bundles, or collect what was trained on them."""
    parser = argparse.ArgumentParser(prog="python -m experiments.neural_plan", description=__doc__)
    verbs = parser.add_subparsers(required=True, dest="verb")
    bundle = verbs.add_parser("bundle", help="write a plan's datasets and problems")
    bundle.add_argument("plan", choices=PLANS)
    bundle.add_argument("--out", type=Path, required=True)
    rows = verbs.add_parser("collect", help="turn what was trained into rows")
    rows.add_argument("plan", choices=PLANS)
    rows.add_argument("method", choices=["dcdi", "pacer"])
    rows.add_argument("trained", type=Path, help="folder with what experiments.neural wrote")
    rows.add_argument("--store", default=str(STORE))
    options = parser.parse_args(arguments)
    if options.verb == "bundle":
        write_plan(options.plan, options.out)
        return 0
    store, experiment = Store(options.store), PLANS[options.plan][1]
    store.load(experiment)
    print(f"{collect(options.plan, options.method, options.trained, store)} rows")
    print(store.commit_to_results(experiment, f"python -m experiments run {experiment}"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
