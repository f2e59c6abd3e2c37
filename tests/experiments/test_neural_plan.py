"""From a plan to rows: bundles, what was trained on them, and the cells of the rows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from experiments import catalogue, neural, neural_plan
from experiments.neural_problems import read_bundle
from experiments.screens import DOMAINS, FRACTIONS, Screen, draw, screen_of
from experiments.store import Store
from experiments.task import SIZES, canonical
from intersort.metrics import d_top

pytestmark = pytest.mark.usefixtures("one_thread")
SMALL = {"n_control": 60, "n_per_target": 10}


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Screen]]:
    """Two plans of two small datasets: one for tuning, one for a grid."""
    plans = {
        "tuning_tiny": [Screen("linear", 3, 1, 901, **SMALL), Screen("nn", 3, 2, 902, **SMALL)],
        "grid_tiny": [Screen("linear", 3, 1, 0, **SMALL)],
    }
    for name, experiment in (("tuning_tiny", "neural_tuning"), ("grid_tiny", "ten_variables")):
        monkeypatch.setitem(neural_plan.PLANS, name, (3, experiment, (0.4, 1.0)))
    monkeypatch.setattr(neural_plan, "screens_of_plan", plans.__getitem__)
    monkeypatch.setattr("intersort.baselines.neural.pacer_networks.N_GRAPHS", 5)
    return plans


def rows_of(plan: str, method: str, folder: Path, *more: str) -> list[dict]:
    """Write the bundle, train a few steps, collect."""
    bundles, trained, store = folder / "bundles", folder / "trained", folder / "store.sqlite"
    assert neural_plan.main(["bundle", plan, "--out", str(bundles)]) == 0
    regs = ["0.1", "1"] if plan.startswith("tuning") else ["0.1"]
    there = ["--problems", str(bundles), "--out", str(trained)]
    how = ["--device", "cpu", "--threads", "1", "--max-steps", "20", "--reg", *regs]
    assert neural.main([method, *there, *how]) == 0
    arguments = ["collect", plan, method, str(trained), "--store", str(store), *more]
    assert neural_plan.main(arguments) == 0
    experiment = neural_plan.PLANS[plan][1]
    assert (folder / "results" / f"{experiment}.csv").exists()
    fresh = Store(":memory:", folder / "results")
    fresh.load(experiment)
    return fresh.rows(experiment)


def test_a_bundle_has_each_dataset_once_and_a_problem_for_each_fraction(tiny, tmp_path) -> None:
    neural_plan.write_plan("tuning_tiny", tmp_path)
    bundle = read_bundle(tmp_path / "tuning_tiny.npz")
    screens = tiny["tuning_tiny"]
    assert bundle.keys == [canonical(screen.cell) for screen in screens]
    assert bundle.problem_datasets.tolist() == [0, 0, 1, 1]
    for k, key in enumerate(bundle.problem_keys):
        cell = json.loads(key)
        drawn = draw(screen_of(cell))
        chosen = drawn.choose(cell["fraction"])
        assert np.flatnonzero(bundle.problem_shown[k]).tolist() == sorted(chosen)
        problem = neural.make_problem(bundle, k)
        np.testing.assert_array_equal(problem.values, drawn.values.astype(np.float32))
        # What training sees is what every other rival is given.
        expected = drawn.take(chosen)
        np.testing.assert_allclose(problem.values[problem.rows()], expected.values, rtol=1e-6)
        np.testing.assert_array_equal(problem.targets[problem.rows()], expected.targets)


def test_rows_of_tuning_have_the_regulariser_in_their_cell(tiny, tmp_path, capsys) -> None:
    rows = rows_of("tuning_tiny", "pacer", tmp_path, "--order-rate", "0.003")
    assert "8 rows" in capsys.readouterr().out
    cells = {(r["domain"], r["repetition"], r["fraction"], r["reg"]) for r in rows}
    expected = {("linear", 901), ("nn", 902)}
    assert cells == {(*d, f, reg) for d in expected for f in (0.4, 1.0) for reg in (0.1, 1.0)}
    for row in rows:
        assert (row["method"], row["d"], row["order_rate"]) == ("pacer", 3, 0.003)
        assert (row["steps"], row["status"]) == (20, "ok")
        assert row["seed"] == screen_of(row).seed
    store = Store(tmp_path / "store.sqlite")
    assert all(json.loads(cell)["reg"] in (0.1, 1.0) for cell in store.done("neural_tuning"))
    store.close()


def test_rows_of_a_grid_are_filed_as_other_rivals_are(tiny, tmp_path) -> None:
    rows = rows_of("grid_tiny", "pacer", tmp_path)
    (screen,) = tiny["grid_tiny"]
    store = Store(tmp_path / "store.sqlite")
    assert store.done("ten_variables") == {
        canonical(screen.cell | {"fraction": f, "method": "pacer"}) for f in (0.4, 1.0)
    }
    store.close()
    assert [row["reg"] for row in rows] == [0.1, 0.1]
    with np.load(tmp_path / "trained" / "grid_tiny.npz") as file:
        order = np.argsort(-file["ranking"][1])
    row = next(row for row in rows if row["fraction"] == 1.0)
    assert row["d_top"] == d_top(draw(screen).adjacency, order)
    about = json.loads((tmp_path / "results" / "ten_variables.json").read_text())
    (made,) = about["made"].values()
    assert made["device"] == "cpu"
    assert made["settings"] == {"reg": [0.1], "max_steps": 20, "time_limit": None, "n_problems": 2}


def test_dcdi_rows_say_that_training_was_cut_short(tiny, tmp_path) -> None:
    rows = rows_of("grid_tiny", "dcdi", tmp_path)
    assert all(row["status"].startswith("met the step cap after 0 steps; ok") for row in rows)
    assert all(row["d_top_least"] <= row["d_top"] <= row["d_top_most"] for row in rows)


def test_the_plans_are_the_papers_grid_and_datasets_that_no_other_experiment_has() -> None:
    seeds = {screen.seed for name in ("tuning10", "tuning30") for screen in screens(name)}
    assert len(seeds) == 2 * 2 * len(DOMAINS)
    for name in catalogue.NAMES:
        for size in SIZES:
            cells = [dict(task.cell) for task in catalogue.find(name).tasks(size)]
            named = [cell for cell in cells if {"domain", "d", "edges", "repetition"} <= set(cell)]
            drawn = {screen_of(cell).seed for cell in named if cell["domain"] in DOMAINS}
            assert not drawn & seeds, name
            repetitions = [cell.get("repetition", 0) for cell in cells]
            assert all(r < neural_plan.TUNING_FROM for r in repetitions), name


@pytest.mark.parametrize(("plan", "name"), [("grid10", "ten_variables"), ("grid30", "figure2")])
def test_a_grid_is_on_the_datasets_of_its_experiment(plan: str, name: str) -> None:
    d, experiment, fractions = neural_plan.PLANS[plan]
    tasks = catalogue.find(name).tasks("full")
    assert (experiment, tuple(fractions)) == (name, FRACTIONS)
    expected = {canonical(screen_of(dict(task.cell)).cell) for task in tasks}
    assert {canonical(screen.cell) for screen in screens(plan)} == expected
    assert all(screen.d == d for screen in screens(plan))


def screens(plan: str) -> list[Screen]:
    return neural_plan.screens_of_plan(plan)
