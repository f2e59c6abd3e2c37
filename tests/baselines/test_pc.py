"""PC: causal-learn's oriented edges, on the rows it is told to look at."""

import json
from pathlib import Path

import numpy as np
import pytest

from intersort import InterventionalData, baselines
from intersort.metrics import d_top_range

pytest.importorskip("causallearn")
FROZEN = json.loads(Path(__file__).with_name("frozen").joinpath("graph_rivals.json").read_text())


def collider(n: int, noise_of_c: float = 1.0) -> InterventionalData:
    """A → C ← B with nothing hidden: the one graph of three variables that rows alone orient."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, n))
    values = np.stack([a, b, a + b + noise_of_c * rng.normal(size=n)], axis=1)
    targets = np.where(np.arange(n) < n // 2, -1, 1)
    return InterventionalData(values, targets, ("A", "B", "C"))


@pytest.mark.parametrize("case", FROZEN["cases"], ids=range(8))
def test_edges_are_those_that_the_package_gave(case):
    values = np.array(case["hundredths"]) / 100
    data = InterventionalData.from_arrays(values, np.array(case["targets"]), control=-1)
    result = baselines.run("pc", data, rows="control")
    np.testing.assert_array_equal(result.adjacency, case["pc"])


@pytest.mark.parametrize("rows", ["control", "pooled"])
def test_orients_a_collider(rows):
    result = baselines.run("pc", collider(2000), rows=rows, rng=1)
    np.testing.assert_array_equal(result.adjacency, [[0, 0, 1], [0, 0, 1], [0, 0, 0]])
    assert d_top_range(result.adjacency, result.orders).mean == 0
    assert set(map(tuple, result.orders)) == {(0, 1, 2), (1, 0, 2)}


def test_control_rows_are_all_it_sees_unless_told_otherwise():
    data = collider(2000)
    values = data.values.copy()
    values[data.targets != -1] = np.random.default_rng(1).normal(size=(1000, 3))
    spoiled = InterventionalData(values, data.targets, data.names)
    same, other = (baselines.run("pc", spoiled, rows=rows) for rows in ("control", "pooled"))
    whole = baselines.run("pc", data, rows="control")
    np.testing.assert_array_equal(same.adjacency, whole.adjacency)
    np.testing.assert_array_equal(same.orders, whole.orders)
    assert other.adjacency.shape == (3, 3)


def test_alpha_decides_what_is_an_edge():
    weak = collider(200, noise_of_c=12.0)
    strict, loose = (baselines.run("pc", weak, rows="pooled", alpha=a) for a in (1e-9, 0.3))
    assert not strict.adjacency.any()
    assert loose.adjacency.any()


def test_nothing_is_printed(capfd):
    baselines.run("pc", collider(100), rows="control")
    assert capfd.readouterr() == ("", "")


def test_rows_have_no_default():
    with pytest.raises(ValueError, match="pc needs rows, which depends on the kind of data"):
        baselines.run("pc", collider(100))


def test_rows_of_another_name_are_refused():
    with pytest.raises(ValueError, match='must be "control" or "pooled"; got \'all\''):
        baselines.run("pc", collider(100), rows="all")


@pytest.mark.parametrize("alpha", [0, 1, -0.1])
def test_a_level_that_is_none_is_refused(alpha):
    with pytest.raises(ValueError, match=r"alpha must lie between 0 and 1, say 0.05; got"):
        baselines.run("pc", collider(100), rows="control", alpha=alpha)
