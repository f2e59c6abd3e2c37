"""The page on real data: a section a source, what it can and cannot show, and its table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .figure2 import SHOWN
from .order_picture import draw_order
from .pages import figure, table
from .statistics import estimate
from .store import Row

DRAWN = ("intersort_paper", "sort_ranking")
"""Methods whose order of the proteins is drawn."""
INTRODUCTION = (
    "Simulated data follow somebody's equations. Here every rival "
    "meets three sources that do not follow ours, with the graph that is known or taught. Values "
    "are standardised on the control rows, as in the paper. Methods that take a threshold ε are "
    "given the one that the paper uses for such data, and once more the data's own null "
    "(`null_threshold`, each with its own distance). Variants of rivals are those chosen on the "
    "simulated domain nearest by: gene regulation for proteins and genes, linear for the tunnel. "
    "There is one data set of each kind (five networks of DREAM4), so no interval over datasets "
    "can be given and no method is called better. What chance alone does to an error is shown by "
    "ten variants of each (three for the neural rivals, dcdi and pacer, trained on the device that "
    "their rows name): a random half of the rows of each label where there are two, and the "
    "columns in random order, because ties follow the order of the file."
)
SACHS = (
    "Eleven proteins measured in single cells, {n_control:,} control rows and five proteins "
    "intervened on (at least {n_per_target} rows each); natural logarithm, ε {epsilon}, as the "
    "paper's figure needs. The graph has {n_edges} edges.\n\n"
    "*What it can show:* that the method runs on real measurements, and what it makes of "
    "interventions that nobody simulated. *What it cannot:* the graph is a consensus of the "
    "literature, not the truth: edges are missing from it, and some are disputed; the reagents "
    "act on the activity of a protein, which is not always the level that is measured; ε 1.5 was "
    "chosen by the paper for this data set alone. Of the orders of the best score there are "
    "{n_optimal}, and they do not all have the same error (see [Sachs](../sachs.md)). Differences "
    "of one or two edges say nothing."
)
TUNNEL = (
    "A physical device (the light tunnel of the causal chambers): three light sources, six "
    "sensors, {n_edges} edges, {n_control:,} rows at the reference setting. `mid` and `strong`: "
    "the three sources and four of the sensors are intervened on, {n_per_target:,} rows each, in "
    "two strengths. `weak`: four sensors alone. ε is 0.3, the paper's for all but gene "
    "regulation.\n\n"
    "*What it can show:* whether a method gets a known truth right with real sensors and real "
    "noise, and, in `weak`, what it makes of interventions that move nothing but their targets. A "
    "method that asks only what moved is as good as a random order there (half of the edges); but "
    "what does not move under an intervention is no effect of its target, which the paper's score "
    "counts (−ε a pair) and SORTRANKING does not. With four of the six sensors last, six edges are "
    "left to chance, or to dependence among the rows. *What it cannot:* the graph is one layer "
    "deep, every source acts on every sensor and strongly, so that in `mid` and `strong` all that "
    "notice effects are right."
)
DREAM4 = (
    "Five networks of ten genes, simulated, by others than us, with feedback (GeneNetWeaver): no "
    "order is without error, and the least that any has is in the table. Control rows are the "
    "wild type and the first rows of the five time series, {n_control} in all; knock-outs of all "
    "ten genes, {n_per_target} row each. ε is the paper's 0.5 for gene regulation. D_top is the "
    "mean over the variants, which here differ in the order of the columns alone.\n\n"
    "*What it can show:* what becomes of a method where screens have a single row per "
    "intervention. *What it cannot:* there is no null to be resampled from so few rows. The sd of "
    "six wild types is the noise of the measurement, a single row is always some of it away, and "
    "ε = 0.5 lets {pairs_above} of {n_pairs} pairs pass; the data's own threshold, a column's "
    "95 % quantile over the other targets, lets {own_above} pass on average, by construction. "
    "Methods that learn from rows, not from interventions, have {n_rows} of them."
)


def _all_rows(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["repeat"] == 0]


def _kinds(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Methods with their thresholds, in the order of the rivals' list."""
    found = {(row["method"], row.get("threshold", "")) for row in rows}
    return sorted(found, key=lambda kind: (SHOWN.index(kind[0]), kind[1] == "own"))


def of_kind(rows: Sequence[Row], kind: tuple[str, str]) -> list[Row]:
    """Rows of one method at one threshold."""
    return [row for row in rows if (row["method"], row.get("threshold", "")) == kind]


def named(kind: tuple[str, str], epsilon: float) -> str:
    """A method and its threshold in words."""
    method, threshold = kind
    return method + {"paper": f", ε {epsilon:g}", "own": ", ε of the null"}.get(threshold, "")


def told(rows: Sequence[Row]) -> str:
    """The error on all rows, or why there is none."""
    row = rows[0] if rows else None
    if row is None:
        return "not run"
    if row.get("d_top") is None:
        return str(row["status"].partition(":")[0])
    return f"{row['d_top']:.1f}"


def spread(rows: Sequence[Row]) -> str:
    """Mean, least and most error over the random variants."""
    errors = errors_of(rows)
    if not errors:
        return "–"
    return f"{estimate(errors).mean:.1f} ({min(errors):.1f} to {max(errors):.1f})"


def errors_of(rows: Sequence[Row]) -> list[float]:
    """Errors on the random variants."""
    return [row["d_top"] for row in rows if row["repeat"] > 0 and row.get("d_top") is not None]


def failures(rows: Sequence[Row], epsilon: float) -> str:
    """Why methods have no error, a line each, in the words of the first time."""
    lines = []
    for kind in _kinds(rows):
        here = of_kind(rows, kind)
        lost = [row for row in here if row.get("d_top") is None]
        if lost:
            reason = lost[0]["status"].removeprefix("failed: ")
            often = f"{len(lost)} of {len(here)} times" if len(lost) < len(here) else "always"
            lines.append(f"- {named(kind, epsilon)}, {often}: {reason}")
    return "Could not take these data:\n\n" + "\n".join(lines) if lines else ""


def sachs_section(rows: Sequence[Row], folder: Path) -> str:
    """Errors, and the paper's picture."""
    first = _all_rows(rows)[0]
    epsilon = 1.5
    n_optimal = [row["n_optimal"] for row in rows if row.get("n_optimal")]
    more = {"epsilon": epsilon, "n_optimal": n_optimal[0] if n_optimal else "several"}
    text = SACHS.format(**first | more)
    lines = []
    for kind in _kinds(rows):
        here = of_kind(rows, kind)
        above = _all_rows(here)[0].get("pairs_above", "")
        lines.append([named(kind, epsilon), above, told(_all_rows(here)), spread(here)])
    header = ["method", "pairs above ε", "D_top, all rows", "variants: mean (range)"]
    parts = ["## Sachs: proteins in single cells", text, table(header, lines)]
    parts += [failures(rows, epsilon), *_pictures(rows, folder)]
    return "\n\n".join(part for part in parts if part)


def _pictures(rows: Sequence[Row], folder: Path) -> list[str]:
    """The orders of the paper's method and of its first half, as the paper draws its own."""
    parts = []
    for method in DRAWN:
        found = [r for r in rows if r["method"] == method and r.get("order")]
        if not found:
            continue
        row = found[0]
        pairs = f"{row['forward']} {row.get('backward', '')}".split()
        edges = [(a, b) for a, _, b in (pair.partition(">") for pair in pairs)]
        name = draw_order(
            folder / f"real_data_sachs_{method}.svg",
            row["order"].split(),
            edges,
            row["intervened"].split(),
        )
        wrong = [pair.replace(">", " → ") for pair in row.get("backward", "").split()]
        caption = (
            f"Sachs, the order of {method} at the paper's ε: D_top {row['d_top']:g} of "
            f"{row['n_edges']} edges, against the order "
            f"{', '.join(wrong) if wrong else 'none'}. Filled: intervened on."
        )
        parts.append(figure(name, caption))
    return parts


def tunnel_section(rows: Sequence[Row], folder: Path) -> str:
    """Errors by strength."""
    del folder
    epsilon = 0.3
    names = [n for n in ("mid", "strong", "weak") if any(r["data"].endswith(n) for r in rows)]
    by_name = {n: [r for r in rows if r["data"].endswith(n)] for n in names}
    lines = []
    for kind in _kinds(rows):
        line: list[object] = [named(kind, epsilon)]
        for name in names:
            here = of_kind(by_name[name], kind)
            line += [told(_all_rows(here)), spread(here)]
        lines.append(line)
    header = ["method"]
    for name in names:
        header += [f"{name}: D_top, all rows", "variants: mean (range)"]
    text = TUNNEL.format(**_all_rows(rows)[0])
    parts = ["## The light tunnel", text, table(header, lines)]
    return "\n\n".join(part for part in [*parts, failures(rows, epsilon)] if part)


def dream4_section(rows: Sequence[Row], folder: Path) -> str:
    """Errors by network."""
    del folder
    epsilon = 0.5
    names = sorted({row["data"] for row in rows})
    by_name = {name: [r for r in rows if r["data"] == name] for name in names}
    least = [str(by_name[name][0]["least_possible"]) for name in names]
    edges = [str(by_name[name][0]["n_edges"]) for name in names]
    lines: list[list[object]] = [["*edges*", *edges, ""], ["*least possible*", *least, ""]]
    for kind in _kinds(rows):
        found = [of_kind(by_name[name], kind) for name in names]
        means = [estimate(errors_of(part)) for part in found]
        cells = [_mean_and_lost(part) for part in found]
        over = f"{estimate(m.mean for m in means).mean:.1f}" if all(m.n for m in means) else ""
        lines.append([named(kind, epsilon), *cells, over])
    header = ["method", *[name.replace("dream4_", "network ") for name in names], "mean"]
    parts = ["## DREAM4: ten genes, one row a knock-out", _about_dream4(rows), table(header, lines)]
    why = failures(rows, epsilon)
    return "\n\n".join(part for part in [*parts, why] if part)


def _mean_and_lost(rows: Sequence[Row]) -> str:
    """The mean over the variants, and how many have no error."""
    known = errors_of(rows)
    if not known:
        return told(rows)
    n_lost = sum(row["repeat"] > 0 for row in rows) - len(known)
    return f"{estimate(known).mean:.1f}" + (f" ({n_lost} failed)" if n_lost else "")


def _about_dream4(rows: Sequence[Row]) -> str:
    first = rows[0]
    above = {
        threshold: estimate(
            r["pairs_above"]
            for r in rows
            if r.get("threshold") == threshold and r["method"] == "sort_ranking"
        ).mean
        for threshold in ("paper", "own")
    }
    n = first["n_variables"]
    more = {
        "pairs_above": f"{above['paper']:.0f}",
        "own_above": f"{above['own']:.0f}",
        "n_pairs": n * (n - 1),
        "n_rows": first["n_control"] + first["n_targets"] * first["n_per_target"],
    }
    return DREAM4.format(**first | more)
