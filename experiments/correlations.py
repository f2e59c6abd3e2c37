"""Are correlations along the order more likely causal than those against it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from intersort import InterventionalData, baselines
from intersort._adjacency import descendants, read_dag
from intersort._typing import BoolArray, FloatArray, IntArray

from .claims import Claim, Verdict
from .grid import DATASET, TITLES, grid_tasks, screens_of
from .pages import figure, table
from .rivals import settings_of
from .screens import DOMAINS, draw, screen_of
from .shares import draw_shares, percent, within
from .statistics import Estimate, by, estimate
from .store import Row
from .task import Task, seed_of

TITLE = "Correlations along the order"
METHODS = ("intersort_paper", "random")
N_RANDOM_ORDERS = 200
RATE = 0.05
"""False discoveries among the correlations that are called significant."""
STRENGTHS = (0.1, 0.3, 0.5)
SELECTIONS = {
    "significant": "significant",
    **{f"above_{r:g}": f"\\|r\\| > {r:g}" for r in STRENGTHS},
    "open": "significant, neither one intervened on",
    "not_significant": "not significant",
}
"""Which pairs are looked at, and how they are called."""


def tasks(size: str) -> list[Task]:
    """The paper's datasets of thirty variables."""
    return grid_tasks("correlations", screens_of(30, size), METHODS)


def solve(task: Task) -> Row:
    """Count correlated pairs, and those in which an ancestor comes first or comes last."""
    cell = dict(task.cell)
    screen = screen_of(cell)
    drawn = draw(screen)
    chosen = drawn.choose(cell["fraction"])
    method = cell["method"]
    orders = _orders(method, drawn.take(chosen), screen.domain, seed_of(screen.seed, method))
    related = descendants(read_dag(drawn.adjacency))
    selected = select_pairs(drawn.values[drawn.targets == -1], chosen)
    row: Row = {"seed": screen.seed}
    for name, pairs in selected.items():
        row |= {f"{key}_{name}": n for key, n in count(orders, related, pairs).items()}
    return row | _unrelated(related, selected["significant"])


def _orders(method: str, data: InterventionalData, domain: str, seed: int) -> IntArray:
    """The orders of a method; of chance many, so that their mean is what chance does."""
    settings = settings_of(method, domain, len(data.names))
    if method == "random":
        settings["n_orders"] = N_RANDOM_ORDERS
    return baselines.run(method, data, rng=seed, **settings).orders


def correlate(values: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Pearson's r of every pair, and which are significant by Benjamini and Hochberg.

    A column that does not vary is correlated with none.
    """
    from scipy.stats import false_discovery_control, t

    n, d = values.shape
    centred = values - values.mean(axis=0)
    sd = centred.std(axis=0)
    unit = np.divide(centred, sd, out=np.zeros_like(centred), where=sd > 0)
    r = np.clip(unit.T @ unit / n, -1.0, 1.0)
    upper = np.triu_indices(d, 1)
    with np.errstate(divide="ignore"):
        statistic = np.abs(r[upper]) * np.sqrt((n - 2) / (1 - r[upper] ** 2))
    p = 2 * t.sf(statistic, n - 2)
    significant = np.zeros((d, d), dtype=np.bool_)
    significant[upper] = false_discovery_control(p, method="bh") <= RATE
    return r, significant | significant.T


def select_pairs(control: FloatArray, intervened: IntArray) -> dict[str, BoolArray]:
    """Pairs to look at, each once, i < j."""
    r, significant = correlate(control)
    once = np.triu(np.ones(r.shape, dtype=np.bool_), 1)
    untouched = np.ones(len(r), dtype=np.bool_)
    untouched[intervened] = False
    masks = {
        "significant": significant,
        **{f"above_{strength:g}": np.abs(r) > strength for strength in STRENGTHS},
        "open": significant & untouched[:, None] & untouched,
        "not_significant": ~significant,
    }
    return {name: mask & once for name, mask in masks.items()}


def count(orders: IntArray, related: BoolArray, pairs: BoolArray) -> Row:
    """Pairs, and means over orders: the ancestor comes first (along), comes last (against)."""
    i, j = np.nonzero(pairs)
    rank = np.argsort(orders, axis=1)
    i_first = rank[:, i] < rank[:, j]
    down, up = related[i, j], related[j, i]
    along = (i_first & down) | (~i_first & up)
    against = (~i_first & down) | (i_first & up)
    return {
        "n": len(i),
        "along": round(float(along.sum(axis=1).mean()), 4),
        "against": round(float(against.sum(axis=1).mean()), 4),
    }


def _unrelated(related: BoolArray, significant: BoolArray) -> Row:
    """Pairs with neither a path nor a common ancestor, and how many of them are significant."""
    counted = related.astype(np.int64)
    tied = related | related.T | (counted.T @ counted > 0)
    unrelated = np.triu(~tied, 1)
    return {
        "n_unrelated": int(unrelated.sum()),
        "n_unrelated_significant": int((unrelated & significant).sum()),
    }


def shares(rows: Sequence[Row], key: str, selection: str) -> Estimate:
    """The mean over datasets of the share of the selected pairs that are along or against."""
    known = [row for row in rows if row[f"n_{selection}"]]
    return within(estimate(row[f"{key}_{selection}"] / row[f"n_{selection}"] for row in known))


def gain(rows: Sequence[Row], selection: str) -> Estimate:
    """Share along less share against, paired by dataset."""
    known = [row for row in rows if row[f"n_{selection}"]]
    return estimate(
        (row[f"along_{selection}"] - row[f"against_{selection}"]) / row[f"n_{selection}"]
        for row in known
    )


def of(rows: Sequence[Row], **values: Any) -> list[Row]:
    """The rows with these values."""
    return [row for row in rows if all(row[key] == value for key, value in values.items())]


def report(rows: list[Row], folder: Path) -> str:
    """A section a domain."""
    text = (
        "The paper's introduction says, informally and without showing it, that correlations are "
        "more likely to be causations if they follow the causal order. Measured on the datasets "
        "of Figure 2 (30 variables): of the pairs of variables that are correlated in the control "
        f"rows (Pearson, Benjamini–Hochberg at {RATE:.0%} over all pairs), the share in which the "
        "variable that the order puts first is an ancestor of the other (along) and the share in "
        "which it is a descendant (against). What is left has no directed path: a common cause, "
        "or chance. The order is that of `intersort_paper`; the negative control is the mean over "
        f"{N_RANDOM_ORDERS} random orders. Shares are means over datasets with 95 % intervals, "
        "differences are paired by dataset."
    )
    parts = [text, f"**{claims(rows)[0].verdict}**: {claims(rows)[0].measured}"]
    for domain in DOMAINS:
        here = of(rows, domain=domain)
        if here:
            parts += _section(domain, here, folder)
    return "\n\n".join(parts)


def _section(domain: str, rows: list[Row], folder: Path) -> list[str]:
    found, chance = of(rows, method=METHODS[0]), of(rows, method=METHODS[1])
    name = _picture(domain, found, chance, folder)
    n = len({tuple(row[key] for key in DATASET[:-1]) for row in rows})
    caption = (
        f"{TITLES[domain]}: correlated pairs in which the order puts the ancestor first (along) or "
        f"last (against), and what random orders do; {n} datasets, 95 % bands."
    )
    unrelated = estimate(
        row["n_unrelated_significant"] / row["n_unrelated"] for row in found if row["n_unrelated"]
    )
    note = (
        "Pairs with neither a path nor a common ancestor that are called correlated all the same: "
        f"{percent(within(unrelated))}."
    )
    if domain == "gene_regulation":
        note += (
            " The five cell types are a common cause of all genes, and the cells of a simulation "
            "are moments of few trajectories, so that the test takes them for more than they are."
        )
    return [f"## {TITLES[domain]}", figure(name, caption), _table(found, chance), note]


def _picture(domain: str, found: list[Row], chance: list[Row], folder: Path) -> str:
    fractions = sorted({row["fraction"] for row in found})
    curves = {
        ("along the order", ""): [
            (f, shares(of(found, fraction=f), "along", "significant")) for f in fractions
        ],
        ("against the order", ""): [
            (f, shares(of(found, fraction=f), "against", "significant")) for f in fractions
        ],
        ("along random orders", ""): [
            (f, shares(of(chance, fraction=f), "along", "significant")) for f in fractions
        ],
    }
    return draw_shares(
        folder / f"correlations_{domain}.svg",
        curves,
        x_label="share of variables intervened on",
        y_label="share of correlated pairs",
        labels={fraction: f"{fraction:.0%}" for fraction in fractions},
    )


def _table(found: list[Row], chance: list[Row]) -> str:
    lines = []
    for fraction in sorted({row["fraction"] for row in found}):
        here, there = of(found, fraction=fraction), of(chance, fraction=fraction)
        for selection, called in SELECTIONS.items():
            if not any(row[f"n_{selection}"] for row in here):
                continue
            lines.append(
                [
                    f"{fraction:.0%}",
                    called,
                    f"{estimate(row[f'n_{selection}'] for row in here).mean:.0f}",
                    percent(shares(here, "along", selection)),
                    percent(shares(here, "against", selection)),
                    percent(gain(here, selection)),
                    percent(gain(there, selection)),
                ]
            )
    header = ["targets", "pairs", "number", "along", "against", "difference", "random orders"]
    return table(header, lines)


def cells_of(rows: Sequence[Row], method: str, selection: str) -> dict[tuple[str, float], Estimate]:
    """The difference along less against, by domain and share of targets."""
    parts = by(of(rows, method=method), "domain", "fraction")
    found = {(domain, f): gain(part, selection) for (domain, f), part in parts.items()}
    return {key: value for key, value in found.items() if value.n}


def n_signs(cells: Mapping[tuple[str, float], Estimate]) -> tuple[int, int]:
    """In how many cells the difference is above 0, and below."""
    known = [found for found in cells.values() if found.significant]
    return sum(found.low > 0 for found in known), sum(found.high < 0 for found in known)


def claims(rows: list[Row]) -> list[Claim]:
    """Along more often than against, in every domain and at every fraction?"""
    ours = cells_of(rows, METHODS[0], "significant")
    untouched = cells_of(rows, METHODS[0], "open")
    chance = cells_of(rows, METHODS[1], "significant")
    n_more, n_less = n_signs(ours)
    domain, fraction = min(ours, key=lambda key: ours[key].mean)
    return [
        Claim(
            "Introduction",
            "Correlations are more likely to be causal if they follow the causal order.",
            f"In {n_more} of {len(ours)} cells (domain × share of targets) the ancestor comes "
            f"first significantly more often than last, in {n_less} less often; the smallest "
            f"difference is {percent(ours[domain, fraction])} of the correlated pairs "
            f"({TITLES[domain]}, {fraction:.0%}). Where neither variable of the pair was "
            f"intervened on: more often in {n_signs(untouched)[0]} of {len(untouched)} cells, less "
            f"often in {n_signs(untouched)[1]}. Random orders differ from 0 in "
            f"{sum(n_signs(chance))} of {len(chance)} cells (5 % are expected to).",
            _verdict(len(ours), n_more, n_less),
            f"More likely causal is not causal: {_with_path(rows)} of the correlated pairs have a "
            "path in either direction at all; the rest share a cause, or, in gene regulation, the "
            "cell types. See [correlations along the order](correlations.md).",
        )
    ]


def _with_path(rows: list[Row]) -> str:
    """The share of correlated pairs with a path, domain by domain."""
    found = []
    for domain in DOMAINS:
        once = [row for row in of(rows, domain=domain, method="random") if row["n_significant"]]
        if once:
            share = estimate(
                (row["along_significant"] + row["against_significant"]) / row["n_significant"]
                for row in once
            )
            found.append(f"{share.mean:.0%} ({TITLES[domain]})")
    return ", ".join(found)


def _verdict(n_cells: int, n_more: int, n_less: int) -> Verdict:
    if n_more == n_cells:
        return "holds"
    if not (n_more or n_less):
        return "not decided"
    return "holds partly" if n_more else "does not hold"
