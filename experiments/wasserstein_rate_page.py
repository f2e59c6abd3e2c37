"""The page of `wasserstein_rate`: errors by number of rows, and how fast they fall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from .claims import Claim, Verdict
from .figures import draw_curves
from .grid import TITLES
from .pages import figure, table
from .screens import DOMAINS
from .statistics import Estimate, estimate
from .store import Row
from .wasserstein_exact import expected_distance
from .wasserstein_rate import AS_MANY, CONTROLS, LAWS, POOL, ROWS, SHIFT

FIT_WITH_5000 = 1000
"""With 5,000 controls the error stops falling beyond; the slope is fitted up to here."""
CELLS = "gene regulation, cells of one simulation"
LATE = 1000
"""A second slope is fitted from here on: a rate is about large numbers of rows."""
NAMES = {
    "normal": "normal",
    "laplace": "Laplace",
    "student_3": "Student, 3 degrees (variance, no third moment)",
    "student_1.5": "Student, 1.5 degrees (mean, no variance)",
}
CASES = {"same": "nothing moves", "moved": "moved"}


def name_of(row: Row) -> str:
    """What was drawn from, in words."""
    if "domain" not in row:
        return NAMES[row["law"]]
    return CELLS if row["law"] == "cells" else f"column: {TITLES[row['domain']]}"


def quoted(n: Iterable[float]) -> list[float]:
    """The rate that the paper quotes, up to a constant."""
    return [float(np.sqrt(np.log(x) / x)) for x in n]


def slope_of(errors: Sequence[float], n: Sequence[float]) -> float:
    """How fast errors fall: the slope of log error on log n.

    >>> round(slope_of([1.0, 0.1], [1.0, 100.0]), 6)
    -0.5
    """
    return float(np.polyfit(np.log(n), np.log(errors), 1)[0])


def places(controls: int) -> list[int]:
    """Numbers of rows over which a slope is fitted."""
    return [n for n in ROWS if controls == AS_MANY or n <= FIT_WITH_5000]


def slopes(rows: Sequence[Row], start: int = ROWS[0]) -> Estimate:
    """The slope of each repetition or dataset from so many rows on, its mean and interval."""
    n = [x for x in places(rows[0]["controls"]) if x >= start]
    if len(n) < 2:
        return estimate([])
    return estimate(slope_of([row[f"error_{x}"] for x in n], n) for row in rows)


def error_at(rows: Sequence[Row], n: int) -> Estimate:
    """The mean error at n rows of a target."""
    return estimate(row[f"error_{n}"] for row in rows)


def parts_of(rows: Sequence[Row], case: str, controls: int) -> dict[str, list[Row]]:
    """Rows of one case and one number of controls, by what was drawn from."""
    here = [row for row in rows if row["case"] == case and row["controls"] == controls]
    order = [*NAMES.values(), *[f"column: {TITLES[domain]}" for domain in DOMAINS], CELLS]
    parts = {name: [row for row in here if name_of(row) == name] for name in order}
    return {name: part for name, part in parts.items() if part}


def write(rows: list[Row], folder: Path) -> str:
    """Errors as figures, slopes as a table, then which sample governs."""
    found = claim(rows)
    parts = [INTRODUCTION, f"**{found.verdict}**: {found.measured} {found.why}"]
    equal = parts_of(rows, "same", AS_MANY)
    laws = {name: part for name, part in equal.items() if name in NAMES.values()}
    columns = {name: part for name, part in equal.items() if name not in laws}
    parts += ["## Laws whose distance is known", _picture(laws, "laws", folder)]
    parts += ["## Columns of the four domains", _picture(columns, "domains", folder)]
    parts += ["## How fast the error falls", SLOPES, _slopes(rows)]
    return "\n\n".join([*parts, "## The smaller sample governs", *_smaller(rows, folder)])


INTRODUCTION = (
    "The paper takes the Wasserstein distance because its samples converge, and quotes a rate of "
    "√(ln n / n) for the mean error |W(Pₙ, Qₙ) − W(P, Q)|, a rate known from points in the plane. "
    "In one dimension, where the paper uses it, n^−1/2 is expected where ∫√(F(1 − F)) is finite, "
    "which a little more than a finite variance guarantees; with a heavier tail the error falls "
    "more slowly (n^−1/3 for 1.5 moments). Measured: the mean error for 10 to 10,000 rows of a "
    f"target; slopes of log error on log n with 95 % intervals, by repetition (laws, sd 1) or by "
    "dataset (a column of each of the paper's ten datasets a domain, in control sds). Nothing "
    f"moves: both samples have one law, the distance is 0. Moved: a law and the same law {SHIFT:g} "
    "further, so that the distance is that; or a column and the same column after an intervention "
    f"on a cause of it. A domain's truth is {POOL:,} rows of each kind, from which rows are then "
    "drawn, each on its own; the cells of gene regulation are also simulated as the paper's "
    "screens are, as many at a time as are asked for."
)
SLOPES = (
    "Controls: as many as rows of the target (equal), or 5,000 as in the paper; there the slope "
    f"is fitted up to {FIT_WITH_5000:,} rows. The quoted rate on the same numbers of rows has the "
    "slope under “quoted”; the error stays within it where its own slope is steeper. Exact: the "
    "slope of the expected distance itself, computed (`experiments/wasserstein_exact.py`); a heavy "
    "tail approaches its limit slowly."
)


def _picture(parts: Mapping[str, Sequence[Row]], panel: str, folder: Path) -> str:
    curves: dict[str, list[tuple[float, Estimate | float]]] = {
        name: [(float(n), error_at(part, n)) for n in ROWS] for name, part in parts.items()
    }
    first = next(iter(curves.values()))[0][1]
    start = first.mean if isinstance(first, Estimate) else first
    rate = quoted(ROWS)
    curves["√(ln n / n)"] = [
        (float(n), start * r / rate[0]) for n, r in zip(ROWS, rate, strict=True)
    ]
    curves["1 / √n"] = [(float(n), start * (n / ROWS[0]) ** -0.5) for n in ROWS]
    name = draw_curves(
        folder / f"wasserstein_rate_{panel}.svg", curves,
        x_label="rows of each sample", y_label="mean error (sd)",
        dashed=("√(ln n / n)", "1 / √n"), log_x=True, log_y=True,
    )  # fmt: skip
    return figure(name, "Mean error of the distance of two samples of one law, by their size.")


def _slopes(rows: Sequence[Row]) -> str:
    lines = []
    for controls in CONTROLS[:2]:
        for case, called in CASES.items():
            for name, part in parts_of(rows, case, controls).items():
                rate = slope_of(quoted(places(controls)), places(controls))
                lines.append(
                    [
                        name,
                        called,
                        "equal" if controls == AS_MANY else f"{controls:,}",
                        f"{error_at(part, 100).mean:.3f}",
                        f"{error_at(part, ROWS[-1]).mean:.3f}",
                        three(slopes(part)),
                        three(slopes(part, LATE)),
                        f"{rate:.3f}",
                        against(slopes(part), rate),
                        exact_slope(part),
                    ]
                )
    header = ["distribution", "case", "controls", "error at 100", f"error at {ROWS[-1]:,}"]
    header += ["slope", f"slope from {LATE:,}", "quoted", "against it", "exact"]
    return table(header, lines)


def exact_slope(rows: Sequence[Row]) -> str:
    """What the slope should be, where the expected distance can be computed."""
    row = rows[0]
    if "domain" in row or row["case"] != "same" or row["controls"] != AS_MANY:
        return "–"
    return f"{slope_of([expected_distance(row['law'], n) for n in ROWS], ROWS):.3f}"


def three(found: Estimate) -> str:
    """A slope with its interval, three digits."""
    if not found.n:
        return "–"
    if found.n < 3:
        return f"{found.mean:.3f} (n = {found.n})"
    return f"{found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]"


def against(slope: Estimate, rate: float) -> str:
    """Whether the error falls faster than the quoted rate."""
    if slope.n < 3 or slope.low <= rate <= slope.high:
        return "not decided"
    return "faster" if slope.high < rate else "slower"


def _smaller(rows: Sequence[Row], folder: Path) -> list[str]:
    """One law, three numbers of controls; errors in units of √(1/n + 1/m)."""
    name = NAMES[LAWS[0]]
    found = {c: parts_of(rows, "same", c).get(name, []) for c in CONTROLS}
    curves: dict[str, list[tuple[float, Estimate | float]]] = {
        _called(c): [(float(n), error_at(part, n)) for n in ROWS] for c, part in found.items()
    }
    picture = draw_curves(
        folder / "wasserstein_rate_smaller.svg", curves,
        x_label="rows of the target", y_label="mean error (sd)", log_x=True, log_y=True,
    )  # fmt: skip
    lines = []
    for n in ROWS:
        line = [f"{n:,}"]
        for c, part in found.items():
            error = error_at(part, n).mean
            unit = np.sqrt(1 / n + 1 / (c or n))
            line += [f"{error:.4f}", f"{error / unit:.2f}"]
        lines.append(line)
    header = ["rows"]
    for c in found:
        header += [_called(c), "÷ √(1/n + 1/m)"]
    text = (
        "The quoted rate speaks of two samples of n rows. With m control rows beside n of the "
        "target the error is in proportion to √(1/n + 1/m), as the nearly constant columns show: "
        "more controls bring nothing once the target's rows are few, and the other way round."
    )
    caption = "Normal law, nothing moves: mean error by rows of the target and control rows."
    return [figure(picture, caption), text, table(header, lines)]


def _called(controls: int) -> str:
    return f"{controls:,} controls" if controls else "as many controls"


def claim(rows: list[Row]) -> Claim:
    """Is the error of order √(ln n / n)?"""
    rate = slope_of(quoted(ROWS), ROWS)
    found = {
        (name, case): slopes(part)
        for case in CASES
        for name, part in parts_of(rows, case, AS_MANY).items()
        if name != CELLS  # no i.i.d. samples
    }
    judged = {key: against(value, rate) for key, value in found.items()}
    slower = [
        f"{n}, {CASES[k]}: {three(found[n, k])}" for (n, k), w in judged.items() if w == "slower"
    ]
    n_faster = sum(word == "faster" for word in judged.values())
    verdict: Verdict = "holds partly"
    if n_faster == len(judged):
        verdict = "holds"
    elif not n_faster:
        verdict = "does not hold" if slower else "not decided"
    cells = parts_of(rows, "same", AS_MANY).get(CELLS)
    columns = [value for (name, _), value in found.items() if name.startswith("column")]
    ours = f"{min(s.mean for s in columns):.2f} to {max(s.mean for s in columns):.2f}"
    return Claim(
        "Estimating the distances from i.i.d. samples",
        "The empirical Wasserstein distance converges at the rate √(ln n / n).",
        f"On 10 to 10,000 rows that rate has slope {rate:.2f}; the error falls faster in "
        f"{n_faster} of {len(judged)} cases, slower in {len(slower)}"
        + (f" ({'; '.join(slower)})" if slower else "")
        + f". Independent rows of the domains' columns: slopes {ours}."
        + (
            f" Cells of one simulation, which are no i.i.d. samples: {three(slopes(cells))}, from "
            f"{LATE:,} rows on {three(slopes(cells, LATE))}."
            if cells
            else ""
        ),
        verdict,
        "In one dimension the rate is n^−1/2 without the logarithm, which belongs to the plane, "
        "and it needs more than a finite first moment; the smaller of the two samples governs. See "
        "[the error of the Wasserstein distance](wasserstein_rate.md).",
    )
