"""Every example in the docstrings, the README and the documentation runs."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import intersort

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path(intersort.__file__).parent
MODULES = sorted(
    ".".join((folder.name, *path.relative_to(folder).with_suffix("").parts))
    for folder in (PACKAGE, ROOT / "experiments")
    for path in folder.rglob("*.py")
    if ">>>" in path.read_text(encoding="utf-8")
)
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    if ">>>" in path.read_text(encoding="utf-8") and "_build" not in path.parts
)


@pytest.fixture(autouse=True)
def somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run examples in an empty folder, and draw without a screen."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")


@pytest.mark.parametrize("module", MODULES)
def test_docstrings(module: str) -> None:
    outcome = doctest.testmod(importlib.import_module(module.removesuffix(".__init__")))
    assert outcome.attempted
    assert not outcome.failed


@pytest.mark.parametrize("page", PAGES)
def test_pages(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8").replace("```", "\n```")
    # A closing fence right after expected output would be read as output.
    lines = [line for line in text.splitlines() if not line.startswith("```")]
    examples = doctest.DocTestParser().get_doctest("\n".join(lines), {}, page, page, 0)
    outcome = doctest.DocTestRunner().run(examples)
    assert outcome.attempted
    assert not outcome.failed
