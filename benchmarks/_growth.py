"""Draw times against sizes on log axes (needs the extra `plots`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
from _results import RESULTS

plt.rcParams["svg.hashsalt"] = "intersort"  # the same bytes for the same numbers


def draw_growth(
    name: str,
    rows: Sequence[Mapping[str, object]],
    growth: Mapping[str, str],
    *,
    size: str,
    label: str,
) -> None:
    """One line a series, its growth in the legend, into results/NAME.svg."""
    figure, axes = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
    for (series, growing), marker in zip(growth.items(), "osD^", strict=False):
        points = [(row[size], row["seconds"]) for row in rows if row["work"] == series]
        axes.loglog(*zip(*points, strict=True), marker=marker, label=f"{series}: {growing}")
    axes.set_xlabel(label)
    axes.set_ylabel("seconds, one thread")
    axes.grid(which="major", alpha=0.3)
    figure.legend(loc="outside upper center", ncols=1, frameon=False)
    figure.savefig(RESULTS / f"{name}.svg", metadata={"Date": None})
