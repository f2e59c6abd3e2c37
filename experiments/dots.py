"""Dots with their intervals side by side: few places along the x axis, a dot a method."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .figures import COLOURS, new_figure, save
from .statistics import FEWEST, Estimate

SHARE = 0.7
"""Share of the room between two places that the dots take."""


def draw_dots(
    path: Path,
    groups: Mapping[str, Mapping[str, Estimate]],
    *,
    x_label: str,
    y_label: str = "D_top (lower is better)",
    lowest: float | None = 0.0,
) -> str:
    """A dot is a mean, its line the 95 % interval, in the order of the methods from left."""
    methods = list(dict.fromkeys(method for group in groups.values() for method in group))
    made, axes = new_figure()
    for k, method in enumerate(methods):
        shift = (k - (len(methods) - 1) / 2) * SHARE / len(methods)
        known = [
            (place + shift, group[method])
            for place, group in enumerate(groups.values())
            if method in group and group[method].n
        ]
        colour = COLOURS[k % len(COLOURS)]
        for x, found in known:
            if found.n >= FEWEST:
                axes.vlines(x, found.low, found.high, color=colour, linewidth=1.4)
        x_values, means = [x for x, _ in known], [found.mean for _, found in known]
        axes.plot(x_values, means, "o", color=colour, markersize=5, label=method, clip_on=False)
    for edge in range(1, len(groups)):
        axes.axvline(edge - 0.5, color="#eeeeee", linewidth=0.8, zorder=0)
    axes.set_xticks(range(len(groups)), list(groups))
    axes.set_xlim(-0.5, len(groups) - 0.5)
    if lowest is not None:
        axes.set_ylim(bottom=lowest)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    made.legend(loc="outside right upper", frameon=False, fontsize=8)
    return save(made, path)
