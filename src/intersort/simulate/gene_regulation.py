r"""Gene regulation: cells as moments of a stochastic system, after SERGIO.

The expression x of a gene follows the chemical Langevin equation

.. math:: dx = (P - \lambda x)\,dt + \zeta (\sqrt{P}\,dw_1 + \sqrt{\lambda x}\,dw_2),

where P is a basal rate for genes without regulators, and otherwise the sum over regulators i of
k_i H(x_i), or of k_i (1 − H(x_i)) where i represses, with H(x) = x² / (h_i² + x²). The two noises
are independent, so their sum is drawn at once: a normal of variance ζ² (P + λ x).

References
----------
Dibaeinia, Sinha (2020). SERGIO: a single-cell expression simulator guided by gene regulatory
networks. Cell Systems 11.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from .._adjacency import read_dag, topological_order
from .._typing import BoolArray, FloatArray, IntArray
from .._validation import InputError
from .interventions import FixedValue, Intervention, KnockOut, Soft
from .population import Population

N_CELL_TYPES = 5
DECAY = 0.8
NOISE = 1.0
TIME_STEP = 0.01
STEPS_PER_CELL = 15
STEPS_BETWEEN_CELLS = 150
EXTRA_STEPS_PER_LEVEL = 10
N_REFERENCE_CELLS = 5000


@dataclass(frozen=True, eq=False, repr=False)
class GeneRegulation(Population):
    """A population whose rows are cells of several types, moments of a stochastic system.

    Interventions: `KnockOut` and `FixedValue` keep the expression at a value, `Soft` changes the
    production rate. The cells of one call to `draw` are moments of one simulation, so with
    the paper's sampler they are not independent: 100 cells are 20 moments, per type, of 300 steps,
    where the system forgets in about 125.

    Attributes
    ----------
    strengths : array of shape (d, d)
        k_ij, negative where i represses j, 0 where there is no edge.
    basal_rates : array of shape (d, cell types)
        Production of genes without regulators (rows of other genes are not used).
    half_responses : array of shape (d,) or None
        h of each regulator; None: its mean over cells and types in each simulation anew.
    levels : int array of shape (d,)
        Length of the longest path to a gene that regulates none.
    topological_order : int array
        Genes, regulators before those they regulate.
    long : bool
        Whether cells are 150 steps apart; otherwise they are drawn from 15 steps per cell.
    same_moment : bool
        Whether all genes of a cell are read at one moment; otherwise each gene is read as far
        from the end of its own trajectory, which is 10 steps longer per level.

    Notes
    -----
    The trajectory of a gene (8 bytes per step and type) is held until the last gene that it
    regulates is done: for 5,000 cells 0.6 MB a gene, and 6 MB with the long sampler.

    Examples
    --------
    >>> from intersort import simulate
    >>> genes = simulate.random_population([[0, 1], [0, 0]], "gene_regulation", sampler="long")
    >>> cells = genes.sample(5000)[:, 0]
    >>> bool(abs(cells.mean() - genes.basal_rates[0].mean() / 0.8) < 0.2)
    True
    """

    strengths: FloatArray
    basal_rates: FloatArray
    half_responses: FloatArray | None
    levels: IntArray
    topological_order: IntArray
    long: bool
    same_moment: bool

    def draw(self, n: int, do: Mapping[int, Intervention], rng: np.random.Generator) -> FloatArray:
        """Draw n cells of all genes from one simulation, the types in equal parts, shuffled."""
        if n == 0:
            return np.zeros((0, len(self.adjacency)))
        for how in do.values():
            if not isinstance(how, KnockOut | FixedValue | Soft):
                raise InputError(
                    "Gene regulation takes KnockOut, FixedValue and Soft interventions, which "
                    f"hold along a trajectory; got {type(how).__name__}."
                )
        n_types = self.basal_rates.shape[1]
        cells = self.simulate(math.ceil(n / n_types), do, rng)
        return rng.permutation(cells.reshape(-1, len(self.adjacency)))[:n]

    def simulate(
        self, n_cells: int, do: Mapping[int, Intervention], rng: np.random.Generator
    ) -> FloatArray:
        """Cells of one simulation, of shape (types, n_cells, genes)."""
        n_types = self.basal_rates.shape[1]
        from_end = self._moments(n_cells, rng)
        cells = np.empty((n_types, n_cells, len(self.adjacency)))
        n_waiting = self.adjacency.sum(axis=1)  # genes that still need this one's trajectory
        paths: dict[int, FloatArray] = {}
        means = np.zeros((len(self.adjacency), n_types))
        for gene in map(int, self.topological_order):
            path = self._follow(gene, do.get(gene), paths, means, from_end, rng)
            cells[:, :, gene] = path[:, path.shape[1] - from_end]
            means[gene] = cells[:, :, gene].mean(axis=1)
            paths[gene] = path
            for spent in [gene, *np.flatnonzero(self.adjacency[:, gene])]:
                n_waiting[spent] -= spent != gene
                if n_waiting[spent] == 0:
                    del paths[int(spent)]
        return cells

    def _moments(self, n_cells: int, rng: np.random.Generator) -> IntArray:
        """When cells are read: steps counted back from the end of a trajectory, from 1 on."""
        if self.long:
            return 1 + STEPS_BETWEEN_CELLS * np.arange(n_cells)
        return rng.integers(1, STEPS_PER_CELL * n_cells, size=n_cells, endpoint=True)

    def _follow(
        self,
        gene: int,
        how: Intervention | None,
        paths: Mapping[int, FloatArray],
        means: FloatArray,
        from_end: IntArray,
        rng: np.random.Generator,
    ) -> FloatArray:
        """The trajectory of one gene in every cell type, of shape (types, steps)."""
        from ._kernels import follow_gene

        level = int(self.levels.max() if self.same_moment else self.levels[gene])
        per_cell = STEPS_BETWEEN_CELLS if self.long else STEPS_PER_CELL
        n_steps = per_cell * from_end.size + EXTRA_STEPS_PER_LEVEL * level
        shape = (self.basal_rates.shape[1], n_steps)
        if isinstance(how, KnockOut | FixedValue):
            return np.full(shape, how.value if isinstance(how, FixedValue) else 0.0)
        production = self._production(gene, paths, means, n_steps)
        at_means = self._production(gene, np.ascontiguousarray(means[:, :, None]), means, 1)
        if how is not None:
            production = np.maximum(how.apply(production, rng), 0.0)
            at_means = np.maximum(how.apply(at_means, rng), 0.0)
        path = np.empty(shape)
        path[:, 0] = at_means[:, 0] / DECAY
        follow_gene(production, rng.standard_normal(shape), path, DECAY, TIME_STEP, NOISE)
        return path

    def _production(
        self,
        gene: int,
        paths: Mapping[int, FloatArray] | FloatArray,
        means: FloatArray,
        n_steps: int,
    ) -> FloatArray:
        """The gene's production at every step, given its regulators' trajectories."""
        from ._kernels import add_regulation

        regulators = np.flatnonzero(self.adjacency[:, gene])
        if not regulators.size:
            return np.repeat(self.basal_rates[gene][:, None], n_steps, axis=1)
        production = np.zeros((self.basal_rates.shape[1], n_steps))
        for regulator in map(int, regulators):
            half = self._half_response(regulator, means)
            strength = float(self.strengths[regulator, gene])
            add_regulation(paths[regulator], half, strength, production)
        return production

    def _half_response(self, regulator: int, means: FloatArray) -> float:
        """The expression at which a regulator has half of its effect."""
        if self.half_responses is None:
            return float(means[regulator].mean())
        return float(self.half_responses[regulator])


def draw_gene_regulation(
    adjacency: BoolArray,
    shown: IntArray,
    interventions: tuple[Intervention, ...],
    *,
    wild_type: bool,
    long: bool,
    same_moment: bool,
    rng: np.random.Generator,
) -> GeneRegulation:
    """Draw strengths, signs and basal rates for a graph.

    k ~ U(1, 5); each regulator activates with a probability of its own, uniform on [0, 1]; basal
    rates ~ U(1, 3) for every type.

    Examples
    --------
    >>> from intersort import simulate
    >>> cells = simulate.random_population([[0, 1], [0, 0]], "gene_regulation")
    >>> float(cells.sample(100, do=0)[:, 0].max())  # knocked out
    0.0
    """
    n_genes = len(adjacency)
    edges = read_dag(adjacency)
    order = topological_order(edges)
    activates = rng.random((n_genes, n_genes)) < rng.random((n_genes, 1))
    sizes = rng.uniform(1, 5, (n_genes, n_genes))
    levels = np.zeros(n_genes, dtype=np.int64)
    for gene in order[::-1]:
        levels[gene] = (levels[adjacency[gene]] + 1).max(initial=0)
    population = GeneRegulation(
        adjacency,
        shown,
        interventions,
        f"gene regulation, {N_CELL_TYPES} cell types"
        + (", wild-type half response" if wild_type else "")
        + (", long sampler" if long else ""),
        strengths=np.where(adjacency, np.where(activates, sizes, -sizes), 0.0),
        basal_rates=rng.uniform(1, 3, (n_genes, N_CELL_TYPES)),
        half_responses=None,
        levels=levels,
        topological_order=order,
        long=long,
        same_moment=same_moment,
    )
    return _fix_half_responses(population, rng) if wild_type else population


def _fix_half_responses(population: GeneRegulation, rng: np.random.Generator) -> GeneRegulation:
    """The same population with the half responses that it has without intervention."""
    cells = population.simulate(N_REFERENCE_CELLS // N_CELL_TYPES, {}, rng)
    return replace(population, half_responses=cells.mean(axis=(0, 1)))
