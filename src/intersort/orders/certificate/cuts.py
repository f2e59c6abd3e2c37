r"""Cuts beyond 3-cycles: half the sum of tight inequalities whose right-hand sides sum to odd.

A closed walk over pairs, each step a triple that joins two pairs of it while its third pair is
near one of its bounds, gives inequalities whose sum has even coefficients. Where half the
right-hand side is not whole, rounding it down cuts off a point that nearly meets all of them with
equality. Möbius ladders are of this kind, and the most violated one is a shortest odd walk.

References
----------
Caprara, Fischetti (1996). {0, 1/2}-Chvátal-Gomory cuts. Mathematical Programming 74.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ..._typing import FloatArray, IntArray

LONGEST_WALK = 0.45
LONGEST_LINK = 0.2
MOST_CUTS = 400
_SHARED_AT_MOST = 3
"""Cuts of one round that may hold a pair before it counts as crowded."""


@dataclass(frozen=True, eq=False)
class Cut:
    """Every order has coefficients · s[pairs] ≤ limit; all whole numbers."""

    pairs: IntArray
    coefficients: FloatArray
    limit: float

    def violation(self, s: FloatArray) -> float:
        """By how much a point exceeds the limit, relative to the length of the coefficients."""
        over = float(self.coefficients @ s[self.pairs]) - self.limit
        return over / float(np.linalg.norm(self.coefficients))


def find_cuts(n: int, s: FloatArray, rng: np.random.Generator, n_roots: int) -> list[Cut]:
    """Cuts that a point violates, the deepest first, few of them through the same pair."""
    walks = _OddWalks(n, s)
    roots = walks.roots
    if roots.size > n_roots:
        roots = rng.choice(roots, n_roots, replace=False)
    cuts: dict[tuple[bytes, bytes], Cut] = {}
    for root in roots:
        cut = walks.cut_through(int(root))
        if cut is not None and cut.violation(s) > 1e-3:
            cuts[cut.pairs.tobytes(), cut.coefficients.tobytes()] = cut
    ranked = sorted(cuts.values(), key=lambda cut: -cut.violation(s))
    return _spread(ranked, s.size)


def _spread(ranked: list[Cut], n_pairs: int) -> list[Cut]:
    """The first cuts, without those most of whose pairs are in several others already."""
    use = np.zeros(n_pairs, dtype=np.int64)
    chosen: list[Cut] = []
    for cut in ranked:
        if len(chosen) == MOST_CUTS:
            break
        if np.mean(use[cut.pairs] >= _SHARED_AT_MOST) <= 0.5:
            chosen.append(cut)
            use[cut.pairs] += 1
    return chosen


def cut_of_inequalities(n: int, triples: list[tuple[int, int, int]]) -> Cut | None:
    """Half the sum of triple inequalities and bounds, rounded; None if rounding gains nothing.

    Each entry is (code of the triple, side, what bound of which pair): side 0 is
    s_ij + s_jk − s_ik ≤ 1 and side 1 its mirror image, both with the bound ±s ≤ 1 of one pair.
    With K inequalities of right-hand side 1 the sum reads c·s ≤ K; in terms of x = (s + 1) / 2,
    which is whole, (c / 2)·x ≤ (K + Σ c) / 4, rounded down.
    """
    total: Counter[int] = Counter()
    for code, side, bound_of in triples:
        k, j, i = code % n, code // n % n, code // (n * n)
        pairs = [_pair(n, i, j), _pair(n, j, k), _pair(n, i, k)]
        sign = 1 - 2 * side
        for pair, factor in zip(pairs, (1, 1, -1), strict=True):
            total[pair] += sign * factor
        total[pairs[bound_of % 3]] += 1 - 2 * (bound_of // 3)
    if any(c % 2 for c in total.values()):
        return None
    right, weight = 2 * len(triples), sum(total.values())
    if (right + weight) % 4 == 0:
        return None
    half = {pair: c // 2 for pair, c in sorted(total.items()) if c}
    limit = 2 * ((right + weight) // 4) - weight // 2
    pairs_used = np.array(list(half), dtype=np.int64)
    return Cut(pairs_used, np.array(list(half.values()), dtype=np.float64), float(limit))


def _pair(n: int, i: int, j: int) -> int:
    return i * (2 * n - i - 1) // 2 + j - i - 1


class _OddWalks:
    """The graph of pairs joined by tight triples, and shortest odd closed walks in it."""

    def __init__(self, n: int, s: FloatArray) -> None:
        from . import _kernels

        self._n = n
        none = np.zeros((0, 4), dtype=np.int64)
        count = np.zeros(s.size + 1, dtype=np.int64)
        _kernels.link_pairs(n, s, LONGEST_LINK, count, none, np.zeros(0))
        self._start = np.concatenate([[0], np.cumsum(count[:-1])]).astype(np.int64)
        self._links = np.empty((int(self._start[-1]), 4), dtype=np.int64)
        self._lengths = np.empty(self._links.shape[0])
        if self._lengths.size:
            _kernels.link_pairs(n, s, LONGEST_LINK, self._start.copy(), self._links, self._lengths)
        self._tail = np.repeat(np.arange(s.size), np.diff(self._start))
        self._distance = np.full(2 * s.size, np.inf)
        self._entered = np.empty(2 * s.size, dtype=np.int64)
        self._seen = np.empty(2 * s.size, dtype=np.int64)
        self._heap = np.empty(8 * s.size + 64)
        self._states = np.empty(self._heap.size, dtype=np.int64)
        self.roots = np.flatnonzero(np.diff(self._start))

    def cut_through(self, root: int) -> Cut | None:
        """The cut of the shortest odd closed walk through a pair, if it is short enough."""
        from . import _kernels

        meeting, n_seen = _kernels.find_odd_cycle(
            root,
            LONGEST_WALK,
            self._start,
            self._links,
            self._lengths,
            self._distance,
            self._entered,
            self._seen,
            self._heap,
            self._states,
        )
        triples = []
        if meeting >= 0:
            for state in (2 * meeting, 2 * meeting + 1):
                while (e := int(self._entered[state])) >= 0:
                    _, odd, code, kind = map(int, self._links[e])
                    triples.append((code, kind // 6, kind % 6))
                    state = 2 * int(self._tail[e]) + ((state & 1) ^ odd)
        self._distance[self._seen[:n_seen]] = np.inf
        return cut_of_inequalities(self._n, triples) if triples else None
