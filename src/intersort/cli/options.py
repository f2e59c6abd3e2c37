"""The options that several verbs share, and how they become arguments."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._validation import InputError

if TYPE_CHECKING:
    from ..data import InterventionalData


def add_reading(parser: argparse.ArgumentParser, *, or_effects: bool = False) -> None:
    """Add the options that say how a file is read."""
    group = parser.add_argument_group("reading")
    group.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        nargs="?" if or_effects else None,
        help="table of rows: .csv, .tsv (also .gz), .parquet or .h5ad",
    )
    if or_effects:
        group.add_argument(
            "--from-effects",
            metavar="FILE",
            type=Path,
            help="start at distances that `intersort effects` wrote, instead of a table",
        )
    _add_labels(group)
    group.add_argument("--separator", metavar="CHARACTER", help="default: found in the header")
    group.add_argument(
        "--missing",
        choices=("refuse", "omit"),
        default="refuse",
        help="missing values: refuse the file, or omit them pair by pair (default: refuse)",
    )
    group.add_argument("--layer", metavar="NAME", help="layer of an .h5ad file (default: its X)")
    group.add_argument(
        "--transform", choices=("log", "log1p"), help="applied to every value after reading"
    )


def _add_labels(group: argparse._ArgumentGroup) -> None:
    """Add the options that say which column holds the labels, and which are the control."""
    group.add_argument(
        "--targets", metavar="COLUMN", help="column that says what was intervened on in each row"
    )
    group.add_argument(
        "--control",
        metavar="LABEL",
        action="append",
        help="label of control rows (default: control; '' for blank labels; can be repeated)",
    )
    group.add_argument(
        "--ignore",
        metavar="COLUMN",
        action="append",
        default=[],
        help="column that is not a variable (can be repeated)",
    )


def add_measuring(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how distances are measured."""
    group = parser.add_argument_group("measuring")
    group.add_argument(
        "--distance",
        metavar="NAME",
        default="wasserstein",
        help="how far a distribution has moved (default: wasserstein)",
    )
    group.add_argument(
        "--n-jobs",
        metavar="N",
        type=int,
        help="threads: 1 unless given, -1 all; the result is the same",
    )


def add_writing(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where results go."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "--out", metavar="DIR", type=Path, help="folder for the results (default: print only)"
    )
    group.add_argument("--force", action="store_true", help="replace results that are in DIR")
    group.add_argument(
        "--format",
        choices=("csv", "parquet"),
        default="csv",
        help="format of the effects file (default: csv)",
    )


def add_common(parser: argparse.ArgumentParser, *, seed: bool = False) -> None:
    """Add what every verb takes, and the seed for those that draw anything."""
    group = parser.add_argument_group("general")
    if seed:
        group.add_argument(
            "--seed", metavar="N", type=int, default=0, help="of everything random (default: 0)"
        )
    group.add_argument("--json", action="store_true", help="print one JSON object and no more")
    group.add_argument(
        "--quiet", action="store_true", help="no progress, notes or warnings; errors still show"
    )


def read_input(arguments: argparse.Namespace) -> InterventionalData:
    """Read the file that the options describe."""
    from ..readers import read_table
    from ..transform import transform_values

    if arguments.file is None:
        raise InputError("No FILE was given. Name the table to read, as in: intersort order FILE")
    if arguments.targets is None:
        raise InputError(
            "--targets is missing. Name the column that says, for each row, which variable was "
            "intervened on, as in: --targets target"
        )
    data = read_table(
        arguments.file,
        arguments.targets,
        control_labels(arguments),
        ignore=tuple(arguments.ignore),
        separator=arguments.separator,
        layer=arguments.layer,
        missing=arguments.missing,
    )
    return transform_values(data, arguments.transform) if arguments.transform else data


def refuse_reading(arguments: argparse.Namespace) -> None:
    """Refuse options about a table where distances are read instead."""
    unset = {"missing": "refuse", "distance": "wasserstein", "ignore": []}
    names = ("targets", "control", "ignore", "separator", "missing", "layer", "transform")
    given = [
        f"--{name}" for name in (*names, "distance") if getattr(arguments, name) != unset.get(name)
    ]
    if given:
        raise InputError(
            f"With --from-effects no table is read, so these have no effect: {', '.join(given)}. "
            "Leave them out, or give the table itself."
        )


def other_formats(arguments: argparse.Namespace) -> list[str]:
    """The effects file of another format, which the new one takes the place of."""
    return ["effects.parquet" if arguments.format == "csv" else "effects.csv"]


def control_labels(arguments: argparse.Namespace) -> Any:
    """The control label, or the list of them, as the Python functions take it."""
    given = arguments.control or ["control"]
    return given[0] if len(given) == 1 else list(given)
