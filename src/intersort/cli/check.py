"""`intersort check`: what a file holds, before anything is trusted to it."""

from __future__ import annotations

import argparse
from typing import Any

from . import options

EXAMPLES = """\
examples:
  intersort check screen.csv --targets target
  intersort check sachs.csv --targets intervention --control "" --ignore experiment
"""


def add_verb(verbs: Any) -> None:
    """Add the verb to the command."""
    parser = verbs.add_parser(
        "check",
        help="say what a file holds",
        description="Read a file and say what a person wants to check before trusting it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_reading(parser)
    options.add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, warnings: list[str]) -> None:
    """Print the summary of the file."""
    summary = options.read_input(arguments).summary()
    if arguments.json:
        from ..writers import to_json

        print(to_json(summary.to_dict() | {"warnings": warnings}))
    else:
        print(summary)
