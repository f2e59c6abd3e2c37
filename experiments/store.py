"""Rows that are never lost: one SQLite file while running, one CSV file an experiment in git.

A worker writes its rows itself, in transactions, so that a run killed at any moment keeps whole
rows only. The CSV files in `results` are what is committed; a fresh store starts with them, so
that a clone goes on where the last commit stopped.
"""

from __future__ import annotations

import csv
import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .task import canonical

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results"
STORE = FOLDER / "store.sqlite"
Row = dict[str, Any]

TABLES = """
CREATE TABLE IF NOT EXISTS rows (
    experiment TEXT NOT NULL, cell TEXT NOT NULL, measured TEXT NOT NULL, made TEXT NOT NULL,
    PRIMARY KEY (experiment, cell));
CREATE TABLE IF NOT EXISTS made (id TEXT PRIMARY KEY, how TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS loaded (experiment TEXT PRIMARY KEY, digest TEXT NOT NULL);
"""


class Store:
    """Rows by experiment and cell; `made` says with which versions, on which device.

    >>> store = Store(":memory:")
    >>> store.add("toy", [({"d": 5}, {"d_top": 0.5})], {"device": "cpu"})
    >>> store.rows("toy")
    [{'d': 5, 'd_top': 0.5, 'made': 'afbd3c'}]
    """

    def __init__(self, path: str | Path = STORE, results: Path | None = None) -> None:
        self.results = results
        self.connection = sqlite3.connect(path, timeout=120, isolation_level=None)
        if str(path) != ":memory:":
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
        made = self._made(how)
        with self._transaction():
            self.connection.execute("INSERT OR IGNORE INTO made VALUES (?, ?)", made)
            self.connection.executemany(
                "INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?)",
                [
                    (experiment, canonical(cell), canonical(measured), made[0])
                    for cell, measured in rows
                ],
            )

    def done(self, experiment: str) -> set[str]:
        """Cells that have a row, as canonical text."""
        found = self.connection.execute("SELECT cell FROM rows WHERE experiment=?", (experiment,))
        return {cell for (cell,) in found}

    def rows(self, experiment: str) -> list[Row]:
        """Every row: cell, measured and `made`, in the order of the cells."""
        found = self.connection.execute(
            "SELECT cell, measured, made FROM rows WHERE experiment=? ORDER BY cell", (experiment,)
        )
        return [
            json.loads(cell) | json.loads(measured) | {"made": made}
            for cell, measured, made in found
        ]

    def load(self, experiment: str) -> None:
        """Take the committed rows that are not here yet, once for each state of the file."""
        path = (self.results or RESULTS) / f"{experiment}.csv"
        if not path.exists():
            return
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        known = self.connection.execute(
            "SELECT 1 FROM loaded WHERE experiment=? AND digest=?", (experiment, digest)
        )
        if known.fetchone():
            return
        rows, makers = read_results(path)
        with self._transaction():
            for made, how in makers.items():
                self.connection.execute("INSERT OR IGNORE INTO made VALUES (?, ?)", (made, how))
            self.connection.executemany(
                "INSERT OR IGNORE INTO rows VALUES (?, ?, ?, ?)",
                [(experiment, canonical(c), canonical(m), made) for c, m, made in rows],
            )
            self.connection.execute(
                "INSERT OR REPLACE INTO loaded VALUES (?, ?)", (experiment, digest)
            )

    def commit_to_results(self, experiment: str, command: str) -> Path:
        """Write the rows to results/EXPERIMENT.csv and how they were made beside it."""
        folder = self.results or RESULTS
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{experiment}.csv"
        found = self.connection.execute(
            "SELECT cell, measured, made FROM rows WHERE experiment=? ORDER BY cell", (experiment,)
        ).fetchall()
        write_results(path, [(json.loads(c), json.loads(m), made) for c, m, made in found])
        used = {made for _, _, made in found}
        makers = self.connection.execute("SELECT id, how FROM made ORDER BY id").fetchall()
        cell = sorted({key for c, _, _ in found for key in json.loads(c)})
        about = {
            "command": command,
            "cell": cell,
            "made": {made: json.loads(how) for made, how in makers if made in used},
        }
        path.with_suffix(".json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
        return path

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def _transaction(self) -> Transaction:
        return Transaction(self.connection)

    @staticmethod
    def _made(how: Mapping[str, Any]) -> tuple[str, str]:
        text = canonical(how)
        return hashlib.sha256(text.encode()).hexdigest()[:6], text


class Transaction:
    """All or nothing: begin at once, so that two writers wait for each other."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def __enter__(self) -> None:
        self.connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_: object) -> None:
        self.connection.execute("COMMIT" if kind is None else "ROLLBACK")


def write_results(path: Path, rows: list[tuple[Row, Row, str]]) -> None:
    """A CSV file: the columns of the cells, then what was measured, then `made`."""
    cells = sorted({key for cell, _, _ in rows for key in cell})
    measured = sorted({key for _, values, _ in rows for key in values})
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*cells, *measured, "made"])
        for cell, values, made in rows:
            line = [cell.get(k) for k in cells] + [values.get(k) for k in measured]
            writer.writerow([*map(as_text, line), made])


def read_results(path: Path) -> tuple[list[tuple[Row, Row, str]], dict[str, str]]:
    """The rows of a CSV file as `write_results` wrote it, and how each was made."""
    about = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    cells, rows = set(about["cell"]), []
    with open(path, newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            made = line.pop("made")
            known = {key: from_text(text) for key, text in line.items() if text != ""}
            cell = {key: value for key, value in known.items() if key in cells}
            rows.append((cell, {k: v for k, v in known.items() if k not in cells}, made))
    return rows, {made: canonical(how) for made, how in about["made"].items()}


def as_text(value: Any) -> str:
    """A number or text for a CSV cell; nothing for None."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def from_text(text: str) -> Any:
    """What `as_text` was given: a number or a truth value where it reads as one.

    >>> from_text("0.25"), from_text("true"), from_text("linear")
    (0.25, True, 'linear')
    """
    try:
        return json.loads(text)
    except ValueError:
        return text
