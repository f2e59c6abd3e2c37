"""DCDI: what it must solve, ten times as fast as the authors', and what it says of itself."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.sparse import csr_array

from intersort import InputError, InterventionalData, baselines
from intersort._optional import MissingExtraError
from intersort.baselines import dcdi
from intersort.baselines.neural import dcdi_networks
from intersort.baselines.neural.dcdi_training import train_dcdi
from intersort.baselines.neural.problem import MET_STEP_CAP, MET_TIME_LIMIT, OK, Trained
from intersort.baselines.neural.take import as_problem
from intersort.metrics import d_top_range

pytest.importorskip("torch")
pytestmark = pytest.mark.usefixtures("one_thread")
QUICK = {"reg": 1.0, "device": "cpu", "max_steps": 100}


def test_it_finds_the_graph_and_in_noise_none(tiny_screens, monkeypatch):
    monkeypatch.setattr(dcdi_networks, "RATE", 0.01)
    problems = [as_problem(data, "dcdi") for data, _ in tiny_screens.values()]
    trained = train_dcdi(problems, reg=1.0, seeds=[1, 2, 3], device="cpu", max_steps=2000)
    for one, (_, adjacency) in zip(trained, tiny_screens.values(), strict=True):
        found = dcdi.result_of(one, np.random.default_rng(0))
        np.testing.assert_array_equal(found.adjacency, adjacency)
        assert d_top_range(adjacency, found.orders).most == 0
    # The empty graph is done long before the others, which go on without it.
    assert [one.status for one in trained] == [MET_STEP_CAP, MET_STEP_CAP, OK]
    assert trained[2].steps < trained[0].steps == trained[1].steps == 2000


def test_the_same_seed_gives_the_same_orders_and_another_one_others(tiny_screens):
    # Early on every pair is an edge both ways, and orders hang on differences far behind the point.
    data = tiny_screens["chain"][0]
    runs = [baselines.run("dcdi", data, rng=seed, **QUICK).orders for seed in (5, 5, 6, 7, 8)]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert len({orders.tobytes() for orders in runs[1:]}) > 1


def test_sparse_rows_are_trained_on_like_dense_ones(tiny_screens):
    data = tiny_screens["fork"][0]
    values = np.where(abs(data.values) < 0.3, 0, data.values)
    dense, sparse = (
        baselines.run("dcdi", InterventionalData(rows, data.targets, data.names), **QUICK).orders
        for rows in (values, csr_array(values))
    )
    np.testing.assert_array_equal(dense, sparse)


def test_the_cap_on_steps_and_the_limit_of_time_are_said(tiny_screens):
    data = tiny_screens["chain"][0]
    capped = baselines.run("dcdi", data, **QUICK)
    assert capped.status.startswith("met the step cap after 100 steps; ok: 3 edges of 6 dropped")
    stopped = baselines.run("dcdi", data, reg=1.0, device="cpu", time_limit=0.0)
    assert stopped.status.startswith("met the time limit after 0 steps; ok")
    assert sorted(stopped.orders[0]) == [0, 1, 2]


def test_the_weakest_edge_of_a_cycle_goes_and_a_half_is_no_edge():
    probabilities = np.array([[0, 0.9, 0.5], [0.3, 0, 0.8], [0.6, 0.1, 0]], dtype=np.float32)
    done = Trained(probabilities, 1500, 1.0)
    found = dcdi.result_of(done, np.random.default_rng(0))
    assert found.adjacency.tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert (found.orders == [0, 1, 2]).all()
    assert found.status == "ok: 1 edge of 3 dropped because it closed a cycle"


def test_without_cycles_it_is_ok_and_a_limit_goes_before():
    probabilities = np.array([[0, 0.4], [0.9, 0]], dtype=np.float32)
    rng = np.random.default_rng(0)
    assert dcdi.result_of(Trained(probabilities, 1500, 1.0), rng).status == "ok"
    stopped = dcdi.result_of(Trained(probabilities, 1500, 1.0, MET_TIME_LIMIT), rng)
    assert stopped.status == "met the time limit after 1,500 steps; ok"
    assert (stopped.orders == [1, 0]).all()


def test_the_regulariser_is_asked_for_and_no_other_setting_taken(tiny_screens):
    data = tiny_screens["chain"][0]
    with pytest.raises(InputError, match="dcdi needs reg, which depends on the kind of data"):
        baselines.run("dcdi", data)
    with pytest.raises(InputError, match=r"no setting 'regg'; did you mean 'reg'.*It takes reg, d"):
        baselines.run("dcdi", data, regg=1.0)


def test_missing_values_and_too_few_rows_are_refused(tiny_screens):
    data = tiny_screens["chain"][0]
    values = data.values.copy()
    values[3, 1] = np.nan
    with pytest.raises(InputError, match=r"dcdi cannot take missing values\. Leave out the rows"):
        baselines.run("dcdi", InterventionalData(values, data.targets, data.names), **QUICK)
    few = InterventionalData(data.values[46:55], data.targets[46:55], data.names)
    with pytest.raises(InputError, match=r"dcdi .*needs at least 10; 9 are .* Give more rows"):
        baselines.run("dcdi", few, **QUICK)


def test_without_torch_it_says_what_to_install(tiny_screens, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r'needs torch.*pip install "intersort\[neural\]"'):
        baselines.run("dcdi", tiny_screens["chain"][0], **QUICK)
