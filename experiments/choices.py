"""Variants of rivals, chosen per domain on seeds that no table uses.

Why these: docs/research/rivals.md, and docs/paper/neural_tuning.md for the neural rivals.
"""

from __future__ import annotations

from typing import Any

from .screens import DOMAINS


def everywhere(**settings: Any) -> dict[str, dict[str, Any]]:
    """The same in each domain."""
    return {domain: dict(settings) for domain in DOMAINS}


SETTINGS: dict[str, dict[str, dict[str, Any]]] = {
    "ease": {
        "linear": {"form": "one_sided"},
        "rff": {"form": "two_sided"},
        "nn": {"form": "one_sided"},
        "gene_regulation": {"form": "two_sided"},
    },
    "pc": {
        "linear": {"rows": "pooled"},
        "rff": {"rows": "pooled", "alpha": 0.01},
        "nn": {"rows": "pooled"},
        "gene_regulation": {"rows": "control", "alpha": 0.01},
    },
    "score_matching": everywhere(normalise=True) | {"gene_regulation": {"normalise": False}},
}
"""Rival → domain → settings."""

NEURAL_REG: dict[tuple[str, int, str], float] = {
    ("dcdi", 10, "gene_regulation"): 0.1,
    ("dcdi", 10, "linear"): 3.0,
    ("dcdi", 10, "nn"): 1.0,
    ("dcdi", 10, "rff"): 1.0,
    ("dcdi", 30, "gene_regulation"): 3.0,
    ("dcdi", 30, "linear"): 3.0,
    ("dcdi", 30, "nn"): 1.0,
    ("dcdi", 30, "rff"): 1.0,
    ("pacer", 10, "gene_regulation"): 0.01,
    ("pacer", 10, "linear"): 0.01,
    ("pacer", 10, "nn"): 0.03,
    ("pacer", 10, "rff"): 0.03,
    ("pacer", 30, "gene_regulation"): 0.01,
    ("pacer", 30, "linear"): 0.01,
    ("pacer", 30, "nn"): 0.01,
    ("pacer", 30, "rff"): 0.01,
}
"""(Neural rival, variables, domain) → regulariser, as `neural_tuning.choose` has it of its rows."""


def regulariser(method: str, domain: str, d: int) -> float:
    """A neural rival's, as chosen at the size nearest to d variables.

    >>> regulariser("dcdi", "nn", 6) == NEURAL_REG["dcdi", 10, "nn"]
    True
    """
    sizes = sorted(size for name, size, where in NEURAL_REG if (name, where) == (method, domain))
    return NEURAL_REG[method, min(sizes, key=lambda size: abs(size - d)), domain]
