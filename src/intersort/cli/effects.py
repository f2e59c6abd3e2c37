"""`intersort effects`: how far each intervention moves each variable."""

from __future__ import annotations

import argparse
from typing import Any

from .._validation import shown
from . import options

EXAMPLES = """\
examples:
  intersort effects screen.csv --targets target --out distances
  intersort effects screen.h5ad --targets gene --control NT --n-jobs -1 --out distances
  intersort order --from-effects distances/effects.csv --epsilon 0.3
"""


def add_verb(verbs: Any) -> None:
    """Add the verb to the command."""
    parser = verbs.add_parser(
        "effects",
        help="measure how far each intervention moves each variable",
        description="Measure the distance of every variable from its control rows under every "
        "intervention, in control standard deviations.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_reading(parser)
    options.add_measuring(parser)
    options.add_writing(parser)
    options.add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, warnings: list[str]) -> None:
    """Measure, then write or print."""
    from ..effects.files import write_effects
    from ..effects.measure import measure_effects
    from ..writers import check_folder, to_json, write_files

    name = f"effects.{arguments.format}"
    if arguments.out is not None:
        both = [name, *options.other_formats(arguments)]
        check_folder(arguments.out, both, force=arguments.force)
    data = options.read_input(arguments)
    effects = measure_effects(data, arguments.distance, n_jobs=arguments.n_jobs)
    if arguments.out is not None:
        files = {name: lambda path: write_effects(effects, path)}
        replaced = options.other_formats(arguments)
        write_files(arguments.out, files, force=arguments.force, replaced=replaced)
    if arguments.json:
        document = {
            "variables": list(effects.names),
            "intervened": [effects.names[column] for column in effects.intervened],
            "distance": effects.distance,
            "warnings": warnings,
        }
        print(to_json(document))
    elif arguments.out is None:
        print(effects.to_frame().to_string(float_format=lambda value: f"{value:.3f}"))
    elif not arguments.quiet:
        print(f"{effects}\nwritten to {shown(arguments.out / name, 1000)}")
