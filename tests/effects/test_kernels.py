"""Compiled loops against plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from intersort.effects import _columns, _kernels
from intersort.effects.distances.wasserstein import distance


@pytest.mark.parametrize("width", [1, 2, 50, 3000])
def test_radix_sort_is_numpys_sort(width: int) -> None:
    rng = np.random.default_rng(width)
    rows = rng.normal(size=(6, width)) * 10.0 ** rng.integers(-300, 300, size=(6, width))
    rows[1] = 7.5
    rows[2] = rng.integers(-2, 3, size=width)
    rows[3, : width // 2] = np.nan
    rows[4, : width // 3] = [-np.inf, np.inf, 5e-324][width % 3]
    expected = np.sort(rows, axis=1)
    keys, others = np.empty((2, width), dtype=np.uint64)
    tallies = np.empty((6, 2048), dtype=np.int64)
    _kernels.sort_rows(rows.view(np.int64), keys, others, tallies)
    np.testing.assert_array_equal(rows, expected)


def test_long_rows_are_sorted_as_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).normal(size=(3, 40))
    rows[1, 3] = -np.float64(np.nan)  # a NaN with its sign bit set comes last too
    long = rows.copy()
    _columns._sort(rows)
    monkeypatch.setattr(_columns, "LONG_ROW", 1)
    _columns._sort(long)
    np.testing.assert_array_equal(long, rows)
    assert np.isnan(long[1, -1])


def placed(control: np.ndarray, n_zeros: int, sample: np.ndarray, sample_zeros: int) -> float:
    """One distance by the kernels, zeros counted and not stored, divided by nothing."""
    columns = np.sort(control)[np.newaxis].copy()
    zeros = np.array([n_zeros], dtype=np.int64)
    below, counts = np.empty((2, 1), dtype=np.int64)
    scale, shift, sd = np.empty((3, 1))
    _kernels.centre_columns(columns, zeros, below, counts, scale, shift, sd)
    dense = np.concatenate([control, np.zeros(n_zeros)])
    if dense.size:
        assert sd[0] / scale[0] == pytest.approx(np.std(dense), rel=1e-12)
    running = np.empty((1, columns.shape[1] + 1))
    _kernels.sum_columns(columns, below, zeros, counts, running)
    distances = np.empty((1, 1))
    _kernels.place_samples(
        columns, running, below, zeros, counts, scale, shift,
        np.sort(sample)[np.newaxis].copy(), np.array([[sample_zeros]], dtype=np.int64), distances,
    )  # fmt: skip
    return float(distances[0, 0] / scale[0])


@pytest.mark.parametrize("seed", range(40))
def test_zeros_as_a_point_mass_are_zeros_written_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    control = rng.normal(size=rng.integers(0, 12)) + rng.choice([-3.0, 0.0, 3.0])
    sample = rng.normal(size=rng.integers(0, 9)) + rng.choice([-3.0, 0.0, 3.0])
    n_zeros, sample_zeros = rng.integers(0, 9, size=2)
    dense = np.sort(np.concatenate([control, np.zeros(n_zeros)]))
    other = np.concatenate([sample, np.zeros(sample_zeros)])
    if dense.size == 0 or other.size == 0:
        assert placed(control, n_zeros, sample, sample_zeros) < 0.0
        return
    expected = distance(dense, other)
    ours = placed(control, n_zeros, sample, sample_zeros)
    assert ours == pytest.approx(expected, rel=1e-12, abs=1e-14)


def test_entries_are_grouped_and_spread() -> None:
    entries = np.array([5.0, 0.0, 3.0, 4.0, 1.0, 2.0])
    groups = np.array([1, 1, 0, 1, -1, 0])
    offsets = np.empty((2, 3), dtype=np.int64)
    grouped = np.empty(6)
    _kernels.group_entries(np.array([0, 4, 6]), groups, entries, offsets, grouped)
    assert offsets.tolist() == [[0, 1, 3], [4, 5, 5]]
    assert grouped[[0, 1, 2, 4]].tolist() == [3.0, 5.0, 4.0, 2.0]
    samples = np.full((4, 2), np.nan)
    _kernels.spread_entries(offsets, grouped, np.array([1, 0]), samples)
    expected = [[5.0, 4.0], [3.0, np.nan], [np.nan, np.nan], [2.0, np.nan]]
    np.testing.assert_array_equal(samples, expected)


@pytest.mark.parametrize(
    "kind", ["whole numbers", "far from zero", "constant", "differ in the last bits", "both signs"]
)
def test_radix_sort_of_rows_that_agree_in_many_bits(kind: str) -> None:
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(3, 3000))
    rows = {
        "whole numbers": np.round(3 * rows) + 0.0,
        "far from zero": rows + 1e9,
        "constant": np.full_like(rows, -1.5),
        "differ in the last bits": 1.0 + 1e-13 * rows,
        "both signs": np.where(rows > 0, 1e300, -1e-300) * (1 + 1e-12 * rows),
    }[kind]
    rows[1, ::7] = np.nan
    expected = np.sort(rows, axis=1)
    keys, others = np.empty((2, 3000), dtype=np.uint64)
    _kernels.sort_rows(rows.view(np.int64), keys, others, np.empty((6, 2048), dtype=np.int64))
    np.testing.assert_array_equal(rows, expected)


def test_settle_gives_up_on_what_is_far_from_sorted() -> None:
    nearly = np.array([1, 3, 2, 4], dtype=np.uint64)
    assert _kernels.settle(nearly)
    assert nearly.tolist() == [1, 2, 3, 4]
    assert not _kernels.settle(np.arange(50, dtype=np.uint64)[::-1].copy())
