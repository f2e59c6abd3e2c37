"""A thousand and two thousand variables with oracle distances: SORTRANKING, and ours beside it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from .claims import Claim, Verdict
from .memory import with_peak_memory
from .oracle import (
    P_INT,
    Problem,
    bounds_of,
    draw_graph,
    draw_problem,
    run_intersort,
    run_sort_ranking,
)
from .oracle_pages import (
    BOUNDS,
    Series,
    Setting,
    average_draws,
    count_above,
    draw_settings,
    settings_of,
    values_of,
)
from .pages import figure, table
from .store import Row
from .task import Task

TITLE = "A thousand and two thousand variables"
METHODS: dict[str, Callable[[Problem], Row]] = {
    "sort_ranking": run_sort_ranking,
    "intersort": run_intersort,
    "intersort_normal": partial(run_intersort, effort="normal"),
}
PAPER = Series("sort_ranking", "d_top", "SORTRANKING")
OURS = Series("intersort", "d_top", "ours, effort low")
NORMAL = Series("intersort_normal", "d_top", "ours, effort normal")
NORMAL_UP_TO = 1000
"""The default effort, at most half a minute a problem, is spent on so many variables."""
SHOWN = ("theorem_2", "theorem_4", "theorem_4_loose", "theorem_4_double_sum",
         "repaired_theorem_2", "repaired_theorem_4")  # fmt: skip


@dataclass(frozen=True)
class Group:
    """Settings that make a panel; `p_e` of Erdős–Rényi graphs, or scale-free `edges`."""

    name: str
    title: str
    d: int
    key: str
    densities: tuple[float, ...]

    def rows_of(self, rows: Sequence[Row]) -> list[Row]:
        """Those of this panel."""
        return [r for r in rows if r["d"] == self.d and r.get(self.key) in self.densities]


GROUPS = (
    Group(
        "1000",
        "1,000 variables, Erdős–Rényi, p_e as in the paper (2.5, 1, 0.5 edges per variable)",
        1000,
        "p_e",
        (0.005, 0.002, 0.001),
    ),
    Group(
        "2000_as_printed",
        "2,000 variables, Erdős–Rényi, p_e as printed (0.1, 0.05, 0.02 edges per variable)",
        2000,
        "p_e",
        (0.0001, 0.00005, 0.00002),
    ),
    Group(
        "2000_same_edges",
        "2,000 variables, Erdős–Rényi, the edges per variable of the 1,000 (2.5, 1, 0.5)",
        2000,
        "p_e",
        (0.0025, 0.001, 0.0005),
    ),
    Group(
        "2000_same_p_e",
        "2,000 variables, Erdős–Rényi, the p_e of the 1,000 (5, 2, 1 edges per variable)",
        2000,
        "p_e",
        (0.005, 0.002, 0.001),
    ),
    Group("1000_scale_free", "1,000 variables, scale-free", 1000, "edges", (1, 2, 3)),
    Group("2000_scale_free", "2,000 variables, scale-free", 2000, "edges", (1, 2, 3)),
)
SMOKE = (
    Group("40", "40 variables, Erdős–Rényi", 40, "p_e", (0.05, 0.1)),
    Group("40_scale_free", "40 variables, scale-free", 40, "edges", (1,)),
)


def tasks(size: str) -> list[Task]:
    """Two graphs a setting, one draw of targets each."""
    groups, p_int = (GROUPS, P_INT) if size == "full" else (SMOKE, (0.25, 0.75))
    cells = {
        (group.d, group.key, density, probability, graph): None
        for group in groups
        for density in group.densities
        for probability in p_int
        for graph in range(2)
    }  # a density that two groups share is run once
    return [
        Task(
            "large",
            {"d": d, key: density, "p_int": p, "graph": graph, "method": method},
            chunk=f"{d}/{key}={density}/{p}/{graph}",
        )
        for d, key, density, p, graph in cells
        for method in ("bounds", *METHODS)
        if method != NORMAL.method or d <= NORMAL_UP_TO
    ]


def solve(task: Task) -> dict[str, Any]:
    """One method on one design, with the peak of its memory, or the bounds of one graph."""
    cell = dict(task.cell)
    if cell["method"] == "bounds":
        return bounds_of(cell)
    _warm_up()
    problem = draw_problem(cell)
    row, peak, added = with_peak_memory(lambda: _timed(METHODS[cell["method"]], problem))
    return row | {
        "peak_mb": peak,
        "added_mb": added,
        "n_targets": int(problem.effects.intervened.size),
        "seed": draw_graph(cell).seed,
    }


def _timed(method: Callable[[Problem], Row], problem: Problem) -> Row:
    """The row and its processor time, which others on the machine change little."""
    start = time.process_time()
    row = method(problem)
    return row | {"cpu_seconds": round(time.process_time() - start, 4)}


@cache
def _warm_up() -> None:
    """Have everything compiled or loaded before the clock starts, once in a process."""
    toy = draw_problem({"d": 22, "p_e": 0.1, "p_int": 0.5, "graph": 0})
    for method in METHODS.values():
        method(toy)


def report(rows: list[Row], folder: Path) -> str:
    """The page."""
    parts = [_introduction()]
    parts.append(
        "\n".join(f"- {c.says} **{c.verdict.capitalize()}**: {c.measured}" for c in claims(rows))
    )
    for group in _groups_of(rows):
        parts += [f"## {group.title}", *_section(group, group.rows_of(rows), folder)]
    return "\n\n".join(parts)


def _groups_of(rows: Sequence[Row]) -> list[Group]:
    return [group for group in (*GROUPS, *SMOKE) if group.rows_of(rows)]


def _introduction() -> str:
    return (
        "The paper runs SORTRANKING alone on 1,000 and 2,000 variables and sees its error above "
        "the bounds in many settings; better search is left for later. For 2,000 variables it "
        "prints p_e of 0.0001, 0.00005 and 0.00002, which is 0.1 edges per variable and fewer; "
        "its caption also says 20,000, where these would be 1, 0.5 and 0.2. So 2,000 variables "
        "are run three times: as printed, with the edges per variable of the 1,000, and with "
        "their p_e.\n\n"
        "Distances are an oracle's (1 from a target to each descendant, 0 elsewhere; ε 0.3, c "
        "0.5); two graphs a setting with one draw of targets each, as in the paper, so there are "
        "no intervals. Beside SORTRANKING stands `find_order`, one core, with its certificate: the "
        "gap says how much better any order could score, in percent (large where few pairs show, "
        "so that the score itself is small). It runs with effort low, and "
        "on 1,000 variables with the default effort too. Seconds are "
        "of processor time, for the method alone, compilation apart. Peak "
        "memory is the kernel's count (VmHWM) for the whole process during the call, distances "
        "and libraries included; new is what the call added. On scale-free graphs Theorem 4 is a "
        "reference, not a guarantee."
    )


def _section(group: Group, rows: Sequence[Row], folder: Path) -> list[str]:
    settings = settings_of(average_draws(rows))
    name = f"large_{group.name}.svg"
    series = [s for s in (PAPER, OURS, NORMAL) if any(r["method"] == s.method for r in rows)]
    draw_settings(folder / name, settings, series, SHOWN, linear_up_to=1.0)
    density = "p_e" if group.key == "p_e" else "edges per variable"
    caption = (
        f"{group.title}: D_top, mean of two graphs, beside the bounds (dotted as in the paper, "
        f"dashed as repaired; logarithmic above 1). Under each setting its ratio, p_int and "
        f"{density}."
    )
    counts = [
        [BOUNDS[bound], *[count_above(settings, one, bound)[0] for one in series]]
        for bound in SHOWN
    ]
    return [
        figure(name, caption),
        "D_top, mean of two graphs:",
        _table_of_errors(settings, series, density),
        f"Settings of {len(settings)} in which the mean lies above the bound:",
        table(["bound", *[one.name for one in series]], counts),
        "What it takes, least to most over the settings:",
        _table_of_costs(rows, series),
    ]


def _table_of_errors(
    settings: Mapping[Setting, Sequence[Row]], series: Sequence[Series], density: str
) -> str:
    bounds = [Series("bounds", bound, BOUNDS[bound]) for bound in ("theorem_2", "theorem_4")]
    lines = [
        [setting.density, f"{setting.p_int:g}", f"{setting.ratio:.3g}"]
        + [f"{np.mean(values_of(here, s.method, s.column)):.1f}" for s in (*series, *bounds)]
        for setting, here in settings.items()
    ]
    names = [s.name for s in (*series, *bounds)]
    return table([density, "p_int", "p_int/√p_e", *names], lines)


def _table_of_costs(rows: Sequence[Row], series: Sequence[Series]) -> str:
    """Gap, time and memory of each method."""
    lines = []
    for one in series:
        gaps = [100 * gap for gap in values_of(rows, one.method, "gap")]
        proven = sum(values_of(rows, one.method, "proven"))
        line = [one.name, f"{proven:g} of {len(gaps)}", _span(gaps, ".3g")]
        if one is PAPER:  # it has no certificate
            line[1:] = ["–", "–"]
        line.append(_span(values_of(rows, one.method, "cpu_seconds"), ".2g"))
        line += [_span(values_of(rows, one.method, k), ".0f") for k in ("peak_mb", "added_mb")]
        lines.append(line)
    header = ["method", "proven best", "gap, %", "CPU seconds", "peak MB", "of these new"]
    return table(header, lines)


def _span(values: Sequence[float], digits: str) -> str:
    if not values:
        return "not known"
    return f"{min(values):{digits}} to {max(values):{digits}}"


def claims(rows: list[Row]) -> list[Claim]:
    """SORTRANKING against the closed form of Theorem 4, and ours, panel by panel."""
    found = []
    for group in _groups_of(rows):
        settings = settings_of(average_draws(group.rows_of(rows)))
        counts = {
            (series, bound): count_above(settings, series, bound)[0]
            for series in (PAPER, OURS)
            for bound in ("theorem_2", "theorem_4")
        }
        n = len(settings)
        paper, ours = (
            [counts[series, bound] for bound in ("theorem_4", "theorem_2")]
            for series in (PAPER, OURS)
        )
        found.append(
            Claim(
                where="Appendix, large simulations",
                says=f"SORTRANKING's error is above the bound in many settings; {group.title}.",
                measured=f"above Theorem 4's closed form in {paper[0]} of {n} settings, above "
                f"Theorem 2 in {paper[1]}; ours (effort low) in {ours[0]} and {ours[1]}.",
                verdict=_verdict(paper, n),
                why="the bounds are the optimum's, which SORTRANKING does not look for. The "
                "caption does not say which bounds; it holds where half of the settings or more "
                "are above both, partly where any is above one. Two graphs a setting, so means "
                "without intervals.",
            )
        )
    return found


def _verdict(above: Sequence[int], n: int) -> Verdict:
    if all(2 * count >= n for count in above):
        return "holds"
    return "holds partly" if any(above) else "does not hold"
