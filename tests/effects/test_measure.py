"""Distances against SciPy and exact arithmetic, and what must leave them as they are."""

from __future__ import annotations

import tracemalloc
import warnings
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import wasserstein_distance

from intersort import ConstantControlWarning, InputError, InterventionalData, measure_effects
from intersort.effects import _columns, _groups

MakeData = Callable[..., InterventionalData]


def exact_wasserstein(control: list[float], sample: list[float]) -> Fraction:
    """Area between the quantile functions in rational arithmetic, piece by piece."""
    control_sorted, sample_sorted = sorted(map(Fraction, control)), sorted(map(Fraction, sample))
    n, m = len(control), len(sample)
    edges = sorted({Fraction(k, n) for k in range(n + 1)} | {Fraction(k, m) for k in range(m + 1)})
    return sum(
        (
            abs(control_sorted[int(left * n)] - sample_sorted[int(left * m)]) * (right - left)
            for left, right in pairwise(edges)
        ),
        Fraction(0),
    )


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6])
def test_equal_to_scipy_at_any_offset(screen: MakeData, offset: float) -> None:
    data = screen(d=5, n_control=5000, n_rows=100, offset=offset)
    effects = measure_effects(data)
    sd = np.std(data.values[data.targets == -1], axis=0)
    np.testing.assert_allclose(effects.control_sd, sd, rtol=1e-10)
    for target in range(5):
        for column in set(range(5)) - {target}:
            expected = wasserstein_distance(
                data.values[data.targets == -1, column] - offset,
                data.values[data.targets == target, column] - offset,
            )
            ours = effects.distance[target, column] * effects.control_sd[column]
            assert abs(ours - expected) <= 1e-12 * max(expected, sd[column])


@pytest.mark.parametrize("n_control", [1, 2, 7, 40])
@pytest.mark.parametrize("n_rows", [1, 3, 8, 90])
def test_equal_to_exact_arithmetic(make_data: MakeData, n_control: int, n_rows: int) -> None:
    rng = np.random.default_rng(n_control * n_rows)
    values = np.zeros((n_control + n_rows, 4))
    values[:, 1] = rng.normal(size=n_control + n_rows) + 1e6
    values[:, 2] = rng.integers(0, 3, size=n_control + n_rows)  # ties
    values[:, 3] = rng.standard_cauchy(size=n_control + n_rows) ** 3  # heavy tails
    targets = np.repeat([-1, 0], [n_control, n_rows])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConstantControlWarning)
        effects = measure_effects(make_data(values, targets))
    for column in (1, 2, 3):
        control, sample = values[:n_control, column], values[n_control:, column]
        sd = float(np.std(control)) if np.ptp(control) else float(np.std(values[:, column]))
        exact = float(exact_wasserstein(control.tolist(), sample.tolist()))
        ours = effects.distance[0, column] * sd
        assert abs(ours - exact) <= 1e-12 * max(exact, sd)


def test_huge_tiny_and_denormal_values_stay_finite(make_data: MakeData) -> None:
    control = np.array([-3.0, -1.0, 0.5, 1.0, 2.5])
    sample = np.array([0.0, 4.0, 2.0])
    plain = np.concatenate([control, sample])[:, np.newaxis]
    scales = np.array([1.0, 2.0**1020, 2.0**-1020, 2.0**-1060])
    values = np.column_stack([np.zeros(8), plain * scales])
    values[:, 4] = np.round(plain[:, 0] * 2) * 2.0**-1060
    with pytest.warns(ConstantControlWarning, match="1 column is constant.*'x0'"):
        effects = measure_effects(make_data(values, [-1] * 5 + [0] * 3))
    np.testing.assert_allclose(effects.distance[0, 1:], effects.distance[0, 1], rtol=1e-12)
    expected = wasserstein_distance(control, sample) / np.std(control)
    assert effects.distance[0, 1] == pytest.approx(expected, rel=1e-12)

    outlier = np.column_stack([np.zeros(8), plain[:, 0], plain[:, 0] * 1e-300])
    outlier[-1, 1:] = 1.7e308
    with pytest.warns(ConstantControlWarning):
        far = measure_effects(make_data(outlier, [-1] * 5 + [0] * 3)).distance
    assert np.isfinite(far).all()
    assert far[0, 1] == pytest.approx(1.7e308 / 3 / np.std(control), rel=1e-12)
    assert far[0, 2] == np.finfo(np.float64).max, "what no float can hold is the largest float"


def test_constant_controls_are_measured_in_the_sd_of_all_rows(make_data: MakeData) -> None:
    offset = 0.1 + 1e6  # the sd of a constant column is not exactly 0 in floating point
    values = np.full((13, 8), offset)
    values[10:, 1] += [1.0, 2.0, 3.0]
    values[:, 7] = np.arange(13)
    with pytest.warns(ConstantControlWarning, match="7 columns .* and 2 more") as caught:
        effects = measure_effects(make_data(values, [-1] * 10 + [0] * 3))
    assert len(caught) == 1
    assert effects.control_sd is not None
    assert effects.control_sd[:7].tolist() == [0.0] * 7
    assert effects.distance[0, 1] == pytest.approx(2.0 / np.std(values[:, 1]), rel=1e-9)
    assert effects.distance[0, 2:7].tolist() == [0.0] * 5


def test_a_target_is_not_compared_with_itself_and_unused_rows_do_nothing(
    make_data: MakeData, screen: MakeData
) -> None:
    data = screen()
    more = make_data(
        np.vstack([data.values, np.full((5, 6), 1e9)]), np.append(data.targets, [-2] * 5)
    )
    effects = measure_effects(more)
    assert (np.diag(effects.distance) == 0.0).all()
    assert effects.n_rows is not None
    assert effects.n_rows.tolist() == [40] * 6
    assert effects.distance.tobytes() == measure_effects(data).distance.tobytes()


def test_no_control_row_is_refused(make_data: MakeData) -> None:
    with pytest.raises(InputError, match="No row is a control"):
        measure_effects(make_data([[1.0, 2.0]], [0]))


def test_no_target_gives_no_rows(make_data: MakeData) -> None:
    effects = measure_effects(make_data([[1.0, 2.0], [2.0, 4.0]], [-1, -1]))
    assert effects.distance.shape == (0, 2)
    assert effects.control_sd is not None
    assert effects.control_sd.tolist() == [0.5, 1.0]


def test_the_same_bytes_for_any_number_of_threads_and_any_block(
    screen: MakeData, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = screen(d=9)
    expected = measure_effects(data)
    for n_jobs in (2, 5, -1):
        assert (
            measure_effects(data, n_jobs=n_jobs).distance.tobytes() == expected.distance.tobytes()
        )
    monkeypatch.setattr(_columns, "MOST_COLUMNS", 2)
    monkeypatch.setattr(_groups, "WIDEST_BLOCK", 100)
    effects = measure_effects(data, n_jobs=16)
    assert effects.distance.tobytes() == expected.distance.tobytes()
    assert effects.control_sd.tobytes() == expected.control_sd.tobytes()


def test_any_layout_gives_the_same_and_the_input_stays_as_it_is(
    screen: MakeData, make_data: MakeData
) -> None:
    data = screen()
    before = data.values.copy()
    expected = measure_effects(data).distance
    strided = np.repeat(np.repeat(data.values, 2, axis=0), 3, axis=1)[::2, ::3]
    for values in (np.asfortranarray(data.values), strided, data.values[::-1][::-1]):
        ours = measure_effects(make_data(values, data.targets)).distance
        np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-12)
    assert np.array_equal(data.values, before)
    small = data.values.astype(np.float32)
    single = measure_effects(make_data(small, data.targets)).distance
    double = measure_effects(make_data(small.astype(np.float64), data.targets)).distance
    assert single.tobytes() == double.tobytes()


def test_targets_of_different_sizes(make_data: MakeData) -> None:
    rng = np.random.default_rng(4)
    sizes = [60, 1, 2, 30, 17, 5]
    targets = np.repeat(np.arange(-1, 5), sizes)
    values = rng.normal(size=(targets.size, 5))
    effects = measure_effects(make_data(values, targets))
    assert effects.n_rows is not None
    assert effects.n_rows.tolist() == sizes[1:]
    for target, column in np.argwhere(~np.eye(5, dtype=bool)):
        control = values[targets == -1, column]
        expected = wasserstein_distance(control, values[targets == target, column])
        ours = effects.distance[target, column] * np.std(control)
        assert ours == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array])
def test_sparse_columns_give_what_dense_ones_give(
    sparse_values: np.ndarray, make_data: MakeData, kind: Callable[..., object]
) -> None:
    targets = np.repeat([-1, 0, 2, 3, -2], [200, 100, 70, 30, 20])
    table = kind(sparse_values)
    table.data.flags.writeable = False  # type: ignore[attr-defined]
    with pytest.warns(ConstantControlWarning, match="2 columns"):
        dense = measure_effects(make_data(sparse_values, targets))
    with pytest.warns(ConstantControlWarning, match="2 columns"):
        ours = measure_effects(make_data(table, targets), n_jobs=2)
    np.testing.assert_allclose(ours.distance, dense.distance, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(ours.control_sd, dense.control_sd, rtol=1e-12)


def test_stored_zeros_duplicates_and_slabs_make_no_difference(
    sparse_values: np.ndarray, make_data: MakeData, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = np.tile(sparse_values[:, :5], (1, 40))
    targets = np.repeat([-1, 0, 2], [200, 100, 120])
    rows, columns = np.indices(wide.shape)
    halves = np.concatenate([wide.ravel() / 2, wide.ravel() / 2])
    index = (np.tile(rows.ravel(), 2), np.tile(columns.ravel(), 2))
    table = sparse.csr_array(sparse.coo_array((halves, index), shape=wide.shape))
    table.data[:7] = 0.0
    wide.ravel()[:7] = 0.0
    assert len(list(_columns.column_slabs(table))) == 4
    ours = measure_effects(make_data(table, targets)).distance
    expected = measure_effects(make_data(wide, targets)).distance
    np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("distance", ["wasserstein", "kolmogorov_smirnov"])
def test_missing_values_are_left_out_of_their_pair(
    sparse_values: np.ndarray, make_data: MakeData, kind: Callable[..., object], distance: str
) -> None:
    values = sparse_values[:, :5].copy()
    values[np.random.default_rng(0).random(values.shape) < 0.2] = np.nan
    targets = np.repeat([-1, 0, 2, 3], [200, 100, 90, 30])
    values[300:390, 1] = np.nan  # target 2 has no value in column 1
    values[:200, 4] = np.nan  # the control has none in column 4
    effects = measure_effects(make_data(kind(values), targets), distance)
    assert np.isfinite(effects.distance).all()
    assert effects.n_without_values is not None
    assert effects.n_without_values.tolist() == [1, 2, 1]
    assert effects.distance[1, 1] == 0.0
    assert (effects.distance[:, 4] == 0.0).all()
    for k, target in enumerate([0, 2, 3]):
        for column in {0, 1, 2, 3} - {target} - ({1} if target == 2 else set()):
            there = ~np.isnan(values[:, column])
            pair = there & np.isin(targets, [-1, target])
            alone = make_data(np.column_stack([values[pair, column]] * 5), targets[pair])
            expected = measure_effects(alone, distance).distance[0, 4]
            assert effects.distance[k, column] == pytest.approx(expected, rel=1e-12)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_relabelling_permutes_and_scale_shift_and_copies_change_nothing(
    seed: int, screen: MakeData, make_data: MakeData
) -> None:
    data = screen(d=4, n_control=30, n_rows=7, seed=seed)
    rng = np.random.default_rng(seed)
    expected = measure_effects(data).distance
    place = rng.permutation(4)
    new_targets = np.where(data.targets < 0, data.targets, np.argsort(place)[data.targets])
    relabelled = measure_effects(make_data(data.values[:, place], new_targets)).distance
    np.testing.assert_allclose(relabelled, expected[np.ix_(place, place)], rtol=1e-12, atol=1e-14)
    moved = data.values * rng.uniform(0.1, 10, size=4) * [1, -1, 1, -1] + rng.normal(size=4)
    scaled = measure_effects(make_data(moved, data.targets)).distance
    np.testing.assert_allclose(scaled, expected, rtol=1e-9, atol=1e-12)
    twice = make_data(np.tile(data.values, (2, 1)), np.tile(data.targets, 2))
    np.testing.assert_allclose(measure_effects(twice).distance, expected, rtol=1e-12, atol=1e-13)


def test_shuffled_labels_lose_the_signal(screen: MakeData, make_data: MakeData) -> None:
    data = screen(n_control=2000, n_rows=200)
    found = measure_effects(data).distance
    assert found.max() > 0.6
    shuffled = np.random.default_rng(0).permutation(data.targets)
    assert measure_effects(make_data(data.values, shuffled)).distance.max() < 0.4


@pytest.mark.parametrize("kind", ["dense", "csr", "csc"])
def test_memory_stays_below_the_input(kind: str, make_data: MakeData) -> None:
    d, n_control, n_rows = 400, 1000, 40
    targets = np.repeat(np.arange(-1, d), [n_control] + [n_rows] * d)
    if kind == "dense":
        table = np.random.default_rng(0).normal(size=(targets.size, d))
        size = table.nbytes
    else:
        table = sparse.random_array((targets.size, d), density=0.15, format=kind, rng=0)
        size = table.data.nbytes + table.indices.nbytes + table.indptr.nbytes
    data = make_data(table, targets)
    measure_effects(data)  # compiles
    tracemalloc.start()
    measure_effects(data, n_jobs=2)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size > 10e6
    assert peak < size


def test_what_is_no_data_is_refused() -> None:
    with pytest.raises(InputError, match="measure_effects needs InterventionalData, not 'ndarray'"):
        measure_effects(np.zeros((3, 2)))  # type: ignore[arg-type]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_array])
def test_distances_are_read_only(make_data: MakeData, form: Callable[..., object]) -> None:
    values = form(np.array([[0.5, 0.0], [1.0, 2.0], [3.0, 2.5]]))
    effects = measure_effects(make_data(values, [-1, -1, 0]))
    with pytest.raises(ValueError, match="read-only"):
        effects.distance[0, 1] = 3.0
