"""The command as a whole: help, version, speed of the start, exit states."""

from __future__ import annotations

import time
from typing import Any

import pytest

import intersort


@pytest.mark.parametrize("verb", [(), ("order",), ("effects",), ("check",), ("demo",)])
def test_help(call: Any, verb: tuple[str, ...]) -> None:
    status, out, err = call(*verb, "--help")
    assert (status, err) == (0, "")
    assert "usage: intersort" in out
    if verb != ("demo",):
        assert "examples:" in out


def test_version(call: Any) -> None:
    assert call("--version") == (0, f"intersort {intersort.__version__}\n", "")


def test_no_verb_is_bad_input(call: Any) -> None:
    status, _, err = call()
    assert status == 2
    assert "VERB" in err


def test_raw_bytes_are_not_echoed(call: Any) -> None:
    status, _, err = call("order", "x.csv", "--targets", "t", "--method", "\x1b[31mred")
    assert status == 2
    assert "\x1b" not in err


def test_help_starts_within_a_second(call_alone: Any) -> None:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        assert call_alone("--help")[0] == 0
        times.append(time.perf_counter() - start)
    assert min(times) < 1.0
