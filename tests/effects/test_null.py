"""The threshold that control rows alone give: shape, rule, limits, and that it holds back noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from intersort import (
    ConstantControlWarning,
    Effects,
    InputError,
    InterventionalData,
    measure_effects,
    null_threshold,
)
from intersort.effects.distances import wasserstein
from intersort.effects.null import MOST_SIZES, choose_sizes

MakeData = Callable[..., InterventionalData]


def plain_threshold(control: np.ndarray, size: int, seed: int) -> float:
    """Mean + 4 sd over 200 draws with replacement, straight from the definition."""
    rng = np.random.default_rng(seed)
    standardised = np.sort((control - control.mean()) / control.std())
    drawn = [wasserstein.distance(standardised, rng.choice(standardised, size)) for _ in range(200)]
    return float(np.mean(drawn) + 4.0 * np.std(drawn))


def test_the_rule_is_the_plain_one_at_each_number_of_rows(make_data: MakeData) -> None:
    rng = np.random.default_rng(0)
    sizes = [400, 100, 25, 100]
    targets = np.repeat([-1, 0, 1, 2], sizes)
    values = rng.normal(size=(targets.size, 3)) * [1.0, 50.0, 0.01] + 1e3
    values[:, 2] = rng.exponential(size=targets.size)
    data = make_data(values, targets)
    threshold = null_threshold(data, measure_effects(data))
    assert threshold.shape == (3, 3)
    for k, size in enumerate(sizes[1:]):
        for column in range(3):
            plain = [plain_threshold(values[:400, column], size, seed) for seed in range(6)]
            spread = max(np.std(plain), 1e-3)
            assert abs(threshold[k, column] - np.mean(plain)) < 8.0 * spread
    assert np.array_equal(threshold[0], threshold[2]), "equal numbers of rows, equal thresholds"
    assert (threshold[1] > 1.5 * threshold[0]).all(), "fewer rows, a higher threshold"


def test_only_effects_pass_and_shuffled_labels_do_not(
    screen: MakeData, make_data: MakeData
) -> None:
    data = screen(d=12, n_control=2000, n_rows=100)
    effects = measure_effects(data)
    passed = effects.distance > null_threshold(data, effects)
    assert 0.3 < passed[~np.eye(12, dtype=bool)].mean() < 0.7
    labels = np.random.default_rng(1).permutation(data.targets)
    shuffled = make_data(data.values, labels)
    effects = measure_effects(shuffled)
    assert (effects.distance > null_threshold(shuffled, effects)).mean() < 0.02


def test_equal_seeds_agree_and_none_is_seed_zero(screen: MakeData) -> None:
    data = screen()
    effects = measure_effects(data)
    first = null_threshold(data, effects)
    assert first.tobytes() == null_threshold(data, effects, rng=0).tobytes()
    assert first.tobytes() == null_threshold(data, effects, rng=np.random.default_rng(0)).tobytes()
    assert first.tobytes() != null_threshold(data, effects, rng=1).tobytes()


def test_sparse_columns_give_what_dense_ones_give(
    sparse_values: np.ndarray, make_data: MakeData
) -> None:
    targets = np.repeat([-1, 0, 2, 3], [200, 100, 90, 30])
    dense = make_data(sparse_values, targets)
    with pytest.warns(ConstantControlWarning):
        effects = measure_effects(dense)
    expected = null_threshold(dense, effects)
    ours = null_threshold(make_data(sparse.csr_array(sparse_values), targets), effects)
    np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-13)
    assert (expected[:, 5:] == 0.0).all(), "nothing can be drawn from equal controls"
    assert (expected[:, :5] > 0.0).all()


@pytest.mark.parametrize("name", ["energy", "kolmogorov_smirnov"])
def test_the_draws_are_measured_with_the_distance_of_the_effects(
    name: str, screen: MakeData
) -> None:
    data = screen(d=3)
    threshold = null_threshold(data, measure_effects(data, name))
    other = null_threshold(data, measure_effects(data))
    assert np.abs(threshold / other - 1.0).min() > 0.01

    def same_as_wasserstein(control: np.ndarray, sample: np.ndarray) -> float:
        return wasserstein.distance(control, sample)

    by_function = null_threshold(data, measure_effects(data, same_as_wasserstein))
    np.testing.assert_allclose(by_function, other, rtol=1e-9)


def test_at_most_twelve_sizes_and_each_target_takes_the_next_smaller(make_data: MakeData) -> None:
    counts = np.arange(20, 320, 10)
    sizes = choose_sizes(counts)
    assert sizes.size == MOST_SIZES
    assert sizes[[0, -1]].tolist() == [20, 310]
    assert np.ptp(np.diff(np.log(sizes))) < 0.06, "a geometric grid"
    assert choose_sizes(np.array([7, 7, 3])).tolist() == [3, 7]
    assert choose_sizes(np.arange(1, 14)).tolist() == [1, 2, 3, 4, 5, 6, 8, 10, 13]

    d = counts.size
    targets = np.repeat(np.arange(-1, d), [100, *counts])
    values = np.random.default_rng(0).normal(size=(targets.size, 1)) * np.ones(d)
    data = make_data(values, targets)
    threshold = null_threshold(data, measure_effects(data))
    assert len(np.unique(threshold[:, 0])) == MOST_SIZES
    place = np.searchsorted(sizes, counts, side="right") - 1
    assert (sizes[place] <= counts).all()
    assert len({(int(p), float(t)) for p, t in zip(place, threshold[:, 0], strict=True)}) == 12
    assert (np.diff(threshold[:, 0]) < 0.02).all(), "more rows, a lower threshold"


def test_with_few_controls_the_other_targets_are_the_null(make_data: MakeData) -> None:
    values = np.random.default_rng(0).normal(size=(9 + 30, 3))
    data = make_data(values, np.repeat([-1, 0, 1, 2], [9, 10, 10, 10]))
    effects = measure_effects(data)
    threshold = null_threshold(data, effects)
    for column in range(3):
        others = np.delete(effects.distance[:, column], column)
        assert threshold[:, column].tolist() == [np.quantile(others, 0.95)] * 3
    lonely = make_data(values[:19], np.repeat([-1, 0], [9, 10]))
    assert null_threshold(lonely, measure_effects(lonely))[0, 0] == 0.0


def test_missing_values_count_as_fewer_rows(make_data: MakeData) -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(700, 3))
    targets = np.repeat([-1, 0, 1], [400, 200, 100])
    values[400:580, 1] = np.nan  # 20 of target 0's rows are left in column 1
    values[:395, 2] = np.nan  # 5 controls are left in column 2
    data = make_data(values, targets)
    effects = measure_effects(data)
    threshold = null_threshold(data, effects)
    assert threshold[0, 1] > 1.8 * threshold[0, 0]
    assert threshold[:, 2].tolist() == [np.quantile(effects.distance[:, 2], 0.95)] * 2
    mostly_empty = null_threshold(make_data(sparse.csc_array(values), targets), effects)
    np.testing.assert_allclose(mostly_empty, threshold, rtol=1e-12)


def test_no_target_no_thresholds(make_data: MakeData) -> None:
    data = make_data(np.random.default_rng(0).normal(size=(20, 2)), [-1] * 20)
    assert null_threshold(data, measure_effects(data)).shape == (0, 2)


def test_effects_of_other_data_are_refused(screen: MakeData) -> None:
    data = screen()
    effects = measure_effects(data)
    with pytest.raises(InputError, match="effects are of 2 variables and the data of 6"):
        null_threshold(data, Effects.from_matrix(np.zeros((2, 2))))
    fewer = Effects.from_matrix(effects.distance[:5], range(5), effects.names)
    with pytest.raises(InputError, match="1 targets are in the effects or in the data but not"):
        null_threshold(data, fewer)
    with pytest.raises(InputError, match="no distance 'my_distance'"):
        null_threshold(data, replace(effects, measured_by="my_distance"))


def test_what_is_no_data_and_no_effects_are_refused(make_data: MakeData) -> None:
    data = make_data(np.array([[0.5, 0.0], [1.0, 2.0], [3.0, 2.5]]), [-1, -1, 0])
    with pytest.raises(InputError, match="null_threshold needs InterventionalData, not 'int'"):
        null_threshold(1, 2)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"null_threshold needs effects, not 'list'.*from_matrix"):
        null_threshold(data, [[0, 1]])  # type: ignore[arg-type]


def test_limits_the_docs_name(make_data: MakeData) -> None:
    rng = np.random.default_rng(0)
    few = make_data(rng.normal(size=(12, 3)), [-1] * 9 + [0] * 3)
    effects = measure_effects(few)
    assert not (effects.distance > null_threshold(few, effects)).any()
    single = make_data(rng.normal(size=(51, 3)) + 1000, [-1] * 50 + [0])
    bounded = measure_effects(single, "kolmogorov_smirnov")
    assert (null_threshold(single, bounded) > 1).all()
