"""Two kinds of picture: violins of errors side by side, and curves with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .statistics import Estimate

WIDTH, HEIGHT = 7.2, 3.4
COLOURS = (
    "#1b6ca8", "#d1495b", "#2e8b57", "#8d6a9f", "#e0a030", "#4f5d75",
    "#00a6a6", "#b56576", "#7a9e3b", "#a0522d", "#6c8ebf", "#999999",
)  # fmt: skip


def new_figure(width: float = WIDTH, height: float = HEIGHT) -> tuple[Any, Any]:
    """A figure and its axes, in the one style; no window is opened."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    mpl.rcParams.update({"svg.hashsalt": "intersort", "svg.fonttype": "none", "font.size": 9})
    made = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(made)
    axes = made.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)
    return made, axes


def save(made: Any, path: Path) -> str:
    """Write an SVG without a date, so that equal rows make equal files; return its name."""
    made.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
    text = path.read_text(encoding="utf-8")
    path.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n", encoding="utf-8")
    return path.name


def draw_violins(
    path: Path,
    groups: Mapping[str, Mapping[str, Sequence[float]]],
    *,
    x_label: str,
    y_label: str = "D_top (lower is better)",
    missing: Mapping[tuple[str, str], str] | None = None,
) -> str:
    """Violins: groups along the x axis (a fraction each), one violin a method, means as dots."""
    methods = list(dict.fromkeys(method for group in groups.values() for method in group))
    colour = {method: COLOURS[k % len(COLOURS)] for k, method in enumerate(methods)}
    made, axes = new_figure(max(WIDTH, 0.17 * len(groups) * len(methods) + 2.2))
    width = 0.84 / len(methods)
    for place, (name, group) in enumerate(groups.items()):
        for k, method in enumerate(methods):
            values = np.asarray(group.get(method, ()), dtype=np.float64)
            x = place + (k - (len(methods) - 1) / 2) * width
            if values.size:
                _violin(axes, x, values, width, colour[method])
            elif missing and (name, method) in missing:
                axes.text(
                    x, 0, missing[name, method], rotation=90, fontsize=6, va="bottom", ha="center"
                )
    axes.set_xticks(range(len(groups)), list(groups))
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.set_ylim(bottom=0)
    handles = [axes.plot([], [], "s", color=colour[m], label=m)[0] for m in methods]
    made.legend(handles=handles, loc="outside right upper", frameon=False, fontsize=8)
    return save(made, path)


def _violin(axes: Any, x: float, values: Any, width: float, colour: str) -> None:
    if np.ptp(values) > 0 and values.size > 2:
        parts = axes.violinplot([values], [x], widths=0.9 * width, showextrema=False)
        for body in parts["bodies"]:
            body.set(facecolor=colour, alpha=0.35, linewidth=0)
    axes.vlines(x, values.min(), values.max(), color=colour, linewidth=0.8)
    axes.plot([x], [values.mean()], "o", color=colour, markersize=3)


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
    for k, (name, points) in enumerate(curves.items()):
        points = sorted(points, key=lambda point: point[0])
        x = [point[0] for point in points]
        y = [p.mean if isinstance(p, Estimate) else p for _, p in points]
        colour = COLOURS[k % len(COLOURS)]
        style = "--" if name in dashed else "o-"
        axes.plot(x, y, style, color=colour, label=name, markersize=3, linewidth=1.3)
        with_band = [(a, p) for a, p in points if isinstance(p, Estimate) and p.n > 2]
        if with_band:
            low, high = [p.low for _, p in with_band], [p.high for _, p in with_band]
            axes.fill_between([a for a, _ in with_band], low, high, color=colour, alpha=0.15, lw=0)
    if log_x:
        axes.set_xscale("log")
    if log_y:
        axes.set_yscale("log")
    elif lowest is not None:
        axes.set_ylim(bottom=lowest)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    made.legend(loc="outside right upper", frameon=False, fontsize=8)
    return save(made, path)
