"""One thing to run: what makes it different from all others is its cell, a flat dictionary."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SIZES = ("full", "smoke")
CPU_SECONDS = 600.0


@dataclass(frozen=True)
class Task:
    """A row to be made.

    Attributes
    ----------
    experiment : str
        The file that makes it.
    cell : mapping
        Dataset, method and setting, flat: numbers, text and booleans. It names the row.
    chunk : str
        Tasks with the same chunk are run one after the other by one worker, so that they share
        the dataset that was drawn last.
    cpu_seconds : float
        Processor time after which the row says "out of time".
    """

    experiment: str
    cell: Mapping[str, Any]
    chunk: str = ""
    cpu_seconds: float = CPU_SECONDS

    @property
    def key(self) -> str:
        """The cell as text, keys sorted."""
        return canonical(self.cell)


def canonical(cell: Mapping[str, Any]) -> str:
    """A dictionary as JSON with sorted keys.

    >>> canonical({"d": 5, "domain": "linear"})
    '{"d":5,"domain":"linear"}'
    """
    return json.dumps(dict(sorted(cell.items())), separators=(",", ":"), allow_nan=False)


def seed_of(*parts: object) -> int:
    """A seed from words and numbers, the same on every machine.

    >>> seed_of("linear", 30, 1) == seed_of("linear", 30, 1) != seed_of("linear", 30, 2)
    True
    """
    text = "/".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")
