"""The page and the claims of Figure 1 and of its twin on scale-free graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .claims import Claim, Verdict
from .oracle_pages import (
    BOUNDS,
    Series,
    Setting,
    average_draws,
    count_above,
    differences,
    draw_differences,
    draw_settings,
    overlap,
    settings_of,
    spearman,
    table_of_bounds,
    table_of_differences,
    table_of_errors,
    values_of,
)
from .pages import figure, table
from .statistics import FEWEST, LEVEL, Estimate, estimate, pairs
from .store import Row

DESIGN = ("d", "p_e", "edges", "p_int", "graph", "draw")
CLOSE = 0.1
"""Up to a tenth more error than the optimum's counts as very close."""
MONOTONIC, PARTLY = -0.9, -0.7
"""Spearman's coefficients up to these count as approximately monotonic, and as partly so."""
PAPER = Series("intersort_paper", "d_top", "Intersort")


@dataclass(frozen=True)
class Twin:
    """What sets one of the two figures apart."""

    name: str
    where: str
    graphs: str
    density: str
    guaranteed: bool
    note: str = ""


@dataclass(frozen=True)
class Panel:
    """The rows of one number of variables, averaged over draws, and what stands for the optimum."""

    d: int
    settings: Mapping[Setting, Sequence[Row]]
    rows: Sequence[Row]
    exact: bool

    @property
    def method(self) -> str:
        """The method that knows the optimum."""
        return "exact" if self.exact else "intersort"

    @property
    def optimum(self) -> Series:
        """The optimum, all that are equally good weighing the same."""
        return Series(self.method, "mean", "optimum, mean over equal ones")

    @property
    def span(self) -> tuple[Series, Series]:
        """The best and the worst of the optima, or of those that were drawn."""
        seen = "" if self.exact else " seen"
        return (
            Series(self.method, "least", f"optimum, least{seen}"),
            Series(self.method, "most", f"optimum, most{seen}"),
        )


def panels_of(rows: Sequence[Row]) -> list[Panel]:
    """A panel for each number of variables."""
    panels = []
    for d in sorted({row["d"] for row in rows}):
        here = [row for row in rows if row["d"] == d]
        exact = any(row["method"] == "exact" for row in here)
        panels.append(Panel(d, settings_of(average_draws(here)), here, exact))
    return panels


def report_twin(twin: Twin, rows: Sequence[Row], folder: Path) -> str:
    """The whole page."""
    parts = [_introduction(twin, rows), _verdicts(claims_of(twin, rows))]
    for panel in panels_of(rows):
        parts += [f"## {panel.d} variables", *_errors(twin, panel, folder)]
        parts += [*_differences(twin, panel, folder), *_bounds(twin, panel, folder)]
        parts += [_order_of_settings(panel)]
    return "\n\n".join(parts)


def _introduction(twin: Twin, rows: Sequence[Row]) -> str:
    n_graphs = len({row["graph"] for row in rows})
    n_draws = len({row["draw"] for row in rows if "draw" in row})
    text = (
        f"The paper plots D_top of the exact optimum and of Intersort on {twin.graphs} against the "
        "effective intervention ratio p_int/√p_e, beside its bounds; it says that the two are very "
        "close at 5 variables, and that the error is approximately monotonic in the ratio.\n\n"
        "Distances are an oracle's: 1 from a target to each of its descendants, 0 elsewhere; ε "
        f"0.3, c 0.5. Each setting (p_int, p_e) has {n_graphs} graphs of its own and {n_draws} "
        "draws of targets in each, every variable a target with probability p_int on its own; a "
        "draw without any target is kept, and every order is optimal then. **The unit of every "
        f"interval is the graph**: the {n_draws} draws within a graph are not independent, so "
        "their mean counts once. Intersort is SORTRANKING followed by the paper's local search."
    )
    return f"{text}\n\n{twin.note}" if twin.note else text


def _verdicts(claims: Sequence[Claim]) -> str:
    return "\n".join(f"- {c.says} **{c.verdict.capitalize()}**: {c.measured}" for c in claims)


def _errors(twin: Twin, panel: Panel, folder: Path) -> list[str]:
    series = [PAPER, panel.optimum, *panel.span]
    if not panel.exact:
        series.append(Series("intersort", "d_top", "ours, the order returned"))
    name = f"{twin.name}_{panel.d}_errors.svg"
    draw_settings(folder / name, panel.settings, series)
    caption = (
        f"{panel.d} variables: D_top by setting, in the order of p_int/√p_e; under each its ratio, "
        f"p_int and {twin.density}. Bars are 95 % intervals over graphs."
    )
    return [
        figure(name, caption),
        _how_the_optimum(panel),
        table_of_errors(panel.settings, series, twin.density),
    ]


def _how_the_optimum(panel: Panel) -> str:
    solved = [row for row in panel.rows if row["method"] == panel.method]
    if panel.exact:
        several = sum(row["n_optimal"] > 1 for row in solved)
        causal = sum(row["least"] == 0 for row in solved)
        return (
            "Least, mean and most are over all optima, by dynamic programming. There are several "
            f"in {several:,} of {len(solved):,} designs; a causal order is among them in "
            f"{causal:,}, so that least is 0 there."
        )
    proven = sum(row["proven"] for row in solved)
    return (
        f"`find_order` (effort low) proved its order best in {proven:,} of {len(solved):,} "
        "designs. There D_top is also the mean over 100 draws of equal optima, with the least and "
        "the most that were seen; a graph with an open design is left out of these columns."
    )


def _differences(twin: Twin, panel: Panel, folder: Path) -> list[str]:
    name = f"{twin.name}_{panel.d}_difference.svg"
    draw_differences(folder / name, panel.settings, PAPER, panel.optimum)
    caption = (
        f"{panel.d} variables: D_top of Intersort less the mean over equal optima of the same "
        "designs, with 95 % intervals over graphs. Above 0, Intersort is worse."
    )
    n, reached, gap = search_quality(panel)
    text = (
        f"Intersort's order reaches the best score in {reached:,} of {n:,} designs "
        f"({reached / n:.1%}); where it does not, it lacks {gap:.2%} of it on average. "
        "Differences in D_top, Intersort less the optimum's (bold where the interval leaves 0 out; "
        f"of {len(panel.settings)} such intervals one in twenty does so by chance):"
    )
    seconds = [panel.optimum, *panel.span]
    return [
        figure(name, caption),
        text,
        table_of_differences(panel.settings, PAPER, seconds, twin.density),
    ]


def search_quality(panel: Panel) -> tuple[int, int, float]:
    """Designs, those in which Intersort reaches the best score, and the mean gap of the others."""
    best = [row for row in panel.rows if row["method"] == panel.method]
    paper = [row for row in panel.rows if row["method"] == "intersort_paper"]
    scores = pairs(best, paper, DESIGN, "score")
    missed = [(b - p) / b for b, p in scores if b - p > 1e-6]
    return len(scores), len(scores) - len(missed), sum(missed) / max(len(missed), 1)


def _bounds(twin: Twin, panel: Panel, folder: Path) -> list[str]:
    name = f"{twin.name}_{panel.d}_bounds.svg"
    measured = [PAPER, panel.optimum, panel.span[1]]
    draw_settings(folder / name, panel.settings, measured, list(BOUNDS), linear_up_to=0.1)
    caption = (
        f"{panel.d} variables: D_top beside the bounds, dotted as in the paper, dashed as "
        "repaired; the axis is logarithmic above 0.1. Under each setting its ratio, p_int and "
        f"{twin.density}."
    )
    text = (
        "Theorem 2 is for interventions that show on every descendant, as they do here; Theorem 3 "
        "for those that show on children alone. Both are false in general as printed (see the "
        "page on the paper's theory); the repaired ones hold. Theorem 4 averages Theorem 3 over "
        "Erdős–Rényi graphs: its closed form is the double sum of its proof for d + 1 variables, "
        "and its looser form needs no p_e. In how many of the "
        f"{len(panel.settings)} settings the mean lies above the bound, and in brackets in how "
        "many of them its interval does:"
    )
    return [figure(name, caption), text, table_of_bounds(panel.settings, measured)]


def _order_of_settings(panel: Panel) -> str:
    lines = []
    for series in (PAPER, panel.optimum):
        line = [series.name]
        for key in ("ratio", "p_int"):
            rho, low, high = spearman(panel.settings, series, key)
            line.append(f"{rho:.3f} [{low:.3f}, {high:.3f}]")
        lines.append(line)
    text = (
        "Spearman's coefficient of the mean D_top with the ratio and, for comparison, with p_int "
        "alone, over the settings (95 % intervals: graphs drawn again with replacement within "
        "each setting):"
    )
    return f"{text}\n\n{table(['', 'p_int/√p_e', 'p_int alone'], lines)}"


def claims_of(twin: Twin, rows: Sequence[Row]) -> list[Claim]:
    """What the paper says of the figure, judged by the rows."""
    claims = []
    for panel in panels_of(rows):
        claims += [_close(twin, panel), _monotonic(twin, panel), _below_bounds(twin, panel)]
    return claims


def _close(twin: Twin, panel: Panel) -> Claim:
    """Intersort beside the optimum: overlapping intervals, and the paired difference."""
    ours = [estimate(values_of(rows, PAPER.method, "d_top")) for rows in panel.settings.values()]
    best = [estimate(values_of(rows, panel.method, "mean")) for rows in panel.settings.values()]
    n_overlap = sum(overlap(a, b) for a, b in zip(ours, best, strict=True))
    each = [estimate(differences(r, PAPER, panel.optimum)) for r in panel.settings.values()]
    every = [r for rows in panel.settings.values() for r in rows]
    overall = estimate(differences(every, PAPER, panel.optimum))
    usual = estimate(values_of(every, panel.method, "mean")).mean
    n, reached, _ = search_quality(panel)
    n_apart, n_settings = sum(e.significant for e in each), len(panel.settings)
    return Claim(
        where=f"{twin.where}, {panel.d} variables",
        says=f"At {panel.d} variables Intersort is very close to the optimum."
        + (" The intervals overlap." if panel.exact else ""),
        measured=f"the intervals overlap in {n_overlap} of {n_settings} settings; Intersort less "
        f"the mean over equal optima, {usual:.2f} edges, is {overall} over all graphs, and the "
        f"paired interval leaves 0 out in {n_apart} of {n_settings} settings; it reaches the best "
        f"score in {reached:,} of {n:,} designs.",
        verdict=_close_verdict(n_overlap, n_settings, overall, CLOSE * usual),
        why="paired on the same designs, which is finer than intervals that overlap; very close "
        f"is taken as overlap everywhere and at most {CLOSE:.0%} more error, by the whole "
        "interval.",
    )


def _close_verdict(n_overlap: int, n_settings: int, overall: Estimate, allowed: float) -> Verdict:
    if overall.n < FEWEST:
        return "not decided"
    if n_overlap == n_settings and overall.high <= allowed:
        return "holds"
    return "holds partly" if n_overlap > n_settings / 2 else "does not hold"


def _monotonic(twin: Twin, panel: Panel) -> Claim:
    rho, low, high = spearman(panel.settings, PAPER)
    alone = spearman(panel.settings, PAPER, "p_int")
    return Claim(
        where=f"{twin.where}, caption, {panel.d} variables",
        says=f"At {panel.d} variables the error is approximately monotonic in p_int/√p_e.",
        measured=f"Spearman's coefficient is {rho:.3f} [{low:.3f}, {high:.3f}] over "
        f"{len(panel.settings)} settings; with p_int alone it is {alone[0]:.3f} "
        f"[{alone[1]:.3f}, {alone[2]:.3f}].",
        verdict=_monotonic_verdict(low, high),
        why=f"approximately monotonic is taken as a coefficient of {MONOTONIC} or below, partly "
        f"as one of {PARTLY} or below, by the whole interval.",
    )


def _monotonic_verdict(low: float, high: float) -> Verdict:
    if high <= MONOTONIC:
        return "holds"
    if high <= PARTLY:
        return "holds partly"
    return "does not hold" if low > PARTLY else "not decided"


def _below_bounds(twin: Twin, panel: Panel) -> Claim:
    """Theorems 2 and 4 against the mean over equal optima, the worst of them, and Intersort."""
    judged = {"the mean over optima": panel.optimum, "the worst optimum": panel.span[1]}
    judged["Intersort"] = PAPER
    n, parts = len(panel.settings), []
    counts = {}
    for bound in ("theorem_2", "theorem_4"):
        for name, series in judged.items():
            counts[bound, name] = count_above(panel.settings, series, bound)
        lines = [f"{name} in {above} ({surely})" for (b, name), (above, surely) in counts.items()
                 if b == bound]  # fmt: skip
        parts.append(f"above {BOUNDS[bound]}: {', '.join(lines)}")
    surely = {key: beyond_chance(count[1], n) for key, count in counts.items()}
    mean = any(surely[bound, "the mean over optima"] for bound in ("theorem_2", "theorem_4"))
    worst = any(surely[bound, "the worst optimum"] for bound in ("theorem_2", "theorem_4"))
    return Claim(
        where=f"{twin.where}; Theorems 2 and 4, {panel.d} variables",
        says=f"At {panel.d} variables the expected error of the optimum is below the bounds"
        + ("." if twin.guaranteed else " (Theorem 4 as a reference only)."),
        measured=f"settings of {n} whose mean is (and whose interval is) {'; '.join(parts)}.",
        verdict="does not hold" if mean else "holds partly" if worst else "holds",
        why="Theorem 2 as printed is false for the worst of several optima, see the page on the "
        "paper's theory. It holds partly where only the worst optimum is above a bound, in more "
        "settings than chance explains (one in forty intervals lies above by chance).",
    )


def beyond_chance(n_found: int, n_settings: int) -> bool:
    """Whether so many intervals above a bound are too many for chance.

    >>> beyond_chance(2, 15), beyond_chance(3, 15)
    (False, True)
    """
    from scipy.stats import binom

    return bool(binom.sf(n_found - 1, n_settings, (1 - LEVEL) / 2) < 1 - LEVEL)
