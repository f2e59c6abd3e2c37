"""The command `intersort`: reads the words, calls one verb, turns errors into exit states."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from .. import __version__
from .._optional import MissingExtraError
from .._validation import InputError
from .._warnings import IntersortWarning
from . import check, demo, effects, order

DONE, OUR_FAULT, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

EXAMPLES = """\
examples:
  intersort demo                                  simulate a screen and order it
  intersort check screen.csv --targets target     what the file holds, before trusting it
  intersort order screen.csv --targets target --control non-targeting --out result
  intersort effects screen.h5ad --targets gene --layer lognorm --out distances
  intersort order --from-effects distances/effects.csv --epsilon 0.3

exit status: 0 done, 1 our fault, 2 bad input, 130 interrupted
"""


class Parser(argparse.ArgumentParser):
    """An argument parser whose messages echo no raw bytes."""

    def error(self, message: str) -> NoReturn:
        clean = "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in message)
        super().error(clean)


def make_parser() -> argparse.ArgumentParser:
    """Build the parser; every verb adds its own part."""
    parser = Parser(
        prog="intersort",
        description="Find the causal order of variables from single-variable interventions.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"intersort {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for module in (order, effects, check, demo):
        module.add_verb(verbs)
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    arguments = make_parser().parse_args(words)
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal may know no × and no emoji
        sys.stdout.reconfigure(errors="backslashreplace")
    if arguments.quiet:
        os.environ["TQDM_DISABLE"] = "1"
    try:
        with _collected_warnings(quiet=arguments.quiet) as texts:
            run: Callable[[argparse.Namespace, list[str]], bool | None] = arguments.run
            interrupted = run(arguments, texts)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (InputError, MissingExtraError) as error:
        print(f"intersort: error: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("intersort: interrupted; no half-written file is left", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  the last line of defence, reported in full
        return _end_of_output(error) if _is_output_gone(error) else _own_fault()
    return INTERRUPTED if interrupted else DONE


def _is_output_gone(error: Exception) -> bool:
    """Whether stdout is a closed pipe or a full disk."""
    return isinstance(error, OSError) and error.errno in (errno.EPIPE, errno.ENOSPC)


def _end_of_output(error: Exception) -> int:
    """Whoever closed the pipe has read enough; a full disk is worth a word."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return DONE
    print("intersort: error: the disk is full; the output is not complete", file=sys.stderr)
    return BAD_INPUT


def _own_fault() -> int:
    """Show everything that is needed to mend it."""
    traceback.print_exc()
    print(
        "intersort: this is a fault of intersort, not of your input; "
        "please report it with the lines above",
        file=sys.stderr,
    )
    return OUR_FAULT


@contextmanager
def _collected_warnings(*, quiet: bool) -> Iterator[list[str]]:
    """Collect each of our warnings once, as a line for result.json, and show it on stderr."""
    texts: list[str] = []
    show = warnings.showwarning

    def keep(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if not issubclass(category, IntersortWarning):
            show(message, category, *place, **more)
            return
        text = f"{category.__name__}: {message}"
        if text not in texts:
            texts.append(text)
            if not quiet:
                print(f"intersort: warning: {message}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", IntersortWarning)
        warnings.showwarning = keep
        yield texts


if __name__ == "__main__":
    sys.exit(main())
