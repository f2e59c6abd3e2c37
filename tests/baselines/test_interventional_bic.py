"""Interventional BIC against a plain version that fits raw rows, and cases it must solve."""

from __future__ import annotations

import numpy as np
import pytest

from intersort import InterventionalData, baselines, d_top, simulate
from intersort.baselines.interventional_bic import MARGIN, Search, insert_at_random, sum_products

# --- the method in plain Python -----------------------------------------------------------------


class Plain:
    """Regressions on raw rows by least squares, every order scored from nothing."""

    def __init__(self, values: np.ndarray, targets: np.ndarray, penalty: float = 1.0) -> None:
        self.values, self.targets, self.penalty = values, targets, penalty

    def local_score(self, child: int, parents: list[int]) -> float:
        """n/2 · log σ² of the child given its parents, and what the parents cost."""
        rows = self.values[self.targets != child]
        design = np.column_stack([np.ones(len(rows)), rows[:, parents]])
        fitted = design @ np.linalg.lstsq(design, rows[:, child], rcond=None)[0]
        variance = np.mean((rows[:, child] - fitted) ** 2)
        price = self.penalty * np.log(len(rows)) / 2
        return len(rows) / 2 * np.log(variance) + price * len(parents)

    def regress(self, child: int, predecessors: list[int]) -> tuple[float, list[int]]:
        """Grow while a predecessor lowers the score, shrink while one fewer lowers it."""
        parents: list[int] = []
        score = self.local_score(child, parents)
        for step in ("grow", "shrink"):
            while True:
                others = [p for p in predecessors if p not in parents]
                tried = (
                    [[*parents, p] for p in others]
                    if step == "grow"
                    else [[q for q in parents if q != p] for p in parents]
                )
                scored = [(self.local_score(child, these), these) for these in tried]
                if not scored or min(scored)[0] >= score:
                    break
                score, parents = min(scored)
        return score, parents

    def local_scores(self, order: np.ndarray) -> np.ndarray:
        """Local scores by variable."""
        scores = np.empty(order.size)
        for place, child in enumerate(order):
            scores[child] = self.regress(child, order[:place].tolist())[0]
        return scores

    def descend(self, start: np.ndarray, turns: np.ndarray) -> np.ndarray:
        """Each variable in turn to its best place, until a whole round gains nothing."""
        order, still, turn = start.tolist(), 0, 0
        while still < len(order):
            variable = turns[turn % len(order)]
            turn, still = turn + 1, still + 1
            rest = [u for u in order if u != variable]
            tried = [[*rest[:place], variable, *rest[place:]] for place in range(len(order))]
            scores = np.array([self.local_scores(np.array(these)).sum() for these in tried])
            if scores.min() < scores[order.index(variable)] - MARGIN:
                order, still = tried[int(scores.argmin())], 0
        return np.array(order)


def screen(
    seed: int, d: int = 6, domain: str = "rff", n_per_target: int = 40
) -> tuple[InterventionalData, np.ndarray]:
    adjacency = simulate.random_graph(d, edges_per_variable=2, rng=seed)
    population = simulate.random_population(adjacency, domain, noise="gaussian", rng=seed)
    targets = simulate.choose_targets(d, fraction=0.5, rng=seed)
    values, labels = population.screen(300, n_per_target, targets, rng=seed)
    return InterventionalData.from_arrays(values, labels, control=-1), adjacency


def both(seed: int, penalty: float = 1.0) -> tuple[Search, Plain, np.random.Generator]:
    data, _ = screen(seed)
    search = Search(sum_products(data.values, data.targets, penalty))
    return search, Plain(data.values, data.targets, penalty), np.random.default_rng(seed)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("penalty", [0.3, 1.0])
def test_local_scores_and_parents_are_those_of_raw_rows(seed: int, penalty: float) -> None:
    search, plain, rng = both(seed, penalty)
    order = rng.permutation(6)
    np.testing.assert_allclose(search.fit(order), plain.local_scores(order), rtol=1e-9)
    adjacency = search.parents(order)
    for place, child in enumerate(order):
        _, parents = plain.regress(child, order[:place].tolist())
        assert np.flatnonzero(adjacency[:, child]).tolist() == sorted(parents)


@pytest.mark.parametrize("seed", range(8))
def test_a_descent_goes_where_the_plain_one_goes(seed: int) -> None:
    search, plain, rng = both(seed)
    start, turns = rng.permutation(6), rng.permutation(6)
    order, value = search.descend(start, turns)
    np.testing.assert_array_equal(order, plain.descend(start, turns))
    assert value == pytest.approx(plain.local_scores(order).sum())


@pytest.mark.parametrize("seed", range(4))
def test_shortcuts_are_exact(seed: int) -> None:
    """Gains found through stored fits equal the difference of orders fitted from nothing."""
    from intersort.baselines import _kernels

    data, _ = screen(seed, d=12, domain="nn")
    search = Search(sum_products(data.values, data.targets, 0.5))
    rng = np.random.default_rng(seed)
    order = rng.permutation(12)
    before = search.fit(order).sum()
    for place in range(12):
        search.fit(order)
        _kernels._fill_gains(search.rows, search.fits, search.work, order, place)
        gains = search.work.gains.copy()
        for new_place in range(12):
            moved = np.insert(np.delete(order, place), new_place, order[place])
            assert gains[new_place] == pytest.approx(before - search.fit(moved).sum(), abs=1e-7)


def test_fits_kept_through_moves_are_those_of_the_last_order() -> None:
    data, _ = screen(3, d=12, domain="nn")
    search = Search(sum_products(data.values, data.targets, 1.0))
    rng = np.random.default_rng(0)
    order, value = search.descend(rng.permutation(12), rng.permutation(12))
    np.testing.assert_array_equal(search.local_scores.copy(), search.fit(order))
    assert value == search.local_scores.sum()


# --- cases that it must solve, and one that nothing can -----------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_solves_a_linear_system_all_of_which_was_intervened_on(seed: int) -> None:
    adjacency = simulate.random_graph(15, edges_per_variable=2, rng=seed)
    population = simulate.random_population(adjacency, "linear", noise="gaussian", rng=seed)
    values, targets = population.screen(1000, 100, np.arange(15), rng=seed)
    data = InterventionalData.from_arrays(values, targets, control=-1)
    result = baselines.run("interventional_bic", data, rng=seed)
    assert result.orders.shape == (1, 15)
    assert d_top(adjacency, result.orders[0]) == 0
    assert (result.adjacency & adjacency).sum() >= 0.95 * adjacency.sum()
    assert (result.adjacency & ~adjacency).sum() <= 3


@pytest.mark.parametrize("target", ["cause", "effect"])
def test_targets_orient_what_observation_cannot(target: str) -> None:
    """Gaussian, linear, two variables: only the rows of the intervention break the symmetry."""
    rng = np.random.default_rng(0)
    cause, noise, set_to = rng.normal(size=(3, 600))
    done = np.arange(600) >= 400
    if target == "cause":
        cause = np.where(done, set_to + 2, cause)
    effect = 0.8 * cause + noise
    if target == "effect":
        effect = np.where(done, set_to + 2, effect)
    data = InterventionalData.from_arrays(
        np.stack([effect, cause], axis=1), np.where(done, int(target == "cause"), -1)
    )
    result = baselines.run("interventional_bic", data)
    assert result.orders.tolist() == [[1, 0]]
    assert result.adjacency.tolist() == [[False, False], [True, False]]


def test_without_effects_the_order_is_random() -> None:
    errors, edges = 0, 0
    for seed in range(10):
        data, adjacency = screen(seed, d=12)
        noise = np.random.default_rng(seed).normal(size=data.values.shape)
        data = InterventionalData.from_arrays(noise, data.targets)
        # the graph's labels came from `seed`: a search that starts there would start at the truth
        order = baselines.run("interventional_bic", data, rng=99 + seed, n_restarts=2).orders[0]
        errors, edges = errors + d_top(adjacency, order), edges + int(adjacency.sum())
    assert 0.4 * edges < errors < 0.6 * edges


def test_units_and_column_numbers_do_not_matter() -> None:
    data, _ = screen(1, d=8, domain="linear")
    rng = np.random.default_rng(0)
    order = rng.permutation(8)
    scaled = data.values * 10.0 ** rng.uniform(-3, 3, size=8) + 1000 * rng.normal(size=8)
    moved = rng.permutation(8)
    place = np.argsort(moved)  # variable v is column place[v] of what is relabelled
    labels = np.where(data.targets < 0, -1, place[data.targets])
    expected = Search(sum_products(data.values, data.targets, 1.0)).parents(order)
    for values, targets, these, back in [
        (scaled, data.targets, order, np.arange(8)),
        (data.values[:, moved], labels, place[order], place),
    ]:
        found = Search(sum_products(values, targets, 1.0)).parents(these)
        np.testing.assert_array_equal(found[np.ix_(back, back)], expected)


def test_same_seed_same_order_and_more_restarts_are_no_worse() -> None:
    data, _ = screen(5, d=12, domain="nn")
    rows = sum_products(data.values, data.targets, 1.0)
    found = {}
    for n_restarts in (1, 10):
        first, second = (
            baselines.run("interventional_bic", data, rng=3, n_restarts=n_restarts).orders[0]
            for _ in range(2)
        )
        np.testing.assert_array_equal(first, second)
        found[n_restarts] = Search(rows).fit(first).sum()
    assert found[10] <= found[1]


# --- rows that say little -----------------------------------------------------------------------


def test_constant_and_repeated_columns_and_few_rows() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(300, 7))
    values[:, 3] = 2.5  # constant everywhere
    values[:, 4] = 0.1  # constant but for its own intervention
    values[200:250, 4] = 7.7
    values[:, 5] = values[:, 0]  # repeated
    values[:, 6] = values[:, 0] + values[:, 1]  # without noise
    targets = np.repeat([-1, 4, 0], [200, 50, 50])
    for rows in (slice(None), slice(195, 205), slice(199, 202)):
        data = InterventionalData(
            values=values[rows], targets=targets[rows], names=tuple("abcdefg")
        )
        result = baselines.run("interventional_bic", data)
        assert sorted(result.orders[0]) == list(range(7))
        assert not result.adjacency[3].any()
        assert not result.adjacency[:, 3].any()
        assert result.adjacency.sum(axis=0).max() <= max(1, len(values[rows]) // 4)


def test_a_variable_that_is_the_target_of_every_row() -> None:
    values = np.random.default_rng(0).normal(size=(30, 3))
    data = InterventionalData(values=values, targets=np.zeros(30, dtype=int), names=tuple("abc"))
    assert not baselines.run("interventional_bic", data).adjacency[:, 0].any()


def test_insertions_keep_every_variable() -> None:
    order = insert_at_random(np.arange(50), 25, np.random.default_rng(0))
    assert sorted(order) == list(range(50))
    assert order.tolist() != list(range(50))


def test_refusals(monkeypatch) -> None:
    data, _ = screen(0)
    with pytest.raises(ValueError, match=r"n_restarts must be a whole number, 1 or more; got '0'"):
        baselines.run("interventional_bic", data, n_restarts=0)
    with pytest.raises(ValueError, match=r"penalty must be a number above 0; got '-1'"):
        baselines.run("interventional_bic", data, penalty=-1)
    missing = data.values.copy()
    missing[0, 0] = np.nan
    broken = InterventionalData(values=missing, targets=data.targets, names=data.names)
    with pytest.raises(ValueError, match="interventional_bic cannot take missing values"):
        baselines.run("interventional_bic", broken)
    monkeypatch.setattr("intersort._memory.free_memory", lambda: 10)
    with pytest.raises(ValueError, match="interventional_bic needs about"):
        baselines.run("interventional_bic", data)
