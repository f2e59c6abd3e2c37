"""The matrix of effects in the found order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._optional import import_extra
from .._typing import ArrayLike
from .._validation import check_order

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..effects.effects import Effects
    from ..orders.causal_order import CausalOrder

MOST_LABELS = 60


def plot_effects(
    effects: Effects, order: CausalOrder | ArrayLike, *, ax: Axes | None = None
) -> Axes:
    """Draw how far each intervention moved each variable, both sorted by the order.

    What agrees with the order lies above the diagonal, in blue; what goes against it lies below,
    in red, and deserves a second look. Rows of variables that were never intervened on are left
    out.

    Parameters
    ----------
    effects : Effects
        The distances.
    order : CausalOrder, or array of shape (d,)
        The order to sort by, causes first.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import intersort
    >>> effects = intersort.Effects.from_matrix([[0, 2.0], [0.1, 0]])
    >>> intersort.plot_effects(effects, [0, 1]).get_ylabel()
    'intervened on'
    """
    pyplot = import_extra("matplotlib.pyplot", "plots", "plot_effects")
    d = len(effects.names)
    columns = check_order(getattr(order, "order", order), d)
    rank = np.argsort(columns)
    rows = np.argsort(rank[effects.intervened])
    distance = effects.distance[rows][:, columns]
    row_rank = rank[effects.intervened][rows]
    if ax is None:
        side = min(12.0, 2.5 + 0.22 * d)
        _, ax = pyplot.subplots(
            figsize=(side, max(2.5, side * (0.3 + 0.7 * len(rows) / max(d, 1)))),
            layout="constrained",
        )
    backwards = row_rank[:, None] > np.arange(d)[None, :]
    own = row_rank[:, None] == np.arange(d)[None, :]
    largest = _strongest_shown(distance)
    signed = np.where(backwards, -distance, distance)
    signed[own] = np.nan
    if not len(rows):
        ax.text(0.5, 0.5, "no variable was intervened on", ha="center", transform=ax.transAxes)
        return ax
    image = _draw(ax, signed, largest)
    _label(ax, effects.names, columns, effects.intervened[rows], row_rank)
    beyond = "both" if distance.max() > largest else "neither"
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.8, extend=beyond)
    ticks = np.linspace(-largest, largest, 5).tolist()
    bar.set_ticks(ticks, labels=[f"{abs(tick):.2g}" for tick in ticks])
    bar.set_label("distance in control sd\n(red: against the order)")
    return ax


def _strongest_shown(distance: np.ndarray) -> float:
    """Distance of the full colour: a few strong effects must not make all others pale."""
    largest = float(distance.max(initial=0.0)) or 1.0
    return min(largest, 4 * float(np.quantile(distance, 0.9)) or largest) if distance.size else 1.0


def _draw(ax: Axes, signed: np.ndarray, largest: float) -> Any:
    """Draw the matrix, each variable's own column in grey."""
    ax.set_facecolor("0.85")
    return ax.imshow(
        signed, cmap="RdBu", vmin=-largest, vmax=largest, aspect="auto", interpolation="nearest"
    )


def _label(
    ax: Axes,
    names: tuple[str, ...],
    columns: np.ndarray,
    row_columns: np.ndarray,
    row_rank: np.ndarray,
) -> None:
    """Name the rows and columns where they are few enough to read, and draw the diagonal."""
    d = len(names)
    steps_x = np.repeat(row_rank + 0.5, 2)
    steps_y = np.repeat(np.arange(len(row_rank) + 1) - 0.5, 2)[1:-1]
    ax.plot(steps_x, steps_y, color="0.3", linewidth=0.8, drawstyle="default")
    ax.set_xlabel("measured, causes first")
    ax.set_ylabel("intervened on")
    if d <= MOST_LABELS:
        ax.set_xticks(range(d), [_plain(names[column]) for column in columns], rotation=90)
    if len(row_columns) <= MOST_LABELS:
        ax.set_yticks(range(len(row_columns)), [_plain(names[column]) for column in row_columns])


def _plain(name: str) -> str:
    """A name as text: matplotlib would read dollar signs as mathematics."""
    short = name if len(name) <= 20 else name[:19] + "…"
    return short.replace("$", r"\$")
