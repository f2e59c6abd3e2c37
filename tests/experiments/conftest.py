"""The command `python -m experiments` on a toy experiment, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from experiments.screens import DOMAINS, FRACTIONS
from experiments.store import Store

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0


class Toy:
    """Runs of the toy experiment into one store."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "store.sqlite"
        self.begun = folder / "begun"

    def start(self, *options: str, step: float = 0.0, trouble: str = "") -> subprocess.Popen:
        """Begin a run; what holds its standard error is it and its workers."""
        environment = os.environ | {
            "PYTHONPATH": str(Path(__file__).parent),
            "TOY_STEP": str(step),
            "TOY_TROUBLE": trouble,
            "TOY_BEGUN": str(self.begun),
        }
        command = [sys.executable, "-m", "experiments", "run", "own.toy", "--store", str(self.path)]
        return subprocess.Popen(
            [*command, *options],
            cwd=ROOT,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def run(self, *options: str, **how: object) -> subprocess.CompletedProcess:
        """Run to the end."""
        running = self.start(*options, **how)  # type: ignore[arg-type]
        out, error = running.communicate(timeout=PATIENCE)
        return subprocess.CompletedProcess(running.args, running.returncode, out, error)

    @property
    def store(self) -> Store:
        """The rows, opened anew."""
        return Store(self.path)

    def n_rows(self) -> int:
        """Rows in the store now."""
        store = self.store
        try:
            return len(store.done("own.toy"))
        finally:
            store.close()


def wait_until(holds: Callable[[], bool]) -> None:
    """Look every few milliseconds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return Toy(tmp_path)


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """The answers of a run to which nothing happens."""
    toy = Toy(tmp_path_factory.mktemp("undisturbed"))
    done = toy.run("--jobs", "1")
    assert done.returncode == 0, done.stderr
    return toy.store.answers("own.toy")


@pytest.fixture
def patiently() -> Callable[[Callable[[], bool]], None]:
    return wait_until


Error = float | None | Callable[[str, float, int], float | None]


@pytest.fixture(scope="session")
def grid_rows() -> Callable[..., list[dict[str, Any]]]:
    """Hand-made rows of the paper's grid, without any simulation."""

    def make(
        methods: Mapping[str, Error],
        *,
        domains: Sequence[str] = DOMAINS,
        fractions: Sequence[float] = FRACTIONS,
        n: int = 6,
        **more: Any,
    ) -> list[dict[str, Any]]:
        """The error of a method: a number, or a function of domain, fraction and dataset.

        None is out of time. The datasets have the same errors, so that every interval is a point.
        """
        rows = []
        for method, error in methods.items():
            for domain in domains:
                for fraction in fractions:
                    for k in range(n):
                        value = error(domain, fraction, k) if callable(error) else error
                        cell = {"domain": domain, "d": 30, "edges": 1 + k % 2, "repetition": k // 2}
                        cell |= {"fraction": fraction, "method": method, "noise_drawn": "laplace"}
                        done = {"status": "ok", "d_top": value}
                        rows.append(
                            cell | (done if value is not None else {"status": "out of time"}) | more
                        )
        return rows

    return make
