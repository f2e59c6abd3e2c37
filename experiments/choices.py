"""Variants of rivals, chosen per domain on seeds that no table uses (docs/research/rivals.md)."""

from __future__ import annotations

from typing import Any

from .screens import DOMAINS


def everywhere(**settings: Any) -> dict[str, dict[str, Any]]:
    """The same in each domain."""
    return {domain: dict(settings) for domain in DOMAINS}


SETTINGS: dict[str, dict[str, dict[str, Any]]] = {
    "ease": everywhere(form="two_sided"),
    "pc": everywhere(rows="control"),
}
"""Rival → domain → settings."""
