"""A batch on its way: seeds, steps, limits, and what is reported."""

import numpy as np
import pytest

from intersort.baselines.neural.pacer_training import train_pacer
from intersort.baselines.neural.problem import MET_TIME_LIMIT, OK, Problem

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(autouse=True)
def few_graphs(monkeypatch):
    monkeypatch.setattr("intersort.baselines.neural.pacer_networks.N_GRAPHS", 5)


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    return Problem(rng.normal(size=(60, 2)).astype(np.float32), np.tile([-1, 0, 1], 20))


def train(problems, seeds, **how):
    settings = {"reg": 0.1, "device": "cpu", "max_steps": 20} | how
    return train_pacer(problems, seeds=seeds, **settings)


def test_a_batch_reproduces_and_other_seeds_give_other_numbers(problem):
    runs = [train([problem] * 2, seeds) for seeds in ([1, 2], [1, 2], [1, 3])]
    first, second, third = (np.stack([one.ranking for one in run]) for run in runs)
    np.testing.assert_array_equal(first, second)
    assert (first != third).all()
    assert (first[0] != first[1]).all()
    assert all(one.status == OK for run in runs for one in run)


def test_the_regulariser_of_each_problem_shuts_its_own_gates(problem):
    low, high = train([problem] * 2, [1, 1], reg=[0.0, 10.0], max_steps=50)
    off = ~np.eye(2, dtype=np.bool_)
    assert (high.probabilities[off] < 0.4).all()
    assert (high.probabilities[off] < low.probabilities[off]).all()
    assert (low.probabilities[~off] == 0).all()


def test_a_time_limit_ends_it_with_what_it_has(problem):
    (one,) = train([problem], [1], time_limit=0.0)
    assert (one.steps, one.status) == (0, MET_TIME_LIMIT)
    assert one.ranking.tolist() == [0, 0]
    assert one.probabilities[0, 1] == 0.5


def test_every_fifty_steps_are_reported(problem):
    seen = []
    found = train([problem], [1], max_steps=100, report=seen.append)
    assert [(p.step, p.n_finished, p.n_problems) for p in seen] == [(50, 0, 1), (100, 1, 1)]
    np.testing.assert_array_equal(seen[-1].results()[0].ranking, found[0].ranking)
    assert found[0].steps == 100
