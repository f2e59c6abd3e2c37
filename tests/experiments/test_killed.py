"""Whatever ends a run, and whenever: what is there is whole, and the next run goes on from it."""

from __future__ import annotations

import os
import signal
import time

import numpy as np
import pytest

N_KILLS = 10
STEP = 0.04


@pytest.mark.parametrize("n_workers", [1, 2])
def test_ten_kills_change_no_answer(toy, undisturbed, patiently, n_workers: int) -> None:
    rng = np.random.default_rng(n_workers)
    in_the_midst = 0
    for _ in range(N_KILLS):
        before = toy.n_rows()
        running = toy.start("--jobs", str(n_workers), step=STEP)
        wanted = before + int(rng.integers(0, 4))
        patiently(lambda p=running, n=wanted: toy.n_rows() >= n or p.poll() is not None)
        time.sleep(rng.uniform(0, 0.5 if wanted == before else STEP))
        running.send_signal(signal.SIGKILL)
        running.stderr.read()  # ends when the last worker has let go of it
        in_the_midst += before < toy.n_rows() < len(undisturbed)
        running.communicate()
    assert in_the_midst >= 3
    done = toy.run("--jobs", str(n_workers))
    assert done.returncode == 0, done.stderr
    assert toy.store.answers("own.toy") == undisturbed
    assert len(undisturbed) == 24


def test_an_interrupt_keeps_what_is_done_and_no_half_search(toy, undisturbed, patiently) -> None:
    running = toy.start("--jobs", "1", trouble="search")
    patiently(toy.begun.exists)
    time.sleep(0.5)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to the workers too
    out, error = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "stopped; what is done is kept: the same command goes on from here" in error
    assert "Traceback" not in error
    assert out == ""
    kept = toy.store.answers("own.toy")
    assert len(kept) == 5
    assert kept.items() <= undisturbed.items()
    assert toy.path.with_name("results").joinpath("own.toy.csv").read_text().count("\n") == 6
    assert toy.run("--jobs", "1").returncode == 0
    assert toy.store.answers("own.toy") == undisturbed


@pytest.mark.parametrize(
    ("trouble", "says"),
    [
        ("raise", "KeyError: 'no such rival'"),
        ("die", "its process died (exit code 7)"),
        ("nan", "ValueError: d_top is nan; leave the column out where there is no number"),
    ],
)
def test_a_task_that_fails_is_named_and_fails_alone(
    toy, undisturbed, trouble: str, says: str
) -> None:
    done = toy.run("--jobs", "2", trouble=trouble)
    assert done.returncode == 1
    cell = '{"d":6,"repetition":5}'
    first = done.stderr.splitlines()[0]
    assert first == f"experiments: no row for own.toy {cell}: {says}"
    assert done.stderr.count("no row for") == 1
    assert "23 rows made, 1 failed" in done.stdout
    kept = toy.store.answers("own.toy")
    assert set(undisturbed) - set(kept) == {cell}
    assert kept.items() <= undisturbed.items()
    assert "1 rows made" in toy.run("--jobs", "2").stdout
    assert toy.store.answers("own.toy") == undisturbed


def test_a_row_that_met_its_limit_says_so_and_is_exempt(toy, undisturbed) -> None:
    assert toy.run("--jobs", "1", trouble="slow").returncode == 0
    (row,) = [row for row in toy.store.rows("own.toy") if row["repetition"] == 5]
    assert row["status"] == "out of time"
    kept = toy.store.answers("own.toy")
    assert set(undisturbed) - set(kept) == {'{"d":6,"repetition":5}'}


def test_an_experiment_that_always_fails_is_given_up(toy) -> None:
    done = toy.run("--jobs", "1", trouble="all")
    assert done.returncode == 1
    assert done.stderr.count("no row for") == 10
    assert "10 tasks failed; no more are begun" in done.stderr


def test_nothing_is_shown_where_there_is_no_terminal(toy) -> None:
    done = toy.run("--jobs", "1")
    assert done.stderr == ""
    assert done.stdout.startswith("own.toy: 24 rows made in ")
    assert toy.run("--jobs", "1").stdout.startswith("own.toy: 0 rows made in ")
