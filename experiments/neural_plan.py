"""What the neural rivals train on, fixed in advance, and its rows once it is trained.

    python -m experiments.neural_plan bundle grid30 --out FOLDER
    python -m experiments.neural dcdi --problems FOLDER --out TRAINED ...   (any machine with torch)
    python -m experiments.neural_plan collect grid30 dcdi TRAINED

Training is apart because it runs many datasets side by side as one program, on a machine with a GPU
where there is one. The tuning plans have datasets that no table uses, repetitions from 900 on;
`neural_tuning` chooses the regulariser of each domain from their rows.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from intersort.baselines import dcdi, pacer
from intersort.baselines.neural.problem import Trained
from intersort.baselines.result import BaselineResult

from .grid import about, screens_of
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


def collect(name: str, method: str, folder: Path, store: Store, more: dict[str, Any]) -> int:
    """Turn what was trained into rows, and return how many; `more` is added to their cells."""
    n_rows, experiment = 0, PLANS[name][1]
    for path in sorted(folder.glob(f"{name}*.npz")):
        problems, how = read_trained(path)
        store.add(experiment, [_row(method, problem, more) for problem in problems], how)
        n_rows += len(problems)
    return n_rows


def read_trained(path: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The columns of each problem that `experiments.neural` wrote, and how they were made."""
    about = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    settings = {key: about[key] for key in ("reg", "max_steps", "time_limit", "n_problems")}
    versions = {key: about[key] for key in ("python", "numpy", "torch")}
    with np.load(path) as file:
        columns = {key: file[key] for key in file.files}
    n_problems = len(columns["problem_keys"])
    problems = [{key: column[k] for key, column in columns.items()} for k in range(n_problems)]
    return problems, {"device": about["device"], "versions": versions, "settings": settings}


def _row(
    method: str, problem: dict[str, Any], more: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The cell and the row of one problem."""
    cell = json.loads(str(problem["problem_keys"]))
    screen = screen_of(cell)
    drawn = draw(screen)
    score = paper_score(drawn.take(drawn.choose(cell["fraction"])), screen.domain)
    found = result_of(method, problem, screen.seed)
    row = judge(found.orders, drawn.adjacency, score) | {
        "seconds": round(float(problem["seconds"]), 1),
        "steps": int(problem["steps"]),
        "reg": round(float(problem["reg"]), 6),
        "status": found.status,
    }
    row |= about(screen, drawn)
    cell |= {"method": method} | more
    if screen.repetition >= TUNING_FROM:
        cell["reg"] = row.pop("reg")
    return cell, row


def result_of(method: str, problem: dict[str, Any], seed: int) -> BaselineResult:
    """Orders of what was trained."""
    trained = Trained(
        problem["probabilities"],
        int(problem["steps"]),
        float(problem["seconds"]),
        str(problem["status"]),
        problem.get("ranking"),
    )
    if method == "pacer":
        return pacer.result_of(trained)
    return dcdi.result_of(trained, np.random.default_rng(seed))


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
    rows.add_argument("--order-rate", type=float, help="PACER's, where it was not the usual one")
    rows.add_argument("--store", default=str(STORE))
    options = parser.parse_args(arguments)
    if options.verb == "bundle":
        write_plan(options.plan, options.out)
        return 0
    store, experiment = Store(options.store), PLANS[options.plan][1]
    store.load(experiment)
    more = {} if options.order_rate is None else {"order_rate": options.order_rate}
    print(f"{collect(options.plan, options.method, options.trained, store, more)} rows")
    print(store.commit_to_results(experiment, f"python -m experiments run {experiment}"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
