"""Who makes the most of interventions? The fall of the error as more are made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import figure2
from .claims import Claim, Verdict
from .grid import DATASET, TITLES
from .pages import table
from .screens import DOMAINS
from .statistics import Estimate, estimate, paired_difference, pairs
from .store import Row
from .task import Task

TITLE = "What more interventions bring"
ALSO = ("figure2",)
ON = tuple(key for key in DATASET if key != "fraction")
OURS = "intersort_paper"
RIVALS = ("pc", "gies", "ease", "dcdi")
"""Those of the paper's figure."""


def tasks(size: str) -> list[Task]:
    """None: Figure 2's rows are read again."""
    return []


def solve(task: Task) -> dict[str, Any]:
    """Never called."""
    raise NotImplementedError


def falls(rows: list[Row], method: str, domain: str) -> list[Row]:
    """D_top at 25 % less D_top at 100 %, a row a dataset."""
    mine = [row for row in rows if row["method"] == method and row["domain"] == domain]
    least = [row for row in mine if row["fraction"] == 0.25]
    most = [row for row in mine if row["fraction"] == 1.0]
    both = {tuple(row[key] for key in ON): row for row in most if row.get("d_top") is not None}
    found = []
    for row in least:
        dataset = tuple(row[key] for key in ON)
        if row.get("d_top") is not None and dataset in both:
            fall = row["d_top"] - both[dataset]["d_top"]
            found.append({key: row[key] for key in ON} | {"fall": fall})
    return found


def relative_fall(rows: list[Row], method: str, domain: str) -> str:
    """The mean error at 100 % as a share of that at 25 %."""
    mine = [row for row in rows if row["method"] == method and row["domain"] == domain]
    first = [row for row in mine if row["fraction"] == 0.25]
    last = [row for row in mine if row["fraction"] == 1.0]
    found = pairs(first, last, ON)
    start = sum(a for a, _ in found)
    return f"{sum(b for _, b in found) / start:.0%}" if start else "–"


def report(rows: list[Row], folder: Path) -> str:
    """A table a domain: the fall of each method, and ours less theirs."""
    parts = [
        (
            "The paper says that Intersort uses interventions more efficiently than its rivals "
            "and does not show it. From the rows of [Figure 2](figure2.md): by how much D_top "
            "falls from 25 % to 100 % of the variables intervened on, the share of the error "
            f"that is left, and the fall of `{OURS}` less that of the rival on the same datasets "
            "(above 0: ours falls more). A method with a larger error to begin with has more to "
            "lose, so both columns are needed."
        )
    ]
    for domain in DOMAINS:
        lines = []
        mine = falls(rows, OURS, domain)
        for method in figure2.SHOWN:
            theirs = falls(rows, method, domain)
            if theirs:
                against = "" if method == OURS else str(paired_difference(mine, theirs, ON, "fall"))
                fall = estimate(row["fall"] for row in theirs)
                lines.append([method, str(fall), relative_fall(rows, method, domain), against])
        if lines:
            header = ["method", "fall of D_top", "error left", f"{OURS} less it"]
            parts += [f"## {TITLES[domain]}", table(header, lines)]
    return "\n\n".join(parts)


def comparisons(rows: list[Row]) -> dict[tuple[str, str], Estimate]:
    """Our fall less the rival's, by domain and rival of the paper."""
    return {
        (domain, rival): paired_difference(
            falls(rows, OURS, domain), falls(rows, rival, domain), ON, "fall"
        )
        for domain in DOMAINS
        for rival in RIVALS
    }


def claims(rows: list[Row]) -> list[Claim]:
    """More efficient than the rivals of the paper's figure?"""
    found = comparisons(rows)
    more = [f"{r} ({TITLES[d]})" for (d, r), e in found.items() if e.significant and e.low > 0]
    less = [f"{r} ({TITLES[d]})" for (d, r), e in found.items() if e.significant and e.high < 0]
    n_open = len(found) - len(more) - len(less)
    return [
        Claim(
            "Section 6",
            "Intersort makes more efficient use of interventions than the rivals.",
            f"Its error falls more from 25 to 100 % than the rival's in {len(more)} of "
            f"{len(found)} comparisons (domain × rival), less in {len(less)}"
            + (f" ({', '.join(less)})" if less else "")
            + f"; {n_open} not decided.",
            overall(len(more), len(less), n_open),
            "PC and EASE make no use of which row was intervened on; see "
            "[what more interventions bring](efficiency.md).",
        )
    ]


def overall(n_more: int, n_less: int, n_open: int) -> Verdict:
    """One word for many comparisons."""
    if n_more and not (n_less or n_open):
        return "holds"
    if n_more:
        return "holds partly"
    return "does not hold" if n_less else "not decided"
