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


def overall(n_right: int, n_wrong: int, n_open: int) -> Verdict:
    """One word for many settings: how many bear a claim out, how many do not, how many are open.

    >>> overall(16, 0, 0), overall(1, 3, 12), overall(0, 3, 13), overall(0, 0, 16)
    ('holds', 'holds partly', 'does not hold', 'not decided')
    """
    if n_right:
        return "holds partly" if n_wrong or n_open else "holds"
    return "does not hold" if n_wrong else "not decided"


def as_line(claim: Claim) -> str:
    """A claim as a line of the page that shows it, where no page need be named.

    >>> as_line(Claim("Section 1", "It works.", "It does.", "holds", "Luck; see [luck](luck.md)."))
    '**Holds:** It works. It does. Luck.'
    """
    why = claim.why.partition("; see [")[0].partition("See [")[0].strip()
    ended = why if not why or why.endswith(".") else f"{why}."
    text = f"{claim.says} {claim.measured} {ended}".strip()
    return f"**{claim.verdict[0].upper()}{claim.verdict[1:]}:** {text}"
