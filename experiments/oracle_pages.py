"""What the pages on oracle distances share: settings in the paper's order, tables and pictures.

The draws of targets within one graph are not independent, so their mean is one number a graph,
and every interval is over graphs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from intersort._typing import FloatArray
from intersort.theory.bounds import effective_intervention_ratio

from .figures import COLOURS, new_figure, save
from .pages import table
from .statistics import Estimate, by, estimate, pairs
from .store import Row

UNIT = ("d", "hubs", "policy", "p_e", "edges", "p_int", "graph", "method")
BOUNDS = {
    "theorem_2": "Theorem 2, as printed (graph by graph)",
    "theorem_3": "Theorem 3, as printed (graph by graph)",
    "theorem_4": "Theorem 4, closed form",
    "theorem_4_loose": "Theorem 4, looser form",
    "theorem_4_double_sum": "Theorem 4, double sum of its proof",
    "repaired_theorem_2": "Theorem 2, repaired (graph by graph)",
    "repaired_theorem_3": "Theorem 3, repaired (graph by graph)",
    "repaired_theorem_4": "Theorem 4, repaired",
}
STYLES = {
    "theorem_2": (3, ":"),
    "theorem_3": (4, ":"),
    "theorem_4": (6, ":"),
    "theorem_4_loose": (5, ":"),
    "theorem_4_double_sum": (9, ":"),
    "repaired_theorem_2": (3, "--"),
    "repaired_theorem_3": (4, "--"),
    "repaired_theorem_4": (6, "--"),
}
"""A colour a theorem; dotted as in the paper, dashed as repaired."""
N_RESAMPLED = 2000


@dataclass(frozen=True)
class Setting:
    """A point of the paper's x axis."""

    density: str
    p_e: float
    p_int: float

    @property
    def ratio(self) -> float:
        """The paper's effective intervention ratio, p_int / √p_e."""
        return effective_intervention_ratio(self.p_int, self.p_e)


@dataclass(frozen=True)
class Series:
    """A number of a method's rows, and how it is called."""

    method: str
    column: str
    name: str


def average_draws(rows: Sequence[Row]) -> list[Row]:
    """One row a graph and method: every number is the mean over the draws of targets."""
    averaged = []
    for names, part in by(rows, *UNIT).items():
        row: Row = {key: value for key, value in zip(UNIT, names, strict=True) if value is not None}
        for column in sorted({key for each in part for key in each} - set(UNIT) - {"draw", "made"}):
            known = [each[column] for each in part if isinstance(each.get(column), int | float)]
            if len(known) == len(part):
                row[column] = float(np.mean(known))
        averaged.append(row)
    return averaged


def settings_of(rows: Sequence[Row]) -> dict[Setting, list[Row]]:
    """Rows of one number of variables by setting, in the order of the paper's x axis.

    Of scale-free graphs p_e is 2 E(|E|) / (d (d − 1)), from the edges that were drawn.
    """
    found = {}
    for (p_e, edges, p_int), part in by(rows, "p_e", "edges", "p_int").items():
        d = part[0]["d"]
        if p_e is None:
            n_edges = np.mean([row["n_edges"] for row in part if row["method"] == "bounds"])
            p_e, density = float(2 * n_edges / (d * (d - 1))), f"{edges:g}"
        else:
            density = f"{p_e:g}"
        found[Setting(density, p_e, p_int)] = part
    return dict(sorted(found.items(), key=lambda item: (item[0].ratio, item[0].density)))


def values_of(rows: Sequence[Row], method: str, column: str) -> list[float]:
    """A column of a method's rows, where there is a number."""
    here = [row for row in rows if row["method"] == method]
    return [row[column] for row in here if row.get(column) is not None]


def differences(rows: Sequence[Row], first: Series, second: Series) -> list[float]:
    """First − second, graph by graph, where both have a number."""
    left = [r | {"value": r[first.column]} for r in rows if _is_of(r, first)]
    right = [r | {"value": r[second.column]} for r in rows if _is_of(r, second)]
    return [a - b for a, b in pairs(left, right, UNIT[:-1], "value")]


def _is_of(row: Row, series: Series) -> bool:
    return row["method"] == series.method and series.column in row


def overlap(a: Estimate, b: Estimate) -> bool:
    """Whether two intervals have a point in common."""
    return a.low <= b.high and b.low <= a.high


def spearman(
    settings: Mapping[Setting, Sequence[Row]], series: Series, key: str = "ratio"
) -> tuple[float, float, float]:
    """Spearman's coefficient between a property of the settings and the mean error.

    With its 95 % interval: graphs are drawn again with replacement within each setting.
    """
    by_setting = [values_of(rows, series.method, series.column) for rows in settings.values()]
    ranks = _ranks(np.array([[getattr(setting, key) for setting in settings]]))
    rng = np.random.default_rng(0)
    resampled = np.stack(
        [
            np.array(values)[rng.integers(len(values), size=(N_RESAMPLED, len(values)))].mean(1)
            for values in by_setting
        ],
        axis=1,
    )
    means = np.array([[np.mean(values) for values in by_setting]])
    low, high = np.quantile(_correlate(ranks, _ranks(resampled)), (0.025, 0.975))
    return float(_correlate(ranks, _ranks(means))[0]), float(low), float(high)


def _ranks(values: FloatArray) -> FloatArray:
    from scipy.stats import rankdata

    ranks: FloatArray = np.asarray(rankdata(values, axis=1), dtype=np.float64)
    return np.asarray(ranks - ranks.mean(axis=1, keepdims=True))


def _correlate(a: FloatArray, b: FloatArray) -> FloatArray:
    spread = np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
    return np.asarray((a * b).sum(axis=1) / np.where(spread > 0, spread, 1.0))


def table_of_errors(
    settings: Mapping[Setting, Sequence[Row]], series: Sequence[Series], density: str
) -> str:
    """Means and intervals, a setting a row, in the order of the x axis."""
    lines = [
        [
            *_named(setting),
            *[str(estimate(values_of(rows, s.method, s.column))) for s in series],
        ]
        for setting, rows in settings.items()
    ]
    return table([density, "p_int", "p_int/√p_e", *[s.name for s in series]], lines)


def table_of_differences(
    settings: Mapping[Setting, Sequence[Row]],
    first: Series,
    seconds: Sequence[Series],
    density: str,
) -> str:
    """First − each second, setting by setting; bold where the interval leaves 0 out."""
    lines = []
    for setting, rows in settings.items():
        line = _named(setting)
        for second in seconds:
            difference = estimate(differences(rows, first, second))
            line.append(f"**{difference}**" if difference.significant else str(difference))
        lines.append(line)
    header = [f"{first.name} less {second.name}" for second in seconds]
    return table([density, "p_int", "p_int/√p_e", *header], lines)


def table_of_bounds(settings: Mapping[Setting, Sequence[Row]], measured: Sequence[Series]) -> str:
    """In how many settings the mean lies above each bound, and surely so."""
    lines = []
    for column, name in BOUNDS.items():
        line = [name]
        for series in measured:
            above, surely = count_above(settings, series, column)
            line.append(f"{above} ({surely})")
        lines.append(line)
    return table(["bound", *[series.name for series in measured]], lines)


def count_above(
    settings: Mapping[Setting, Sequence[Row]], series: Series, bound: str
) -> tuple[int, int]:
    """Settings in which the mean is above the bound, and those where the interval is too."""
    over = [
        estimate(differences(rows, series, Series("bounds", bound, "")))
        for rows in settings.values()
    ]
    return sum(e.mean > 1e-9 for e in over), sum(e.significant and e.low > 0 for e in over)


def _named(setting: Setting) -> list[str]:
    return [setting.density, f"{setting.p_int:g}", f"{setting.ratio:.3g}"]


def draw_settings(
    path: Path,
    settings: Mapping[Setting, Sequence[Row]],
    series: Sequence[Series],
    bounds: Sequence[str] = (),
    *,
    y_label: str = "D_top, mean over graphs",
    linear_up_to: float | None = None,
) -> str:
    """Settings along x in the paper's order, a mean with its interval each, bounds as dashes.

    With `linear_up_to` the y axis is logarithmic above that number.
    """
    made, axes = new_figure(9.2, 3.9)
    x = np.arange(len(settings))
    for k, one in enumerate(series):
        points = [estimate(values_of(rows, one.method, one.column)) for rows in settings.values()]
        shift = (k - (len(series) - 1) / 2) * 0.16
        draw_points(axes, x + shift, points, COLOURS[k], one.name)
    for bound in bounds:
        y = [np.mean(values_of(rows, "bounds", bound)) for rows in settings.values()]
        colour, style = STYLES[bound]
        axes.plot(x, y, style, color=COLOURS[colour], label=BOUNDS[bound], linewidth=1.5)
    _finish(axes, settings, y_label, linear_up_to)
    made.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    return save(made, path)


def draw_differences(
    path: Path,
    settings: Mapping[Setting, Sequence[Row]],
    first: Series,
    second: Series,
) -> str:
    """The paired difference of each setting with its interval, beside a line at 0."""
    made, axes = new_figure(9.2, 2.9)
    points = [estimate(differences(rows, first, second)) for rows in settings.values()]
    axes.axhline(0, color="#444444", linewidth=0.8)
    draw_points(axes, np.arange(len(settings)), points, COLOURS[0], "")
    _finish(axes, settings, "difference in D_top", None)
    axes.set_ylim(auto=True)
    axes.autoscale(axis="y")
    return save(made, path)


def draw_points(
    axes: Any, x: npt.ArrayLike, points: Sequence[Estimate], colour: str, name: str
) -> None:
    """Means with their intervals, one colour."""
    mean = np.array([point.mean for point in points])
    # With fewer than three graphs there is no interval to speak of.
    known = np.array([point.n > 2 for point in points])
    low = np.where(known, [p.mean - p.low for p in points], 0.0)
    high = np.where(known, [p.high - p.mean for p in points], 0.0)
    axes.errorbar(
        x, mean, [low, high], fmt="o", color=colour, label=name, markersize=3.5, linewidth=1.1
    )  # fmt: skip


def _finish(
    axes: Any, settings: Mapping[Setting, Sequence[Row]], y_label: str, linear_up_to: float | None
) -> None:
    """Scales, and under each setting its ratio, p_int and density."""
    is_p_e = all(setting.density == f"{setting.p_e:g}" for setting in settings)
    density = "p_e" if is_p_e else "edges per variable"
    if linear_up_to is not None:
        axes.set_yscale("symlog", linthresh=linear_up_to)
    axes.set_ylim(bottom=0)
    labels = [f"{s.ratio:.3g}\n{s.p_int:g}\n{s.density}" for s in settings]
    axes.set_xticks(range(len(settings)), labels, fontsize=7.5)
    axes.set_xlabel(f"p_int/√p_e, and below it p_int and {density}", fontsize=8)
    axes.set_ylabel(y_label)
