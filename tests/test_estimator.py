"""The estimator: scikit-learn's contract, the presets, and what must not change its answer."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import intersort
from intersort import InputError, Intersort

Screen = tuple[pd.DataFrame, np.ndarray]
METHODS = ["default", "paper", "sort_ranking", "local_search", "exact"]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.filterwarnings("ignore::intersort.UnusedRowsWarning")
@parametrize_with_checks([Intersort(control=1)])
def test_scikit_learn_contract(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.fixture(scope="module")
def screen() -> Screen:
    """A linear chain A → B → C → D → E with interventions on all but D and E."""
    rng = np.random.default_rng(11)
    label = np.repeat(["control", "A", "B", "C"], [400, 80, 80, 80])
    columns: dict[str, np.ndarray] = {}
    before = np.zeros(len(label))
    for name in "ABCDE":
        value = before + rng.normal(size=len(label))
        columns[name] = before = np.where(label == name, 5.0, value)
    return pd.DataFrame(columns)[["E", "B", "A", "D", "C"]], label


def test_finds_the_chain(screen: Screen) -> None:
    model = Intersort().fit(*screen)
    assert model.result_.ordered_names[:3] == ("A", "B", "C")
    assert list(model.feature_names_in_) == ["E", "B", "A", "D", "C"]
    assert model.rank_[model.order_].tolist() == [0, 1, 2, 3, 4]
    assert model.score_ == model.result_.score


def test_shuffled_labels_lose_the_signal(screen: Screen) -> None:
    X, label = screen
    shuffled = np.random.default_rng(0).permutation(label)
    model = Intersort().fit(X, shuffled)
    assert np.sum(model.effects_.distance > model.epsilon_) <= 1
    assert np.sum(Intersort().fit(X, label).effects_.distance > 1) >= 9


def test_paper_is_the_paper_to_the_letter(screen: Screen) -> None:
    X, label = screen
    data = intersort.InterventionalData.from_arrays(X.to_numpy(), label, names=list(X))
    effects = intersort.measure_effects(data)
    start = intersort.sort_ranking(effects, 0.4, 0.6)
    expected = intersort.local_search(intersort.score_orders(effects, 0.4, 0.6), start, 1)
    model = Intersort.paper(epsilon=0.4, c=0.6).fit(X, label)
    np.testing.assert_array_equal(model.order_, expected.order)
    assert model.score_ == expected.score
    assert (model.epsilon_, model.c_) == (0.4, 0.6)


def test_paper_without_epsilon_takes_the_papers(screen: Screen) -> None:
    assert Intersort(method="paper").fit(*screen).epsilon_ == 0.3


def test_default_never_warns_about_itself(screen: Screen) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = Intersort(c=0.0).fit(*screen)
        assert model.c_ == np.max(model.epsilon_)
        assert Intersort(epsilon=2.0).fit(*screen).c_ == 2.0
    with pytest.warns(intersort.WeakBonusWarning):
        Intersort.paper(epsilon=2.0).fit(*screen)


@pytest.mark.parametrize("method", METHODS)
def test_equal_calls_agree_and_threads_change_nothing(screen: Screen, method: str) -> None:
    first = Intersort(method=method).fit(*screen)
    second = Intersort(method=method, n_jobs=2).fit(*screen)
    np.testing.assert_array_equal(first.order_, second.order_)
    assert first.score_ == second.score_


def test_local_search_starts_at_random() -> None:
    flat = Intersort(method="local_search", epsilon=0.0)
    nothing = intersort.Effects.from_matrix(np.zeros((3, 5)), intervened=[0, 1, 2])
    orders = {
        tuple(flat.set_params(random_state=seed).fit_effects(nothing).order_) for seed in range(6)
    }
    assert len(orders) > 3


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array])
def test_sparse_is_dense(screen: Screen, kind: Any) -> None:
    X, label = screen
    values = np.where(np.abs(X.to_numpy()) < 0.5, 0.0, X.to_numpy())
    y = np.array([list(X).index(name) if name in list(X) else -1 for name in label])
    dense, thin = Intersort().fit(values, y), Intersort().fit(kind(values), y)
    np.testing.assert_allclose(dense.effects_.distance, thin.effects_.distance, atol=1e-12)
    np.testing.assert_array_equal(dense.order_, thin.order_)


def test_pipeline_keeps_names_and_answer(screen: Screen) -> None:
    X, label = screen
    scaler = StandardScaler().set_output(transform="pandas")
    pipeline = make_pipeline(scaler, Intersort()).fit(X, label)
    np.testing.assert_array_equal(pipeline[-1].order_, Intersort().fit(X, label).order_)


def test_text_labels_on_a_nameless_array_are_refused_with_advice(screen: Screen) -> None:
    X, label = screen
    with pytest.raises(InputError, match="set_output"):
        make_pipeline(StandardScaler(), Intersort()).fit(X, label)


def test_polars_is_pandas(screen: Screen) -> None:
    polars = pytest.importorskip("polars")
    X, label = screen
    model = Intersort().fit(polars.DataFrame(X.to_dict("list")), label)
    assert model.result_.ordered_names == Intersort().fit(X, label).result_.ordered_names


def test_clone_and_set_params_keep_every_setting() -> None:
    model = Intersort(method="exact", epsilon=0.2, control=["a", "b"], depth=2)
    assert clone(model).get_params() == model.get_params()
    assert model.set_params(epsilon=0.4).epsilon == 0.4


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"method": "papre"}, "did you mean 'paper'"),
        ({"method": "paper", "distance": "energy"}, "Take another method"),
        ({"epsilon": -1.0}, "not negative"),
        ({"epsilon": [1.0, 2.0]}, "one per pair"),
        ({"c": float("nan")}, "c must be"),
        ({"depth": 0}, "depth"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"missing": "drop"}, "missing"),
        ({"distance": "wassersteen"}, "did you mean 'wasserstein'"),
    ],
)
def test_wrong_settings_get_one_message(
    screen: Screen, settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        Intersort(**settings).fit(*screen)


def test_missing_values_are_refused_or_omitted(screen: Screen) -> None:
    X, label = screen
    X = X.mask(np.random.default_rng(0).random(X.shape) < 0.05)
    with pytest.raises(ValueError, match="NaN"):
        Intersort().fit(X, label)
    assert Intersort(missing="omit").fit(X, label).result_.ordered_names[:2] == ("A", "B")


@pytest.mark.parametrize("repeats", [2, 3])
def test_duplicating_all_rows_leaves_the_paper_unchanged(screen: Screen, repeats: int) -> None:
    X, label = screen
    once = Intersort.paper().fit(X, label)
    often = Intersort.paper().fit(pd.concat([X] * repeats), np.tile(label, repeats))
    np.testing.assert_array_equal(once.order_, often.order_)
    np.testing.assert_allclose(once.effects_.distance, often.effects_.distance, atol=1e-12)


def test_scaling_and_shifting_columns_change_nothing(screen: Screen) -> None:
    X, label = screen
    moved = X * [1e-3, 5, 1e4, 1, 0.2] + [0, 1e3, -7, 1e-2, 40]
    plain, other = Intersort().fit(X, label), Intersort().fit(moved, label)
    np.testing.assert_allclose(plain.effects_.distance, other.effects_.distance, atol=1e-9)
    np.testing.assert_array_equal(plain.order_, other.order_)


def test_relabelling_variables_relabels_the_answer(screen: Screen) -> None:
    X, label = screen
    new = X.iloc[:, ::-1]
    plain, other = (
        Intersort(method="exact").fit(X, label),
        Intersort(method="exact").fit(new, label),
    )
    assert plain.score_ == pytest.approx(other.score_)
    expected = plain.effects_.to_frame()
    found = other.effects_.to_frame()[list(expected)].loc[expected.index]
    np.testing.assert_allclose(expected, found, rtol=1e-12)


def test_input_is_not_modified(screen: Screen) -> None:
    X, label = screen
    values = X.to_numpy().copy()
    values.flags.writeable = False
    y = np.array([list(X).index(name) if name in list(X) else -1 for name in label])
    Intersort().fit(values, y)
    np.testing.assert_array_equal(values, X.to_numpy())


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"epsilon": "x"}, "epsilon must be"),
        ({"c": "x"}, "c must be"),
        ({"c": None}, "c must be"),
        ({"c": -1}, "c must be"),
        ({"random_state": "x"}, "seed must be"),
        ({"random_state": -1}, "seed must be"),
        ({"n_jobs": -5}, "n_jobs must be"),
    ],
)
def test_wrong_kinds_of_settings(screen: Screen, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Intersort(**settings).fit(*screen)


def test_column_names_of_an_earlier_frame_are_forgotten(screen: Screen) -> None:
    model = Intersort().fit(*screen)
    rows = [[0.1, 1.2], [2.0, 3.1], [9.0, 8.4]]
    data = intersort.InterventionalData.from_arrays(rows, [-1, -1, 0])
    assert not hasattr(model.fit_data(data), "feature_names_in_")


def test_paper_refuses_effects_of_another_distance(screen: Screen) -> None:
    X, label = screen
    data = intersort.InterventionalData.from_arrays(X.to_numpy(), label, names=list(X))
    effects = intersort.measure_effects(data, "energy")
    with pytest.raises(InputError, match="'energy'"):
        Intersort.paper().fit_effects(effects)
