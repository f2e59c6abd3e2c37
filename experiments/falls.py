"""What more interventions bring: the error at the least share of targets less that at the most."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .claims import Claim, overall
from .grid import ON, TITLES
from .screens import DOMAINS, FRACTIONS
from .statistics import Estimate, estimate, paired_difference, pairs, verdict
from .store import Row


def errors_at(rows: Sequence[Row], method: str, domain: str, fraction: float) -> list[Row]:
    """A method's rows in one domain at one share of variables intervened on."""
    wanted = (method, domain, fraction)
    return [row for row in rows if (row["method"], row["domain"], row["fraction"]) == wanted]


def falls(rows: Sequence[Row], method: str, domain: str) -> list[Row]:
    """A row a dataset that has both errors: by how much D_top falls."""
    first, last = (errors_at(rows, method, domain, f) for f in (FRACTIONS[0], FRACTIONS[-1]))
    known = {tuple(row[key] for key in ON): row.get("d_top") for row in last}
    found = []
    for row in first:
        error = known.get(tuple(row[key] for key in ON))
        if row.get("d_top") is not None and error is not None:
            found.append({key: row[key] for key in ON} | {"fall": row["d_top"] - error})
    return found


def fall(rows: Sequence[Row], method: str, domain: str) -> Estimate:
    """The mean fall."""
    return estimate(row["fall"] for row in falls(rows, method, domain))


def error_left(rows: Sequence[Row], method: str, domain: str) -> float | None:
    """The mean error at the largest share over that at the least, of datasets that have both."""
    first, last = (errors_at(rows, method, domain, f) for f in (FRACTIONS[0], FRACTIONS[-1]))
    found = pairs(first, last, ON)
    start = sum(a for a, _ in found)
    return sum(b for _, b in found) / start if start else None


def rises(rows: Sequence[Row], method: str) -> list[str]:
    """The steps from one share to the next in which the error rises significantly."""
    return [
        f"{TITLES[domain]}, {few:.0%} to {more:.0%}"
        for domain in DOMAINS
        for few, more in pairwise(FRACTIONS)
        if verdict(
            paired_difference(
                errors_at(rows, method, domain, more), errors_at(rows, method, domain, few), ON
            )
        )
        == "worse"
    ]


def claim_of_falls(rows: Sequence[Row], method: str, *, where: str, says: str, why: str) -> Claim:
    """The error of a method falls in every domain, and rises in no step."""
    found = {domain: fall(rows, method, domain) for domain in DOMAINS}
    right = [e for e in found.values() if e.significant and e.low > 0]
    wrong = [e for e in found.values() if e.significant and e.high < 0]
    up = rises(rows, method)
    listed = "; ".join(f"{TITLES[domain]} {e}" for domain, e in found.items())
    steps = len(DOMAINS) * (len(FRACTIONS) - 1)
    return Claim(
        where,
        says,
        f"D_top falls from {FRACTIONS[0]:.0%} to {FRACTIONS[-1]:.0%} of the variables by: "
        f"{listed}. From one share to the next it rises significantly in {len(up)} of {steps} "
        f"steps" + (f" ({'; '.join(up)})." if up else "."),
        overall(len(right), len(wrong) + len(up), len(found) - len(right) - len(wrong)),
        why,
    )
