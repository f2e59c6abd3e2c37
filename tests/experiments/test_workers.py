"""What workers do with interrupts, and in which order they take tasks."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from experiments.runner import chunks_of, without_row
from experiments.store import Store
from experiments.task import Task
from experiments.workers import how_made, interrupts_held_back
from intersort import find_order


@pytest.fixture
def ignored() -> Iterator[None]:
    """As in a worker."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted_search():
    """Search while an interrupt comes in, once it has been seen to what happens then."""
    main, done = threading.main_thread(), threading.Event()

    def interrupt() -> None:
        while not done.wait(0.05):
            if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
                signal.pthread_kill(main.ident, signal.SIGINT)
                return

    sender = threading.Thread(target=interrupt)
    sender.start()
    try:
        return find_order(np.random.default_rng(1).normal(size=(50, 50)), effort="low")
    finally:
        done.set()
        sender.join()


@pytest.fixture(scope="module")
def undisturbed():
    return find_order(np.random.default_rng(1).normal(size=(50, 50)), effort="low")


def test_a_worker_s_search_is_the_same_when_an_interrupt_comes(undisturbed, ignored: None) -> None:
    found = interrupted_search()
    assert found.order.tolist() == undisturbed.order.tolist()
    assert (found.score, found.upper_bound) == (undisturbed.score, undisturbed.upper_bound)
    assert not found.interrupted
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_elsewhere_the_same_interrupt_stops_it() -> None:
    assert interrupted_search().interrupted


def test_an_interrupt_held_back_comes_afterwards() -> None:
    reached = []

    def go_on() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        reached.append("the end")

    with pytest.raises(KeyboardInterrupt), interrupts_held_back():
        go_on()
    assert reached == ["the end"]


def test_tasks_of_one_chunk_are_run_together() -> None:
    tasks = [Task("toy", {"k": k}, chunk=chunk) for k, chunk in enumerate(["a", "", "b", "a", ""])]
    assert [[t.cell["k"] for t in part] for part in chunks_of(tasks)] == [[0, 3], [1], [2], [4]]


def test_tasks_with_a_row_are_not_run_again() -> None:
    store = Store(":memory:")
    tasks = [Task("toy", {"k": k}) for k in range(3)]
    store.add("toy", [({"k": 1}, {"d_top": 0})], {})
    store.add("other", [({"k": 2}, {"d_top": 0})], {})
    assert [task.cell["k"] for task in without_row(tasks, store)] == [0, 2]


def test_a_row_says_with_what_it_was_made() -> None:
    how = how_made()
    assert how["device"].startswith("CPU, ")
    assert set(how["versions"]) >= {"python", "intersort", "numpy", "numba"}
