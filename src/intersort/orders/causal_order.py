"""An order of the variables, with its score and the evidence that it is the best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .._typing import IntArray

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class CausalOrder:
    """An order of d variables, causes first.

    Attributes
    ----------
    order : array of shape (d,)
        Columns of the variables, causes first.
    score : float
        What the score gives this order.
    names : tuple of str
        Names of the variables, by column.
    upper_bound : float
        No order scores more than this.
    method : str
        What found the order.
    largest_weight : float
        The largest |w|, the scale on which two scores count as equal (1e-9 of it).

    Examples
    --------
    >>> import intersort
    >>> result = intersort.find_order([[0, 2.0], [0.5, 0]])
    >>> result
    CausalOrder x0 → x1
      score 2, proven optimal, found by exact_order
    >>> result.order, result.rank, result.is_optimal
    (array([0, 1]), array([0, 1]), True)
    """

    order: IntArray
    score: float
    names: tuple[str, ...]
    upper_bound: float
    method: str
    largest_weight: float

    @property
    def rank(self) -> IntArray:
        """Position of each variable in the order: 0 for the first cause."""
        rank = np.empty_like(self.order)
        rank[self.order] = np.arange(self.order.size)
        return rank

    @property
    def ordered_names(self) -> tuple[str, ...]:
        """Names of the variables, causes first."""
        return tuple(self.names[column] for column in self.order)

    @property
    def is_optimal(self) -> bool:
        """Whether the score meets its upper bound within 1e-9 of the largest weight."""
        return bool(self.upper_bound - self.score <= 1e-9 * self.largest_weight)

    def to_frame(self) -> pd.DataFrame:
        """One row a variable, causes first: rank from 1, name and column."""
        import pandas as pd

        return pd.DataFrame(
            {
                "rank": np.arange(1, self.order.size + 1),
                "variable": list(self.ordered_names),
                "column": self.order,
            }
        )

    def __repr__(self) -> str:
        names = self.ordered_names
        if len(names) > 12:
            names = (*names[:6], "…", *names[-5:])
        proof = "proven optimal" if self.is_optimal else f"at most {self.upper_bound:.6g}"
        return (
            f"{type(self).__name__} {' → '.join(names)}\n"
            f"  score {self.score:.6g}, {proof}, found by {self.method}"
        )
