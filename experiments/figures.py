"""Two kinds of picture: violins of errors side by side, and curves with their intervals.

Figures are as wide as a page of the documentation, so that their text is read at its own size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .statistics import FEWEST, Estimate

WIDTH, HEIGHT = 7.2, 3.4
COLOURS = (
    "#1b6ca8", "#d1495b", "#2e8b57", "#8d6a9f", "#e0a030", "#4f5d75",
    "#00a6a6", "#b56576", "#7a9e3b", "#a0522d", "#6c8ebf", "#999999",
)  # fmt: skip
OURS = {"intersort_paper": COLOURS[0], "intersort": COLOURS[1]}
"""The same in every figure."""
STYLE = {"svg.hashsalt": "intersort", "svg.fonttype": "none", "font.size": 9}
OTHERS = "#4f5d75"
SIDE_BY_SIDE = 8
"""More methods than these are not told apart by colour: each has a line of its own."""


def new_figure(width: float = WIDTH, height: float = HEIGHT, **panels: Any) -> tuple[Any, Any]:
    """A figure and its axes (several where `panels` says so), in the one style, no window."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        made = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(made)
        axes = made.subplots(**panels)
    for one in np.ravel(axes):
        one.spines[["top", "right"]].set_visible(False)
        one.grid(axis="y", color="#e6e6e6", linewidth=0.8)
        one.set_axisbelow(True)
    return made, axes


def save(made: Any, path: Path) -> str:
    """Write an SVG without a date, so that equal rows make equal files; return its name."""
    import matplotlib as mpl

    with mpl.rc_context(STYLE):
        made.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
    text = shorten(path.read_text(encoding="utf-8"))
    path.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n", encoding="utf-8")
    return path.name


def shorten(svg: str) -> str:
    """Coordinates to a hundredth of a point, a third of the file.

    >>> shorten('<path d="M 1.234567 8.9"/><text x="0.123456">0.123456</text>')
    '<path d="M 1.23 8.9"/><text x="0.12">0.123456</text>'
    """

    def rounded(attribute: re.Match[str]) -> str:
        return re.sub(r"-?\d+\.\d{3,}", lambda n: f"{float(n[0]):.2f}", attribute[0])

    return re.sub(r'\s(?:d|x|y|points)="[^"]*"', rounded, svg)


def colours_of(names: Iterable[str]) -> dict[str, str]:
    """A colour each; ours have theirs everywhere."""
    names = list(names)
    free = [colour for colour in COLOURS if colour not in OURS.values() or not OURS.keys() & names]
    others = [name for name in names if name not in OURS]
    if len(others) > len(free):
        raise ValueError(f"{len(names)} names are more than can be told apart by colour")
    return OURS | dict(zip(others, free, strict=False))


def draw_violins(
    path: Path,
    groups: Mapping[str, Mapping[str, Sequence[float]]],
    *,
    x_label: str,
    y_label: str = "D_top (lower is better)",
    missing: Mapping[tuple[str, str], str] | None = None,
) -> str:
    """Violins by group (a fraction each) and method, means as dots; `missing` says why none.

    Few methods stand side by side, the groups along the x axis as in the paper. Many have a line
    each, and the groups are panels from left to right.
    """
    methods = list(dict.fromkeys(method for group in groups.values() for method in group))
    draw = _side_by_side if len(methods) <= SIDE_BY_SIDE else _line_by_line
    return save(draw(groups, methods, missing or {}, (x_label, y_label)), path)


def _side_by_side(groups: Any, methods: list[str], missing: Any, labels: tuple[str, str]) -> Any:
    """The paper's picture."""
    colour, width = colours_of(methods), 0.84 / len(methods)
    made, axes = new_figure()
    for place, (name, group) in enumerate(groups.items()):
        for k, method in enumerate(methods):
            x = place + (k - (len(methods) - 1) / 2) * width
            _violins(axes, {x: group.get(method, ())}, 0.9 * width, colour[method], upright=True)
            why = missing.get((name, method), "")
            axes.text(x, 0, f" {why}", rotation=90, fontsize=7, va="bottom", ha="center")
    axes.set_xticks(range(len(groups)), list(groups))
    if missing:
        axes.set_xlim(-0.5, len(groups) - 0.5)  # words do not widen an axis
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.set_ylim(bottom=0)
    handles = [axes.plot([], [], "s", color=colour[m], label=m)[0] for m in methods]
    made.legend(handles=handles, loc="outside right upper", frameon=False, fontsize=8)
    return made


def _line_by_line(groups: Any, methods: list[str], missing: Any, labels: tuple[str, str]) -> Any:
    """A line a method, its name before it; ours in colour."""
    made, panels = new_figure(
        WIDTH, 0.21 * len(methods) + 0.9, ncols=len(groups), sharex=True, sharey=True, squeeze=False
    )
    for axes, (name, group) in zip(panels[0], groups.items(), strict=True):
        axes.grid(axis="x", color="#e6e6e6", linewidth=0.8)
        for colour in (OTHERS, *OURS.values()):
            there = {
                float(k): group.get(method, ())
                for k, method in enumerate(methods)
                if OURS.get(method, OTHERS) == colour
            }
            _violins(axes, there, 0.8, colour, upright=False)
        for k, method in enumerate(methods):
            axes.text(0, k, f" {missing.get((name, method), '')}", fontsize=7, va="center")
        axes.set_title(name, fontsize=9)
    panels[0][0].set_yticks(range(len(methods)), methods, fontsize=8)
    panels[0][0].set_ylim(len(methods) - 0.4, -0.6)
    panels[0][0].set_xlim(left=0)
    made.suptitle(labels[0], fontsize=9)
    made.supxlabel(labels[1], fontsize=9)
    return made


def _violins(
    axes: Any, given: Mapping[float, Sequence[float]], width: float, colour: str, *, upright: bool
) -> None:
    """At each place the shape of some numbers, a line from least to most, a dot at the mean."""
    values = {place: np.asarray(v, dtype=np.float64) for place, v in given.items() if len(v)}
    if not values:
        return
    shapes = {place: v for place, v in values.items() if np.ptp(v) > 0 and v.size > 2}
    if shapes:
        parts = axes.violinplot(
            list(shapes.values()),
            list(shapes),
            widths=width,
            points=30,
            showextrema=False,
            orientation="vertical" if upright else "horizontal",
        )
        for body in parts["bodies"]:
            body.set(facecolor=colour, alpha=0.35, linewidth=0)
    least, most = [v.min() for v in values.values()], [v.max() for v in values.values()]
    means, places = [v.mean() for v in values.values()], list(values)
    lines, at = (axes.vlines, (places, means)) if upright else (axes.hlines, (means, places))
    lines(places, least, most, color=colour, linewidth=0.8)
    axes.plot(*at, "o", color=colour, markersize=3, clip_on=False)


def draw_curves(
    path: Path,
    curves: Mapping[str, Sequence[tuple[float, Estimate | float]]],
    *,
    x_label: str,
    y_label: str,
    dashed: Sequence[str] = (),
    log_x: bool = False,
    log_y: bool = False,
    lowest: float | None = 0.0,
) -> str:
    """Curves by name, points (x, estimate or number), intervals as bands; `dashed` are bounds."""
    made, axes = new_figure()
    colour = colours_of(curves)
    for name, given in curves.items():
        points = sorted(given, key=lambda point: point[0])
        y = [p.mean if isinstance(p, Estimate) else p for _, p in points]
        style = "--" if name in dashed else "o-"
        x = [point[0] for point in points]
        axes.plot(x, y, style, color=colour[name], label=name, markersize=3, linewidth=1.3)
        band = [(a, p.low, p.high) for a, p in points if isinstance(p, Estimate) and p.n >= FEWEST]
        if band:
            axes.fill_between(*zip(*band, strict=True), color=colour[name], alpha=0.15, lw=0)
    if log_x:
        _name_places(axes, sorted({x for points in curves.values() for x, _ in points}))
    if log_y:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.yaxis.set_minor_formatter(_two_or_five)
    elif lowest is not None:
        axes.set_ylim(bottom=lowest)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    made.legend(loc="outside right upper", frameon=False, fontsize=8)
    return save(made, path)


def _two_or_five(value: float, _: float) -> str:
    """Names 2 and 5 of each power of ten on a log axis, and no more."""
    shown = f"{value:g}"
    return shown if shown.lstrip("0.")[:1] in {"2", "5"} else ""


def _name_places(axes: Any, places: Sequence[float]) -> None:
    """A logarithmic axis whose ticks are the numbers themselves, where they are few."""
    axes.set_xscale("log")
    if len(places) <= 10:
        axes.set_xticks(places, [f"{x:,g}" for x in places])
        axes.set_xticks([], minor=True)
