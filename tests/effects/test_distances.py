"""Distances by name, by function and by a new file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import energy_distance, ks_2samp, wasserstein_distance

from intersort import ConstantControlWarning, InputError, InterventionalData, measure_effects
from intersort.effects import distances
from intersort.effects.distances import wasserstein
from intersort.effects.registry import distance_names, find_distance

MakeData = Callable[..., InterventionalData]


def wasserstein2_by_grid(control: np.ndarray, sample: np.ndarray) -> float:
    """Both quantile functions on a grid that both numbers of rows divide."""
    grid = (np.arange(control.size * sample.size) + 0.5) / (control.size * sample.size)
    gaps = np.sort(control)[(grid * control.size).astype(int)]
    gaps = gaps - np.sort(sample)[(grid * sample.size).astype(int)]
    return float(np.sqrt(np.mean(gaps**2)))


THEIRS = {
    "wasserstein": wasserstein_distance,
    "wasserstein2": wasserstein2_by_grid,
    "kolmogorov_smirnov": lambda control, sample: ks_2samp(control, sample).statistic,
    "energy": energy_distance,
    "mean_shift": lambda control, sample: abs(np.mean(control) - np.mean(sample)),
}


def test_every_file_is_compared_with_another_implementation() -> None:
    assert distance_names() == sorted(THEIRS)


@pytest.mark.parametrize("name", sorted(THEIRS))
def test_each_distance_agrees_with_another_implementation(name: str, screen: MakeData) -> None:
    data = screen(d=4, n_control=60, n_rows=13)
    effects = measure_effects(data, name)
    assert effects.measured_by == name
    control = data.values[data.targets == -1]
    standardised = (data.values - control.mean(axis=0)) / control.std(axis=0)
    for target, column in np.argwhere(~np.eye(4, dtype=bool)):
        expected = THEIRS[name](
            standardised[data.targets == -1, column], standardised[data.targets == target, column]
        )
        assert effects.distance[target, column] == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("name", sorted(THEIRS))
def test_each_distance_takes_ties_single_rows_and_extremes(name: str) -> None:
    distance = find_distance(name).distance  # type: ignore[union-attr]
    assert distance(np.zeros(3), np.zeros(1)) == 0.0
    assert distance(np.array([1.0]), np.array([3.0])) in (1.0, pytest.approx(2.0))
    assert np.isfinite(distance(np.array([0.0, 1e150]), np.array([-1e150])))


@pytest.mark.parametrize("name", sorted(THEIRS))
def test_sparse_columns_and_threads_change_nothing(
    name: str, sparse_values: np.ndarray, make_data: MakeData
) -> None:
    targets = np.repeat([-1, 0, 2, 3], [200, 100, 90, 30])
    with pytest.warns(ConstantControlWarning):
        dense = measure_effects(make_data(sparse_values, targets), name).distance
    table = sparse.csr_array(sparse_values)
    with pytest.warns(ConstantControlWarning):
        ours = measure_effects(make_data(table, targets), name, n_jobs=3).distance
    np.testing.assert_allclose(ours, dense, rtol=1e-10, atol=1e-12)
    assert np.isfinite(dense).all()
    assert (dense[:, 5] == 0.0).all(), "a column of equal values never moves"


def test_a_function_receives_standardised_values(screen: MakeData) -> None:
    data = screen(d=3, n_control=50, n_rows=8, offset=100.0)
    seen: list[tuple[np.ndarray, np.ndarray]] = []

    def record(control: np.ndarray, sample: np.ndarray) -> float:
        seen.append((control, sample))
        return wasserstein.distance(control, sample)

    ours = measure_effects(data, record)
    assert ours.measured_by is record
    np.testing.assert_allclose(ours.distance, measure_effects(data).distance, rtol=1e-10)
    for control, sample in seen:
        assert (np.diff(control) >= 0).all()
        assert abs(control.mean()) < 1e-12
        assert control.std() == pytest.approx(1.0)
        assert sample.size == 8
    with pytest.raises(ValueError, match="read-only"):
        seen[0][0][0] = 1.0


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -1.0])
def test_a_function_that_gives_no_distance_is_named_with_its_pair(
    bad: float, screen: MakeData
) -> None:
    def broken(control: np.ndarray, sample: np.ndarray) -> float:
        return bad

    message = f"The distance 'broken' gave {bad} for target 'x0' in column 'x0'"
    with pytest.raises(InputError, match=message):
        measure_effects(screen(), broken)


def test_an_unknown_name_gets_the_closest() -> None:
    with pytest.raises(
        InputError, match=r"no distance 'wasserstien'; did you mean 'wasserstein'\?"
    ):
        find_distance("wasserstien")
    with pytest.raises(
        InputError, match=r"no distance '3'\. Choose one of energy, .*or give a fun"
    ):
        find_distance(3)  # type: ignore[arg-type]


def test_a_new_file_is_a_new_distance(
    tmp_path: Path, screen: MakeData, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "median_shift.py").write_text(
        "import numpy as np\n\n\ndef distance(control_sorted, sample):\n"
        "    return float(abs(np.median(control_sorted) - np.median(sample)))\n"
    )
    monkeypatch.setattr(distances, "__path__", [*distances.__path__, str(tmp_path)])
    assert "median_shift" in distance_names()
    assert measure_effects(screen(), "median_shift").distance.max() > 0.5
