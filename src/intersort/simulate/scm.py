"""Structural causal models: every variable is a function of its parents, plus noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .._typing import FloatArray, IntArray
from .interventions import Intervention
from .mechanisms import Mechanism, Noise
from .population import Population


@dataclass(frozen=True, eq=False, repr=False)
class StructuralModel(Population):
    """A population in which each variable is mechanism(parents) + noise, rows independent.

    Attributes
    ----------
    mechanisms, noises : tuples
        One per variable of `adjacency`.
    topological_order : int array
        Variables, parents before children: the order in which rows are computed.

    Examples
    --------
    >>> from intersort import simulate
    >>> model = simulate.random_population([[0, 1], [0, 0]], "linear", noise="gaussian", rng=2)
    >>> values = model.sample(5000)
    >>> slope = np.polyfit(values[:, 0], values[:, 1], 1)[0]
    >>> bool(abs(slope - model.mechanisms[1].weights[0]) < 0.05)
    True
    """

    mechanisms: tuple[Mechanism, ...]
    noises: tuple[Noise, ...]
    topological_order: IntArray

    def draw(self, n: int, do: Mapping[int, Intervention], rng: np.random.Generator) -> FloatArray:
        """Draw n rows of all variables, parents first; an intervention acts on the result."""
        columns = np.empty((len(self.adjacency), n))
        for variable in self.topological_order:
            parents = columns[self.adjacency[:, variable]].T
            values = self.mechanisms[variable](parents)
            values = values + self.noises[variable].draw(parents, rng)
            if variable in do:
                values = do[int(variable)].apply(values, rng)
            columns[variable] = values
        return columns.T
