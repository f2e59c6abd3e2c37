"""The summary: every count right, and a failed intervention called by its name."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
from scipy import sparse

from intersort import DataSummary, InterventionalData, read_table
from intersort.summary import summarize


@pytest.fixture
def screen():
    """Controls, a knock-down that works, one that fails, one that only narrows, a single row."""
    rng = np.random.default_rng(0)
    values = rng.normal(5, 2, size=(1000, 6))
    labels = np.repeat(["control", "works", "fails", "narrows", "other"], 200).astype(object)
    labels[-1] = "single"
    values[200:400, 0] -= 3
    values[600:800, 2] = 5 + (values[600:800, 2] - 5) / 10
    values[-1, 3] = 60
    values[:200, 4] = 7.5
    names = ["works", "fails", "narrows", "single", "flat", "spare"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return InterventionalData.from_arrays(values, labels, names)


def test_counts(screen):
    summary = screen.summary()
    assert isinstance(summary, DataSummary)
    assert (summary.n_rows, summary.n_variables, summary.n_controls) == (1000, 6, 200)
    assert summary.rows_per_target == (
        ("works", 200), ("fails", 200), ("narrows", 200), ("single", 1)
    )  # fmt: skip
    assert summary.unused == (("other", 199),)
    assert summary.never_intervened == ("flat", "spare")
    assert summary.constant_in_controls == ("flat",)
    assert summary.single_row_targets == ("single",)
    assert summary.variables == screen.names
    assert summary.missing == ()


def test_on_target(screen):
    checks = {one.variable: one for one in screen.summary().on_target}
    assert {name: one.moved for name, one in checks.items()} == {
        "works": True, "fails": False, "narrows": True, "single": True
    }  # fmt: skip
    before, after = screen.values[:200, 0], screen.values[200:400, 0]
    expected = (after.mean() - before.mean()) / before.std()
    assert checks["works"].mean_shift == pytest.approx(expected)
    assert checks["works"].mean_before == pytest.approx(before.mean())
    assert checks["works"].mean_after == pytest.approx(after.mean())
    assert checks["narrows"].spread_ratio == pytest.approx(0.1, abs=0.02)
    assert checks["single"].spread_ratio is None


def test_shuffled_labels_move_nothing():
    rng = np.random.default_rng(1)
    values = rng.lognormal(size=(4000, 20))
    targets = rng.integers(-1, 20, size=4000)
    data = InterventionalData(values, targets, tuple(f"x{j}" for j in range(20)))
    assert len(data.summary().not_moved) >= 19


def test_text(screen):
    text = str(screen.summary())
    for line in (
        "1,000 rows × 6 variables from 'arrays'",
        "Controls: 200 rows labelled 'control'",
        "Not used: 199 rows, whose label is neither a variable nor the control: 'other' (199 rows)",
        "Columns taken: 'works', 'fails', 'narrows', 'single', 'flat', 'spare'",
        "Never intervened on (2): 'flat', 'spare'",
        "Constant in the controls (1): 'flat'",
        "Targets with a single row (1): 'single'",
        "Intervened on: 4 variables. Did do(i) move i itself?",
    ):
        assert line in text.splitlines()
    assert "  works: 200 rows, mean -1." in text
    assert "NOT seen to move" in text
    assert "Look at 'fails': the intervention does not show in the variable itself." in text
    assert repr(screen.summary()) == text


def test_text_of_what_is_special():
    values = np.array([[0.5, np.nan], [1.5, 0.25], [9.5, 4.5]])
    data = InterventionalData(
        values,
        np.array([-1, -1, 0]),
        ("a", "b"),
        control=("a", "(blank)"),
        control_is_variable=("a",),
        left_out=(("batch", "ignored"),),
    )
    text = str(data.summary())
    assert "3 rows × 2 variables\n" in text
    assert "rows labelled 'a', (blank)" in text
    assert "'a' is a variable too: its rows count as controls, not as a target" in text
    assert "Not used: no rows" in text
    assert "Columns left out: 'batch' (ignored)" in text
    assert "Missing values: 1, in 'b' (1)" in text


def test_long_lists_are_cut():
    values = np.random.default_rng(0).normal(size=(122, 120))
    targets = np.concatenate([[-1, -1], np.arange(120)])
    data = InterventionalData(values, targets, tuple(f"gene{j}" for j in range(120)))
    text = str(data.summary())
    assert "… and 70 more (to_dict holds all)" in text
    assert len(max(text.splitlines(), key=len)) < 1500
    assert len(data.summary().to_dict()["on_target"]) == 120


def test_a_machine_can_read_it(screen):
    read = json.loads(json.dumps(screen.summary().to_dict(), allow_nan=False))
    assert read["n_controls"] == 200
    assert read["rows_per_target"]["works"] == 200
    assert read["not_moved"] == ["fails"]
    assert read["on_target"][1]["variable"] == "fails"
    assert read["on_target"][3]["spread_ratio"] is None


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_matrix, np.asfortranarray])
def test_other_forms_say_the_same(screen, form):
    again = InterventionalData(form(screen.values), screen.targets, screen.names)
    for one, other in zip(again.summary().on_target, screen.summary().on_target, strict=True):
        assert str(one) == str(other)


def test_missing_values_are_left_out():
    values = np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, 1], [9.0, 2], [np.nan, np.nan]])
    data = InterventionalData(values, np.array([-1, -1, 0, 0, 1]), ("a", "b"))
    summary = data.summary()
    assert summary.missing == (("a", 2), ("b", 3))
    a, b = summary.on_target
    assert (a.n_rows, a.mean_before, a.mean_after, a.mean_shift) == (1, 2.0, 9.0, 7.0)
    assert (b.n_rows, b.mean_before, b.mean_after, b.moved) == (0, None, None, None)
    assert "b: 0 rows; cannot be judged" in str(summary)


@pytest.mark.parametrize(
    "before, after, moved, text",
    [
        ([3.0, 3.0], [3.0, 3.0], False, "NOT seen to move (constant 3 in the controls)"),
        ([3.0, 3.0], [3.0, 4.0], True, "moved (constant 3 in the controls)"),
        ([3.0], [4.0, 9.0], None, "cannot be judged (constant 3 in the controls)"),
    ],
)
def test_controls_without_any_spread(before, after, moved, text):
    column = np.array(before + after)
    values = np.column_stack([column, column])
    targets = np.array([-1] * len(before) + [0] * len(after))
    check = InterventionalData(values, targets, ("a", "b")).summary().on_target[0]
    assert check.moved is moved
    assert check.mean_shift is None
    assert str(check) == f"a: 2 rows; {text}"


def test_values_near_the_largest_float_do_not_break_it():
    values = np.array([[1e308, 1], [1.5e308, 2], [-1.7e308, 3], [1.7e308, 4]])
    data = InterventionalData(values, np.array([-1, -1, 0, 0]), ("a", "b"))
    json.dumps(data.summary().to_dict(), allow_nan=False)


def test_blocks_of_columns_make_no_difference(screen, monkeypatch):
    whole = summarize(screen)
    monkeypatch.setattr("intersort.summary._CELLS_PER_BLOCK", 2000)
    assert summarize(screen) == whole


def test_sachs(shared_data):
    file = shared_data / "sachs" / "sachs_wang2017_raw.csv"
    summary = read_table(file, "intervention", "", ignore="experiment").summary()
    assert summary.control == ("(blank)",)
    assert dict(summary.rows_per_target)["Akt"] == 911
    assert summary.left_out == (("experiment", "ignored"),)
    assert "Mek" not in summary.not_moved
