"""The README keeps its promises: its blocks run, code comes early, its links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from intersort.cli.main import main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, flags=re.DOTALL)


@pytest.fixture(scope="module")
def folder_with_screen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the demo's screen.csv, as the README's blocks expect."""
    folder = tmp_path_factory.mktemp("readme")
    assert main(["demo", "--out", str(folder), "--quiet"]) == 0
    return folder


@pytest.mark.parametrize("code", [code for kind, code in BLOCKS if kind == "python"])
def test_python_blocks_run(
    code: str,
    folder_with_screen: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder_with_screen)
    exec(compile(code, "README.md", "exec"), {})
    assert "g01" in capsys.readouterr().out


COMMANDS = [
    line.partition(" #")[0].strip()
    for kind, code in BLOCKS
    if kind == "bash"
    for line in code.splitlines()
]


def test_the_two_commands_are_there() -> None:
    assert [command for command in COMMANDS if command.startswith("make")] == [
        "make demo",
        "make test",
    ]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"\n{name}:" in makefile for name in ("demo", "test", "lint", "bench", "docs"))


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("intersort")])
def test_commands_run(
    command: str, folder_with_screen: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(folder_with_screen)
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().err == ""


def test_code_comes_by_line_40() -> None:
    lines = README.splitlines()
    assert min(i for i, line in enumerate(lines) if line.startswith("from intersort")) < 40


def test_links_lead_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    missing = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert not missing
