"""`intersort order`: from a table of rows, or from distances, to a causal order."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._methods import METHODS
from .._validation import InputError, shown
from . import options

if TYPE_CHECKING:
    import pandas as pd

    from ..estimator import Intersort
    from ..orders.knowledge import Knowledge

MANY_ABOVE = 0.5
"""Share of pairs above the threshold from which on the reader is told."""

EXAMPLES = """\
examples:
  intersort order screen.csv --targets target
  intersort order screen.csv --targets target --control NT --control safe --out result
  intersort order sachs.csv --targets intervention --control "" --ignore experiment \\
      --transform log --method paper --epsilon 1.5
  intersort order --from-effects distances/effects.csv --epsilon 0.3 --json

files in DIR:
  order.csv     rank, variable and the evidence on it; first causes first
  effects.csv   how far each intervention moves each variable
  result.json   order, score, bound, settings, versions, warnings
"""


def add_verb(verbs: Any) -> None:
    """Add the verb to the command."""
    parser = verbs.add_parser(
        "order",
        help="find the causal order",
        description="Find the causal order of the variables of a table, causes first.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_reading(parser, or_effects=True)
    options.add_measuring(parser)
    group = parser.add_argument_group("searching")
    group.add_argument(
        "--method", choices=METHODS, default="default", help="how to search (default: default)"
    )
    group.add_argument(
        "--epsilon",
        metavar="E",
        type=float,
        help="distance above which a variable counts as moved (default: from the data; "
        "0.3 for --method paper)",
    )
    group.add_argument(
        "--c", metavar="C", type=float, default=0.5, help="weight of the bonus (default: 0.5)"
    )
    group.add_argument(
        "--depth", metavar="K", type=int, default=1, help="moves combined in one step (default: 1)"
    )
    _add_limits(group)
    options.add_writing(parser)
    options.add_common(parser, seed=True)
    parser.set_defaults(run=run)


def _add_limits(group: argparse._ArgumentGroup) -> None:
    """Add what says how long to search and what is known already."""
    group.add_argument(
        "--time-limit",
        metavar="SECONDS",
        type=float,
        help="of search and certificate (default: a fixed amount of work)",
    )
    group.add_argument(
        "--effort",
        choices=("low", "normal", "high"),
        default="normal",
        help="how much work to do (default: normal)",
    )
    group.add_argument(
        "--no-certify", action="store_true", help="do not look for a bound on the score"
    )
    group.add_argument(
        "--knowledge",
        metavar="FILE",
        type=Path,
        help="what is known: .csv with columns before, after, or .json with before, tiers, "
        "first, last",
    )


def run(arguments: argparse.Namespace, warnings: list[str]) -> bool:
    """Find the order, then write and print it; True if the search was interrupted."""
    from ..writers import check_folder, order_table, result_document, to_json

    effects_name = f"effects.{arguments.format}"
    if arguments.out is not None:
        names = ["order.csv", "effects.csv", "effects.parquet", "result.json"]
        check_folder(arguments.out, names, force=arguments.force)
    model, source = _fit(arguments)
    table = order_table(model.result_, model.effects_, model.epsilon_)
    document = result_document(model, source, warnings)
    _describe_reading(arguments, document["parameters"])
    if arguments.out is not None:
        _write(arguments, model, table, document)
    if arguments.json:
        print(to_json(document))
    elif arguments.out is None or not arguments.quiet:
        print(_shown(model, table))
        if arguments.out is not None:
            print(
                f"written to {shown(arguments.out, 1000)}: order.csv, {effects_name}, result.json"
            )
    return model.result_.interrupted


def _describe_reading(arguments: argparse.Namespace, parameters: dict[str, Any]) -> None:
    """Add how the table was read; distances that were read have no such settings."""
    if arguments.from_effects is not None:
        for name in ("control", "missing"):
            del parameters[name]
        return
    for name in ("targets", "ignore", "separator", "layer", "transform"):
        parameters[name] = getattr(arguments, name)


def _fit(arguments: argparse.Namespace) -> tuple[Intersort, Path]:
    """Fit the estimator that the options describe; name the file it started from."""
    if arguments.from_effects is not None and arguments.file is not None:
        raise InputError("Give either FILE or --from-effects, not both.")
    if arguments.from_effects is not None:
        options.refuse_reading(arguments)
    data = None if arguments.from_effects is not None else options.read_input(arguments)

    from ..estimator import Intersort

    model = Intersort(
        method=arguments.method,
        epsilon=arguments.epsilon,
        c=arguments.c,
        depth=arguments.depth,
        distance=arguments.distance,
        control=options.control_labels(arguments),
        missing=arguments.missing,
        n_jobs=arguments.n_jobs,
        random_state=arguments.seed,
        knowledge=_read_knowledge(arguments.knowledge),
        time_limit=arguments.time_limit,
        effort=arguments.effort,
        certify=not arguments.no_certify,
    )
    if data is not None:
        return model.fit_data(data), arguments.file
    from ..effects.files import read_effects

    return model.fit_effects(read_effects(arguments.from_effects)), arguments.from_effects


def _read_knowledge(path: Path | None) -> Knowledge | None:
    if path is None:
        return None
    from ..orders.knowledge_files import read_knowledge

    return read_knowledge(path)


def _write(
    arguments: argparse.Namespace,
    model: Intersort,
    table: pd.DataFrame,
    document: dict[str, Any],
) -> None:
    from ..effects.files import write_effects
    from ..writers import write_files, write_json

    write_files(
        arguments.out,
        {
            "order.csv": lambda path: table.to_csv(path, index=False, lineterminator="\n"),
            f"effects.{arguments.format}": lambda path: write_effects(model.effects_, path),
            "result.json": write_json(document),
        },
        force=arguments.force,
        replaced=options.other_formats(arguments),
    )


def _shown(model: Intersort, table: pd.DataFrame) -> str:
    """The order as a person reads it."""
    result = model.result_
    proof = "proven optimal"
    if not result.is_optimal:
        proof = f"at most {result.upper_bound:.6g}, gap {100 * result.gap:.2g} %"
    if result.interrupted:
        proof += "; interrupted"
    n_intervened = int(table["intervened"].sum())
    lines = [
        f"causal order of {len(table)} variables, {n_intervened} intervened on, causes first",
        f"score {result.score:.6g} ({proof}), found by {result.method}",
        "",
        table.to_string(index=False),
    ]
    unknown = table.loc[~table["determined"], "variable"]
    if len(unknown):
        lines += ["", f"not determined: {len(unknown)} (no effect above the threshold, out or in)"]
    n_above = int(table["pairs_out"].sum())
    n_pairs = n_intervened * (len(table) - 1)
    if n_above > MANY_ABOVE * n_pairs:
        lines += [
            "",
            f"{n_above} of {n_pairs} pairs exceed the threshold: with this many rows even small",
            "differences between experiments show. Give --epsilon to ask for larger effects.",
        ]
    return "\n".join(lines)
