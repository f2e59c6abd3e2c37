"""The paper's four kinds of data: a population drawn at random for a given graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import numpy as np

from .._adjacency import read_dag, topological_order
from .._rng import RandomLike
from .._typing import ArrayLike, BoolArray, FloatArray, IntArray
from .._validation import InputError, closest, first_few, shown
from .gene_regulation import draw_gene_regulation
from .interventions import (
    FixedValue,
    FreshDraw,
    Intervention,
    KnockOut,
    NormalDraw,
    signed_uniform,
)
from .mechanisms import (
    Mechanism,
    Noise,
    Silent,
    draw_fourier,
    draw_linear,
    draw_network,
    draw_noise,
)
from .population import Population, streams
from .scm import StructuralModel

Domain = Literal["linear", "rff", "nn", "gene_regulation"]
NoiseKind = Literal["gaussian", "heteroscedastic", "laplace"]
Reading = Literal["code", "text"]
HalfResponse = Literal["recomputed", "wild_type"]
Sampler = Literal["paper", "long"]
InterventionKind = Literal["fixed_value", "fresh_draw", "normal_draw", "knock_out"]

N_REFERENCE_ROWS = 5000


def random_population(
    adjacency: ArrayLike,
    domain: Domain,
    *,
    noise: NoiseKind | None = None,
    reading: Reading = "code",
    intervention: InterventionKind | Intervention | None = None,
    half_response: HalfResponse = "recomputed",
    sampler: Sampler = "paper",
    hidden: int | Sequence[int] | IntArray = 0,
    rng: RandomLike = None,
) -> Population:
    """Draw a population for a graph: its mechanisms, its noise, what interventions do.

    Parameters
    ----------
    adjacency : array of shape (d + h, d + h)
        The graph, without cycles; non-zero at [i, j] means i → j.
    domain : {"linear", "rff", "nn", "gene_regulation"}
        Linear; random Fourier features; a neural network per variable; the stochastic gene
        regulation of SERGIO, five cell types.
    noise : {"gaussian", "heteroscedastic", "laplace"}, optional
        None is one of the three at random for linear and rff, and Gaussian for nn. Gene
        regulation makes its own.
    reading : {"code", "text"}
        Where the paper's text and the code that it ran disagree: which to follow (see Notes).
    intervention : kind or intervention, optional
        What intervening on a variable does. None is the paper's choice for the domain.
        "fixed_value": a constant ±U(1, 5) per variable; "fresh_draw": ±U(1, 5) in each row;
        "normal_draw": N(2, 1); "knock_out": 0; or any intervention, such as `Soft(0.5)`.
    half_response : {"recomputed", "wild_type"}
        Gene regulation only: whether a regulator's half response is its mean in each simulation
        anew, as in the paper's code, or its mean without intervention.
    sampler : {"paper", "long"}
        Gene regulation only: cells are moments drawn from 15 steps per cell, so that few of them
        are independent, or moments 150 steps apart.
    hidden : int or int array
        How many variables to hide, drawn at random, or which.
    rng : int, numpy.random.Generator, optional
        Randomness; None is seed 0.

    Returns
    -------
    population : Population
        The graph and the mechanisms; `sample` and `screen` measure it.

    Notes
    -----
    The two readings:

    - Heteroscedastic noise: with g a random function, the scale is √log(1 + exp g) in the code
      and log(1 + exp g) in the text.
    - Interventions in linear and rff: a fresh ±U(1, 5) in each row in the code, one constant per
      variable in the text.
    - nn: the code standardises each network's inputs by their means and standard deviations
      without intervention (estimated here from 5,000 rows of the same population); the text does
      not. The text gives no law for the weights; both readings take the code's.
    - gene_regulation: the code reads each gene's cells at the end of its own trajectory, and those
      of regulators are longer, so that a regulator is read up to 10 steps per level later than
      the genes below it. The text reads a cell at one moment.

    Examples
    --------
    >>> from intersort import simulate
    >>> adjacency = simulate.random_graph(10, edges_per_variable=2)
    >>> simulate.random_population(adjacency, "rff", noise="laplace")
    Population of 10 variables, 17 edges: rff, laplace noise
    >>> simulate.random_population(adjacency, "linear", hidden=3).sample(5).shape
    (5, 7)
    """
    edges = read_dag(adjacency)
    graph, order = edges.to_dense(), topological_order(edges)
    _check_choices(domain, noise, reading, half_response, sampler)
    stream = streams(rng)  # one per purpose: what is hidden does not change the mechanisms
    shown_variables = _shown(len(graph), hidden, stream(0))
    interventions = _interventions(intervention, domain, reading, len(graph), stream(1))
    if domain == "gene_regulation":
        return draw_gene_regulation(
            graph,
            shown_variables,
            interventions,
            wild_type=half_response == "wild_type",
            long=sampler == "long",
            same_moment=reading == "text",
            rng=stream(2),
        )
    if noise is None:
        noise = "gaussian" if domain == "nn" else stream(3).choice(get_args(NoiseKind))
    mechanisms, noises = _draw_variables(graph, order, domain, str(noise), reading, stream)
    return StructuralModel(
        graph, shown_variables, interventions, f"{domain}, {noise} noise", mechanisms, noises, order
    )


def _draw_variables(
    graph: BoolArray,
    order: IntArray,
    domain: Domain,
    noise: str,
    reading: Reading,
    stream: Callable[[int], np.random.Generator],
) -> tuple[tuple[Mechanism, ...], tuple[Noise, ...]]:
    """Mechanism and noise of every variable, parents first."""
    mechanisms: list[Mechanism] = [Silent()] * len(graph)
    noises = [Noise("gaussian", 1.0)] * len(graph)
    mechanism_rng, noise_rng, reference_rng = stream(4), stream(5), stream(6)
    reference = np.empty((len(graph), N_REFERENCE_ROWS if domain == "nn" else 0))
    for variable in order:
        is_parent = graph[:, variable]
        n_parents = int(is_parent.sum())
        noises[variable] = draw_noise(
            noise, n_parents, reading, noise_rng, scale=1.0 if domain == "nn" else None
        )
        if domain == "linear":
            mechanisms[variable] = draw_linear(n_parents, mechanism_rng)
        elif domain == "rff":
            mechanisms[variable] = draw_fourier(n_parents, mechanism_rng)
        else:
            parents = reference[is_parent]
            mean, sd = _input_scale(parents, reading)
            mechanisms[variable] = draw_network(n_parents, mechanism_rng, mean, sd)
            reference[variable] = mechanisms[variable](parents.T)
            reference[variable] += noises[variable].draw(parents.T, reference_rng)
    return tuple(mechanisms), tuple(noises)


def _input_scale(parents: FloatArray, reading: Reading) -> tuple[FloatArray, FloatArray]:
    """What a network subtracts from its inputs, and what it divides them by."""
    if reading == "text":
        return np.zeros(len(parents)), np.ones(len(parents))
    return parents.mean(axis=1), parents.std(axis=1)


def _interventions(
    kind: InterventionKind | Intervention | None,
    domain: Domain,
    reading: Reading,
    n_variables: int,
    rng: np.random.Generator,
) -> tuple[Intervention, ...]:
    """What intervening on each variable does to it."""
    if kind is None and domain in ("linear", "rff"):
        kind = "fresh_draw" if reading == "code" else "fixed_value"
    elif kind is None:
        kind = "normal_draw" if domain == "nn" else "knock_out"
    if not isinstance(kind, str):
        return (kind,) * n_variables
    if kind == "fixed_value":
        return tuple(FixedValue(float(v)) for v in signed_uniform(1, 5, n_variables, rng))
    kinds: dict[str, Intervention] = {
        "fresh_draw": FreshDraw(1, 5),
        "normal_draw": NormalDraw(2, 1),
        "knock_out": KnockOut(),
    }
    if kind not in kinds:
        raise InputError(
            f"intervention must be one of {', '.join(get_args(InterventionKind))}, or an "
            f"intervention such as Soft(0.5); got {shown(kind)}."
        )
    return (kinds[kind],) * n_variables


def _check_choices(
    domain: str, noise: str | None, reading: str, half_response: str, sampler: str
) -> None:
    """Every choice by name is one of those there are, and belongs to the domain."""
    choices: list[tuple[str, str | None, Any]] = [
        ("domain", domain, Domain),
        ("noise", noise, NoiseKind),
        ("reading", reading, Reading),
        ("half_response", half_response, HalfResponse),
        ("sampler", sampler, Sampler),
    ]
    for name, value, kinds in choices:
        allowed = get_args(kinds)
        if value is not None and value not in allowed:
            raise InputError(
                f"{name} must be one of {', '.join(allowed)}; got {shown(value)}"
                f"{closest(str(value), allowed)}."
            )
    if domain == "gene_regulation" and noise is not None:
        raise InputError(
            f"Gene regulation makes its own noise; leave noise=None, got {shown(noise)}."
        )
    if domain != "gene_regulation" and (half_response, sampler) != ("recomputed", "paper"):
        raise InputError(
            "half_response and sampler belong to domain='gene_regulation'; leave them out for "
            f"{shown(domain)}."
        )


def _shown(
    n_variables: int, hidden: int | Sequence[int] | IntArray, rng: np.random.Generator
) -> IntArray:
    """The columns that samples show."""
    columns = np.asarray(hidden)
    if columns.ndim == 0 and 0 <= columns < n_variables:
        return np.sort(rng.permutation(n_variables)[int(columns) :]).astype(np.int64)
    if columns.ndim != 1 or (columns.size and columns.dtype.kind not in "iu"):
        raise InputError(
            f"hidden must be a number from 0 to {n_variables - 1}, so that one variable is left, "
            f"or an array of columns; got {shown(hidden)}."
        )
    outside = columns[(columns < 0) | (columns >= n_variables)]
    left = np.setdiff1d(np.arange(n_variables), columns)
    if outside.size or not left.size:
        raise InputError(
            f"hidden names columns of 0 … {n_variables - 1} and leaves at least one to show; got "
            f"{first_few(columns.tolist())}."
        )
    return left.astype(np.int64)
