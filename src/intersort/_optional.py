"""Optional dependencies: imported when they are needed, named with their install line."""

from __future__ import annotations

import importlib
from types import ModuleType


class MissingExtraError(ImportError):
    """An optional dependency is not installed; the message holds the install line."""


def import_extra(module: str, extra: str, purpose: str) -> ModuleType:
    """Import an optional dependency, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"{purpose} needs {module.partition('.')[0]}, which is not installed. "
            f'Install it with: pip install "intersort[{extra}]"'
        ) from error
