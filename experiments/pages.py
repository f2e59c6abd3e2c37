"""Pages in docs/paper: text of the experiment's file, tables and figures of its rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from . import catalogue
from .store import Row, Store

PAGES = Path(__file__).parent.parent / "docs" / "paper"
MANY = 3
"""A page of more sources than these names them in one sentence."""


def write_pages(store: Store, names: Sequence[str], folder: Path) -> Iterator[Path]:
    """Write the page and the figures of each experiment that has rows."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        experiment = catalogue.find(name)
        sources = [name, *getattr(experiment, "ALSO", ())]
        found = {source: rows_of(store, source) for source in sources}
        rows = [row | {"experiment": source} for source, part in found.items() for row in part]
        if not rows:
            continue
        text = experiment.report(rows, folder)
        path = folder / f"{name}.md"
        counts = {source: len(part) for source, part in found.items() if part}
        path.write_text(page(name, experiment.TITLE, text, counts), encoding="utf-8")
        yield path


def rows_of(store: Store, name: str) -> list[Row]:
    """The rows of an experiment, the committed ones included."""
    store.load(name)
    return store.rows(name)


def page(name: str, title: str, text: str, counts: Mapping[str, int]) -> str:
    """The whole page: title, text, and how it was made."""
    return f"# {title}\n\n{text.strip()}\n\n---\n\n{how_made(name, counts)}\n"


def how_made(name: str, counts: Mapping[str, int]) -> str:
    """The commands and files behind a page, by the number of rows of each source."""
    if len(counts) > MANY:
        rows = ", ".join(f"{source} ({n:,})" for source, n in counts.items())
        return (
            f"Made by `python -m experiments report {name}` from the rows in `experiments/results` "
            f"of {rows}, each made by `python -m experiments run` with its name; versions and "
            f"machine are in the `.json` beside each `.csv`."
        )
    runs = [f"`python -m experiments run {source}`" for source in counts]
    files = [
        f"the {n:,} rows of `experiments/results/{source}.csv`" for source, n in counts.items()
    ]
    return (
        f"Made by {', '.join(runs)}, then `python -m experiments report {name}`, from "
        f"{' and '.join(files)}; versions and machine are in the `.json` beside it."
    )


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table, numbers right-aligned.

    >>> print(table(["method", "error"], [["random", 7.25]]))
    | method | error |
    | :-- | --: |
    | random | 7.25 |
    """
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    rule = [
        ":--" if any(isinstance(c, str) and not _numeric(c) for c in column) else "--:"
        for column in columns
    ]
    lines = [header, rule, *[[_shown(cell) for cell in row] for row in rows]]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def figure(name: str, caption: str) -> str:
    """A figure of the same folder with its caption, which is its description too."""
    caption = " ".join(caption.split())
    return f"```{{figure}} {name}\n:alt: {caption}\n\n{caption}\n```"


def _shown(cell: object) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.4g}"
    return re.sub(r"(?<!\\)\|", r"\\|", str(cell))  # a bare | would end the cell


def _numeric(text: str) -> bool:
    """Numbers, also with their interval or a mark."""
    return bool(text) and text.lstrip("−-+")[:1].isdigit()
