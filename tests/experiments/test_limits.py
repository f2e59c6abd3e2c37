"""The limit on processor time: what it stops, and what it leaves as it was."""

from __future__ import annotations

import signal
import time

import numpy as np
import pytest

from experiments.limits import OutOfTime, cpu_limit, met_limit
from experiments.rivals import run_rival
from intersort import InterventionalData, find_order


def busy(seconds: float) -> None:
    """Use processor time, as a method that knows of no limit does."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


@pytest.fixture(autouse=True)
def nothing_left_behind():
    handler = signal.getsignal(signal.SIGPROF)
    yield
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGPROF) is handler


def test_a_busy_loop_is_stopped_in_time() -> None:
    begin = time.process_time()
    with pytest.raises(OutOfTime), cpu_limit(0.1):
        busy(20)
    assert 0.09 < time.process_time() - begin < 1


def test_what_ends_in_time_is_left_alone() -> None:
    with cpu_limit(5):
        busy(0.01)
    busy(0.05)


def test_waiting_costs_nothing() -> None:
    with cpu_limit(0.05):
        time.sleep(0.2)


def catch(kind: type[BaseException], seconds: float) -> list[BaseException]:
    """Do something long, and go on whatever happens."""
    caught = []
    try:
        busy(seconds)
    except kind as error:
        caught.append(error)
    return caught


def test_a_method_that_catches_every_exception_is_stopped() -> None:
    with pytest.raises(OutOfTime), cpu_limit(0.1):
        catch(Exception, 20)


def test_a_method_that_swallows_the_first_is_stopped_by_the_second() -> None:
    caught = []

    def stubborn() -> None:
        caught.extend(catch(BaseException, 20))
        busy(20)

    with pytest.raises(OutOfTime), cpu_limit(0.1):
        stubborn()
    assert len(caught) == 1


def limited(seconds: float, work: float) -> str:
    """As `run_rival` does: the row says so, and the task goes on."""
    try:
        with cpu_limit(seconds):
            busy(work)
    except OutOfTime:
        return "out of time"
    return "ok"


def test_an_inner_limit_leaves_the_outer_one_its_time() -> None:
    begin, times = time.process_time(), []

    def outer() -> None:
        times.append((limited(0.1, 20), time.process_time() - begin))
        busy(20)

    with pytest.raises(OutOfTime), cpu_limit(0.4):
        outer()
    assert times[0][0] == "out of time"
    assert times[0][1] < 0.35
    assert 0.38 < time.process_time() - begin < 2


def test_an_outer_limit_is_met_inside_an_inner_one() -> None:
    begin, said = time.process_time(), []

    def outer() -> None:
        said.append(limited(10, 20))
        busy(20)

    with pytest.raises(OutOfTime), cpu_limit(0.1):
        outer()
    assert said == ["out of time"]
    assert time.process_time() - begin < 1


def test_a_search_of_ours_is_stopped_and_gives_nothing() -> None:
    weights = np.random.default_rng(0).normal(size=(120, 120))
    find_order(weights[:30, :30], effort="low")  # compiled now
    begin = time.process_time()
    with pytest.raises(OutOfTime), cpu_limit(0.3):
        find_order(weights, time_limit=100)
    assert time.process_time() - begin < 20


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_a_limit_is_above_nothing(seconds: float) -> None:
    with pytest.raises(ValueError, match="above 0 seconds"), cpu_limit(seconds):
        pass


def test_a_rival_over_its_time_has_a_row_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import intersort.baselines.random as rival

    monkeypatch.setattr(rival, "run", lambda data, *, rng: busy(20))
    data = InterventionalData.from_arrays(np.eye(4)[:, :2], [-1, -1, 0, 1], control=-1)
    row = run_rival(
        "random", data, np.zeros((2, 2), dtype=bool), domain="nn", seed=0, cpu_seconds=0.1
    )
    assert met_limit(row)
    assert "d_top" not in row
    assert set(row) == {"status", "seconds"}


def test_other_rows_have_not_met_a_limit() -> None:
    assert not met_limit({"status": "ok"})
    assert not met_limit({"d_top": 1})
    assert met_limit({"status": "out of time"})
