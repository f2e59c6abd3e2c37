"""A small screen as a file, and the command as a user calls it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from intersort.cli.main import main

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def screen(tmp_path: Path) -> Path:
    """A chain A → B → C → D under interventions on A, B and C; the file's columns are shuffled."""
    rng = np.random.default_rng(5)
    label = np.repeat(["control", "A", "B", "C"], [300, 60, 60, 60])
    columns: dict[str, np.ndarray] = {}
    before = np.zeros(len(label))
    for name in "ABCD":
        value = 0.9 * before + rng.normal(size=len(label))
        columns[name] = before = np.where(label == name, 6 + 0.1 * value, value)
    path = tmp_path / "screen.csv"
    frame = pd.DataFrame(columns)[["C", "A", "D", "B"]]
    frame.insert(0, "target", label)
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Run the command in this process; its exit status, stdout and stderr."""

    def run(*words: object) -> tuple[int, str, str]:
        try:
            status = main([str(word) for word in words])
        except SystemExit as stop:  # argparse leaves this way
            status = int(stop.code or 0)
        out, err = capsys.readouterr()
        return status, out, err

    return run


@pytest.fixture
def call_alone() -> Call:
    """Run the command in a process of its own."""

    def run(*words: object, **settings: object) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "intersort.cli.main", *map(str, words)],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            **settings,  # type: ignore[call-overload]
        )
        return done.returncode, done.stdout, done.stderr

    return run
