"""Which variables to intervene on: those with the most children, any, or those with the fewest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from intersort.theory.bounds import repaired_theorem_2

from .claims import Claim, Verdict
from .figures import COLOURS, new_figure, save
from .oracle import METHODS, N_DRAWS, N_GRAPHS, draw_graph, draw_problem
from .oracle_pages import Series, average_draws, draw_points, values_of
from .pages import figure, table
from .statistics import Estimate, estimate, paired_difference
from .store import Row
from .task import Task

TITLE = "Which variables to intervene on"
D, COUNT, EDGES = 30, 10, (1, 2, 3)
POLICIES = {
    "most_children": "most children",
    "random": "at random",
    "fewest_children": "fewest children",
}
PAIRS = (
    ("most_children", "random"),
    ("fewest_children", "random"),
    ("most_children", "fewest_children"),
)
HUBS = {
    "out": "hubs have many children (edges from the old variable to the new)",
    "in": "hubs have many parents (edges from the new variable to the old)",
}
SERIES = (
    Series("intersort_paper", "d_top", "Intersort"),
    Series("intersort", "mean", "optimum, mean over equal ones"),
)
ON = ("edges", "graph")


def tasks(size: str) -> list[Task]:
    """Every policy on the same graphs, and both directions of these."""
    full = size == "full"
    n_graphs, n_draws = (N_GRAPHS, N_DRAWS) if full else (3, 1)
    cells = product(HUBS, EDGES, range(n_graphs), POLICIES, range(n_draws), SERIES)
    return [
        Task(
            "selection",
            {
                "d": D if full else 22,
                "count": COUNT if full else 7,
                "hubs": hubs,
                "edges": edges,
                "graph": graph,
                "policy": policy,
                "draw": draw,
                "method": series.method,
            },
            chunk=f"{hubs}/{edges}",
        )
        for hubs, edges, graph, policy, draw, series in cells
    ]


def solve(task: Task) -> dict[str, Any]:
    """One method on one design, and how many edges the design leaves open."""
    cell = dict(task.cell)
    problem = draw_problem(cell)
    row = METHODS[cell["method"]](problem)
    chosen = np.isin(np.arange(cell["d"]), problem.effects.intervened)
    left_open = repaired_theorem_2(problem.adjacency, chosen.astype(np.float64))
    return row | {"open": int(left_open), "seed": draw_graph(cell).seed}


def report(rows: list[Row], folder: Path) -> str:
    """The page."""
    averaged = average_draws(rows)
    parts = [_introduction(rows)]
    parts.append(
        "\n".join(f"- {c.says} **{c.verdict.capitalize()}**: {c.measured}" for c in claims(rows))
    )
    for hubs, text in HUBS.items():
        here = [row for row in averaged if row["hubs"] == hubs]
        parts += [f"## {text[0].upper()}{text[1:]}", *_section(here, hubs, text, folder)]
    return "\n\n".join(parts)


def _introduction(rows: Sequence[Row]) -> str:
    d, count = rows[0]["d"], rows[0]["count"]
    n_graphs = len({row["graph"] for row in rows})
    n_draws = len({row["draw"] for row in rows})
    solved = [row for row in rows if row["method"] == "intersort"]
    proven = sum(row["proven"] for row in solved)
    return (
        "The paper intervenes on ten of thirty variables of scale-free graphs (its caption says "
        "30 %; it is a third): those with the most children, random ones, or those with the "
        "fewest. It concludes that connectivity may guide the choice.\n\n"
        f"Here {count} of {d} variables are chosen ({count / d:.0%}), distances are an oracle's "
        "(1 from a target to each descendant, 0 elsewhere; ε 0.3, c 0.5), and ties between "
        f"variables are broken at random. {n_graphs} graphs for each number of edges per variable, "
        f"{n_draws} draws in each; all policies meet the same graphs, and the second direction is "
        "the same graph turned round. The paper does not say which direction it took: with edges "
        "from new to old variables, all but the first few have the same number of children, and "
        "a policy that counts them has nothing to go by. The unit of every interval is the graph. "
        f"`find_order` (effort low) proved its order best in {proven:,} of {len(solved):,} designs."
    )


def _section(rows: Sequence[Row], hubs: str, text: str, folder: Path) -> list[str]:
    name = f"selection_{hubs}.svg"
    _draw(folder / name, rows)
    caption = (
        f"D_top of Intersort by policy, scale-free graphs, {text}. Bars are 95 % intervals over "
        "graphs."
    )
    means = [
        [
            f"{edges}",
            words,
            *[str(estimate(values_of(_of(rows, edges, policy), s.method, s.column)))
              for s in SERIES],
            f"{np.mean([row['open'] for row in _of(rows, edges, policy)]):.2f}",
        ]
        for edges in EDGES
        for policy, words in POLICIES.items()
    ]  # fmt: skip
    gaps = [
        [f"{edges}", f"{POLICIES[first]} less {POLICIES[second]}"]
        + [_bold(difference(rows, edges, first, second, s)) for s in SERIES]
        for edges in EDGES
        for first, second in PAIRS
    ]
    names = [s.name for s in SERIES]
    what = (
        "Mean D_top, and the edges of which neither end nor a variable on a path between them is a "
        "target; no optimum reverses more edges than these:"
    )
    return [
        figure(name, caption),
        what,
        table(["edges per variable", "targets", *names, "edges left open"], means),
        "Paired differences on the same graphs; bold where the interval leaves 0 out:",
        table(["edges per variable", "policies", *names], gaps),
    ]


def _of(rows: Sequence[Row], edges: int, policy: str) -> list[Row]:
    return [row for row in rows if row["edges"] == edges and row["policy"] == policy]


def difference(
    rows: Sequence[Row], edges: int, first: str, second: str, series: Series
) -> Estimate:
    """D_top under the first policy less that under the second, graph by graph."""
    left, right = (
        [r for r in _of(rows, edges, policy) if r["method"] == series.method]
        for policy in (first, second)
    )
    return paired_difference(left, right, ON, series.column)


def _bold(estimated: Estimate) -> str:
    return f"**{estimated}**" if estimated.significant else str(estimated)


def _draw(path: Path, rows: Sequence[Row]) -> None:
    made, axes = new_figure()
    place = np.arange(len(EDGES))
    for k, (policy, name) in enumerate(POLICIES.items()):
        points = [
            estimate(values_of(_of(rows, edges, policy), SERIES[0].method, SERIES[0].column))
            for edges in EDGES
        ]
        draw_points(axes, place + 0.15 * (k - 1), points, COLOURS[k], name)
    axes.set_xticks(place, [str(edges) for edges in EDGES])
    axes.set_xlabel("edges per variable")
    axes.set_ylabel("D_top (lower is better)")
    axes.set_ylim(bottom=0)
    axes.set_xlim(-0.5, len(EDGES) - 0.5)
    made.legend(title="targets", loc="outside right upper", frameon=False, fontsize=8)
    save(made, path)


def claims(rows: list[Row]) -> list[Claim]:
    """Whether the number of children tells which variables to intervene on."""
    averaged = average_draws(rows)
    found = []
    for hubs, text in HUBS.items():
        here = [row for row in averaged if row["hubs"] == hubs]
        each = [difference(here, m, "most_children", "random", SERIES[0]) for m in EDGES]
        worst = [difference(here, m, "fewest_children", "random", SERIES[0]) for m in EDGES]
        by_edges = ", ".join(f"{e} at {m}" for m, e in zip(EDGES, each, strict=True))
        opposite = ", ".join(f"{e} at {m}" for m, e in zip(EDGES, worst, strict=True))
        found.append(
            Claim(
                where="Appendix, intervention selection",
                says="Intervening on the variables with the most children gives a lower error than "
                f"intervening at random; {text}.",
                measured=f"D_top less that of random targets, by edges per variable: {by_edges}; "
                f"for the fewest children {opposite}.",
                verdict=_verdict(each),
                why="paired on the same graphs; the caption does not give the direction of the "
                "graph. With edges from new to old variables the numbers of children are all but "
                "equal.",
            )
        )
    return found


def _verdict(differences: Sequence[Estimate]) -> Verdict:
    lower = [e.significant and e.high < 0 for e in differences]
    higher = [e.significant and e.low > 0 for e in differences]
    if all(lower):
        return "holds"
    if any(higher):
        return "holds partly" if any(lower) else "does not hold"
    return "holds partly" if any(lower) else "not decided"
