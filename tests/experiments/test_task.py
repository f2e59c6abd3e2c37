"""A cell names a row: the same text and the same seed wherever it is made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from experiments.task import Task, canonical, seed_of

ROOT = Path(__file__).resolve().parents[2]


def test_a_key_does_not_depend_on_the_order_of_the_columns() -> None:
    assert Task("toy", {"d": 5, "domain": "nn"}).key == Task("toy", {"domain": "nn", "d": 5}).key


def test_a_key_keeps_numbers_text_and_truth_apart() -> None:
    keys = {canonical({"x": value}) for value in (1, "1", 1.5, True, None)}
    assert len(keys) == 5


def test_a_cell_holds_no_nan() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical({"d_top": float("nan")})


def test_a_seed_is_the_same_in_another_process() -> None:
    code = "from experiments.task import seed_of; print(seed_of('linear', 30, 1))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert int(done.stdout) == seed_of("linear", 30, 1)


def test_seeds_differ_and_fit_any_generator() -> None:
    seeds = {seed_of(domain, d, r) for domain in ("nn", "rff") for d in (5, 30) for r in range(50)}
    assert len(seeds) == 200
    assert min(seeds) >= 0
    assert max(seeds) < 2**48
