"""The command line: what it refuses, and what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.__main__ import main
from experiments.catalogue import NAMES
from experiments.store import STORE, Store

HERE = str(Path(__file__).parent)


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of toy rows, two tasks of the plan and one that nobody asks for."""
    monkeypatch.syspath_prepend(HERE)
    path = tmp_path / "store.sqlite"
    cells = [{"d": 6, "repetition": 0}, {"d": 6, "repetition": 1}, {"d": 7, "repetition": 0}]
    Store(path).add("own.toy", [(cell, {"d_top": 1, "status": "ok"}) for cell in cells], {})
    return path


def test_toy_rows_never_meet_real_ones() -> None:
    with pytest.raises(SystemExit, match="holds the full rows; give --store another file"):
        main(["run", "figure2", "--size", "smoke", "--store", str(STORE)])


def test_status_says_what_is_open_and_what_nobody_asks_for(
    rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["status", "own.toy", "--store", str(rows)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said == "own.toy 2 of 24 rows, 1 that no task asks for"


def test_rows_are_forgotten_where_all_conditions_hold(
    rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["forget", "own.toy", "--store", str(rows), "--where", "d=6", "repetition=1"]
    assert main(command) == 0
    assert capsys.readouterr().out.startswith("own.toy: 1 rows dropped")
    kept = Store(rows).rows("own.toy")
    assert [(row["d"], row["repetition"]) for row in kept] == [(6, 0), (7, 0)]
    assert len((rows.parent / "results" / "own.toy.csv").read_text().splitlines()) == 3


def test_forgetting_everything_must_be_said(rows: Path) -> None:
    with pytest.raises(SystemExit):
        main(["forget", "own.toy", "--store", str(rows)])
    assert len(Store(rows).rows("own.toy")) == 3


@pytest.mark.parametrize("jobs", ["0", "-1", "two"])
def test_a_number_of_processes_is_one_or_more(
    jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["run", "own.toy", "--jobs", jobs])
    assert f"a number of processes from 1 on, not '{jobs}'" in capsys.readouterr().err


def test_the_list_names_every_experiment(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(NAMES)


def test_unknown_names_and_sizes_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="there is no 'figure3'"):
        main(["run", "figure3"])
    with pytest.raises(SystemExit):
        main(["run", "figure2", "--size", "large"])
    assert "invalid choice: 'large'" in capsys.readouterr().err
