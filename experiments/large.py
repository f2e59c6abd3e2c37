"""A thousand and two thousand variables with oracle distances: SORTRANKING, and ours beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .claims import Claim, Verdict
from .memory import with_peak_memory
from .oracle import (
    P_INT,
    bounds_of,
    draw_graph,
    draw_problem,
    run_intersort,
    run_sort_ranking,
)
from .oracle_pages import (
    BOUNDS,
    Series,
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
METHODS = {"sort_ranking": run_sort_ranking, "intersort": run_intersort}
PAPER = Series("sort_ranking", "d_top", "SORTRANKING")
OURS = Series("intersort", "d_top", "ours (find_order, effort low)")
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
    ]


def solve(task: Task) -> dict[str, Any]:
    """One method on one design, with the peak of its memory, or the bounds of one graph."""
    cell = dict(task.cell)
    if cell["method"] == "bounds":
        return bounds_of(cell)
    _warm_up()
    problem = draw_problem(cell)
    row, peak, added = with_peak_memory(lambda: METHODS[cell["method"]](problem))
    return row | {
        "peak_mb": peak,
        "added_mb": added,
        "n_targets": int(problem.effects.intervened.size),
        "seed": draw_graph(cell).seed,
    }


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
        "no intervals. Beside SORTRANKING stands `find_order` with effort low, one core, with its "
        "certificate: `gap` says how much better any order could score, in percent. Seconds are "
        "those of the method alone, compilation apart, on a machine that others used too. Peak "
        "memory is the kernel's count (VmHWM) for the whole process during the call, distances "
        "and libraries included; new is what the call added. On scale-free graphs Theorem 4 is a "
        "reference, not a guarantee."
    )


def _section(group: Group, rows: Sequence[Row], folder: Path) -> list[str]:
    settings = settings_of(average_draws(rows))
    name = f"large_{group.name}.svg"
    draw_settings(folder / name, settings, [PAPER, OURS], SHOWN, linear_up_to=1.0)
    density = "p_e" if group.key == "p_e" else "edges per variable"
    caption = (
        f"{group.title}: D_top, mean of two graphs, beside the bounds (dotted as in the paper, "
        f"dashed as repaired; logarithmic above 1). Under each setting its ratio, p_int and "
        f"{density}."
    )
    lines = []
    for setting, here in settings.items():
        line = [setting.density, f"{setting.p_int:g}", f"{setting.ratio:.3g}"]
        line += [f"{_mean(here, s, 'd_top'):.1f}" for s in (PAPER, OURS)]
        line += [
            f"{_mean(here, Series('bounds', b, ''), b):.1f}" for b in ("theorem_2", "theorem_4")
        ]
        line += [f"{100 * _mean(here, OURS, 'gap'):.2g}"]
        line += [f"{_mean(here, s, 'seconds'):.2g}" for s in (PAPER, OURS)]
        line += [_memory(here, s) for s in (PAPER, OURS)]
        lines.append(line)
    header = [density, "p_int", "p_int/√p_e", "SORTRANKING", "ours", "Theorem 2", "Theorem 4"]
    header += ["gap of ours, %", "seconds", "seconds, ours", "peak MB (new)", "ours"]
    counts = [
        [BOUNDS[bound], *[count_above(settings, s, bound)[0] for s in (PAPER, OURS)]]
        for bound in SHOWN
    ]
    return [
        figure(name, caption),
        table(header, lines),
        f"Settings of {len(settings)} in which the mean lies above the bound:",
        table(["bound", PAPER.name, OURS.name], counts),
    ]


def _mean(rows: Sequence[Row], series: Series, column: str) -> float:
    return float(np.mean(values_of(rows, series.method, column)))


def _memory(rows: Sequence[Row], series: Series) -> str:
    peaks = values_of(rows, series.method, "peak_mb")
    added = values_of(rows, series.method, "added_mb")
    return f"{max(peaks):.0f} ({max(added):.0f})" if peaks else "not known"


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
        paper, ours = counts[PAPER, "theorem_4"], counts[OURS, "theorem_4"]
        found.append(
            Claim(
                where="Appendix, large simulations",
                says=f"SORTRANKING's error is above the bound in many settings; {group.title}.",
                measured=f"above Theorem 4's closed form in {paper} of {n} settings, above Theorem "
                f"2 in {counts[PAPER, 'theorem_2']}; ours in {ours} and "
                f"{counts[OURS, 'theorem_2']}.",
                verdict=_verdict(paper, n),
                why="the bounds are the optimum's, which SORTRANKING does not look for. Many is "
                "taken as half of the settings or more, partly as one or more; two graphs a "
                "setting, so means without intervals.",
            )
        )
    return found


def _verdict(above: int, n: int) -> Verdict:
    if 2 * above >= n:
        return "holds"
    return "holds partly" if above else "does not hold"
