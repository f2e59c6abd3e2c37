"""Neural rivals on real data: bundles hold what the other rivals see, what comes back is judged."""

import json

import numpy as np

from experiments.neural_problems import read_bundle
from experiments.neural_real import N_REPEATS, collect, write_bundles
from experiments.real_screens import read_screen
from experiments.store import Store


def test_from_bundle_to_row(shared_data, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("INTERSORT_DATA", str(shared_data))
    write_bundles(tmp_path / "bundles")
    bundle = read_bundle(tmp_path / "bundles" / "gene_regulation" / "real_11.npz")
    assert len(bundle.problem_keys) == N_REPEATS + 1
    data, adjacency = read_screen("sachs").take(0)
    np.testing.assert_allclose(bundle.values[0], data.values, atol=1e-5)
    np.testing.assert_array_equal(bundle.targets[0], data.targets)
    np.testing.assert_array_equal(np.flatnonzero(bundle.problem_shown[0]), data.intervened)

    truth = adjacency.astype(np.float32)
    columns = {
        "problem_keys": np.array(bundle.problem_keys[:1]),
        "probabilities": truth[None],
        "steps": np.array([7]),
        "seconds": np.array([1.0]),
        "status": np.array(["ok"]),
        "reg": np.array([0.1]),
    }
    np.savez(tmp_path / "real_11.npz", **columns)
    about = dict.fromkeys(("reg", "max_steps", "time_limit", "n_problems"), 1)
    about |= dict.fromkeys(("python", "numpy", "torch", "device"), "made up")
    (tmp_path / "real_11.json").write_text(json.dumps(about))
    store = Store(":memory:")
    assert collect("dcdi", tmp_path, store) == 1
    (row,) = store.rows("real_data")
    assert (row["data"], row["repeat"], row["method"], row["reg"]) == ("sachs", 0, "dcdi", 0.1)
    assert row["d_top"] == 0  # the truth itself was handed in
