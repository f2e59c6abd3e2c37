"""Who makes the most of interventions? The fall of the error as more are made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import figure2
from .claims import Claim, as_line, overall
from .falls import error_left, fall, falls
from .figure2_claims import OURS, RIVALS
from .grid import ON, TITLES
from .pages import table
from .screens import DOMAINS
from .statistics import Estimate, paired_difference, verdict
from .store import Row
from .task import Task

TITLE = "What more interventions bring"
ALSO = ("figure2",)


def tasks(size: str) -> list[Task]:
    """None: Figure 2's rows are read again."""
    return []


def solve(task: Task) -> dict[str, Any]:
    """Never called."""
    raise NotImplementedError


def against(rows: list[Row], rival: str, domain: str) -> Estimate:
    """By how much our error falls more than the rival's, dataset by dataset."""
    ours, theirs = (falls(rows, method, domain) for method in (OURS, rival))
    return paired_difference(ours, theirs, ON, "fall")


def report(rows: list[Row], folder: Path) -> str:
    """A table a domain: the fall of each method, and ours less theirs."""
    parts = [
        (
            "The paper says that Intersort uses interventions more efficiently than its rivals "
            "and does not show it. From the rows of [Figure 2](figure2.md): by how much D_top "
            "falls from 25 % to 100 % of the variables intervened on; the error at 100 % as a "
            f"share of that at 25 %; and the fall of `{OURS}` less that of the rival on the same "
            "datasets (above 0: ours falls more), marked ▼ where ours falls significantly more, ▲ "
            "where it falls less. A method with a larger error to begin with has more to lose, so "
            "that both columns are needed."
        ),
        as_line(claims(rows)[0]),
    ]
    for domain in DOMAINS:
        lines = [_line(rows, m, domain) for m in figure2.SHOWN if falls(rows, m, domain)]
        if lines:
            header = ["method", "fall of D_top", "error left", f"fall of `{OURS}` less its"]
            parts += [f"## {TITLES[domain]}", table(header, lines)]
    return "\n\n".join(parts)


def _line(rows: list[Row], method: str, domain: str) -> list[str]:
    left = error_left(rows, method, domain)
    difference = against(rows, method, domain)
    mark = {"worse": " **▼**", "better": " **▲**"}.get(verdict(difference), "")  # more is better
    return [
        method,
        str(fall(rows, method, domain)),
        "–" if left is None else f"{left:.0%}",
        "" if method == OURS else f"{difference}{mark}",
    ]


def comparisons(rows: list[Row]) -> dict[tuple[str, str], Estimate]:
    """Our fall less the rival's, by domain and rival of the paper."""
    return {(domain, r): against(rows, r, domain) for domain in DOMAINS for r in RIVALS}


def claims(rows: list[Row]) -> list[Claim]:
    """More efficient than the rivals of the paper's figure?"""
    found = comparisons(rows)
    more = [f"{r} ({TITLES[d]})" for (d, r), e in found.items() if e.significant and e.low > 0]
    less = [f"{r} ({TITLES[d]})" for (d, r), e in found.items() if e.significant and e.high < 0]
    n_open = len(found) - len(more) - len(less)
    return [
        Claim(
            "Introduction",
            "Intersort makes more efficient use of interventions than the rivals.",
            f"Its error falls more from 25 to 100 % than the rival's in {len(more)} of "
            f"{len(found)} comparisons (domain × rival), less in {len(less)}"
            + (f" ({', '.join(less)})" if less else "")
            + f"; {n_open} not decided. A smaller share of it is left in {_n_smaller(rows)}.",
            overall(len(more), len(less), n_open),
            "PC and EASE do not look at what was intervened on: they take all rows as one sample, "
            "or the controls alone; see "
            "[what more interventions bring](efficiency.md).",
        )
    ]


def _n_smaller(rows: list[Row]) -> int:
    """In how many comparisons a smaller share of our error is left than of the rival's."""
    n = 0
    for domain in DOMAINS:
        ours = error_left(rows, OURS, domain)
        theirs = [error_left(rows, rival, domain) for rival in RIVALS]
        n += sum(ours is not None and share is not None and ours < share for share in theirs)
    return n
