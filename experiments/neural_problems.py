"""Bundles of problems for the neural rivals, and what comes back: NumPy and nothing else.

A bundle is one ``.npz``. A dataset is in it once, with the rows of all its targets; a problem is a
dataset and the targets whose rows are shown, since the fractions of a dataset are nested.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Bundle:
    """Datasets of one size, and problems on them.

    Attributes
    ----------
    keys : list of str
        Name of each dataset.
    values : list of float32 array of shape (n, d)
        Rows, standardised.
    targets : list of int16 array of shape (n,)
        Column intervened on, −1 for control rows.
    problem_keys : list of str
        Name of each problem.
    problem_datasets : int array
        Which dataset each problem is on.
    problem_shown : bool array of shape (problems, d)
        Targets whose rows each problem sees.
    """

    keys: list[str]
    values: list[Any]
    targets: list[Any]
    problem_keys: list[str]
    problem_datasets: Any
    problem_shown: Any


def write_bundle(
    path: str | Path,
    datasets: Sequence[tuple[str, Any, Any]],
    problems: Sequence[tuple[str, str, Any]],
) -> None:
    """Write datasets (key, values, targets) and problems (key, key of the dataset, targets shown).

    >>> import tempfile
    >>> values, targets = np.zeros((3, 2)), np.array([-1, 0, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "bundle.npz"
    ...     write_bundle(path, [("a", values, targets)], [("a, 50 %", "a", [1])])
    ...     read_bundle(path).problem_shown
    array([[False,  True]])
    """
    keys = [key for key, _, _ in datasets]
    d = int(np.shape(datasets[0][1])[1])
    shown = np.zeros((len(problems), d), dtype=np.bool_)
    for k, (_, _, targets) in enumerate(problems):
        shown[k, np.asarray(targets, dtype=np.int64)] = True
    np.savez_compressed(
        path,
        keys=np.array(keys),
        n_rows=np.array([len(values) for _, values, _ in datasets]),
        values=np.concatenate([np.asarray(v, dtype=np.float32) for _, v, _ in datasets]),
        targets=np.concatenate([np.asarray(t, dtype=np.int16) for _, _, t in datasets]),
        problem_keys=np.array([key for key, _, _ in problems]),
        problem_datasets=np.array([keys.index(key) for _, key, _ in problems]),
        problem_shown=shown,
    )


def read_bundle(path: str | Path) -> Bundle:
    """Read what `write_bundle` wrote."""
    with np.load(path) as file:
        ends = np.cumsum(file["n_rows"])[:-1]
        return Bundle(
            keys=file["keys"].tolist(),
            values=np.split(file["values"], ends),
            targets=np.split(file["targets"].astype(np.int64), ends),
            problem_keys=file["problem_keys"].tolist(),
            problem_datasets=file["problem_datasets"],
            problem_shown=file["problem_shown"],
        )
