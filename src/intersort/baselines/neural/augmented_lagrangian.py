"""When DCDI presses harder against cycles, and when it stops: the authors' rule, per problem.

Taken from the authors' public code: γ starts at 0, μ at 1e-8. Every 100 steps the loss on the rows
held out is read; the last three readings are compared, and where they lie in one line, up or down,
and fall by less than 1e-4 a step over 100, the subproblem counts as solved: γ grows by μh, μ
doubles where h is above 0.9 of what it was at the last such moment, and the optimiser starts anew.
Training is over when h is at most 1e-8 and the graph of probabilities above a half has no cycle.
Two things differ. The authors compare every 200 steps; here it is done at 300 and 500 and every 100
from then on, so that γ and μ may grow up to twice as fast. The authors then train on, without
pressing, until the loss on the rows held out has not improved for a while, and once more with the
graph fixed: neither is done here, since the graph is all that is asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._typing import BoolArray, FloatArray

STEPS_A_READING = 100
SOLVED_BELOW = 1e-4
FIRST_MU, FACTOR, ENOUGH_LESS = 1e-8, 2.0, 0.9
MOST_VIOLATION = 1e-8


class AugmentedLagrangian:
    """Multipliers of many problems."""

    def __init__(self, n_problems: int) -> None:
        self.gamma: FloatArray = np.zeros(n_problems)
        self.mu: FloatArray = np.full(n_problems, FIRST_MU)
        self.last: FloatArray = np.full(n_problems, np.inf)
        self.readings: list[FloatArray] = []

    def look(self, loss: Any, h: Any, penalty: Any, acyclic: Any) -> tuple[BoolArray, BoolArray]:
        """Take one reading; say which problems are done, and which multipliers changed."""
        done = (h <= MOST_VIOLATION) & (acyclic > 0)
        pressing = self._pressing(h)
        self.readings = [*self.readings[-4:], loss + penalty + pressing]
        changed = np.zeros_like(done)
        # Five are kept, so from the fifth on each is looked at.
        if len(self.readings) % 2 == 1 and len(self.readings) >= 3:
            changed = self._is_solved() & ~done
            self._press(changed, h)
            self.readings[-1] = self.readings[-1] + self._pressing(h) - pressing
        return done, changed

    def _pressing(self, h: FloatArray) -> FloatArray:
        """What the constraint adds to the loss."""
        return np.asarray(self.gamma * h + 0.5 * self.mu * h**2)

    def _is_solved(self) -> BoolArray:
        """Whether the last three readings lie in one line, and hardly fall."""
        first, middle, last = self.readings[-3:]
        in_line = (np.minimum(first, last) < middle) & (middle < np.maximum(first, last))
        return np.asarray(in_line & ((last - first) / STEPS_A_READING > -SOLVED_BELOW))

    def _press(self, where: BoolArray, h: FloatArray) -> None:
        self.gamma[where] += (self.mu * h)[where]
        # Before a first reading there is nothing to compare with, and infinity lets μ stand.
        self.mu[where & (h > ENOUGH_LESS * self.last)] *= FACTOR
        self.last[where] = h[where]

    def keep(self, kept: Any) -> None:
        """Go on with some of the problems."""
        self.gamma, self.mu, self.last = self.gamma[kept], self.mu[kept], self.last[kept]
        self.readings = [reading[kept] for reading in self.readings]
