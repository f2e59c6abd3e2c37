"""What is known of an order: its score, and what no order exceeds."""

from __future__ import annotations

from dataclasses import dataclass

from ..._typing import IntArray


@dataclass(frozen=True, eq=False)
class Certificate:
    """An order with a bound that no order exceeds.

    Attributes
    ----------
    order : int array
        The order given, or a better one found on the way.
    score : float
        Sum of the weights that it gains.
    upper_bound : float
        No order that honours what is required scores more.
    is_optimal : bool
        Whether the two are within 1e-9 of the largest weight.
    sizes : tuple of int
        Variables of each component that could not be ordered at sight, largest first.
    n_branches : int
        Subproblems that branching made.
    work : float
        Row updates spent.
    stopped : bool
        Whether the deadline or a request, not the work, ended it.
    trace : tuple of (seconds, score, upper bound)
        How both went with time.
    """

    order: IntArray
    score: float
    upper_bound: float
    is_optimal: bool
    sizes: tuple[int, ...]
    n_branches: int
    work: float
    stopped: bool
    trace: tuple[tuple[float, float, float], ...]
