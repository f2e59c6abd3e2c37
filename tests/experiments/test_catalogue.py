"""What every experiment keeps, whoever writes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments import catalogue
from experiments.store import RESULTS, check_row
from experiments.task import SIZES

FOLDER = Path(catalogue.__file__).parent


@pytest.mark.parametrize("name", catalogue.NAMES)
def test_tasks_are_its_own_each_once(name: str) -> None:
    experiment = catalogue.find(name)
    for size in SIZES:
        tasks = experiment.tasks(size)
        assert {task.experiment for task in tasks} <= {name}
        assert len({task.key for task in tasks}) == len(tasks)
        assert all(task.cpu_seconds > 0 for task in tasks)
        for task in tasks:
            check_row(task.cell, {})
            assert json.loads(task.key) == task.cell  # as it comes back from the store
    assert bool(experiment.tasks("full")) == bool(experiment.tasks("smoke"))
    assert len(experiment.tasks("smoke")) <= 300
    made_elsewhere = (RESULTS / f"{name}.csv").exists()  # on a GPU, say
    also = getattr(experiment, "ALSO", ())
    assert experiment.tasks("full") or made_elsewhere or also, "it has no rows"


@pytest.mark.parametrize("name", catalogue.NAMES)
def test_it_has_a_title_and_says_what_it_is(name: str) -> None:
    experiment = catalogue.find(name)
    assert experiment.TITLE[0].isupper()
    assert not experiment.TITLE.endswith(".")
    assert experiment.__doc__


def test_every_experiment_is_listed_once() -> None:
    assert len(set(catalogue.NAMES)) == len(catalogue.NAMES)
    with_tasks = {
        path.stem
        for path in FOLDER.glob("*.py")
        if "\ndef tasks(" in path.read_text(encoding="utf-8")
    }
    assert with_tasks == set(catalogue.NAMES)


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(SystemExit, match=r"there is no 'figure3'; choose from .*figure2.* or all"):
        catalogue.find("figure3")
