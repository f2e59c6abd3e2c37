"""The page of `strength`: shares of pairs above the threshold, by what is varied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from .claims import Claim, Verdict
from .grid import TITLES
from .pages import figure, table
from .screens import DOMAINS, N_PER_TARGET
from .shares import (
    CHILDREN,
    FURTHER,
    LENGTHS,
    NAMES,
    NO_PATH,
    VARIANTS,
    Curve,
    draw_shares,
    percent,
    share,
    share_of,
    variant,
)
from .statistics import Estimate, estimate
from .store import Row
from .strength import D

THRESHOLDS = {"epsilon": "the paper's ε", "own": "the data's own threshold"}
GROUPS: dict[str, Sequence[str]] = {
    "children": CHILDREN,
    "further descendants": FURTHER,
    "no path": (NO_PATH,),
}
VISIBLE = (0.5, 0.8)
"""Shares of the descendants for which the least sufficient strength is looked up."""
PAPER_INTERVENTION = {
    "linear": "each row its own value, ±U(1, 5)",
    "rff": "each row its own value, ±U(1, 5)",
    "nn": "each row its own value, N(2, 1)",
    "gene_regulation": "knock-out",
}
KNOCKED_DOWN = ("gene_regulation", "wild_type")


def write(rows: list[Row], folder: Path) -> str:
    """What it says, then strength, rows, path length and number of variables."""
    found = claim(rows)
    parts = [INTRODUCTION, f"**{found.verdict}**: {found.measured} {found.why}"]
    parts += ["## Strength of the intervention", *_varied(rows, "strength", folder)]
    parts += ["## Rows per target", *_varied(rows, "rows", folder)]
    parts += ["## Length of the path", *_path_length(rows, folder)]
    parts += ["## Number of variables", *_number_of_variables(rows, folder)]
    return "\n\n".join(parts)


INTRODUCTION = (
    "The paper closes by saying that its framework lends itself to studying how strong "
    "interventions must be to lift the causal descendants above a significant threshold, and "
    "leaves that open. Measured: the share of descendants, and of pairs without a path, whose "
    "distance lies above the paper's ε (0.3, gene regulation 0.5) and above the data's own "
    "threshold (`null_threshold`: mean plus 4 sd of draws from the control rows, as large as the "
    "target's sample). One thing is varied at a time; what is not varied is the paper's: 30 "
    "variables, five datasets with one edge per variable and five with two, 5,000 control rows, "
    "100 rows per target, every variable intervened on, its interventions ("
    + "; ".join(f"{TITLES[domain]}: {PAPER_INTERVENTION[domain]}" for domain in DOMAINS)
    + "). Strength in the first three domains is the distance of the value that is set from the "
    "control mean, in control sds, its sign at random; 0 sets the mean itself, which takes away "
    "spread and nothing else. In gene regulation it is the share of the production rate that is "
    "taken away; 0 does nothing, and is the negative control. The data's own threshold knows the "
    "error of the target's rows only: it lets more pass where these come near the number of "
    "control rows, and in gene regulation, where the cells of a simulation are not independent. "
    "Shares are means over datasets with 95 % intervals. Children are joined by an edge; the "
    "length of a path is that of the shortest."
)


def place_of(row: Row) -> float:
    """The value of what is varied in a row."""
    if row["varied"] == "rows":
        return float(row.get("n_per_target", N_PER_TARGET))
    return float(row[row["varied"]])


def part_of(rows: Sequence[Row], domain: str, varied: str) -> dict[float, list[Row]]:
    """The rows of a domain or variant in which one thing was varied, by its value."""
    here = [row for row in rows if variant(row) == domain and row["varied"] == varied]
    return {x: [r for r in here if place_of(r) == x] for x in sorted(map(place_of, here))}


def _varied(rows: list[Row], varied: str, folder: Path) -> list[str]:
    parts = []
    for domain in VARIANTS:
        here = part_of(rows, domain, varied)
        if here:
            parts += [_picture(domain, varied, here, folder), _table(varied, here)]
    return parts


def _picture(domain: str, varied: str, here: dict[float, list[Row]], folder: Path) -> str:
    places = {x: float(k) for k, x in enumerate(here)}
    labels = {places[x]: _called(x, domain, varied) for x in here}
    curves: dict[tuple[str, str], Curve] = {
        (group, shown): [(places[x], share_of(part, by, names)) for x, part in here.items()]
        for by, shown in THRESHOLDS.items()
        for group, names in GROUPS.items()
    }
    name = draw_shares(
        folder / f"strength_{varied}_{domain}.svg",
        curves,
        x_label=_axis(domain, varied),
        labels=labels,
    )
    caption = f"{VARIANTS[domain]}: share of pairs above the threshold by {_axis(domain, varied)}."
    return figure(name, caption)


def _called(x: float, domain: str, varied: str) -> str:
    if varied == "strength" and domain in KNOCKED_DOWN:
        return f"{x:.0%}"
    return f"{x:,g}" if x < 1000 else f"{x:,.0f}"


def _axis(domain: str, varied: str) -> str:
    if varied == "rows":
        return "rows per target"
    if domain in KNOCKED_DOWN:
        return "share of the production taken away"
    return "distance of the value set from the control mean (sd)"


def _table(varied: str, here: dict[float, list[Row]]) -> str:
    header = [
        varied,
        *[f"{group}, {'ε' if by == 'epsilon' else by}" for by in THRESHOLDS for group in GROUPS],
    ]
    lines = [
        [
            f"{x:g}",
            *[percent(share_of(part, by, GROUPS[group])) for by in THRESHOLDS for group in GROUPS],
        ]
        for x, part in here.items()
    ]
    return table(header, lines)


def _path_length(rows: list[Row], folder: Path) -> list[str]:
    """At the paper's setting: one curve a domain, and one table."""
    curves: dict[tuple[str, str], Curve] = {}
    lines = []
    for domain in VARIANTS:
        here = part_of(rows, domain, "d")
        if not here:
            continue
        part = here[D if D in here else min(here)]
        for by, shown in THRESHOLDS.items():
            found = {name: share_of(part, by, (name,)) for name in (*LENGTHS, NO_PATH)}
            lines.append([VARIANTS[domain], shown, *[percent(value) for value in found.values()]])
            if by == "epsilon":
                curves[VARIANTS[domain], ""] = [(float(name), found[name]) for name in LENGTHS]
    labels = {float(name): name for name in LENGTHS[:-1]} | {float(LENGTHS[-1]): "4 and more"}
    name = draw_shares(
        folder / "strength_path_length.svg", curves,
        x_label="edges on the shortest path", labels=labels,
    )  # fmt: skip
    caption = "Share of descendants above ε by the length of the path, the paper's setting."
    header = ["domain", "threshold", *NAMES.values(), "no path"]
    return [figure(name, caption), table(header, lines)]


def _number_of_variables(rows: list[Row], folder: Path) -> list[str]:
    curves: dict[tuple[str, str], Curve] = {}
    lines = []
    sizes: set[float] = set()
    for domain in DOMAINS:
        here = part_of(rows, domain, "d")
        sizes |= set(here)
        for label, groups in (("descendants", LENGTHS), ("no path", (NO_PATH,))):
            found = {d: share_of(part, "epsilon", groups) for d, part in here.items()}
            curves[VARIANTS[domain], label] = list(found.items())
        for d, part in here.items():
            shown = [percent(share_of(part, "epsilon", GROUPS[group])) for group in GROUPS]
            lines.append(
                [VARIANTS[domain], f"{d:g}", percent(share_of(part, "epsilon", LENGTHS)), *shown]
            )
    name = draw_shares(
        folder / "strength_d.svg", curves, x_label="number of variables", log_x=True,
        labels={d: f"{d:g}" for d in sorted(sizes)},
    )  # fmt: skip
    caption = "Share of pairs above the paper's ε by the number of variables; dashed: no path."
    header = ["domain", "variables", "all descendants", *GROUPS]
    return [figure(name, caption), table(header, lines)]


def least_strength(
    here: Mapping[float, Sequence[Row]], enough: float, groups: Sequence[str]
) -> float | None:
    """The least strength tried at which that share of the pairs lies above the paper's ε."""
    for x, part in here.items():
        if x > 0 and share_of(part, "epsilon", groups).mean >= enough:
            return x
    return None


def rise(here: Mapping[float, Sequence[Row]]) -> Estimate:
    """Share of descendants above ε at the strongest less that at the weakest, by dataset."""

    def shares(part: Sequence[Row]) -> dict[tuple[int, int], float]:
        found = {(row["edges"], row["repetition"]): share(row, "epsilon", LENGTHS) for row in part}
        return {key: value for key, value in found.items() if value is not None}

    weak, strong = shares(here[min(here)]), shares(here[max(here)])
    return estimate(strong[key] - weak[key] for key in strong if key in weak)


def claim(rows: list[Row]) -> Claim:
    """Does a stronger intervention reveal more in every domain, and how strong must it be?"""
    parts = {domain: part_of(rows, domain, "strength") for domain in DOMAINS}
    parts = {domain: here for domain, here in parts.items() if here}
    rises = {domain: rise(here) for domain, here in parts.items()}
    n_up = sum(found.significant and found.low > 0 for found in rises.values())
    n_open = sum(not found.significant for found in rises.values())
    verdict: Verdict = "holds partly" if n_up else "does not hold"
    if n_up == len(rises):
        verdict = "holds"
    elif not n_up and n_open:
        verdict = "not decided"
    return Claim(
        "Discussion",
        "The framework lends itself to studying the strength of intervention that lifts the "
        "descendants above a significant threshold.",
        f"The share of descendants above ε rises with the strength in {n_up} of {len(rises)} "
        "domains. Least strength tried at which half of the children and half of all descendants, "
        "then 80 % of each, lie above ε: "
        + "; ".join(_needed(domain, here) for domain, here in parts.items())
        + ".",
        verdict,
        f"{_knock_downs(rows)} See [the strength that an intervention needs](strength.md).",
    )


def _needed(domain: str, here: Mapping[float, Sequence[Row]]) -> str:
    """What it takes for half of the children and of all descendants, and for most of them."""
    found = []
    for enough in VISIBLE:
        for names in (CHILDREN, LENGTHS):
            least = least_strength(here, enough, names)
            found.append("never" if least is None else _called(least, domain, "strength"))
    unit = "taken away" if domain in KNOCKED_DOWN else "sd"
    return f"{VARIANTS[domain]} {', '.join(found)} ({unit})"


def _knock_downs(rows: list[Row]) -> str:
    """What the two half responses make of a knock-down and of a knock-out."""
    shown = []
    for domain in KNOCKED_DOWN:
        here = part_of(rows, domain, "strength")
        if len(here) > 1:
            down, out = sorted(here)[-2:]
            shares = [share_of(here[x], "epsilon", CHILDREN).mean for x in (down, out)]
            shown.append(
                f"{shares[0]:.0%} of the children at {_called(down, domain, 'strength')} and "
                f"{shares[1]:.0%} at the knock-out ({VARIANTS[domain]})"
            )
    return (
        "The public simulator takes a regulator's half response from each simulation anew, so that "
        "a knock-down cancels out and a knock-out does not: above ε are " + ", ".join(shown) + "."
    )
