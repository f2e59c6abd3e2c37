"""Which rows a problem uses, how they are split, seeds, time and the missing extra."""

import sys
import time

import numpy as np
import pytest

from intersort._optional import MissingExtraError
from intersort.baselines.neural.problem import (
    Clock,
    Problem,
    choose_device,
    import_torch,
    seed_of,
)

TARGETS = np.array([-1, 0, 1, -2, 2, -1, 1])


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (None, [0, 1, 2, 4, 5, 6]),
        ([1], [0, 2, 5, 6]),
        ([], [0, 5]),
        ([-2, 0], [0, 1, 5]),  # unused rows stay unused
    ],
)
def test_control_rows_and_those_of_the_targets_shown_are_used(shown, expected):
    shown = None if shown is None else np.array(shown, dtype=np.int64)
    assert Problem(np.zeros((7, 3)), TARGETS, shown).rows().tolist() == expected


def test_a_split_is_of_all_rows_four_to_one_and_the_seeds_own():
    problem = Problem(np.zeros((50, 2)), np.tile([-1, 0, 1, -2, -1], 10))
    training, held_out = problem.split(np.random.default_rng(0))
    assert (training.size, held_out.size) == (32, 8)
    assert sorted([*training, *held_out]) == problem.rows().tolist()
    again, other = (problem.split(np.random.default_rng(seed))[0] for seed in (0, 1))
    np.testing.assert_array_equal(again, training)
    assert set(other) != set(training)


def test_a_batch_has_a_seed_of_its_own_made_of_all_of_its_problems():
    seeds = [seed_of(s) for s in ([1, 2, 3], [1, 2, 4], [2, 1, 3], [1, 2], [2**40, 2, 3])]
    assert len(set(seeds)) == len(seeds)
    assert seed_of([1, 2, 3]) == seeds[0]
    assert all(0 <= seed < 2**32 for seed in seeds)


def test_a_clock_is_over_once_its_limit_is_met():
    assert not Clock().is_over
    assert not Clock(100.0).is_over
    assert Clock(1.0, begin=time.perf_counter() - 1.5).is_over
    assert Clock(0.0, begin=time.perf_counter() - 0.25).seconds >= 0.25


def test_the_device_is_the_one_asked_for_or_what_there_is(monkeypatch):
    torch = pytest.importorskip("torch")
    for there_is_one, expected in ((False, "cpu"), (True, "cuda")):
        monkeypatch.setattr(torch.cuda, "is_available", lambda there=there_is_one: there)
        assert choose_device(None).type == expected
        assert choose_device("cpu").type == "cpu"


def test_torch_is_imported_when_it_is_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r'pip install "intersort\[neural\]"'):
        import_torch()
