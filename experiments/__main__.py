"""The command `python -m experiments`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from . import catalogue
from .export import export_screens
from .pages import PAGES, write_pages
from .runner import run_tasks, without_row
from .store import STORE, Store
from .task import SIZES


def main(arguments: list[str] | None = None) -> int:
    """Run, report, export or list."""
    options = _parser().parse_args(arguments)
    names = list(catalogue.NAMES) if options.names in ([], ["all"]) else options.names
    for name in names:
        catalogue.find(name)
    try:
        return int(options.act(options, names))
    except KeyboardInterrupt:
        print(
            "\nstopped; what is done is kept: the same command goes on from here", file=sys.stderr
        )
        return 130


def _run(options: argparse.Namespace, names: list[str]) -> int:
    path = Path(options.store)
    results = path.parent / "results" if options.size == "smoke" else None
    store = Store(path, results)
    for name in names:
        if options.size == "full":
            store.load(name)
        n_run = run_tasks(catalogue.find(name).tasks(options.size), store, path, options.jobs)
        command = f"python -m experiments run {name}"
        print(f"{name}: {n_run} rows made, {store.commit_to_results(name, command)} written")
    return 0


def _report(options: argparse.Namespace, names: list[str]) -> int:
    store = Store(":memory:", Path(options.results) if options.results else None)
    for path in write_pages(store, names, Path(options.out)):
        print(path)
    return 0


def _status(options: argparse.Namespace, names: list[str]) -> int:
    store = Store(options.store)
    for name in names:
        store.load(name)
        tasks = catalogue.find(name).tasks("full")
        n_open = len(without_row(tasks, store))
        print(f"{name:20} {len(tasks) - n_open:6} of {len(tasks):6} rows")
    return 0


def _list(_: argparse.Namespace, names: list[str]) -> int:
    for name in names:
        print(f"{name:20} {catalogue.find(name).TITLE}")
    return 0


def _export(options: argparse.Namespace, names: list[str]) -> int:
    tasks = catalogue.tasks_of(names, options.size)
    for path in export_screens(tasks, Path(options.out)):
        print(path)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m experiments", description=__doc__)
    verbs = parser.add_subparsers(required=True, metavar="run | report | export | status | list")

    def verb(name: str, act: object, text: str) -> argparse.ArgumentParser:
        part = verbs.add_parser(name, help=text, description=text)
        part.add_argument("names", nargs="*", metavar="NAME", help="experiments; none: all")
        part.set_defaults(act=act)
        return part

    run = verb("run", _run, "fill the store; rows that are there are not made again")
    run.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="processes")
    report = verb("report", _report, "write pages and figures from the committed rows")
    report.add_argument("--out", default=str(PAGES), help="folder of the pages")
    report.add_argument("--results", default=None, help="folder of the rows")
    status = verb("status", _status, "how many rows there are")
    export = verb("export", _export, "write each dataset with graph, targets and seed")
    export.add_argument("--out", required=True, help="folder to write to")
    verb("list", _list, "what there is")
    for part in (run, status):
        part.add_argument("--store", default=str(STORE), help="SQLite file")
    for part in (run, export):
        part.add_argument("--size", choices=SIZES, default="full")
    return parser


if __name__ == "__main__":
    sys.exit(main())
