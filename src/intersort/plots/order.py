"""The order as a line of variables, with the effects that support it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._optional import import_extra
from .._typing import ArrayLike, FloatArray, IntArray
from .._validation import InputError
from ..scores.paper import check_epsilon
from .effects import _plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..effects.effects import Effects
    from ..orders.causal_order import CausalOrder

MOST_ARCS = 40


def plot_order(
    result: CausalOrder, effects: Effects, epsilon: ArrayLike, *, ax: Axes | None = None
) -> Axes:
    """Draw the order from left to right, with its strongest supported pairs as arcs.

    An arc above the line is an effect above epsilon that the order honours, an arc below one
    that goes against it; the wider, the farther the variable moved. Filled variables were
    intervened on; grey ones neither moved nor were moved, so their places are arbitrary.

    Parameters
    ----------
    result : CausalOrder
        The order.
    effects : Effects
        The distances that it was found from.
    epsilon : float, or array of shape (|I|, d)
        The threshold above which a distance counts as an effect.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import intersort
    >>> effects = intersort.Effects.from_matrix([[0, 2.0], [0.1, 0]])
    >>> result = intersort.find_order(intersort.score_orders(effects, 0.3))
    >>> intersort.plot_order(result, effects, 0.3).get_title()
    '1 of 1 pairs above the threshold agree with the order'
    """
    if len(result.order) != len(effects.names):
        raise InputError(
            f"The order holds {len(result.order)} variables and the effects "
            f"{len(effects.names)}; both must be of the same data."
        )
    pyplot = import_extra("matplotlib.pyplot", "plots", "plot_order")
    threshold = check_epsilon(epsilon, effects.distance.shape)
    pairs = _pairs_above(effects, threshold)
    rank = result.rank
    above, below = _heights(rank[pairs[:MOST_ARCS]])
    if ax is None:
        width = min(16.0, 3 + 0.45 * len(rank))
        height = 1.4 + (above + below) * width / len(rank)
        _, ax = pyplot.subplots(figsize=(width, height), layout="constrained")
    ax.set_aspect("equal")
    ax.set_xlim(-0.8, len(rank) - 0.2)
    ax.set_ylim(-below, above)
    _draw_arcs(ax, pairs[:MOST_ARCS], rank, effects)
    _draw_variables(ax, result, effects, pairs)
    agree = int(np.sum(rank[pairs[:, 0]] < rank[pairs[:, 1]]))
    title = f"{agree} of {len(pairs)} pairs above the threshold agree with the order"
    if len(pairs) > MOST_ARCS:
        title += f" ({MOST_ARCS} strongest drawn)"
    ax.set_title(title, fontsize=10)
    return ax


def _pairs_above(effects: Effects, threshold: FloatArray) -> IntArray:
    """Pairs (cause, moved) above the threshold, the strongest first."""
    row, moved = np.nonzero(effects.distance > threshold)
    strongest = np.argsort(-effects.distance[row, moved], kind="stable")
    return np.column_stack([effects.intervened[row], moved])[strongest]


def _draw_arcs(ax: Axes, pairs: IntArray, rank: IntArray, effects: Effects) -> None:
    from matplotlib.patches import FancyArrowPatch

    row_of = {int(column): row for row, column in enumerate(effects.intervened)}
    largest = float(effects.distance.max(initial=0.0)) or 1.0
    for cause, moved in pairs[::-1]:
        start, end = rank[cause], rank[moved]
        size = effects.distance[row_of[int(cause)], moved] / largest
        # A negative bend draws an arrow to the right above the line, one to the left below it.
        arc = FancyArrowPatch(
            (start, 0),
            (end, 0),
            connectionstyle=f"arc3,rad={-_bend(abs(end - start))}",
            arrowstyle="-|>",
            mutation_scale=7 + 5 * size,
            linewidth=0.5 + 2.5 * size,
            color="#2b6cb0" if start < end else "#c53030",
            alpha=0.35 + 0.5 * size,
            shrinkA=9,
            shrinkB=9,
        )
        ax.add_patch(arc)


def _bend(span: Any) -> Any:
    """Bend of an arc over `span` places: long arcs less, so that they stay in the picture."""
    return 0.5 / (1 + 0.03 * span)


def _heights(ranks: IntArray) -> tuple[float, float]:
    """Room that the arcs need above and below the line, in places: half bend times span."""
    span = ranks[:, 1] - ranks[:, 0]
    height = 0.5 * _bend(np.abs(span)) * np.abs(span) + 0.4
    above = float(np.max(height, where=span > 0, initial=1.0))
    return above, float(np.max(height, where=span < 0, initial=0.6))


def _draw_variables(ax: Axes, result: CausalOrder, effects: Effects, pairs: IntArray) -> None:
    intervened = np.isin(result.order, effects.intervened)
    determined = np.isin(result.order, pairs)
    place = np.arange(len(result.order))
    face = np.where(intervened, np.where(determined, "#2d3748", "0.75"), "white")
    edge = np.where(determined, "#2d3748", "0.75")
    ax.scatter(place, np.zeros(len(place)), s=90, c=list(face), edgecolors=list(edge), zorder=3)
    ax.set_yticks([])
    ax.set_xticks(place, [_plain(name) for name in result.ordered_names], rotation=90)
    for label, known in zip(ax.get_xticklabels(), determined, strict=True):
        label.set_color("black" if known else "0.55")
    ax.tick_params(axis="x", length=0)
    for side in ("left", "right", "top", "bottom"):
        ax.spines[side].set_visible(False)
    ax.set_xlabel("causes first  →  effects last      (filled: intervened on; grey: undetermined)")
