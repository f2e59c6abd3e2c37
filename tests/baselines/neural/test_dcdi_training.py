"""A batch on its way: seeds, limits, what is reported, and problems that leave when done."""

import numpy as np
import pytest

from intersort.baselines.neural import augmented_lagrangian, dcdi_networks
from intersort.baselines.neural.dcdi_training import train_dcdi
from intersort.baselines.neural.problem import MET_STEP_CAP, MET_TIME_LIMIT, OK, Problem

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    return Problem(rng.normal(size=(60, 2)).astype(np.float32), np.tile([-1, 0, 1], 20))


def train(problems, seeds, **how):
    settings = {"reg": 1.0, "device": "cpu", "max_steps": 100} | how
    return train_dcdi(problems, seeds=seeds, **settings)


def test_a_batch_reproduces_and_other_seeds_give_other_numbers(problem):
    runs = [train([problem] * 2, seeds) for seeds in ([1, 2], [1, 2], [1, 3])]
    first, second, third = (np.stack([one.probabilities for one in run]) for run in runs)
    np.testing.assert_array_equal(first, second)
    assert (first != third)[:, [0, 1], [1, 0]].all()
    assert (first[0] != first[1])[[0, 1], [1, 0]].all()
    assert (first[:, [0, 1], [0, 1]] == 0).all()  # nothing is its own parent


def test_steps_are_taken_by_the_hundred_up_to_the_cap(problem):
    for cap, taken in ((99, 0), (100, 100), (250, 200)):
        (one,) = train([problem], [1], max_steps=cap)
        assert (one.steps, one.status) == (taken, MET_STEP_CAP)


def test_a_time_limit_ends_it_with_what_it_has(problem):
    (one,) = train([problem], [1], time_limit=0.0)
    assert (one.steps, one.status) == (0, MET_TIME_LIMIT)
    expected = 1 / (1 + np.exp(-dcdi_networks.START_OF_LOGITS))
    np.testing.assert_allclose(one.probabilities[0, 1], expected, rtol=1e-5)


def test_each_hundred_steps_are_reported(problem):
    seen = []
    found = train([problem], [1], max_steps=300, report=seen.append)
    assert [(p.step, p.n_finished, p.n_problems) for p in seen] == [
        (100, 0, 1),
        (200, 0, 1),
        (300, 0, 1),
    ]
    np.testing.assert_array_equal(seen[-1].results()[0].probabilities, found[0].probabilities)


def test_a_problem_that_is_done_keeps_what_it_had_then(problem, monkeypatch):
    """Two are pushed to the empty graph at once; the first, not regularised, goes on."""
    monkeypatch.setattr(dcdi_networks, "RATE", 0.1)
    monkeypatch.setattr(augmented_lagrangian, "MOST_VIOLATION", 1e-4)
    seen = []
    found = train(
        [problem] * 3,
        [1, 2, 3],
        reg=[0.0, 50.0, 50.0],
        max_steps=300,
        report=lambda p: seen.append((p.n_finished, p.results())),
    )
    assert [one.status for one in found] == [MET_STEP_CAP, OK, OK]
    assert found[1].steps < found[0].steps == 300
    assert found[1].probabilities.max() < 0.01
    first = next(results for n_finished, results in seen if n_finished)
    np.testing.assert_array_equal(first[1].probabilities, found[1].probabilities)
    assert found[0].probabilities[0, 1] != first[0].probabilities[0, 1]
