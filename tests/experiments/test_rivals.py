"""One rival on one dataset: what it found, or why it found nothing; never an exception."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest

from experiments import rivals
from experiments.screens import DOMAINS, EPSILON
from experiments.store import check_row
from intersort import InterventionalData, baselines, measure_effects, score_orders
from intersort.baselines import BaselineResult
from intersort.theory.small_cases import graph_from_edges

CHAIN = graph_from_edges(3, [(0, 1), (1, 2)])
Given = dict[str, Any]


@pytest.fixture
def data() -> InterventionalData:
    rng = np.random.default_rng(0)
    values, targets = rng.normal(size=(90, 3)), np.repeat([-1, 0, 1], 30)
    values[30:60] += 3.0
    return InterventionalData.from_arrays(values, targets, control=-1)


@pytest.fixture
def run(
    data: InterventionalData, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[dict[str, Any], Given]]:
    """The row of a rival that is `body`, and what the rival was given."""

    def run(
        body: Callable[[], BaselineResult],
        method: str = "toy",
        cpu_seconds: float = 60,
        **settings: Any,
    ) -> tuple[dict[str, Any], Given]:
        given: Given = {}

        def toy(name: str, data: InterventionalData, **received: Any) -> BaselineResult:
            given.update(received, name=name)
            return body()

        monkeypatch.setattr(baselines, "run", toy)
        row = rivals.run_rival(
            method, data, CHAIN, domain="nn", seed=7, cpu_seconds=cpu_seconds, **settings
        )
        check_row({"method": method}, row)
        return row, given

    return run


def test_one_order_has_an_error_and_no_range(run: Callable[..., Any]) -> None:
    row, given = run(lambda: BaselineResult(np.array([[0, 2, 1]])))
    assert row.pop("seconds") >= 0
    assert row == {"d_top": 1.0, "status": "ok"}
    assert given == {"name": "toy", "rng": 7}


def test_several_orders_have_their_mean_and_range(run: Callable[..., Any]) -> None:
    orders = np.array([[0, 1, 2], [2, 1, 0], [0, 2, 1]])
    row, _ = run(lambda: BaselineResult(orders, status="ok: as a test"))
    assert (row["d_top"], row["d_top_least"], row["d_top_most"]) == (1.0, 0, 2)
    assert row["status"] == "ok: as a test"


def test_a_rival_that_fails_says_why_in_one_short_line(run: Callable[..., Any]) -> None:
    def fails() -> BaselineResult:
        raise ValueError("no\n  such thing " + "x" * 500)

    row, _ = run(fails)
    assert set(row) == {"status"}
    assert row["status"].startswith("failed: ValueError: no such thing xxx")
    assert len(row["status"]) == len("failed: ") + 200


def test_a_rival_out_of_time_says_so_and_how_long_it_took(run: Callable[..., Any]) -> None:
    def never_ends() -> BaselineResult:
        for _ in count():
            pass
        raise AssertionError

    row, _ = run(never_ends, cpu_seconds=0.05)
    assert row["status"] == "out of time"
    assert row["seconds"] > 0
    assert set(row) == {"status", "seconds"}


def test_being_stopped_by_hand_is_not_a_result(run: Callable[..., Any]) -> None:
    def stopped() -> BaselineResult:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(stopped)


def test_a_setting_of_the_experiment_goes_before_that_of_the_domain(
    run: Callable[..., Any],
) -> None:
    found = BaselineResult(np.array([[0, 1, 2]]))
    _, given = run(lambda: found, "sort_ranking")
    assert given["epsilon"] == EPSILON["nn"]
    _, given = run(lambda: found, "sort_ranking", epsilon=0.7)
    assert given["epsilon"] == 0.7


def test_the_score_is_the_paper_s_at_the_epsilon_of_the_domain(data: InterventionalData) -> None:
    orders = np.array([[0, 1, 2], [2, 1, 0]])
    for domain in DOMAINS:
        score = rivals.paper_score(data, domain)
        expected = score_orders(measure_effects(data), EPSILON[domain], c=0.5)
        assert rivals.mean_score(score, orders) == np.mean([expected.score(o) for o in orders])
        assert rivals.judge(orders, CHAIN, score)["score"] == rivals.mean_score(score, orders)
    assert len({rivals.paper_score(data, d).score([0, 1, 2]) for d in DOMAINS}) == 2  # two ε


def test_the_thresholds_are_the_paper_s() -> None:
    assert EPSILON == {"linear": 0.3, "rff": 0.3, "nn": 0.3, "gene_regulation": 0.5}
    assert rivals.C == 0.5
