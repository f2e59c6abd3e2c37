"""What every rival returns: orders, the graph it drew if it drew one, and how it went."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._typing import ArrayLike, BoolArray, IntArray
from .._validation import InputError


@dataclass(frozen=True, eq=False)
class BaselineResult:
    """Orders that a rival found.

    Attributes
    ----------
    orders : int array of shape (k, d)
        One order a row, causes first. Where the rival gives a graph, k random topological orders
        of it: its error is their mean, which does not depend on column numbers.
    adjacency : bool array of shape (d, d), or None
        The graph that it drew, before cycles were broken; None where it draws none. An edge that
        it leaves undirected is in neither direction.
    status : str
        "ok", or what a reader of the orders must know.

    Examples
    --------
    >>> from intersort.baselines import BaselineResult
    >>> BaselineResult([[1, 0, 2]]).orders
    array([[1, 0, 2]])
    """

    orders: IntArray
    adjacency: BoolArray | None = None
    status: str = "ok"

    def __post_init__(self) -> None:
        orders = read_orders(self.orders)
        object.__setattr__(self, "orders", orders)
        if self.adjacency is not None:
            adjacency = np.asarray(self.adjacency, dtype=np.bool_)
            d = orders.shape[1]
            if adjacency.shape != (d, d):
                raise InputError(
                    f"adjacency has shape {adjacency.shape} where the orders have {d} variables."
                )
            object.__setattr__(self, "adjacency", adjacency)


def read_orders(orders: ArrayLike) -> IntArray:
    """Check that every row holds each variable once."""
    rows = np.asarray(orders, dtype=np.int64)
    if rows.ndim != 2 or not rows.size:
        raise InputError(f"orders must have one order a row; got an array of shape {rows.shape}.")
    if (np.sort(rows, axis=1) != np.arange(rows.shape[1])).any():
        raise InputError(f"Every order must hold each of 0 … {rows.shape[1] - 1} once.")
    return rows
