"""What is written as a bundle is read as it was."""

import numpy as np

from experiments.neural_problems import read_bundle, write_bundle


def test_a_bundle_is_read_as_it_was_written(tmp_path):
    rng = np.random.default_rng(0)
    sizes = {"first": 7, "second": 3, "third": 12}
    datasets = [
        (key, rng.normal(size=(n, 4)), rng.integers(-1, 4, size=n)) for key, n in sizes.items()
    ]
    problems = [("a", "third", [0, 2]), ("b", "first", []), ("c", "third", [0, 1, 2, 3])]
    write_bundle(tmp_path / "x.npz", datasets, problems)
    bundle = read_bundle(tmp_path / "x.npz")
    assert bundle.keys == list(sizes)
    for (_, values, targets), found, labels in zip(
        datasets, bundle.values, bundle.targets, strict=True
    ):
        np.testing.assert_array_equal(found, values.astype(np.float32))
        np.testing.assert_array_equal(labels, targets)
    assert bundle.problem_keys == ["a", "b", "c"]
    assert bundle.problem_datasets.tolist() == [2, 0, 2]
    shown = [np.flatnonzero(row).tolist() for row in bundle.problem_shown]
    assert shown == [[0, 2], [], [0, 1, 2, 3]]
