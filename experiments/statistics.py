"""Means, 95 % intervals and paired differences: few numbers, honest ones.

Two methods are compared on the datasets that both have an error for. The interval is Student's; a
difference is significant where it leaves 0 out. With fewer than three pairs it is not decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .store import Row

LEVEL = 0.95
FEWEST = 3


@dataclass(frozen=True)
class Estimate:
    """A mean, its 95 % interval and the number of datasets."""

    mean: float
    low: float
    high: float
    n: int

    @property
    def significant(self) -> bool:
        """Whether 0 lies outside the interval."""
        return self.n >= FEWEST and (self.low > 0 or self.high < 0)

    def __str__(self) -> str:
        if self.n == 0:
            return "–"
        if self.n < FEWEST:
            return f"{self.mean:.2f} (n = {self.n})"
        return f"{self.mean:.2f} [{self.low:.2f}, {self.high:.2f}]"


def estimate(values: Iterable[float]) -> Estimate:
    """The mean and Student's interval.

    >>> print(estimate([1.0, 2.0, 3.0]))
    2.00 [-0.48, 4.48]
    """
    from scipy.stats import t

    numbers = np.array([v for v in values if v is not None], dtype=np.float64)
    n = numbers.size
    if n == 0:
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    mean = float(numbers.mean())
    if n == 1:
        return Estimate(mean, float("-inf"), float("inf"), 1)
    half = float(t.ppf((1 + LEVEL) / 2, n - 1) * numbers.std(ddof=1) / np.sqrt(n))
    return Estimate(mean, mean - half, mean + half, n)


def by(rows: Iterable[Row], *keys: str) -> dict[tuple[Any, ...], list[Row]]:
    """Rows grouped by the values of some columns, in the order of first appearance."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row.get(key) for key in keys), []).append(row)
    return groups


def pairs(
    first: Sequence[Row],
    second: Sequence[Row],
    on: Sequence[str],
    value: str = "d_top",
) -> list[tuple[float, float]]:
    """Values of two sets of rows on what both have: same values in the columns `on`."""

    def table(rows: Sequence[Row]) -> dict[tuple[Any, ...], float]:
        known = [row for row in rows if row.get(value) is not None]
        found = {tuple(row.get(key) for key in on): row[value] for row in known}
        if len(found) != len(known):
            raise ValueError(f"the columns {', '.join(on)} do not tell these rows apart")
        return found

    left, right = table(first), table(second)
    return [(left[key], right[key]) for key in left if key in right]


def paired_difference(
    first: Sequence[Row], second: Sequence[Row], on: Sequence[str], value: str = "d_top"
) -> Estimate:
    """The mean of first − second over what both have."""
    return estimate(a - b for a, b in pairs(first, second, on, value))


def verdict(difference: Estimate) -> str:
    """What a difference of errors, ours less theirs, says about us.

    >>> verdict(Estimate(-2.0, -3.0, -1.0, 10))
    'better'
    """
    if difference.n < FEWEST or not difference.significant:
        return f"not decided (n = {difference.n})"
    return "better" if difference.high < 0 else "worse"
