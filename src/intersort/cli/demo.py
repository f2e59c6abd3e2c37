"""`intersort demo`: a small simulated screen, ordered the way a user's own file would be."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._typing import BoolArray, IntArray
from .._validation import shown
from . import options

if TYPE_CHECKING:
    import pandas as pd

N_VARIABLES, SHARE_INTERVENED, EDGES_PER_VARIABLE = 20, 0.75, 1.5
N_CONTROL, N_PER_TARGET = 1000, 100


def add_verb(verbs: Any) -> None:
    """Add the verb to the command."""
    parser = verbs.add_parser(
        "demo",
        help="simulate a small screen and order it",
        description="Simulate a screen of 20 variables, three quarters of them intervened on, "
        "write it as a CSV file, find its order through the command line, and compare with the "
        "truth.",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        help="keep the table and the results here (default: a temporary folder)",
    )
    parser.add_argument("--force", action="store_true", help="replace what is in DIR")
    options.add_common(parser, seed=True)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, warnings: list[str]) -> None:
    """Simulate, order, compare."""
    if arguments.out is not None:
        _demonstrate(arguments, arguments.out)
    else:
        with tempfile.TemporaryDirectory(prefix="intersort-demo-") as folder:
            _demonstrate(arguments, Path(folder))


def _demonstrate(arguments: argparse.Namespace, folder: Path) -> None:
    import pandas as pd

    from ..metrics import d_top
    from ..writers import to_json, write_files

    adjacency, names, screen = _simulate(arguments.seed)
    files = {"screen.csv": lambda path: screen.to_csv(path, index=False, lineterminator="\n")}
    write_files(folder, files, force=arguments.force)
    words = ["order", str(folder / "screen.csv"), "--targets", "target", "--out", str(folder)]
    words += ["--force"] if arguments.force else []
    _run_order([*words, "--seed", str(arguments.seed)])
    table = pd.read_csv(folder / "order.csv")
    order = np.array([names.index(name) for name in table["variable"]])
    errors = d_top(adjacency, order)
    if arguments.json:
        print(to_json({"order": list(table["variable"]), "d_top": errors} | _bounds(adjacency)))
    else:
        print(_side_by_side(table, order, adjacency, names))
        parameters = json.loads((folder / "result.json").read_text(encoding="utf-8"))["parameters"]
        print(_verdict(adjacency, errors, parameters))
        print(_what_next(folder if arguments.out is not None else None))


def _simulate(seed: int) -> tuple[BoolArray, list[str], pd.DataFrame]:
    """Draw a graph, its linear mechanisms and a screen, as a table with a column `target`."""
    import pandas as pd

    from ..simulate import choose_targets, random_graph, random_population

    rng = np.random.default_rng(seed)
    adjacency = random_graph(N_VARIABLES, edges_per_variable=EDGES_PER_VARIABLE, rng=rng)
    targets = choose_targets(adjacency, fraction=SHARE_INTERVENED, rng=rng)
    population = random_population(adjacency, "linear", noise="gaussian", rng=rng)
    values, rows = population.screen(N_CONTROL, N_PER_TARGET, targets, rng=rng)
    names = [f"g{column + 1:02d}" for column in range(N_VARIABLES)]
    screen = pd.DataFrame(values, columns=names)
    screen.insert(0, "target", [names[row] if row >= 0 else "control" for row in rows])
    return adjacency, names, screen


def _run_order(words: list[str]) -> None:
    """Call the command line as a user would; its own print is not shown."""
    from .main import main

    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = main(words)
    if status != 0:
        raise SystemExit(status)  # the command has said why


def _side_by_side(
    table: pd.DataFrame, order: IntArray, adjacency: BoolArray, names: list[str]
) -> str:
    """The found order, with the true causes of each variable; those it misplaces in brackets."""
    rank = np.argsort(order)
    lines = [
        (
            f"a simulated screen: {len(order)} variables, {int(table['intervened'].sum())} "
            f"intervened on, {int(np.count_nonzero(adjacency))} true edges"
        ),
        "",
        "rank  found  intervened  determined  true causes (in brackets: placed after their effect)",
    ]
    for row, column in zip(table.itertuples(), order, strict=True):
        causes = [
            names[cause] if rank[cause] < rank[column] else f"[{names[cause]}]"
            for cause in np.flatnonzero(adjacency[:, column])
        ]
        lines.append(
            f"{row.rank:4d}  {row.variable:5}  {_yes(row.intervened):10}  "
            f"{_yes(row.determined):10}  {' '.join(causes) or '–'}"
        )
    return "\n".join(lines)


def _yes(value: object) -> str:
    return "yes" if value else "no"


def _bounds(adjacency: BoolArray) -> dict[str, float]:
    """What the repaired theory expects at most, and what a random order gives on average."""
    from ..theory.bounds import repaired_theorem_2, repaired_theorem_3

    return {
        "bound_every_path_shows": repaired_theorem_2(adjacency, SHARE_INTERVENED),
        "bound_only_children_show": repaired_theorem_3(adjacency, SHARE_INTERVENED),
        "random_order": float(np.count_nonzero(adjacency)) / 2,
    }


def _verdict(adjacency: BoolArray, errors: int, parameters: dict[str, Any]) -> str:
    from ..theory.conditions import smallest_c

    bounds = _bounds(adjacency)
    epsilon, used = parameters["epsilon_used"]["most"], parameters["c_used"]
    asked = [smallest_c(epsilon, len(adjacency), reach=r) for r in ("descendants", "children")]
    return f"""
edges that point backwards (D_top):
  {errors:5d}  in the order found
  {bounds["random_order"]:5.1f}  in a random order, on average
  {bounds["bound_every_path_shows"]:5.1f}  at most in expectation, if every path shows in the data
  {bounds["bound_only_children_show"]:5.1f}  at most in expectation, if only direct effects show
(the two bounds are averages over which variables are intervened on, not promises; they ask for a
bonus c of at least {asked[0]:.2f} and {asked[1]:.2f}, and the score took {used:.2f})"""


def _what_next(folder: Path | None) -> str:
    kept = f"\nthe table and the results are in {shown(folder, 1000)}" if folder is not None else ""
    return (
        f"{kept}\non your own file, with a column that names what was intervened on in each row:\n"
        "  intersort check your-table.csv --targets COLUMN --control LABEL\n"
        "  intersort order your-table.csv --targets COLUMN --control LABEL --out result"
    )
