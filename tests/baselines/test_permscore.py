"""permscore: the package's own order and graph, told no target."""

import json
from pathlib import Path

import numpy as np
import pytest

from intersort import InterventionalData, baselines
from intersort.metrics import d_top_range

permscore = pytest.importorskip("permscore")
FROZEN = json.loads(Path(__file__).with_name("frozen").joinpath("graph_rivals.json").read_text())


class SeedOf:
    """A generator that draws the seed which the frozen call was given."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def integers(self, _: int) -> int:
        return self.seed


@pytest.mark.parametrize("case", FROZEN["cases"], ids=range(8))
def test_order_and_graph_are_those_that_the_package_gave(case):
    from intersort.baselines.permscore import run

    values = np.array(case["hundredths"]) / 100
    data = InterventionalData.from_arrays(values, np.array(case["targets"]), control=-1)
    result = run(data, rng=SeedOf(case["permscore"]["seed"]))
    np.testing.assert_array_equal(result.orders, [case["permscore"]["order"]])
    np.testing.assert_array_equal(result.adjacency, case["permscore"]["graph"])


def test_recovers_a_clear_linear_system_without_being_told_the_targets(clear_screen):
    data, adjacency = clear_screen
    result = baselines.run("permscore", data, rng=0)
    assert d_top_range(adjacency, result.orders).mean == 0
    renamed = np.where(data.targets >= 0, 7 - data.targets, -1)
    blind = InterventionalData(data.values, renamed, data.names)
    assert d_top_range(adjacency, baselines.run("permscore", blind, rng=0).orders).mean <= 1


def test_without_effects_there_is_nothing_to_find(cut_screen):
    data, adjacency = cut_screen
    wrong = [
        d_top_range(adjacency, baselines.run("permscore", data, rng=seed).orders).mean
        for seed in range(5)
    ]
    assert np.mean(wrong) > 0.2 * np.count_nonzero(adjacency)


def test_the_same_seed_gives_the_same_order(clear_screen):
    data, _ = clear_screen
    first, second = (baselines.run("permscore", data, rng=5).orders for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_a_screen_without_control_rows_is_refused(screen_without_control):
    with pytest.raises(ValueError, match=r"it needs control rows .* Add what is missing"):
        baselines.run("permscore", screen_without_control)


def test_an_environment_of_one_row_is_refused():
    values = np.random.default_rng(0).normal(size=(30, 2))
    targets = np.append(np.repeat([-1, 0], [20, 9]), 1)
    data = InterventionalData(values, targets, ("A", "B"))
    with pytest.raises(ValueError, match=r"at least two rows of each environment.*'B'. Leave"):
        baselines.run("permscore", data)
