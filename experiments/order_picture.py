"""An order as a line of variables, with the edges of a graph as arcs: the paper's last figure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from .figures import new_figure, save

FORWARD, BACKWARD = "#1b6ca8", "#c53030"
TARGET = "#f4b6b6"
WIDTH = 8.6
"""Inches; a place of the order is a share of it."""


def draw_order(
    path: Path,
    order: Sequence[str],
    edges: Collection[tuple[str, str]],
    intervened: Collection[str],
) -> str:
    """Causes left, effects right; forward edges above, backward ones below in red."""
    place = {name: k for k, name in enumerate(order)}
    spans = [place[b] - place[a] for a, b in edges]
    above = _height(max(spans, default=0)) + 0.5
    below = _height(-min(spans, default=0)) + 0.5
    inches = WIDTH / len(order)
    made, axes = new_figure(WIDTH, (above + below) * inches + 0.4)
    for source, target in sorted(edges):
        _draw_edge(axes, place[source], place[target])
    for name, x in place.items():
        face = TARGET if name in intervened else "white"
        axes.plot([x], [0], "o", markersize=30, mec="#333333", mfc=face, mew=1, zorder=3)
        axes.text(x, 0, name, ha="center", va="center", fontsize=8.5, zorder=4)
    axes.set_aspect("equal")
    axes.set_xlim(-0.5, len(order) - 0.5)
    axes.set_ylim(-below, above)
    axes.set_axis_off()
    _draw_legend(made, axes, any_backward=min(spans, default=0) < 0)
    return save(made, path)


def _draw_edge(axes: Any, start: int, end: int) -> None:
    from matplotlib.patches import FancyArrowPatch

    forward = start < end
    arrow = FancyArrowPatch(
        (start, 0),
        (end, 0),
        connectionstyle=f"arc3,rad={-_bend(abs(end - start))}",
        arrowstyle="-|>",
        mutation_scale=10,
        linewidth=1.1,
        color=FORWARD if forward else BACKWARD,
        shrinkA=15,
        shrinkB=15,
        zorder=2,
    )
    axes.add_patch(arrow)


def _bend(span: int) -> float:
    """Bend of an arc: neighbours are joined by a straight line, long arcs stay in the picture."""
    return 0.0 if span == 1 else 0.42


def _height(span: int) -> float:
    """Height of an arc in places: half of bend times span."""
    return 0.5 * _bend(span) * span


def _draw_legend(made: Any, axes: Any, *, any_backward: bool) -> None:
    dot = {"marker": "o", "linestyle": "", "markersize": 9, "mec": "#333333"}
    handles = [
        axes.plot([], [], mfc=TARGET, label="intervened on", **dot)[0],
        axes.plot([], [], mfc="white", label="not intervened on", **dot)[0],
        axes.plot([], [], color=FORWARD, label="edge with the order")[0],
    ]
    if any_backward:
        handles.append(axes.plot([], [], color=BACKWARD, label="edge against it")[0])
    made.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=8)
