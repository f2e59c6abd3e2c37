"""GIES: greedy search over classes of graphs that interventions cannot tell apart.

Hauser and Bühlmann (2012), by the package gies 0.0.3 (extra `baselines`): the Gaussian BIC of the
rows, each variable's term over the rows in which it was not the target; known targets, one
environment each, control rows as the environment without target. Settings: the package's own
(insertions, deletions, turns, from the empty graph, until none gains more than 0.001); there are
none to choose. The oriented edges of its class of graphs are the graph that is judged; edges that
it leaves undirected are in neither direction. Nothing is drawn but the orders.

Different from calling the package: it lists all paths between two variables to see whether one
avoids a few of them, which takes longer than anything else and grows exponentially with the number
of edges. :mod:`._gies_search` answers the same question from one path per first step. Operators,
scores, and the order in which they are tried are the package's, and so is the result.

It cannot take missing values, constant columns, columns that are linear combinations of others, or
fewer rows than columns; it assumes linear effects and Gaussian noise of equal variance.
"""

from __future__ import annotations

import numpy as np

from .._optional import import_extra
from .._typing import FloatArray, IntArray
from .._validation import InputError, first_few
from ..data import InterventionalData
from ._gaussian import check_regressions
from ._rows import CONTROL_ROW, dense_rows
from .graph_orders import result_from_graph
from .result import BaselineResult

PURPOSE = "The rival gies"


def run(data: InterventionalData, *, rng: np.random.Generator) -> BaselineResult:
    """Orders of the oriented edges of the best class of graphs found.

    Examples
    --------
    >>> from intersort import InterventionalData, baselines, simulate
    >>> chain = simulate.random_population([[0, 1], [0, 0]], "linear", noise="gaussian", rng=0)
    >>> data = InterventionalData.from_arrays(*chain.screen(500, 50, [0, 1]), control=-1)
    >>> baselines.run("gies", data).adjacency.astype(int)
    array([[0, 1],
           [0, 0]])
    """
    import_extra("gies", "baselines", PURPOSE)
    from ._gies_search import load_search

    values, targets = dense_rows(data, "gies")
    check_regressions(values, data.names, "gies")
    check_not_always_target(targets, data.names)
    environments, known = split_environments(values, targets)
    found, _ = load_search().fit_bic(environments, known)
    present = np.asarray(found) != 0
    return result_from_graph(present & ~present.T, rng)


def split_environments(
    values: FloatArray, targets: IntArray
) -> tuple[list[FloatArray], list[list[int]]]:
    """Rows of each target apart, control rows first, and the list of targets of each.

    >>> split_environments(np.array([[0.5], [7.0]]), np.array([-1, 0]))
    ([array([[0.5]]), array([[7.]])], [[], [0]])
    """
    labels = [int(label) for label in np.unique(targets)]
    known: list[list[int]] = [[] if label == CONTROL_ROW else [label] for label in labels]
    return [values[targets == label] for label in labels], known


def check_not_always_target(targets: IntArray, names: tuple[str, ...]) -> None:
    """A variable that is the target in every row has no row from which to learn its causes."""
    if targets.size and targets[0] != CONTROL_ROW and (targets == targets[0]).all():
        raise InputError(
            f"gies has no row in which {first_few([names[targets[0]]])} was left alone: it is the "
            "target of every row. Add control rows, or rows with other targets."
        )
