"""PC: edges from tests of conditional independence, directions from colliders. No interventions.

Spirtes, Glymour and Scheines (2000), by the package causal-learn 0.1.4 (extra `baselines`) with its
own defaults: Fisher's z, the order-independent ("stable") skeleton, colliders from separating sets,
those found first kept, then Meek's rules. Settings: `rows`, "control" for the control rows alone or
"pooled" for all rows (the paper that this package repeats does not say; which suits depends on the
kind of data, so there is no default), and `alpha`, 0.05 in the package. What was tried is in
`docs/research/rivals.md`. The oriented edges are the graph that is judged; edges that stay
undirected are in neither direction. Nothing is drawn but the orders. The test of :mod:`._fisher_z`
gives the package's values sooner.

It cannot take missing values, constant columns, or columns that are linear combinations of others;
it takes "pooled" rows for draws of one law, which they are not, and never looks at the targets.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from .._optional import import_extra
from .._typing import BoolArray, FloatArray
from .._validation import InputError, shown
from ..data import InterventionalData
from ._fisher_z import register_fisher_z
from ._gaussian import check_regressions
from ._rows import CONTROL_ROW, dense_rows
from .graph_orders import result_from_graph
from .result import BaselineResult

Rows = Literal["control", "pooled"]


def run(
    data: InterventionalData, *, rng: np.random.Generator, rows: Rows, alpha: float = 0.05
) -> BaselineResult:
    """Orders of the edges that PC orients.

    Examples
    --------
    >>> from intersort import InterventionalData, baselines, simulate
    >>> collider = simulate.random_population(
    ...     [[0, 0, 1], [0, 0, 1], [0, 0, 0]], "linear", noise="gaussian", rng=0
    ... )
    >>> data = InterventionalData.from_arrays(*collider.screen(500, 50, [2]), control=-1)
    >>> baselines.run("pc", data, rows="control").adjacency.astype(int)
    array([[0, 0, 1],
           [0, 0, 1],
           [0, 0, 0]])
    """
    if not 0 < alpha < 1:
        raise InputError(f"alpha must lie between 0 and 1, say 0.05; got {shown(alpha)}.")
    values = choose_rows(data, rows)
    check_regressions(values, data.names, "pc")
    return result_from_graph(find_oriented(values, alpha), rng)


def choose_rows(data: InterventionalData, rows: str) -> FloatArray:
    """The control rows, or all that are used."""
    values, targets = dense_rows(data, "pc")
    if rows == "control":
        return np.asarray(values[targets == CONTROL_ROW])
    if rows == "pooled":
        return values
    raise InputError(f'rows must be "control" or "pooled"; got {shown(rows)}.')


def find_oriented(values: FloatArray, alpha: float) -> BoolArray:
    """The edges that PC orients, as found by causal-learn."""
    package = import_extra(
        "causallearn.search.ConstraintBased.PC", "baselines", "The rival pc (causal-learn)"
    )
    ends = package.pc(values, alpha, register_fisher_z(), show_progress=False).G.graph
    # i → j is written as −1 at [i, j] and 1 at [j, i].
    return np.asarray((ends == -1) & (ends.T == 1))
