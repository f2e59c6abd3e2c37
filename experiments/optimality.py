"""How close to the best order is the paper's search, and is the better score the better order?"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from intersort import OrderScore, find_order
from intersort._typing import BoolArray
from intersort.metrics import d_top_range
from intersort.orders.ties import ties

from .claims import Claim, Verdict, as_line
from .dots import draw_dots
from .grid import DATASET, TITLES, cell_of, errors, grid_tasks, screens_of
from .pages import figure, table
from .rivals import paper_score, run_rival
from .screens import DOMAINS, draw, screen_of
from .statistics import Estimate, by, estimate, paired_difference, verdict
from .store import Row
from .task import Task, seed_of

TITLE = "How close to the optimum"
OPTIMUM = "optimum"
SEARCHES = ("sort_ranking", "local_search", "intersort_paper")
ABOVE = "optimum_above"
"""The best order of the pairs above ε alone: what lies below counts for nothing."""
METHODS = (*SEARCHES, OPTIMUM, ABOVE)
N_TIED = 50
"""Optimal orders over which the error of the optimum is averaged."""
SAME_SCORE = 1e-9
"""Scores count as equal within this share of the optimum."""
CLOSE = 0.01
"""What "close" is taken to mean: within one percent of the best score."""


def tasks(size: str) -> list[Task]:
    """The grid of Figure 2."""
    return grid_tasks("optimality", screens_of(30, size), METHODS)


def solve(task: Task) -> dict[str, Any]:
    """One search, or the optimum, on one fraction of one dataset."""
    cell = dict(task.cell)
    screen = screen_of(cell)
    drawn = draw(screen)
    data = drawn.take(drawn.choose(cell["fraction"]))
    score = paper_score(data, screen.domain)
    seed = seed_of(screen.seed, cell["method"], cell["fraction"])
    if cell["method"] == OPTIMUM:
        row = solve_optimum(score, drawn.adjacency, seed)
    elif cell["method"] == ABOVE:
        row = solve_optimum(only_above(score), drawn.adjacency, seed)
    else:
        row = run_rival(
            cell["method"],
            data,
            drawn.adjacency,
            domain=screen.domain,
            seed=seed,
            cpu_seconds=task.cpu_seconds,
            score=score,
        )
    return row | {"seed": screen.seed}


def only_above(score: OrderScore) -> OrderScore:
    """The score without the pairs at or below ε, whose weights are not above 0."""
    return OrderScore(np.maximum(score.weights, 0.0), score.intervened, score.names)


def solve_optimum(score: OrderScore, adjacency: BoolArray, seed: int) -> dict[str, Any]:
    """The best order with its certificate; D_top is the mean over orders of the same score."""
    begin = time.perf_counter()
    best = find_order(score, rng=seed)
    seconds = time.perf_counter() - begin
    tied = ties(score, best, upper_bound=best.upper_bound, effort="low", rng=seed)
    found = d_top_range(adjacency, tied.sample(N_TIED, rng=seed))
    return {
        "score": best.score,
        "bound": best.upper_bound,
        "proven": best.is_optimal,
        "seconds": round(seconds, 4),
        "d_top": round(found.mean, 6),
        "d_top_least": found.least,
        "d_top_most": found.most,
        "status": "ok",
    }


@dataclass(frozen=True)
class Shortfall:
    """How far a search ends below the best score, over datasets.

    Attributes
    ----------
    n, n_proven : int
        Datasets, and those whose best order is proven.
    n_reached : int
        Datasets where the search ends at the proven optimum.
    gap : Estimate
        What is missing to the upper bound, as a share of it.
    worst : float
        The largest of these.
    """

    n: int
    n_proven: int
    n_reached: int
    gap: Estimate
    worst: float


def shortfall(rows: Sequence[Row], method: str) -> Shortfall:
    """Compare the scores of a search with the optimum on the same datasets."""
    best = {tuple(r[key] for key in DATASET): r for r in rows if r["method"] == OPTIMUM}
    gaps, n_proven, n_reached = [], 0, 0
    for row in rows:
        optimum = best.get(tuple(row[key] for key in DATASET))
        if row["method"] != method or optimum is None or row.get("score") is None:
            continue
        top = optimum["score"] if optimum["proven"] else optimum["bound"]
        gap = (top - row["score"]) / abs(top) if top else 0.0
        gaps.append(max(gap, 0.0))
        n_proven += optimum["proven"]
        n_reached += bool(optimum["proven"] and gap <= SAME_SCORE)
    return Shortfall(len(gaps), n_proven, n_reached, estimate(gaps), max(gaps, default=0.0))


def report(rows: list[Row], folder: Path) -> str:
    """The page: scores, then errors, then one against the other."""
    parts = [INTRODUCTION, "## The score", _table_of_scores(rows)]
    parts += [as_line(claims(rows)[0]), "## The error", ABOUT_ERRORS]
    for domain in DOMAINS:
        here = [row for row in rows if row["domain"] == domain]
        if here:
            parts += [f"### {TITLES[domain]}", _picture(here, domain, folder), _errors(here)]
    parts += ["## Does the better score give the lower error?", ABOUT_DIFFERENCES]
    parts += [_table_of_differences(rows), as_line(claims(rows)[1])]
    return "\n\n".join(parts)


INTRODUCTION = (
    "The paper maximises its score by SORTRANKING and one local search, and says that this ends "
    "close to the optimum, which it shows at five variables (its Figure 1). Here the datasets of "
    "[Figure 2](figure2.md): thirty variables, four kinds of data, ε and c of the paper. "
    "`optimum` is the best order of the paper's score as `find_order` finds it, with a proof that "
    "no order scores more; `optimum_above` is that of the same score in which pairs at or below "
    "ε count for nothing."
)
ABOUT_ERRORS = (
    "Mean D_top with its 95 % interval. The optimum is far from unique where few variables are "
    f"intervened on, so the error of both optima is the mean over {N_TIED} orders drawn from those "
    "of the same score; the last column is the mean over datasets of the least and of the most "
    "among the draws of `optimum`. The searches give one order each, whose ties their start "
    "decides: SORTRANKING puts the variables that nothing moved first, and then the others by "
    "generations of its graph."
)
ABOUT_DIFFERENCES = (
    "Paired differences of D_top on the same datasets with their 95 % intervals. In the first "
    "three the method named first has the higher score on every dataset, or the same. The fourth "
    "shows what the pairs below ε contribute; the fifth, in which both look at pairs above ε "
    "alone, what the generations of SORTRANKING contribute, against ties decided at random. ▼ the "
    "first has the lower error, ▲ the higher, no mark where the interval holds 0."
)
STEPS = (
    ("intersort_paper", "sort_ranking"),
    (OPTIMUM, "intersort_paper"),
    (OPTIMUM, "sort_ranking"),
    (OPTIMUM, ABOVE),
    ("sort_ranking", ABOVE),
)
"""Pairs of methods; in the first three the first has the higher score, or the same."""


def _table_of_scores(rows: Sequence[Row]) -> str:
    lines = []
    for (domain, fraction), part in _cells(rows):
        proven = shortfall(part, SEARCHES[-1])
        line: list[str] = [TITLES[domain], f"{fraction:.0%}", f"{proven.n_proven} of {proven.n}"]
        for method in SEARCHES:
            found = shortfall(part, method)
            line.append(f"{found.n_reached} of {found.n_proven}")
        for method in SEARCHES:
            found = shortfall(part, method)
            line.append(f"{100 * found.gap.mean:.2f} ({100 * found.worst:.2f})")
        lines.append(line)
    header = ["data", "targets", "optimum proven"]
    header += [f"{method} reaches it" for method in SEARCHES]
    header += [f"{method}: % below, mean (most)" for method in SEARCHES]
    return table(header, lines)


def _cells(rows: Sequence[Row]) -> list[tuple[tuple[Any, ...], list[Row]]]:
    """Rows by domain and fraction, in the order of the paper's figure."""
    found = by(rows, "domain", "fraction")
    return sorted(found.items(), key=lambda item: (DOMAINS.index(item[0][0]), item[0][1]))


def _picture(rows: Sequence[Row], domain: str, folder: Path) -> str:
    groups = {
        f"{fraction:.0%}": {
            method: estimate(errors([r for r in part if r["method"] == method]))
            for method in METHODS
        }
        for (fraction,), part in sorted(by(rows, "fraction").items())
    }
    path = folder / f"optimality_{domain}.svg"
    name = draw_dots(path, groups, x_label="variables intervened on")
    n = len({(row["edges"], row["repetition"]) for row in rows})
    caption = (
        f"{TITLES[domain]}, {rows[0]['d']} variables: mean D_top of the two halves of the paper's "
        f"method, of both together, and of the optimum of its score; lines are 95 % intervals "
        f"over {n} datasets."
    )
    return figure(name, caption)


def _errors(rows: Sequence[Row]) -> str:
    lines = []
    for (fraction,), part in sorted(by(rows, "fraction").items()):
        found = {method: [r for r in part if r["method"] == method] for method in METHODS}
        tied = [r for r in found[OPTIMUM] if r.get("d_top_least") is not None]
        least, most = (estimate(r[key] for r in tied) for key in ("d_top_least", "d_top_most"))
        spread = f"{least.mean:.1f} to {most.mean:.1f}"
        lines.append([f"{fraction:.0%}", *[cell_of(found[m]) for m in METHODS], spread])
    return table(["targets", *METHODS, "among optima"], lines)


def differences(rows: Sequence[Row]) -> dict[tuple[str, float, str, str], Estimate]:
    """D_top of the first of each pair less that of the second, by domain, fraction and pair."""
    return {
        (domain, fraction, higher, lower): paired_difference(
            [r for r in part if r["method"] == higher],
            [r for r in part if r["method"] == lower],
            DATASET,
        )
        for (domain, fraction), part in _cells(rows)
        for higher, lower in STEPS
    }


def _table_of_differences(rows: Sequence[Row]) -> str:
    found = differences(rows)
    lines = []
    for (domain, fraction), _ in _cells(rows):
        line = [TITLES[domain], f"{fraction:.0%}"]
        for higher, lower in STEPS:
            difference = found[domain, fraction, higher, lower]
            mark = {"better": " **▼**", "worse": " **▲**"}.get(verdict(difference), "")
            line.append(f"{difference}{mark}")
        lines.append(line)
    return table(["data", "targets", *[f"{a} less {b}" for a, b in STEPS]], lines)


def claims(rows: list[Row]) -> list[Claim]:
    """Is the search close to the optimum, and is a better score worth having?"""
    return [_claim_close(rows), _claim_better(rows)]


def _claim_close(rows: list[Row]) -> Claim:
    found = shortfall(rows, SEARCHES[-1])
    cells = [shortfall(part, SEARCHES[-1]).gap for _, part in _cells(rows)]
    close = [gap.high < CLOSE for gap in cells]
    answer: Verdict = "does not hold"
    if all(close):
        answer = "holds"
    elif found.gap.mean < CLOSE:
        answer = "holds partly"
    return Claim(
        "Section “Intersort”",
        "SORTRANKING and a local search of depth 1 end close to the optimum at thirty variables.",
        f"The best order is proven in {found.n_proven} of {found.n} datasets; the search reaches "
        f"it in {found.n_reached} of these and is {100 * found.gap.mean:.2f} % below on average, "
        f"{100 * found.worst:.2f} % at worst; in {sum(close)} of {len(close)} settings (data × "
        f"share intervened on) the interval of the mean lies below {CLOSE:.0%}.",
        answer,
        "A search of depth 1 stops at the first order that no single move improves. "
        "See [how close to the optimum](optimality.md).",
    )


def _claim_better(rows: list[Row]) -> Claim:
    found = {
        key: difference
        for key, difference in differences(rows).items()
        if key[2:] == (OPTIMUM, "sort_ranking")
    }
    better = [key for key, difference in found.items() if verdict(difference) == "better"]
    worse = [key for key, difference in found.items() if verdict(difference) == "worse"]
    answer: Verdict = "not decided"
    if better:
        answer = "holds" if len(better) == len(found) else "holds partly"
    elif worse:
        answer = "does not hold"
    where = ", ".join(f"{TITLES[key[0]]} at {key[1]:.0%}" for key in worse)
    return Claim(
        "Sections “A score on causal orders” and “Intersort”",
        "An order of higher score is a better order: this is why the local search follows.",
        f"From SORTRANKING to the optimum the score rises and D_top falls in {len(better)} of "
        f"{len(found)} settings, rises in {len(worse)}" + (f" ({where})" if where else "") + ".",
        answer,
        f"Without the pairs below ε the optimum would be worse in {_count(rows, OPTIMUM)} "
        "settings, so they are more than noise; but SORTRANKING decides the same pairs by the "
        "generations of its graph, which is better than ties decided at random in "
        f"{_count(rows, 'sort_ranking')}. See [how close to the optimum](optimality.md).",
    )


def _count(rows: list[Row], method: str) -> int:
    """Settings in which a method is better than the optimum of the pairs above ε alone."""
    found = differences(rows)
    return sum(verdict(e) == "better" for key, e in found.items() if key[2:] == (method, ABOVE))
