"""permscore: interventional BIC over orders, told which rows belong together but no target.

By the package permscore 0.1 (extra `baselines`), which names no paper: linear Gaussian regressions
of each variable on predecessors chosen by BIC; a variable's rows of an environment are scored by a
regression of their own where that gains enough; insertion moves from random orders. Control rows
are its first environment, which it never takes for intervened on; the rows of each target are one
more, without their label. Settings, all with the package's own values: `restarts` 3, `margin` 1,
and `assignment`, True, which gives each environment at most one variable (False flags pairs one by
one and suits some kinds of data far better: `docs/research/rivals.md`); its seed is drawn from
`rng`. The order that it ends with is judged; none of its graph's edges is against that order.

It cannot take a screen without control rows or without interventions, environments of a single row,
missing values, constant columns, or columns that are linear combinations of others.
"""

from __future__ import annotations

import numpy as np

from .._optional import import_extra
from .._validation import InputError, first_few
from ..data import InterventionalData
from ._gaussian import check_regressions
from ._rows import CONTROL_ROW, dense_rows
from .result import BaselineResult


def run(
    data: InterventionalData,
    *,
    rng: np.random.Generator,
    restarts: int = 3,
    margin: float = 1.0,
    assignment: bool = True,
) -> BaselineResult:
    """The best order found, and its graph.

    Examples
    --------
    >>> from intersort import InterventionalData, baselines, simulate
    >>> chain = simulate.random_population([[0, 1], [0, 0]], "linear", noise="gaussian", rng=0)
    >>> data = InterventionalData.from_arrays(*chain.screen(500, 50, [0, 1]), control=-1)
    >>> baselines.run("permscore", data).orders
    array([[0, 1]])
    """
    package = import_extra("permscore", "baselines", "The rival permscore")
    values, targets = dense_rows(data, "permscore")
    labels, counts = np.unique(targets, return_counts=True)
    if labels.size < 2 or labels[0] != CONTROL_ROW:
        raise InputError(
            "permscore compares environments: it needs control rows (target −1) and rows of at "
            "least one intervention. Add what is missing, or take another rival."
        )
    if counts.min() < 2:
        few = ["control" if j == CONTROL_ROW else data.names[j] for j in labels[counts < 2]]
        raise InputError(
            f"permscore needs at least two rows of each environment; these have one: "
            f"{first_few(few)}. Leave them out."
        )
    check_regressions(values, data.names, "permscore")
    found = package.fit(
        [values[targets == label] for label in labels],
        restarts=restarts,
        margin=margin,
        assignment=assignment,
        seed=int(rng.integers(2**32)),
    )
    return BaselineResult(np.array([found.order]), np.asarray(found.graph) != 0)
