"""The suite's own rule: where data are required, a missing extra is a failure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest

def test_of_an_extra():
    pytest.importorskip("no_such_module", reason="not installed")

def test_of_one_that_is_there():
    assert pytest.importorskip("importlib.util").find_spec("pytest")
"""


@pytest.mark.parametrize(
    ("required", "outcome"), [("1", "1 failed, 1 passed"), ("", "1 passed, 1 skipped")]
)
def test_a_missing_extra_fails_where_data_are_required(tmp_path, required, outcome):
    conftest = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")
    (tmp_path / "conftest.py").write_text(conftest, encoding="utf-8")
    (tmp_path / "test_extra.py").write_text(TESTS, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        env={**os.environ, "INTERSORT_REQUIRE_DATA": required},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome in run.stdout, run.stdout
