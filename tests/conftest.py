"""What every test may ask for."""

from __future__ import annotations

import importlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_configure() -> None:
    """Interrupts reach the tests; where data must be there, what is missing fails, not skips."""
    # A shell that starts the tests in the background has interrupts ignored, in children too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if os.environ.get("INTERSORT_REQUIRE_DATA") == "1":
        pytest.importorskip = lambda module, *_, **__: importlib.import_module(module)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of third-party data, or a skip that says where it was looked for."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("INTERSORT_DATA", default))
    if not (folder / "SOURCES.md").exists():
        message = f"third-party data not found at {folder}; set INTERSORT_DATA to its folder"
        if os.environ.get("INTERSORT_REQUIRE_DATA") == "1":
            pytest.fail(message)
        pytest.skip(message)
    return folder


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Torch on one core: what is tiny is slower on several."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
