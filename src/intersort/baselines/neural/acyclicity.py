"""How far probabilities of edges are from a graph without cycles, for many graphs at once.

The violation is (tr exp A − d), divided by the same of the full graph; its slope is exp(A)ᵀ. The
exponential is written out, since torch's own looks at numbers on the host and cannot be recorded.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .problem import import_torch

BLOCKS, WIDTH = 4, 4


def exponential(matrices: Any) -> Any:
    """Matrix exponentials of (problems, d, d), entries in 0 … 1, float64.

    Taylor's series to degree 15 of the matrix scaled to norm one or less, then squared.
    """
    torch = import_torch()
    d = matrices.shape[-1]
    n_squarings = math.ceil(math.log2(max(d - 1, 1)))
    scaled = matrices / 2**n_squarings
    identity = torch.eye(d, dtype=scaled.dtype, device=scaled.device).expand_as(scaled)
    square = scaled @ scaled
    powers = (identity, scaled, square, scaled @ square)
    step = square @ square
    total = _block(BLOCKS - 1, powers)
    for block in range(BLOCKS - 2, -1, -1):
        total = _block(block, powers) + step @ total
    for _ in range(n_squarings):
        total = total @ total
    return total


def _block(block: int, powers: tuple[Any, ...]) -> Any:
    """Four terms of the series, less the power that they share."""
    first = block * WIDTH
    total = powers[0] / math.factorial(first)
    for k in range(1, WIDTH):
        total = total.add(powers[k], alpha=1 / math.factorial(first + k))
    return total


def violation_of_full_graph(d: int) -> float:
    """What the violation is divided by.

    >>> round(violation_of_full_graph(2), 4)  # e + 1/e − 2
    1.0862
    """
    return float(np.exp(d - 1) + (d - 1) * np.exp(-1.0) - d)


def violation(probabilities: Any) -> tuple[Any, Any]:
    """Violation of each graph, and its slope in the probabilities."""
    d = probabilities.shape[-1]
    grown, full = exponential(probabilities), violation_of_full_graph(d)
    excess = grown.diagonal(dim1=-2, dim2=-1).sum(-1) - d
    return excess / full, grown.transpose(-2, -1) / full


def is_acyclic(edges: Any) -> Any:
    """Whether each graph (problems, d, d) of zeros and ones has no cycle."""
    reached, d = edges, edges.shape[-1]
    for _ in range(max(math.ceil(math.log2(max(d, 2))), 1)):
        reached = (reached + reached @ reached).clamp(max=1)
    return reached.diagonal(dim1=-2, dim2=-1).sum(-1) == 0
