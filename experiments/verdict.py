"""The verdict: every claim of the paper, what was measured, and whether it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import catalogue, theory_claims
from .claims import Claim
from .pages import table
from .statistics import by
from .store import Row
from .task import Task

TITLE = "The verdict"
ALSO = tuple(name for name in catalogue.NAMES if name != "verdict")
WORDS = ("holds", "holds partly", "does not hold", "not decided")


def tasks(size: str) -> list[Task]:
    """None: every other experiment's rows are read again."""
    return []


def solve(task: Task) -> dict[str, Any]:
    """Never called."""
    raise NotImplementedError


def claims_of(rows: list[Row]) -> list[Claim]:
    """What each experiment that has rows says of the paper, the theory first."""
    found = theory_claims.claims()
    by_experiment = {name: part for (name,), part in by(rows, "experiment").items()}
    for name in ALSO:
        experiment: Any = catalogue.find(name)
        sources = [name, *getattr(experiment, "ALSO", ())]
        part = [row for source in sources for row in by_experiment.get(source, [])]
        if part and hasattr(experiment, "claims"):
            page = f"[{experiment.TITLE[:1].lower()}{experiment.TITLE[1:]}]({name}.md)"
            found += [with_page(claim, page) for claim in experiment.claims(part)]
    return found


def with_page(claim: Claim, page: str) -> Claim:
    """The claim, its reason ending with where to look if it does not say so itself."""
    if page.partition("]")[2] in claim.why:
        return claim
    why = claim.why.removesuffix(".")
    return replace(claim, why=f"{why}; see {page}." if why else f"See {page}.")


def report(rows: list[Row], folder: Path) -> str:
    """The whole page."""
    return page_of(claims_of(rows))


def page_of(claims: Sequence[Claim]) -> str:
    """How many claims hold, and a line each."""
    count = {word: sum(claim.verdict == word for claim in claims) for word in WORDS}
    said = ", ".join(f"{word} {n}" for word, n in count.items() if n)
    lines = [
        [c.where, c.says, sentence(c.measured), f"**{c.verdict}**", sentence(c.why)] for c in claims
    ]
    return (
        f"The paper is Chevalley, Schwab and Mehrjou (ICLR 2025). Its {len(claims)} claims, one a "
        f"line, by verdict: {said}. What was measured, and the verdict, are computed from the rows "
        "of the experiment or, for the theory, from a case that decides it; what the paper says, "
        "and why, are in our words.\n\n"
        "A claim **holds** where the 95 % intervals bear it out in every setting, **partly** where "
        "they do in some; it **does not hold** where they say the opposite in some and bear it out "
        "in none, a statement of the theory where one case breaks it; it is **not decided** where "
        "the intervals leave both open, or nothing was run yet. Some claims need terms of their "
        "own, which the last column gives. Where a claim has many settings, chance decides some: "
        "of forty intervals about nothing one lies above 0 and one below. D_top, `intersort_paper` "
        "and the other words: [how to read the pages](index.md).\n\n"
        + table(["where", "the paper says", "we measured", "verdict", "why, where to look"], lines)
    )


def sentence(text: str) -> str:
    """The text with a capital letter first, where it begins with a letter of ours."""
    return text[:1].upper() + text[1:] if text[:1].isascii() else text
