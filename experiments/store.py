"""Rows that are never lost: one SQLite file while running, one CSV file an experiment in git.

A worker writes its rows itself, in transactions, so that a run killed at any moment keeps whole
rows only. The CSV files are what is committed; a fresh store starts with them, so that a clone
goes on where the last commit stopped.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .committed import Row as Row
from .committed import read_results, write_results
from .limits import met_limit
from .task import canonical

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results"
STORE = FOLDER / "store.sqlite"
SMOKE_STORE = FOLDER / "smoke" / "store.sqlite"
COSTS = ("seconds", "_mb")
"""How columns end that a second run may give otherwise: time and memory."""

TABLES = """
CREATE TABLE IF NOT EXISTS rows (
    experiment TEXT NOT NULL, cell TEXT NOT NULL, measured TEXT NOT NULL, made TEXT NOT NULL,
    PRIMARY KEY (experiment, cell));
CREATE TABLE IF NOT EXISTS made (id TEXT PRIMARY KEY, how TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS loaded (experiment TEXT PRIMARY KEY, digest TEXT NOT NULL);
"""


class Store:
    """Rows by experiment and cell; `made` says with which versions, on which device.

    The committed form lies beside the file, in the folder `results`, unless another is named.

    >>> store = Store(":memory:")
    >>> store.add("toy", [({"d": 5}, {"d_top": 0.5})], {"device": "cpu"})
    >>> store.rows("toy")
    [{'d': 5, 'd_top': 0.5, 'made': 'afbd3c'}]
    """

    def __init__(self, path: str | Path = STORE, results: Path | None = None) -> None:
        self.path = Path(path)
        in_memory = str(path) == ":memory:"
        self.results = results or (RESULTS if in_memory else self.path.parent / "results")
        if not in_memory:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        self.connection = sqlite3.connect(path, timeout=120, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode=WAL")
        self.connection.execute("PRAGMA synchronous=NORMAL")
        self.connection.executescript(TABLES)

    def add(
        self,
        experiment: str,
        rows: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]],
        how: Mapping[str, Any],
    ) -> None:
        """Write rows (cell, what was measured), all of them or none."""
        rows = list(rows)
        for cell, measured in rows:
            check_row(cell, measured)
        text = canonical(how)
        made = hashlib.sha256(text.encode()).hexdigest()[:6]
        lines = [(experiment, canonical(c), canonical(m), made) for c, m in rows]
        with self._transaction():
            self.connection.execute("INSERT OR IGNORE INTO made VALUES (?, ?)", (made, text))
            self.connection.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?)", lines)

    def done(self, experiment: str) -> set[str]:
        """Cells that have a row, as canonical text."""
        found = self.connection.execute("SELECT cell FROM rows WHERE experiment=?", (experiment,))
        return {cell for (cell,) in found}

    def rows(self, experiment: str) -> list[Row]:
        """Every row: cell, measured and `made`, in the order of the cells."""
        return [
            json.loads(cell) | json.loads(measured) | {"made": made}
            for cell, measured, made in self._lines(experiment)
        ]

    def measured(self, experiment: str) -> dict[str, Row]:
        """What was measured, by cell as canonical text."""
        return {cell: json.loads(text) for cell, text, _ in self._lines(experiment)}

    def answers(self, experiment: str) -> dict[str, Row]:
        """What a second run must give again, by cell; without rows that met their limit."""
        found = self.measured(experiment).items()
        return {cell: answers_in(row) for cell, row in found if not met_limit(row)}

    def load(self, experiment: str) -> None:
        """Take the committed rows, once for each state of their file; they replace others."""
        path = self._file(experiment)
        if not path.exists():
            return
        with self._transaction():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            if digest == self._loaded(experiment):
                return
            rows, makers = read_results(path)
            self.connection.executemany(
                "INSERT OR IGNORE INTO made VALUES (?, ?)",
                [(made, canonical(how)) for made, how in makers.items()],
            )
            self.connection.executemany(
                "INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?)",
                [(experiment, canonical(c), canonical(m), made) for c, m, made in rows],
            )
            self._remember(experiment, digest)

    def commit_to_results(self, experiment: str, command: str) -> Path:
        """Write the rows, and the committed ones that were not here, to results/EXPERIMENT.csv."""
        self.load(experiment)
        path = self._file(experiment)
        with self._transaction():
            lines = self._lines(experiment)
            known = dict(self.connection.execute("SELECT id, how FROM made ORDER BY id"))
            used = {made for _, _, made in lines}
            makers = {made: json.loads(how) for made, how in known.items() if made in used}
            rows = [(json.loads(cell), json.loads(text), made) for cell, text, made in lines]
            path.parent.mkdir(parents=True, exist_ok=True)
            write_results(path, rows, makers, command)
            self._remember(experiment, hashlib.sha256(path.read_bytes()).hexdigest())
        return path

    def forget(self, experiment: str, of: Callable[[Row], bool]) -> int:
        """Drop the rows of which something holds, to be made again; return how many."""
        self.load(experiment)
        with self._transaction():
            gone = [
                (experiment, cell)
                for cell, text, made in self._lines(experiment)
                if of(json.loads(cell) | json.loads(text) | {"made": made})
            ]
            self.connection.executemany("DELETE FROM rows WHERE experiment=? AND cell=?", gone)
        return len(gone)

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def _file(self, experiment: str) -> Path:
        return self.results / f"{experiment}.csv"

    def _lines(self, experiment: str) -> list[tuple[str, str, str]]:
        return self.connection.execute(
            "SELECT cell, measured, made FROM rows WHERE experiment=? ORDER BY cell", (experiment,)
        ).fetchall()

    def _loaded(self, experiment: str) -> str | None:
        query = "SELECT digest FROM loaded WHERE experiment=?"
        found = self.connection.execute(query, (experiment,)).fetchone()
        return found[0] if found else None

    def _remember(self, experiment: str, digest: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO loaded VALUES (?, ?)", (experiment, digest))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing; begun at once, so that two writers wait for each other."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")


def answers_in(row: Row) -> Row:
    """D_top, score, bound and whatever else was found, without what it cost."""
    return {key: value for key, value in row.items() if not key.endswith(COSTS)}


def check_row(cell: Mapping[str, Any], measured: Mapping[str, Any]) -> None:
    """A row is flat, finite, and its columns are named once."""
    reserved = {"made", "experiment"} & {*cell, *measured}
    both = sorted(set(cell) & set(measured)) + sorted(reserved)
    if both:
        raise ValueError(f"{both[0]} is a column already; the row must not measure it again")
    for key, value in (*cell.items(), *measured.items()):
        if value is not None and not isinstance(value, str | bool | int | float):
            raise TypeError(
                f"{key} is of type {type(value).__name__}; a row holds text, int, float and bool"
            )
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{key} is {value}; leave the column out where there is no number")
