"""PACER: what it must solve, with few graphs a step, and what it says of itself."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.sparse import csr_array

from intersort import InputError, InterventionalData, baselines
from intersort._optional import MissingExtraError
from intersort.baselines import pacer
from intersort.baselines.neural import pacer_networks
from intersort.baselines.neural.pacer_training import train_pacer
from intersort.baselines.neural.problem import MET_TIME_LIMIT, OK, Trained
from intersort.baselines.neural.take import as_problem

pytest.importorskip("torch")
pytestmark = pytest.mark.usefixtures("one_thread")
QUICK = {"reg": 0.1, "device": "cpu", "max_steps": 20}


def test_it_finds_the_graph_and_in_noise_none(tiny_screens, monkeypatch):
    monkeypatch.setattr(pacer_networks, "N_GRAPHS", 20)
    monkeypatch.setattr(pacer_networks, "RATE_OF_ORDER", 0.003)
    problems = [as_problem(data, "pacer") for data, _ in tiny_screens.values()]
    trained = train_pacer(problems, reg=0.1, seeds=[1, 2, 3], device="cpu", max_steps=500)
    for one, (_, adjacency) in zip(trained, tiny_screens.values(), strict=True):
        found = pacer.result_of(one)
        np.testing.assert_array_equal(found.adjacency, adjacency)
        assert found.status == OK
    chain, fork, _ = (pacer.result_of(one).orders for one in trained)
    assert chain.tolist() == [[2, 0, 1]]
    assert fork[0, 0] == 2


def test_the_same_seed_gives_the_same_order_and_another_one_others(tiny_screens):
    data = tiny_screens["nothing"][0]
    runs = [baselines.run("pacer", data, rng=seed, **QUICK) for seed in (5, 5, 6, 7, 8, 9)]
    np.testing.assert_array_equal(runs[0].orders, runs[1].orders)
    np.testing.assert_array_equal(runs[0].adjacency, runs[1].adjacency)
    assert len({run.orders.tobytes() + run.adjacency.tobytes() for run in runs[1:]}) > 1


def test_sparse_rows_are_trained_on_like_dense_ones(tiny_screens):
    data = tiny_screens["fork"][0]
    values = np.where(abs(data.values) < 0.3, 0, data.values)
    dense, sparse = (
        baselines.run("pacer", InterventionalData(rows, data.targets, data.names), **QUICK)
        for rows in (values, csr_array(values))
    )
    np.testing.assert_array_equal(dense.orders, sparse.orders)
    np.testing.assert_array_equal(dense.adjacency, sparse.adjacency)


def test_the_limit_of_time_is_said_and_all_steps_are_ok(tiny_screens):
    data = tiny_screens["chain"][0]
    assert baselines.run("pacer", data, **QUICK).status == "ok"
    stopped = baselines.run("pacer", data, reg=0.1, device="cpu", time_limit=0.0)
    assert stopped.status == "met the time limit after 0 steps"
    assert sorted(stopped.orders[0]) == [0, 1, 2]


def test_the_order_is_that_of_the_logits_and_edges_are_open_gates_along_it():
    gates = np.array([[0, 0.9, 0.5], [0.8, 0, 0.7], [0.6, 0.1, 0]], dtype=np.float32)
    ranking = np.array([0.1, -2.0, 3.0], dtype=np.float32)
    found = pacer.result_of(Trained(gates, 5000, 1.0, OK, ranking))
    assert found.orders.tolist() == [[2, 0, 1]]
    assert found.adjacency.tolist() == [[0, 1, 0], [0, 0, 0], [1, 0, 0]]
    assert found.status == "ok"
    stopped = pacer.result_of(Trained(gates, 2500, 1.0, MET_TIME_LIMIT, ranking))
    assert stopped.status == "met the time limit after 2,500 steps"


def test_the_regulariser_is_asked_for_and_no_other_setting_taken(tiny_screens):
    data = tiny_screens["chain"][0]
    with pytest.raises(InputError, match="pacer needs reg, which depends on the kind of data"):
        baselines.run("pacer", data)
    with pytest.raises(InputError, match=r"no setting 'steps'.*It takes reg, device, max_steps"):
        baselines.run("pacer", data, reg=0.1, steps=5)


def test_missing_values_and_too_few_rows_are_refused(tiny_screens):
    data = tiny_screens["chain"][0]
    values = data.values.copy()
    values[3, 1] = np.nan
    with pytest.raises(InputError, match=r"pacer cannot take missing values\. Leave out the rows"):
        baselines.run("pacer", InterventionalData(values, data.targets, data.names), **QUICK)
    few = InterventionalData(data.values[46:55], data.targets[46:55], data.names)
    with pytest.raises(InputError, match=r"pacer .*needs at least 10; 9 are .* Give more rows"):
        baselines.run("pacer", few, **QUICK)


def test_without_torch_it_says_what_to_install(tiny_screens, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r'needs torch.*pip install "intersort\[neural\]"'):
        baselines.run("pacer", tiny_screens["chain"][0], **QUICK)
