r"""Interventional BIC: the order under which linear regressions explain the rows best.

.. math:: \min_\pi \sum_j \min_{P \subseteq pred_\pi(j)} \frac{n_j}{2} \log \hat\sigma^2_{j|P}
          + \lambda \frac{\log n_j}{2} |P|

over the n_j rows in which j is not the target: there its own mechanism was at work, whatever else
was intervened on. The likelihood is that of Hauser and Bühlmann (2012); a search over orders by
insertions is what I-FLOP (2026) does, whose code is not to be had. No distance is looked at.

Settings: `n_restarts` descents (20), `penalty` λ (1 is BIC). Chosen here: one intercept for all
rows, so that shifts of means count (the package gies centres each environment); parents by growing
(add the predecessor that lowers the score most while one does), then shrinking (drop the one whose
loss lowers it most); at most one parent for four rows; every descent but the first starts from the
best order so far with as many insertions at random as there are variables, which came closer to the
best score known than fresh starts did (docs/research/rivals.md).

It assumes linear mechanisms and Gaussian noise, and targets that are known. It cannot take missing
values, and keeps 8·(|I| + 1)·d² bytes: the products of all pairs of columns, for each target.

References
----------
Hauser, Bühlmann (2012). Characterization and greedy learning of interventional Markov equivalence
classes of directed acyclic graphs. Journal of Machine Learning Research 13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._memory import require_memory
from .._typing import BoolArray, FloatArray, IntArray
from .._validation import InputError, shown
from ..data import InterventionalData
from ._rows import dense_rows
from .result import BaselineResult

if TYPE_CHECKING:
    from ._kernels import RowSets

MARGIN = 1e-6
"""A move must gain more nats than this: less is rounding."""
ROWS_PER_PARENT = 4
LOST_TO_ROUNDING = 1e-13
"""Sums of squares below this share of what they were taken from are rounding."""


def run(
    data: InterventionalData,
    *,
    rng: np.random.Generator,
    n_restarts: int = 20,
    penalty: float = 1.0,
) -> BaselineResult:
    """Search for the order of least interventional BIC; `rng` draws the starts.

    The graph of the result holds the parents that the regressions chose along that order.
    """
    if n_restarts != int(n_restarts) or n_restarts < 1:
        raise InputError(f"n_restarts must be a whole number, 1 or more; got {shown(n_restarts)}.")
    if not (penalty > 0 and np.isfinite(penalty)):
        raise InputError(f"penalty must be a number above 0; got {shown(penalty)}.")
    values, targets = dense_rows(data, "interventional_bic")
    search = Search(sum_products(values, targets, penalty))
    d = values.shape[1]
    best, least = search.descend(rng.permutation(d), rng.permutation(d))
    for _ in range(int(n_restarts) - 1):
        order, value = search.descend(insert_at_random(best, d, rng), rng.permutation(d))
        if value < least - MARGIN:
            best, least = order, value
    return BaselineResult(best[None], search.parents(best))


def insert_at_random(order: IntArray, n_insertions: int, rng: np.random.Generator) -> IntArray:
    """Take a variable out and put it in elsewhere, again and again.

    >>> insert_at_random(np.arange(5), 1, np.random.default_rng(0))
    array([0, 1, 2, 4, 3])
    """
    variables = order.tolist()
    for place, new_place in rng.integers(len(variables), size=(n_insertions, 2)):
        variables.insert(new_place, variables.pop(place))
    return np.array(variables, dtype=np.int64)


def sum_products(values: FloatArray, targets: IntArray, penalty: float) -> RowSets:
    """Centred sums of products over the rows that speak of each variable.

    For a variable that is a target these are all rows less its own: two sums are subtracted, and
    the rows are read once.

    >>> values = np.array([[1.0, 2.0], [3.0, 4.0], [9.0, 0.0]])
    >>> rows = sum_products(values, np.array([-1, -1, 1]), penalty=1.0)
    >>> rows.n_rows, rows.products[rows.set_of[1]]
    (array([3., 2.]), array([[2., 2.],
           [2., 2.]]))
    """
    from ._kernels import RowSets

    d = values.shape[1]
    intervened = np.unique(targets[targets >= 0])
    require_memory(8.0 * (intervened.size + 1) * d**2, "interventional_bic")
    centred = values - values.mean(axis=0)  # what is subtracted below is small against it
    centred[:, values.min(axis=0) == values.max(axis=0)] = 0.0
    products = np.empty((intervened.size + 1, d, d))
    products[0] = centred.T @ centred
    set_of, n_rows = np.zeros(d, dtype=np.int64), np.full(d, float(len(values)))
    for k, target in enumerate(intervened, start=1):
        own = centred[targets == target]
        set_of[target], n_rows[target] = k, len(values) - len(own)
        total = own.sum(axis=0)
        products[k] = products[0] - own.T @ own - np.outer(total, total) / max(n_rows[target], 1)
        constant = np.diag(products[k]) <= LOST_TO_ROUNDING * np.diag(products[0])
        products[k][constant] = products[k][:, constant] = 0.0
    at_least_one = np.maximum(n_rows, 1.0)
    price = penalty / 2 * np.log(at_least_one)
    return RowSets(
        products=products,
        set_of=set_of,
        n_rows=n_rows,
        price=price,
        grow_share=-np.expm1(-2 * price / at_least_one),
        shrink_share=np.expm1(2 * price / at_least_one),
        most_parents=np.minimum(d - 1, n_rows // ROWS_PER_PARENT).astype(np.int64),
    )


class Search:
    """Descents over orders by local scores, and the room that they work in.

    Parameters
    ----------
    rows : RowSets
        What `sum_products` made of the rows.

    Examples
    --------
    >>> from intersort.baselines.interventional_bic import Search, sum_products
    >>> rng = np.random.default_rng(0)
    >>> cause, noise = rng.normal(size=(2, 300))
    >>> cause[200:] += 4  # an intervention on the cause, which its effect follows
    >>> values = np.stack([cause + noise, cause], axis=1)
    >>> search = Search(sum_products(values, np.repeat([-1, -1, 1], 100), penalty=1.0))
    >>> search.descend(np.array([0, 1]), np.array([0, 1]))[0]
    array([1, 0])
    """

    def __init__(self, rows: RowSets) -> None:
        from ._kernels import Fits, Work

        d, depth = rows.set_of.size, max(1, int(rows.most_parents.max()))
        require_memory(8.0 * (d + 2) * depth**2, "interventional_bic")
        self.rows = rows
        self.fits = Fits(
            size=np.zeros(d + 2, dtype=np.int64),
            path=np.zeros((d + 2, depth), dtype=np.int64),
            taken=np.zeros((d + 2, depth)),
            factor=np.zeros((d + 2, depth, depth)),
            loading=np.zeros((d + 2, depth)),
            residual=np.zeros(d + 2),
            value=np.zeros(d + 2),
            kept=np.zeros((d + 2, depth), dtype=np.int64),
        )
        self.work = Work(
            candidates=np.zeros(d, dtype=np.int64),
            variance=np.zeros(d),
            covariance=np.zeros(d),
            loadings=np.zeros((depth, d)),
            factor=np.zeros((depth, depth)),
            inverse=np.zeros((depth, depth)),
            fit=np.zeros(depth),
            member=np.zeros(depth, dtype=np.int64),
            gains=np.zeros(d),
        )

    def descend(self, start: IntArray, turns: IntArray) -> tuple[IntArray, float]:
        """Move each variable in turn to its best place until none gains; the order, its score."""
        from ._kernels import descend

        order = np.array(start, dtype=np.int64)
        turns = np.array(turns, dtype=np.int64)
        descend(self.rows, self.fits, self.work, order, turns, MARGIN)
        return order, float(self.local_scores.sum())

    def fit(self, order: IntArray) -> FloatArray:
        """Local scores of an order, in nats and by variable; less is better."""
        from ._kernels import fit_order

        fit_order(self.rows, self.fits, self.work, np.array(order, dtype=np.int64))
        return self.local_scores.copy()

    @property
    def local_scores(self) -> FloatArray:
        """Local scores of the order that was fitted last."""
        return np.asarray(self.fits.value[:-2])

    def parents(self, order: IntArray) -> BoolArray:
        """The parents of each variable along an order, as an adjacency."""
        self.fit(order)
        adjacency = np.zeros((order.size, order.size), dtype=np.bool_)
        for child in range(order.size):
            taken = slice(self.fits.size[child])
            parents = self.fits.path[child, taken][self.fits.kept[child, taken] == 1]
            adjacency[parents, child] = True
        return adjacency
