"""Which rows are drawn, which are held out, and where a term is left out."""

import numpy as np
import pytest

from intersort.baselines.neural.device_rows import DeviceRows
from intersort.baselines.neural.problem import Problem

torch = pytest.importorskip("torch")
D = 3


def dataset(first: float, targets: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Rows that say their number in the first column."""
    values = np.zeros((len(targets), D), dtype=np.float32)
    values[:, 0] = first + np.arange(len(targets))
    return values, np.array(targets)


@pytest.fixture
def problems():
    many = dataset(0, [-1, 0, 1, 2, -2] * 20)
    few = dataset(1000, [-1, -1, 2] * 7)
    return [Problem(*many, shown=np.array([0, 2])), Problem(*few), Problem(*many, np.array([1]))]


@pytest.fixture
def rows(problems):
    rngs = [np.random.default_rng(k) for k in range(3)]
    return DeviceRows(problems, rngs, torch.device("cpu"))


def training_of(problems) -> list[set[float]]:
    """Numbers of the rows for training, as each problem's own seed splits them."""
    splits = [p.split(np.random.default_rng(k))[0] for k, p in enumerate(problems)]
    return [
        set(problem.values[part, 0].tolist())
        for problem, part in zip(problems, splits, strict=True)
    ]


def drawn(rows: DeviceRows, n_rows: int = 2000) -> list[set[float]]:
    values, _ = rows.draw(n_rows, torch.Generator().manual_seed(0))
    return [set(part[:, 0].tolist()) for part in values]


def test_the_rows_for_training_are_drawn_all_of_them_and_no_others(problems, rows):
    assert drawn(rows) == training_of(problems)


def test_a_generator_that_reaches_one_draws_no_row_too_far(problems, rows, monkeypatch):
    monkeypatch.setattr(torch, "rand", lambda shape, **_: torch.ones(shape))
    for found, everything in zip(drawn(rows, 2), training_of(problems), strict=True):
        assert found <= everything


def test_the_term_of_a_target_is_left_out(rows):
    values, natural = rows.draw(200, torch.Generator().manual_seed(1))
    assert natural.shape == (3, D, 200)
    for k, period in ((0, [-1, 0, 1, 2, -2]), (1, [-1, -1, 2]), (2, [-1, 0, 1, 2, -2])):
        number = values[k, :, 0].long() % 1000
        target = torch.tensor(period)[number % len(period)]
        expected = (target != torch.arange(D)[:, None]).float()
        torch.testing.assert_close(natural[k], expected)


def test_rows_held_out_are_the_rest_and_weigh_one_together(problems, rows):
    parts = list(rows.held_out_in_parts(6))
    assert max(values.shape[1] for values, _ in parts) == 6
    values = torch.cat([values for values, _ in parts], dim=1)
    weight = torch.cat([weight for _, weight in parts], dim=2).amax(1)  # none is on all variables
    torch.testing.assert_close(weight.sum(1), torch.ones(3))
    for k, (problem, seen) in enumerate(zip(problems, training_of(problems), strict=True)):
        held_out = values[k, weight[k] > 0, 0].tolist()
        everything = set(problem.values[problem.rows(), 0].tolist())
        assert len(held_out) == len(set(held_out)) == len(everything) - len(seen)
        assert set(held_out) == everything - seen


def test_a_dataset_that_problems_share_is_there_once(rows):
    assert len(rows.values) == 100 + 21


def test_the_problems_kept_draw_from_their_own_rows(problems, rows):
    rows.keep(torch.tensor([1, 2]))
    assert drawn(rows) == training_of(problems)[1:]
    values, weight = next(rows.held_out_in_parts(100))
    assert values.shape[0] == weight.shape[0] == 2
    assert set(values[0, :, 0].tolist()) - {0.0} <= set(problems[1].values[:, 0].tolist())
