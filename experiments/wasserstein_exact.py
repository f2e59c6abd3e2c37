"""The expected distance between two samples of one law, computed and not drawn."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

SMALLEST = 1e-13
"""Tail probability at which the integral ends; beyond lies too little to see."""


@cache
def expected_distance(law: str, n: int) -> float:
    r"""Mean Wasserstein distance of two samples of n rows of a symmetric law.

    The distance is the area between the distribution functions, so its mean is

    .. math:: \int E|F_n(x) - G_n(x)| \, dx,

    where n F_n(x) and n G_n(x) are independent binomial numbers: two rows of a normal law are
    2 / √π apart on average.

    >>> round(expected_distance("normal", 1), 4)
    1.1284
    """
    below = np.concatenate([np.geomspace(SMALLEST, 0.01, 300), np.linspace(0.01, 0.5, 300)[1:]])
    gaps = np.array([_mean_gap(n, p) for p in below])
    return float(2 * np.trapezoid(gaps, _law(law).ppf(below)))


def _mean_gap(n: int, p: float) -> float:
    """E|K − L| / n of two binomial numbers: twice the sum of P(K ≤ k) P(K > k)."""
    from scipy.stats import binom

    reach = 10 * np.sqrt(n * p) + 20
    up_to = binom.cdf(np.arange(max(0, int(n * p - reach)), min(n, int(n * p + reach)) + 1), n, p)
    return float(2 * np.sum(up_to * (1 - up_to)) / n)


def _law(name: str) -> Any:
    """The laws of `wasserstein_rate.law_of`, sd 1 where they have one."""
    from scipy import stats

    if name == "normal":
        return stats.norm()
    if name == "laplace":
        return stats.laplace(scale=np.sqrt(0.5))
    degrees = float(name.removeprefix("student_"))
    return stats.t(degrees, scale=np.sqrt((degrees - 2) / degrees) if degrees > 2 else 1.0)
