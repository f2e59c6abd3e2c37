"""Variants of rivals, chosen per domain on seeds that no table uses (docs/research/rivals.md)."""

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
    "pc": everywhere(rows="control"),
    "score_matching": everywhere(normalise=True) | {"gene_regulation": {"normalise": False}},
}
"""Rival → domain → settings."""
