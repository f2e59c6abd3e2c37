"""The paper's grid: four domains, four fractions, ten datasets each; what several figures share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from .figures import draw_violins
from .pages import figure, table
from .rivals import paper_score, run_rival
from .screens import DOMAINS, FRACTIONS, Drawn, Screen, draw, repetitions, screen_of
from .statistics import FEWEST, Estimate, by, estimate, paired_difference, verdict
from .store import Row
from .task import CPU_SECONDS, Task, seed_of

TITLES = {
    "linear": "Linear",
    "rff": "Random Fourier features",
    "nn": "Neural network",
    "gene_regulation": "Gene regulation",
}
DATASET = ("domain", "d", "edges", "repetition", "fraction")
"""Columns that name a dataset and the share of its variables that is intervened on."""
ON = tuple(key for key in DATASET if key != "fraction")
"""Columns that name a dataset."""
SMOKE_D = 6
PAPER = ("ease", "pc", "dcdi", "gies", "intersort_paper", "intersort")
"""The violins of the paper's figure from left to right, and what this package does by default."""
FEWEST_OF_PAPER = 4


def screens_of(d: int, size: str, domains: Sequence[str] = DOMAINS, **more: Any) -> list[Screen]:
    """The paper's datasets; for a smoke test one small one a domain."""
    if size == "full":
        return [screen for domain in domains for screen in repetitions(domain, d, **more)]
    small = {"n_control": 300, "n_per_target": 30}
    return [Screen(domain, SMOKE_D, 1, 0, **(more | small)) for domain in domains]


def grid_tasks(
    experiment: str,
    screens: Iterable[Screen],
    methods: Sequence[str],
    fractions: Sequence[float] = FRACTIONS,
    cpu_seconds: float = CPU_SECONDS,
) -> list[Task]:
    """Every method on every fraction of every screen; a screen is a chunk."""
    return [
        Task(
            experiment,
            screen.cell | {"fraction": fraction, "method": method},
            chunk="/".join(f"{key}={value}" for key, value in screen.cell.items()),
            cpu_seconds=cpu_seconds,
        )
        for screen in screens
        for method in methods
        for fraction in fractions
    ]


def solve_grid(task: Task, **settings: Any) -> Row:
    """Draw the screen, run the method on its share of the targets, judge its orders."""
    cell = dict(task.cell)
    screen = screen_of(cell)
    drawn = draw(screen)
    data = drawn.take(drawn.choose(cell["fraction"]))
    row = run_rival(
        cell["method"],
        data,
        drawn.adjacency,
        domain=screen.domain,
        seed=seed_of(screen.seed, cell["method"], cell["fraction"]),
        cpu_seconds=task.cpu_seconds,
        score=paper_score(data, screen.domain),
        **settings,
    )
    return row | about(screen, drawn)


def about(screen: Screen, drawn: Drawn) -> Row:
    """What a row says of its dataset."""
    return {
        "seed": screen.seed,
        "noise_drawn": drawn.population.description.split(", ")[-1],
    }


def errors(rows: Iterable[Row]) -> list[float]:
    """D_top of the rows that have one."""
    return [row["d_top"] for row in rows if row.get("d_top") is not None]


def reasons(rows: Iterable[Row]) -> list[str]:
    """Why each of the rows that have no D_top has none."""
    return [row["status"].partition(":")[0] for row in rows if row.get("d_top") is None]


def over_fractions(rows: Sequence[Row], fractions: Sequence[float]) -> list[Row]:
    """One method's rows, each dataset once: its mean D_top over the fractions.

    The fractions of a dataset share its graph and its rows, so that they are one observation. A
    dataset that lacks one of them has no mean, as the others would not be like those elsewhere.
    """
    found = []
    for part in by(rows, *ON).values():
        known = {row["fraction"]: row for row in part}
        if len(known) < len(part):
            raise ValueError("a dataset has two rows of one fraction")
        values = errors(known[f] for f in fractions if f in known)
        row = {k: v for k, v in part[0].items() if k not in ("fraction", "d_top", "status")}
        if len(values) == len(fractions):
            row |= {"d_top": sum(values) / len(values), "status": "ok"}
        else:
            row["status"] = (reasons(part) or ["not run"])[0]
        found.append(row)
    return found


def violins_of(rows: Sequence[Row], path: Path, methods: Sequence[str]) -> str:
    """The paper's picture of one domain: fraction along x, a violin a method."""
    groups: dict[str, dict[str, list[float]]] = {}
    missing = {}
    for (fraction,), part in sorted(by(rows, "fraction").items()):
        name = f"{fraction:.0%}"
        found = by(part, "method")
        groups[name] = {m: errors(found.get((m,), [])) for m in methods}
        for method in methods:
            why = reasons(found.get((method,), []))
            if why and not groups[name][method]:
                missing[name, method] = ", ".join(dict.fromkeys(why))
    return draw_violins(path, groups, x_label="variables intervened on", missing=missing)


def pictures_of(name: str, rows: Sequence[Row], folder: Path, methods: Sequence[str]) -> list[str]:
    """One domain: the paper's methods in the paper's order, and where there are more, all."""
    domain, d = rows[0]["domain"], rows[0]["d"]
    n = len({(row["edges"], row["repetition"]) for row in rows})
    caption = (
        f"{TITLES[domain]}, {d} variables: D_top by the share of variables intervened on, "
        f"{n} datasets; a dot is the mean, a line goes from least to most."
    )
    if reasons(rows):
        caption += " Methods that failed or ran out of time are drawn from the datasets left."
    paper = [method for method in PAPER if method in methods]
    path = folder / f"{name}_{domain}.svg"
    if len(paper) < FEWEST_OF_PAPER:
        return [figure(violins_of(rows, path, methods), caption)]
    found = [figure(violins_of(rows, path, paper), f"The paper's methods and ours. {caption}")]
    if len(methods) > len(paper):
        path = folder / f"{name}_{domain}_all.svg"
        found.append(figure(violins_of(rows, path, methods), f"All methods. {caption}"))
    return found


def table_of_means(rows: Sequence[Row], methods: Sequence[str], fractions: Sequence[float]) -> str:
    """Mean D_top and its interval, a method a row, a fraction a column."""
    n, lines = n_datasets(rows), []
    for method in methods:
        line = [method]
        for fraction in fractions:
            here = [r for r in rows if r["method"] == method and r["fraction"] == fraction]
            line.append(cell_of(here, n))
        lines.append(line)
    return table(["method", *[f"{fraction:.0%}" for fraction in fractions]], lines)


def n_datasets(rows: Iterable[Row]) -> int:
    """How many datasets the rows speak of."""
    return len(by(rows, *ON))


def cell_of(rows: Sequence[Row], n: int = 0) -> str:
    """A mean with its interval, and why some of the n datasets are not counted."""
    known, why = errors(rows), reasons(rows)
    why += ["not run"] * (n - len(rows))
    text = str(estimate(known)) if known else ""
    lost = ", ".join(f"{why.count(reason)} {reason}" for reason in dict.fromkeys(why))
    return f"{text} ({lost})" if text and lost else text or lost or "not run"


def difference_of(
    first: Sequence[Row], second: Sequence[Row], on: Sequence[str] = DATASET, n: int = 0
) -> str:
    """First less second on what both have: ▼ the first is better, ▲ it is worse.

    Where fewer than n datasets have both, their number is said.
    """
    difference = paired_difference(first, second, on)
    mark = {"better": " **▼**", "worse": " **▲**"}.get(verdict(difference), "")
    return f"{with_n(difference, n)}{mark}"


def with_n(difference: Estimate, n: int) -> str:
    """An estimate as text, with its number of datasets where these are not all n."""
    few = FEWEST <= difference.n < n
    return f"{difference} (n = {difference.n})" if few else str(difference)


def table_of_differences(
    rows: Sequence[Row], ours: str, methods: Sequence[str], fractions: Sequence[float]
) -> str:
    """Our error less theirs on the same datasets; better and worse are marked."""
    n, lines = n_datasets(rows), []
    for method in methods:
        if method == ours:
            continue
        line = [method]
        for fraction in fractions:
            here = [row for row in rows if row["fraction"] == fraction]
            mine = [row for row in here if row["method"] == ours]
            theirs = [row for row in here if row["method"] == method]
            line.append(difference_of(mine, theirs, DATASET, n))
        lines.append(line)
    return table([f"{ours} less …", *[f"{fraction:.0%}" for fraction in fractions]], lines)


def report_grid(
    name: str, rows: Sequence[Row], folder: Path, methods: Sequence[str], ours: Sequence[str]
) -> str:
    """A section a domain: the paper's violins, means, and paired differences to each of ours."""
    parts = []
    there = [method for method in methods if any(row["method"] == method for row in rows)]
    for domain in DOMAINS:
        here = [row for row in rows if row["domain"] == domain]
        if not here:
            continue
        fractions = sorted({row["fraction"] for row in here})
        parts.append(f"## {TITLES[domain]}")
        parts += pictures_of(name, here, folder, there)
        parts.append("Mean D_top with its 95 % interval:")
        parts.append(table_of_means(here, there, fractions))
        for our in [our for our in ours if our in there and len(there) > 1]:
            parts.append(
                f"D_top of `{our}` less that of each other method, paired on the same datasets, "
                f"with 95 % intervals; ▼ `{our}` is better, ▲ worse, no mark where the interval "
                f"holds 0:"
            )
            parts.append(table_of_differences(here, our, there, fractions))
    return "\n\n".join(parts)
