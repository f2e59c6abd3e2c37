"""Write graph_rivals.json: small screens and what the packages of four rivals make of them.

Run once, in an environment of its own (1.4 GB)::

    python -m venv scratch
    scratch/bin/pip install causaldag==0.1a163 causal-learn==0.1.4.8 gies==0.0.3 permscore==0.1
    scratch/bin/python tests/baselines/frozen/make_graph_rivals.py

The rows are in the file, as whole hundredths, so that no generator of random numbers has to stay as
it is. causaldag draws its moves from Python's own generator, so it is called with 20 seeds from
each start and every graph that it returns is kept.
"""

import json
import random
import warnings
from importlib.metadata import version
from pathlib import Path

import gies
import numpy as np
import permscore
from causallearn.search.ConstraintBased.PC import pc

with warnings.catch_warnings():
    warnings.simplefilter("ignore", FutureWarning)
    import causaldag

N_CONTROL, N_EACH, N_SCREENS, ALPHA = 250, 30, 8, 1e-3


def make_screen(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A linear Gaussian system of six variables, some of which are set to about 3."""
    rng = np.random.default_rng(900_000 + seed)
    d = 6
    order = rng.permutation(d)
    weights = np.zeros((d, d))
    for later in range(1, d):
        for earlier in range(later):
            if rng.random() < 0.4:
                weight = rng.uniform(0.6, 1.4) * rng.choice([-1, 1])
                weights[order[earlier], order[later]] = weight
    intervened = np.sort(rng.choice(d, size=2 + seed % 5, replace=False))
    targets = np.concatenate([np.full(N_CONTROL, -1), np.repeat(intervened, N_EACH)])
    values = np.zeros((targets.size, d))
    for j in order:
        left_alone = values @ weights[:, j] + rng.normal(size=targets.size)
        values[:, j] = np.where(targets == j, rng.normal(3, 0.5, targets.size), left_alone)
    return (weights != 0).astype(int), np.rint(100 * values).astype(int), targets


def run_causaldag(values: np.ndarray, targets: np.ndarray, start: list[int]) -> list:
    control = values[targets == -1]
    intervened = np.unique(targets[targets >= 0]).tolist()
    rows = [values[targets == i] for i in intervened]
    tests = causaldag.MemoizedCI_Tester(
        causaldag.partial_correlation_test,
        causaldag.partial_correlation_suffstat(control),
        alpha=ALPHA,
    )
    invariance = causaldag.MemoizedInvarianceTester(
        causaldag.gauss_invariance_test,
        causaldag.gauss_invariance_suffstat(control, rows),
        alpha=ALPHA,
    )
    found = set()
    for seed in range(20):
        random.seed(seed)
        graph = causaldag.igsp(
            [{"interventions": {i}} for i in intervened],
            set(range(values.shape[1])),
            tests,
            invariance,
            nruns=1,
            initial_permutations=[list(start)],
        )
        found.add(tuple(sorted((int(i), int(j)) for i, j in graph.arcs)))
    return sorted(found)


def make_case(seed: int) -> dict:
    adjacency, hundredths, targets = make_screen(seed)
    values = hundredths / 100
    labels = np.unique(targets).tolist()
    environments = [values[targets == label] for label in labels]
    ends = pc(values[targets == -1], 0.05, show_progress=False).G.graph
    essential, score = gies.fit_bic(environments, [[i] if i >= 0 else [] for i in labels])
    ordered = permscore.fit(environments, seed=seed)
    starts = [np.random.default_rng(100 + 10 * seed + k).permutation(6).tolist() for k in range(3)]
    return {
        "adjacency": adjacency.tolist(),
        "hundredths": hundredths.tolist(),
        "targets": targets.tolist(),
        "pc": ((ends == -1) & (ends.T == 1)).astype(int).tolist(),
        "gies": {"graph": np.asarray(essential).astype(int).tolist(), "score": float(score)},
        "permscore": {"order": ordered.order, "graph": ordered.graph.tolist(), "seed": seed},
        "causaldag": [
            {"start": start, "graphs": run_causaldag(values, targets, start)} for start in starts
        ],
    }


if __name__ == "__main__":
    tools = ("causaldag", "causal-learn", "gies", "permscore", "numpy")
    frozen = {
        "versions": {tool: version(tool) for tool in tools},
        "calls": {
            "pc": "pc(control, 0.05, show_progress=False), oriented edges",
            "gies": "gies.fit_bic(environments, targets), control rows first",
            "permscore": "permscore.fit(environments, seed=seed)",
            "causaldag": f"igsp(settings, nodes, partial correlations and Gaussian invariance at "
            f"alpha={ALPHA}, nruns=1, initial_permutations=[start]), random.seed(0 … 19)",
        },
        "made_by": "tests/baselines/frozen/make_graph_rivals.py",
        "cases": [make_case(seed) for seed in range(N_SCREENS)],
    }
    path = Path(__file__).with_name("graph_rivals.json")
    path.write_text(json.dumps(frozen) + "\n", encoding="utf-8")
