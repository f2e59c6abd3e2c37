"""Write causaldisco.json: variances, R² and the orders that CausalDisco sorts by.

Run once, in an environment of its own::

    python -m venv scratch && scratch/bin/pip install CausalDisco==0.2.4
    scratch/bin/python tests/baselines/frozen/make_causaldisco.py

The data are in the file, rounded, so that no generator of random numbers has to stay as it is.
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
from CausalDisco.analytics import r2coeff

SIZES = ((12, 3), (40, 5), (60, 8), (80, 10))


def make_case(n: int, d: int) -> dict[str, list]:
    rng = np.random.default_rng(900_000 + d)
    weights = np.triu(rng.normal(size=(d, d)), 1)[:, rng.permutation(d)]
    rows = (rng.normal(size=(n, d)) @ (np.eye(d) + weights) * rng.uniform(0.5, 4, size=d)).round(2)
    variance, explained = np.var(rows, axis=0), r2coeff(rows.T)
    return {
        "rows": rows.tolist(),
        "variance": variance.tolist(),
        "variance_order": np.argsort(variance).tolist(),
        "r2": explained.tolist(),
        "r2_order": np.argsort(explained).tolist(),
    }


frozen = {
    "tool": "CausalDisco",
    "version": version("CausalDisco"),
    "numpy": np.__version__,
    "call": "np.var(X, axis=0) and CausalDisco.analytics.r2coeff(X.T), sorted by np.argsort, which "
    "is how var_sort_regress(X) and r2_sort_regress(X) order variables",
    "made_by": "tests/baselines/frozen/make_causaldisco.py",
    "cases": [make_case(n, d) for n, d in SIZES],
}
path = Path(__file__).with_name("causaldisco.json")
path.write_text(json.dumps(frozen, ensure_ascii=False) + "\n", encoding="utf-8")
