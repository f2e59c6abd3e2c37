"""The store and its committed form: what goes in comes out, whole, typed, and once."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from experiments.committed import as_text, from_text, read_results, write_results
from experiments.store import Store

HOW = {"device": "CPU", "versions": {"numpy": "2.4"}}
ROWS = [
    ({"d": 5, "method": "pc"}, {"d_top": 0.1, "status": "ok"}),
    ({"d": 5, "method": "ease", "noise": "laplace"}, {"status": "out of time"}),
    ({"d": 30, "method": "1e3"}, {"d_top": 3, "certified": True, "score": -1e-17}),
]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "store.sqlite")
    made.add("toy", ROWS, HOW)
    return made


NUMBERS = (0, 1, -7, 0.1, 1.0, 1e-300, True, False, None)
TEXTS = ("linear", "", "1", "1.0", "true", "null", "NaN", "Infinity", '"', '"a"', "[1]", "a,b")


@pytest.mark.parametrize("value", [*NUMBERS, *TEXTS, "two\nlines", " 1", "é ↦ ε", "-"])
def test_a_value_comes_back_as_it_was(tmp_path: Path, value: object) -> None:
    assert from_text(as_text(value)) == value
    path = tmp_path / "toy.csv"
    write_results(path, [({"x": value}, {"y": value}, "a"), ({}, {}, "a")], {"a": HOW}, "run")
    rows, makers = read_results(path)
    assert rows == [({"x": value}, {"y": value}, "a"), ({}, {}, "a")]
    assert type(rows[0][1]["y"]) is type(value)
    assert makers == {"a": HOW}


def test_results_hold_every_row_and_how_it_was_made(store: Store, tmp_path: Path) -> None:
    path = store.commit_to_results("toy", "python -m experiments run toy")
    assert path == tmp_path / "results" / "toy.csv"
    fresh = Store(tmp_path / "other.sqlite")
    fresh.load("toy")
    assert fresh.rows("toy") == store.rows("toy")
    assert fresh.answers("toy") == store.answers("toy")
    about = json.loads(path.with_suffix(".json").read_text())
    assert list(about["made"].values()) == [HOW]
    before = path.read_bytes()
    assert fresh.commit_to_results("toy", "python -m experiments run toy").read_bytes() == before


def test_rows_that_were_not_here_are_not_lost_by_a_commit(store: Store, tmp_path: Path) -> None:
    store.commit_to_results("toy", "run")
    fresh = Store(tmp_path / "fresh.sqlite")
    fresh.add("toy", [({"d": 100, "method": "pc"}, {"d_top": 9})], HOW)
    fresh.commit_to_results("toy", "run")
    assert len(fresh.rows("toy")) == 4


def test_committed_rows_replace_older_ones_once(store: Store, tmp_path: Path) -> None:
    path = store.commit_to_results("toy", "run")
    cell = ROWS[0][0]
    store.add("toy", [(cell, {"d_top": 0.7})], HOW)
    store.load("toy")  # this state of the file is known: what was made since counts
    assert {"d_top": 0.7} in store.answers("toy").values()
    path.write_text(path.read_text().replace("0.1", "0.2"))
    store.load("toy")  # another state: somebody else's rows
    assert {"d_top": 0.2, "status": "ok"} in store.answers("toy").values()
    assert {"d_top": 0.7} not in store.answers("toy").values()


def test_rows_are_forgotten_for_good(store: Store, tmp_path: Path) -> None:
    store.commit_to_results("toy", "run")
    assert store.forget("toy", lambda row: row["method"] == "pc") == 1
    path = store.commit_to_results("toy", "run")
    assert "pc" not in path.read_text()
    assert len(store.done("toy")) == 2


def test_rows_that_met_their_limit_need_not_agree(store: Store) -> None:
    assert len(store.answers("toy")) == 2
    assert {"d_top": 3, "certified": True, "score": -1e-17} in store.answers("toy").values()


def test_rows_that_cost_otherwise_agree(store: Store) -> None:
    before = store.answers("toy")
    cell, measured = ROWS[2]
    store.add("toy", [(cell, measured | {"seconds": 3.5, "peak_mb": 80})], HOW)
    assert store.answers("toy") == before


@pytest.mark.parametrize(
    ("cell", "measured", "kind", "message"),
    [
        ({"d": 5}, {"d": 6}, ValueError, "d is a column already"),
        ({"d": 5}, {"made": "here"}, ValueError, "made is a column already"),
        ({"experiment": "toy"}, {}, ValueError, "experiment is a column already"),
        ({"d": 5}, {"d_top": float("inf")}, ValueError, "d_top is inf; leave the column out"),
        ({"d": float("nan")}, {}, ValueError, "d is nan"),
        ({"d": 5}, {"orders": [1, 2]}, TypeError, "orders is of type list; a row holds text"),
    ],
)
def test_rows_that_no_file_could_hold_are_refused(
    store: Store, cell: dict, measured: dict, kind: type, message: str
) -> None:
    before = store.rows("toy")
    with pytest.raises(kind, match=message):
        store.add("toy", [({"d": 1}, {"d_top": 1}), (cell, measured)], HOW)
    assert store.rows("toy") == before


def test_an_error_in_a_transaction_leaves_no_trace(store: Store) -> None:
    def sudden(row: dict) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.forget("toy", sudden)
    assert len(store.done("toy")) == 3
    store.add("toy", [({"d": 7}, {"d_top": 1})], HOW)
    assert len(store.done("toy")) == 4


def test_a_file_is_whole_or_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "toy.csv"
    write_results(path, [({"x": 1}, {}, "a")], {"a": HOW}, "run")
    before = path.read_text()

    def full_disk(*_: object, **__: object) -> int:
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "write_text", full_disk)
    with pytest.raises(OSError, match="No space"):
        write_results(path, [({"x": 2}, {}, "a")], {"a": HOW}, "run")
    monkeypatch.undo()
    assert path.read_text() == before


def test_two_writers_wait_for_each_other(store: Store) -> None:
    def write(first: int) -> None:
        mine = Store(store.path)
        for k in range(first, first + 40):
            mine.add("toy", [({"d": k}, {"d_top": k})], HOW)
        mine.close()

    threads = [threading.Thread(target=write, args=(first,)) for first in (100, 200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.done("toy")) == 3 + 80
