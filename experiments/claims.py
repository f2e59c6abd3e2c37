"""A claim of the paper beside what was measured: a row of the verdict page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["holds", "holds partly", "does not hold", "not decided"]


@dataclass(frozen=True)
class Claim:
    """One claim.

    Attributes
    ----------
    where : str
        Where the paper says it.
    says : str
        What it says, in our words.
    measured : str
        What we measured, made from the rows.
    verdict : str
        "holds", "holds partly", "does not hold" or "not decided".
    why : str
        What explains it, and the page that shows it.
    """

    where: str
    says: str
    measured: str
    verdict: Verdict
    why: str
