"""The command `python -m experiments`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from . import catalogue
from .again import make_again, some_of, tasks_with_answers
from .committed import from_text
from .pages import PAGES, write_pages
from .runner import run_tasks, without_row
from .store import RESULTS, SMOKE_STORE, STORE, Row, Store
from .task import SIZES


def main(arguments: list[str] | None = None) -> int:
    """Do what the first word says."""
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
    store = Store(_store_path(options))
    n_failed = 0
    for name in names:
        begin, tasks = time.monotonic(), catalogue.find(name).tasks(options.size)
        if not tasks:  # it reads the rows of others
            continue
        store.load(name)
        try:
            outcome = run_tasks(tasks, store, options.jobs)
        finally:  # an interrupted run keeps its rows too
            path = store.commit_to_results(name, _command(name, options.size))
        n_failed += len(outcome.failed)
        lost = f", {len(outcome.failed)} failed" if outcome.failed else ""
        seconds = time.monotonic() - begin
        print(f"{name}: {outcome.n_made} rows made{lost} in {seconds:.0f} s; {path}", flush=True)
        for line in _without_answer(store.rows(name)):
            print(f"    {line}", flush=True)
    return 1 if n_failed else 0


def _without_answer(rows: list[Row]) -> list[str]:
    """How many rows have a status other than ok, by method and status."""
    said = Counter(
        f"{row.get('method', 'rows')}: {row['status']}"
        for row in rows
        if not str(row.get("status", "ok")).startswith("ok")
    )
    return [f"{n} × {what[:120]}" for what, n in said.most_common()]


def _report(options: argparse.Namespace, names: list[str]) -> int:
    store = Store(":memory:", Path(options.results))
    for path in write_pages(store, names, Path(options.out)):
        print(path)
    return 0


def _status(options: argparse.Namespace, names: list[str]) -> int:
    store = Store(_store_path(options))
    for name in names:
        store.load(name)
        tasks = catalogue.find(name).tasks(options.size)
        n_open = len(without_row(tasks, store))
        n_others = len(store.done(name)) - (len(tasks) - n_open)
        others = f", {n_others} that no task asks for" if n_others else ""
        print(f"{name:20} {len(tasks) - n_open:6} of {len(tasks):6} rows{others}")
    return 0


def _forget(options: argparse.Namespace, names: list[str]) -> int:
    store = Store(_store_path(options))
    wanted = [condition.partition("=") for condition in options.where]
    for name in names:
        n_gone = store.forget(
            name, lambda row: all(row.get(key) == from_text(text) for key, _, text in wanted)
        )
        path = store.commit_to_results(name, _command(name, options.size))
        print(f"{name}: {n_gone} rows dropped from {path}")
    return 0


def _again(options: argparse.Namespace, names: list[str]) -> int:
    store = Store(":memory:", Path(options.results))
    n_other = 0
    for name in names:
        store.load(name)
        known = tasks_with_answers(store, name)
        found = list(make_again(store, some_of(known, options.rows, options.seed)))
        others = [again for again in found if not again.same]
        n_other += len(others)
        print(f"{name}: {len(found)} of {len(known)} rows made again, {len(others)} differ")
        for again in others:
            print(f"    {again}", flush=True)
    return 1 if n_other else 0


def _list(_: argparse.Namespace, names: list[str]) -> int:
    for name in names:
        print(f"{name:20} {catalogue.find(name).TITLE}")
    return 0


def _export(options: argparse.Namespace, names: list[str]) -> int:
    from .export import export_screens

    for name in names:
        tasks, n_written = catalogue.find(name).tasks(options.size), 0
        for n_written, path in enumerate(export_screens(tasks, Path(options.out)), 1):  # noqa: B007
            print(path, flush=True)
        if not n_written:
            print(f"{name}: it draws no screens of the grid; there is nothing to write")
    return 0


def _store_path(options: argparse.Namespace) -> Path:
    """Toy rows never meet real ones."""
    path = Path(options.store or (STORE if options.size == "full" else SMOKE_STORE))
    if options.size != "full" and path.resolve() == STORE.resolve():
        raise SystemExit(f"experiments: {path} holds the full rows; give --store another file")
    return path


def _command(name: str, size: str) -> str:
    return f"python -m experiments run {name}" + ("" if size == "full" else f" --size {size}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m experiments", description=__doc__)
    verbs = parser.add_subparsers(
        required=True, metavar="run | report | export | status | forget | again | list"
    )

    def verb(
        name: str, act: Callable[[argparse.Namespace, list[str]], int], text: str
    ) -> argparse.ArgumentParser:
        part = verbs.add_parser(name, help=text, description=text)
        part.add_argument("names", nargs="*", metavar="NAME", help="experiments; none: all")
        part.set_defaults(act=act)
        return part

    run = verb("run", _run, "fill the store; rows that are there are not made again")
    run.add_argument("--jobs", type=_at_least_one, default=_n_cores(), help="worker processes")
    report = verb("report", _report, "write pages and figures from the committed rows")
    report.add_argument("--out", default=str(PAGES), help="folder of the pages")
    report.add_argument("--results", default=str(RESULTS), help="folder of the rows")
    export = verb("export", _export, "write each dataset with graph, targets and seed")
    export.add_argument("--out", required=True, help="folder to write to")
    status = verb("status", _status, "how many rows there are")
    forget = verb("forget", _forget, "drop rows, so that they are made again")
    where = {"nargs": "+", "required": True, "metavar": "COLUMN=VALUE"}
    forget.add_argument("--where", **where, help="such as method=ease; all must hold")  # type: ignore[arg-type]
    again = verb("again", _again, "make some committed rows again and compare the answers")
    again.add_argument("--rows", type=_at_least_one, default=3, help="how many of each experiment")
    again.add_argument("--seed", type=int, default=0, help="which")
    again.add_argument("--results", default=str(RESULTS), help="folder of the rows")
    verb("list", _list, "what there is")
    for part in (run, status, forget):
        part.add_argument("--store", help="SQLite file; the rows to commit are beside it")
    for part in (run, status, forget, export):
        part.add_argument("--size", choices=SIZES, default="full", help="the paper's, or toys")
    return parser


def _n_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _at_least_one(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"give a number of processes from 1 on, not {text!r}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
