"""The regulariser is the one with the least mean error, of rows at the usual rates."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments import neural_tuning
from experiments.store import Row
from experiments.task import Task


def row(reg: float, d_top: float, **other: object) -> Row:
    usual = {"method": "pacer", "d": 10, "domain": "linear"}
    return usual | {"reg": reg, "d_top": d_top} | other


KEY = ("pacer", 10, "linear")


def test_the_least_mean_is_chosen() -> None:
    rows = [row(1.0, 1.0), row(1.0, 5.0), row(0.1, 2.5), row(0.1, 2.5), row(3.0, 4.0)]
    assert neural_tuning.choose(rows) == {KEY: 0.1}
    assert neural_tuning.choose([*rows, row(3.0, 0.0)]) == {KEY: 3.0}


def test_of_equals_the_smaller_one() -> None:
    rows = [row(3.0, 2.0), row(0.1, 2.0), row(1.0, 2.0)]
    assert neural_tuning.choose(rows) == neural_tuning.choose(rows[::-1]) == {KEY: 0.1}


def test_each_method_size_and_domain_has_its_own() -> None:
    others = [{"method": "dcdi"}, {"d": 30}, {"domain": "nn"}]
    rows = [row(0.1, 1.0), row(1.0, 2.0)]
    rows += [row(reg, 1 / reg, **other) for other in others for reg in (0.1, 1.0)]
    assert neural_tuning.choose(rows) == {
        KEY: 0.1,
        ("dcdi", 10, "linear"): 1.0,
        ("pacer", 30, "linear"): 1.0,
        ("pacer", 10, "nn"): 1.0,
    }


def test_rows_at_other_rates_choose_nothing() -> None:
    rows = [row(0.1, 2.0), row(1.0, 3.0), row(1.0, 0.0, order_rate=0.01)]
    assert neural_tuning.choose(rows) == {KEY: 0.1}


def test_the_page_marks_what_was_chosen_and_nothing_at_other_rates(tmp_path: Path) -> None:
    rows = [row(0.1, 2.0), row(1.0, 3.0), row(1.0, 0.25, order_rate=0.01)]
    page = neural_tuning.report(rows, tmp_path)
    usual, other = page.split("## ")[1:]
    assert usual.startswith("pacer, 10 variables\n")
    assert "| Linear | **2.00** | 3.00 |" in usual
    assert other.startswith("pacer, 10 variables, rate of the order 0.01\n")
    assert "| Linear | 0.25 |" in other


def test_its_rows_come_from_elsewhere() -> None:
    assert neural_tuning.tasks("full") == neural_tuning.tasks("smoke") == []
    with pytest.raises(NotImplementedError):
        neural_tuning.solve(Task("neural_tuning", {}))
