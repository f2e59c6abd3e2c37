"""The committed pages and figures are what the committed rows give, and nothing else is there."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from experiments import catalogue
from experiments.__main__ import main
from experiments.pages import PAGES
from experiments.store import RESULTS

ROOT = Path(__file__).resolve().parents[2]
BY_HAND = {"index.md"}
PINNED = re.search(r"^matplotlib==(.*)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `report` makes of the committed rows, and of nothing else."""
    folder = tmp_path_factory.mktemp("pages")
    assert main(["report", "all", "--results", str(RESULTS), "--out", str(folder)]) == 0
    return folder


def files_of(name: str, folder: Path) -> dict[str, str]:
    """The page of an experiment and its figures; those of `figure1` are not `figure1_b`'s."""
    longer = [other for other in catalogue.NAMES if other.startswith(f"{name}_")]
    found = [folder / f"{name}.md", *folder.glob(f"{name}_*.svg")]
    return {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted(found)
        if path.exists() and not path.stem.startswith(tuple(longer) or ("/",))
    }


@pytest.mark.parametrize("name", catalogue.NAMES)
def test_a_page_is_what_its_rows_give(name: str, written: Path) -> None:
    made, committed = files_of(name, written), files_of(name, PAGES)
    assert PINNED is not None
    if version("matplotlib") != PINNED[1]:  # another version draws a little differently
        made, committed = (
            {k: v for k, v in d.items() if k.endswith(".md")} for d in (made, committed)
        )
    assert sorted(made) == sorted(committed)
    stale = [file for file in made if made[file] != committed[file]]
    assert not stale, f"run `python -m experiments report {name}` and commit {', '.join(stale)}"


def test_nothing_else_is_there(written: Path) -> None:
    made = {path.name for path in written.iterdir()}
    assert {path.name for path in PAGES.iterdir()} - made <= BY_HAND


def test_every_row_belongs_to_an_experiment() -> None:
    names = {path.stem for path in RESULTS.iterdir()}
    assert names <= {*catalogue.NAMES, *(s for n in catalogue.NAMES for s in also(n))}
    assert {path.suffix for path in RESULTS.iterdir()} <= {".csv", ".json"}


def also(name: str) -> tuple[str, ...]:
    return getattr(catalogue.find(name), "ALSO", ())


@pytest.mark.parametrize("name", catalogue.NAMES)
def test_a_page_shows_every_figure_that_it_has(name: str, written: Path) -> None:
    found = files_of(name, written)
    shown = set(re.findall(r"```\{figure\} (\S+)", found.get(f"{name}.md", "")))
    assert shown == {file for file in found if file.endswith(".svg")}
