"""Write docs/cli.md from the parser itself: `python docs/make_cli_page.py`."""

from __future__ import annotations

import argparse
from pathlib import Path

from intersort.cli.main import EXAMPLES, make_parser

PAGE = Path(__file__).parent / "cli.md"
INTRODUCTION = """\
# The command line

This page is made from the parser by `docs/make_cli_page.py`; a test holds the two together.

"""


def describe(action: argparse.Action) -> str:
    """One row of a table: the option with its values, and its help."""
    if not action.option_strings:
        name = str(action.metavar)
    else:
        value = action.metavar or (" or ".join(action.choices) if action.choices else "")
        takes = action.nargs != 0
        shown = value or action.dest.upper()
        name = ", ".join(action.option_strings) + (f" {shown}" if takes else "")
    return f"| `{name}` | {action.help or ''} |"


def describe_verb(name: str, parser: argparse.ArgumentParser) -> str:
    """The section of one verb: what it does, a table per group of options, examples."""
    parts = [f"## intersort {name}", "", parser.description or "", ""]
    for group in parser._action_groups:
        rows = [
            describe(action)
            for action in group._group_actions
            if not isinstance(action, argparse._HelpAction)
        ]
        if rows:
            title = "general" if group.title == "options" else group.title
            parts += [f"| {title} | |", "| --- | --- |", *rows, ""]
    if parser.epilog:
        parts += ["```text", parser.epilog.rstrip(), "```", ""]
    return "\n".join(parts)


def make_page() -> str:
    """The whole page."""
    parser = make_parser()
    verbs = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    sections = [describe_verb(name, verb) for name, verb in verbs.choices.items()]
    return INTRODUCTION + f"```text\n{EXAMPLES.rstrip()}\n```\n\n" + "\n".join(sections)


if __name__ == "__main__":
    PAGE.write_text(make_page(), encoding="utf-8")
