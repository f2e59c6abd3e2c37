"""Shares of pairs: who lies above a threshold, by the length of the path that joins the pair.

Several experiments ask how many descendants an intervention moves visibly and how many other
variables it seems to move. They count in the same way and show shares in the same way here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from intersort._typing import ArrayLike, BoolArray, FloatArray, IntArray

from .figures import COLOURS, new_figure, save
from .grid import TITLES
from .statistics import FEWEST, Estimate, estimate
from .store import Row

LONGEST = 4
"""Paths of this many edges and more are counted together."""
LENGTHS = tuple(str(length) for length in range(1, LONGEST + 1))
NO_PATH = "none"
CHILDREN, FURTHER = LENGTHS[:1], LENGTHS[1:]
VARIANTS = TITLES | {"wild_type": "Gene regulation, wild-type half response"}
"""What is shown apart: the domains, and gene regulation as a biologist would expect it."""
NAMES = {"1": "children", "2": "two edges", "3": "three edges", "4": "four edges and more"}


def variant(row: Row) -> str:
    """The domain of a row, or that it has the half response of the wild type."""
    return str(row.get("half_response", row["domain"]))


def path_lengths(adjacency: BoolArray) -> IntArray:
    """The number of edges on the shortest directed path from i to j; 0 where there is none.

    >>> path_lengths(np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]], dtype=bool))
    array([[0, 1, 1],
           [0, 0, 1],
           [0, 0, 0]])
    """
    steps = np.asarray(adjacency, dtype=np.int64)
    lengths = np.zeros(steps.shape, dtype=np.int64)
    reached = steps > 0
    for length in range(1, len(steps)):
        new = reached & (lengths == 0)
        if not new.any():
            break
        lengths[new] = length
        reached = (new.astype(np.int64) @ steps) > 0
    return lengths


def count_pairs(lengths: IntArray, intervened: IntArray) -> Row:
    """How many pairs (target, other variable) there are of each path length."""
    return {f"pairs_{name}": int(mask.sum()) for name, mask in _groups(lengths, intervened).items()}


def count_above(
    distance: FloatArray, intervened: IntArray, lengths: IntArray, threshold: ArrayLike, by: str
) -> Row:
    """How many of them lie above the threshold, one number or one a pair."""
    above = distance > np.asarray(threshold)
    groups = _groups(lengths, intervened)
    return {f"above_{by}_{name}": int((above & mask).sum()) for name, mask in groups.items()}


def _groups(lengths: IntArray, intervened: IntArray) -> dict[str, BoolArray]:
    rows = np.minimum(lengths[intervened], LONGEST)
    others = rows == 0
    others[np.arange(len(intervened)), intervened] = False
    return {NO_PATH: others} | {name: rows == int(name) for name in LENGTHS}


def share(row: Row, by: str, groups: Sequence[str]) -> float | None:
    """The share of these pairs that lies above; None where there is no such pair."""
    n_pairs = sum(row[f"pairs_{group}"] for group in groups)
    return sum(row[f"above_{by}_{group}"] for group in groups) / n_pairs if n_pairs else None


def share_of(rows: Sequence[Row], by: str, groups: Sequence[str]) -> Estimate:
    """The mean share over datasets that have such pairs, its interval kept within 0 and 1."""
    found = [share(row, by, groups) for row in rows]
    return within(estimate(value for value in found if value is not None))


def within(found: Estimate, low: float = 0.0, high: float = 1.0) -> Estimate:
    """An interval cut where no value can lie."""
    return Estimate(found.mean, max(found.low, low), min(found.high, high), found.n)


def percent(found: Estimate) -> str:
    """An estimate of a share in per cent.

    >>> percent(Estimate(0.123, 0.1, 0.2, 9))
    '12.3 % [10.0, 20.0]'
    """
    if found.n == 0:
        return "–"
    if found.n < FEWEST:
        return f"{_hundredths(found.mean)} % (n = {found.n})"
    low, high = _hundredths(found.low), _hundredths(found.high)
    return f"{_hundredths(found.mean)} % [{low}, {high}]"


def _hundredths(value: float) -> str:
    return f"{round(100 * value, 1) + 0.0:.1f}"  # + 0.0: no minus before a zero


Curve = Sequence[tuple[float, Estimate]]


def draw_shares(
    path: Path,
    curves: Mapping[tuple[str, str], Curve],
    *,
    x_label: str,
    y_label: str = "share of pairs above the threshold",
    labels: Mapping[float, str] | None = None,
    log_x: bool = False,
) -> str:
    """Curves named (group, threshold): a colour a group, a line style a threshold, bands.

    With `labels` only these places of the axis are marked, and named as they say.
    """
    made, axes = new_figure()
    groups = list(dict.fromkeys(group for group, _ in curves))
    thresholds = list(dict.fromkeys(threshold for _, threshold in curves))
    colour = {group: COLOURS[k % len(COLOURS)] for k, group in enumerate(groups)}
    style = dict(zip(thresholds, ("-", "--", ":"), strict=False))
    for (group, threshold), points in curves.items():
        _draw_curve(axes, points, colour[group], style[threshold])
    if log_x:
        axes.set_xscale("log")
    if labels:
        axes.set_xticks(list(labels), list(labels.values()))
        axes.set_xticks([], minor=True)
    axes.set(xlabel=x_label, ylabel=y_label, ylim=(-0.02, 1.02))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    handles = [axes.plot([], [], "o-", color=colour[g], markersize=3, label=g)[0] for g in groups]
    if len(thresholds) > 1:
        handles += [axes.plot([], [], style[t], color="#555555", label=t)[0] for t in thresholds]
    made.legend(handles=handles, loc="outside right upper", frameon=False, fontsize=8)
    return save(made, path)


def _draw_curve(axes: Any, points: Curve, colour: str, style: str) -> None:
    known = sorted((point for point in points if point[1].n), key=lambda point: point[0])
    x = [place for place, _ in known]
    axes.plot(
        x, [found.mean for _, found in known], style, color=colour,
        marker="o", markersize=3, linewidth=1.3,
    )  # fmt: skip
    band = [(place, found) for place, found in known if found.n >= FEWEST]
    low, high = [found.low for _, found in band], [found.high for _, found in band]
    axes.fill_between([place for place, _ in band], low, high, color=colour, alpha=0.12, lw=0)
