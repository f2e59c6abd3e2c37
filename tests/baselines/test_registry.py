"""Rivals by name: every file with a `run` is registered, documented, tested, and refuses alike."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from intersort import InputError, InterventionalData, baselines
from intersort._optional import MissingExtraError
from intersort.baselines.registry import EXTRA_OF

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "src" / "intersort" / "baselines"
NAMES = baselines.available()
NEEDED = {"epsilon": 0.3, "reg": 1.0, "form": "two_sided", "rows": "control"}
"""A value for every setting without a default that any rival has."""


def settings_of(name: str) -> dict[str, inspect.Parameter]:
    """The settings of a rival: keyword-only parameters of its `run` but `rng`."""
    function = importlib.import_module(f"intersort.baselines.{name}").run
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p for p in parameters if p.kind is p.KEYWORD_ONLY and p.name != "rng"}


def needed_by(name: str) -> dict[str, object]:
    return {key: NEEDED[key] for key, p in settings_of(name).items() if p.default is p.empty}


def row_of(name: str) -> list[str]:
    """The cells of a rival's row in the table of the page."""
    text = (ROOT / "docs" / "rivals.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith(f"| `{name}` |")]
    assert len(rows) == 1, f"{name} has {len(rows)} rows in docs/rivals.md"
    return [cell.strip() for cell in rows[0].strip("|").split("|")]


def test_every_file_with_a_run_is_registered() -> None:
    found = {
        path.stem
        for path in FOLDER.glob("*.py")
        if path.stem not in ("__init__", "registry")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name == "run"
    }
    assert sorted(found) == NAMES == sorted(EXTRA_OF)


@pytest.mark.parametrize("name", NAMES)
def test_every_rival_says_its_settings_and_is_tested(name: str) -> None:
    module = importlib.import_module(f"intersort.baselines.{name}")
    assert len(module.__doc__ or "") > 100
    for setting in settings_of(name):
        assert f"`{setting}`" in module.__doc__, f"{name}'s docstring is silent on {setting}"
    first = next(iter(inspect.signature(module.run).parameters.values()))
    assert (first.name, first.kind) == ("data", first.POSITIONAL_OR_KEYWORD)
    assert (Path(__file__).parent / f"test_{name}.py").exists()


@pytest.mark.parametrize("name", NAMES)
def test_every_rival_is_on_the_page(name: str) -> None:
    _, _, _, settings, _, extra = row_of(name)
    assert extra == (f"`{EXTRA_OF[name]}`" if EXTRA_OF[name] else "")
    # Settings without a default are bold, all others are not.
    expected = {
        f"**`{key}`**" if p.default is p.empty else f"`{key}`"
        for key, p in settings_of(name).items()
    }
    assert set(re.findall(r"\*\*`\w+`\*\*|`\w+`(?!\*)", settings)) == expected


@pytest.mark.parametrize("name", [name for name in NAMES if EXTRA_OF[name]])
def test_a_missing_extra_is_named(name, clear_screen, monkeypatch) -> None:
    for module in [*sys.modules, "causallearn", "gies", "permscore", "torch"]:
        if module.partition(".")[0] in ("causallearn", "gies", "permscore", "torch"):
            monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf'pip install "intersort\[{EXTRA_OF[name]}\]"'):
        baselines.run(name, clear_screen[0], **needed_by(name))


@pytest.mark.parametrize("name", NAMES)
def test_missing_values_are_taken_or_refused_as_the_page_says(name, clear_screen) -> None:
    data, _ = clear_screen
    values = data.values.copy()
    values[::7, 2] = np.nan
    screen = InterventionalData.from_arrays(values, data.targets, control=-1, missing="omit")
    needed = needed_by(name)
    if name in ("random", "intersort") or "epsilon" in needed:
        assert baselines.run(name, screen, **needed).orders.shape[1] == 8
    else:
        with pytest.raises(InputError, match=rf"{name} .*missing values"):
            baselines.run(name, screen, **needed)


@pytest.mark.parametrize("name", NAMES)
def test_sparse_rows_are_taken_like_dense_ones(name, clear_screen) -> None:
    data, _ = clear_screen
    values = data.values[::5].round(2)
    settings = needed_by(name) | ({"max_steps": 5} if "max_steps" in settings_of(name) else {})
    dense, sparse = (
        InterventionalData.from_arrays(rows, data.targets[::5], control=-1)
        for rows in (values, csr_array(values))
    )
    first, second = (baselines.run(name, screen, **settings) for screen in (dense, sparse))
    np.testing.assert_array_equal(first.orders, second.orders)
    assert first.orders.shape[1] == 8


def test_no_seed_is_seed_0(clear_screen) -> None:
    data, _ = clear_screen
    without, zero, generator = (
        baselines.run("random", data, rng=rng).orders for rng in (None, 0, np.random.default_rng(0))
    )
    np.testing.assert_array_equal(without, zero)
    np.testing.assert_array_equal(without, generator)


def test_refuses_what_is_no_rival(clear_screen) -> None:
    data, _ = clear_screen
    with pytest.raises(InputError, match=r"no rival 'sortranking'; did you mean 'sort_ranking'\?"):
        baselines.run("sortranking", data)
    with pytest.raises(InputError, match=r"no rival 'registry'\. Choose one of changes, dcdi"):
        baselines.run("registry", data)


def test_refuses_settings_that_it_does_not_know(clear_screen) -> None:
    data, _ = clear_screen
    with pytest.raises(InputError, match=r"'epsilom'; did you mean 'epsilon'\?.*takes epsilon, c"):
        baselines.run("local_search", data, epsilom=0.3)
    with pytest.raises(InputError, match=r"var_sort has no setting 'epsilon'\. It takes none"):
        baselines.run("var_sort", data, epsilon=0.3)


def test_settings_without_a_default_are_asked_for(clear_screen) -> None:
    needing = {name: " and ".join(needed_by(name)) for name in NAMES if needed_by(name)}
    assert {"intersort_paper", "sort_ranking", "dcdi"} <= set(needing)
    for name, needed in needing.items():
        with pytest.raises(InputError, match=f"{name} needs {needed}, which depends on the kind"):
            baselines.run(name, clear_screen[0])


@pytest.mark.parametrize("data", [np.zeros((3, 2)), None, "screen.csv"], ids=["array", "", "path"])
def test_refuses_what_is_no_screen(data) -> None:
    with pytest.raises(InputError, match=r"baselines\.run needs InterventionalData, not"):
        baselines.run("random", data)
