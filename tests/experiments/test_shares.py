"""Who lies above a threshold, by the length of the path."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments import shares
from experiments.statistics import Estimate
from intersort import simulate
from intersort._adjacency import descendants, read_dag

CHAIN = np.eye(6, k=1, dtype=bool)


def test_a_path_is_as_long_as_the_shortest() -> None:
    adjacency = CHAIN.copy()
    adjacency[0, 3] = True
    lengths = shares.path_lengths(adjacency)
    assert lengths[0].tolist() == [0, 1, 2, 1, 2, 3]
    assert lengths[2].tolist() == [0, 0, 0, 1, 2, 3]


def test_there_is_a_length_where_there_is_a_path() -> None:
    for seed in range(20):
        adjacency = simulate.random_graph(12, edges_per_variable=2, rng=seed)
        lengths = shares.path_lengths(adjacency)
        np.testing.assert_array_equal(lengths > 0, descendants(read_dag(adjacency)))
        np.testing.assert_array_equal(lengths == 1, adjacency)


def test_every_pair_is_counted_once_and_the_target_never() -> None:
    intervened = np.array([0, 4])
    counted = shares.count_pairs(shares.path_lengths(CHAIN), intervened)
    assert counted == {"pairs_none": 4, "pairs_1": 2, "pairs_2": 1, "pairs_3": 1, "pairs_4": 2}
    assert sum(counted.values()) == 2 * 5


def test_pairs_above_are_those_above_their_threshold() -> None:
    intervened = np.array([1])
    distance = np.array([[0.1, 9.0, 0.5, 0.2, 0.5, 0.5]])
    threshold = np.array([[0.2, 0.0, 0.5, 0.1, 0.4, 0.6]])
    lengths = shares.path_lengths(CHAIN)
    found = shares.count_above(distance, intervened, lengths, threshold, "own")
    assert found["above_own_none"] == 0
    assert [found[f"above_own_{length}"] for length in "1234"] == [0, 1, 1, 0]


def test_a_dataset_without_such_pairs_has_no_share() -> None:
    row = {"pairs_1": 4, "pairs_2": 0, "above_epsilon_1": 3, "above_epsilon_2": 0}
    assert shares.share(row, "epsilon", ("1",)) == 0.75
    assert shares.share(row, "epsilon", ("2",)) is None
    assert shares.share_of([row, row, row], "epsilon", ("2",)).n == 0
    assert shares.percent(shares.share_of([row], "epsilon", ("2",))) == "–"


def test_an_interval_of_shares_stays_a_share() -> None:
    rows = [{"pairs_1": 4, "above_epsilon_1": n} for n in (4, 4, 3)]
    found = shares.share_of(rows, "epsilon", ("1",))
    assert found.high == 1.0
    assert found.low > 0.5


def test_a_small_minus_is_not_shown_before_a_zero() -> None:
    assert shares.percent(Estimate(-1e-5, -0.1, 0.1, 5)) == "0.0 % [-10.0, 10.0]"
    assert shares.percent(Estimate(0.5, 0.5, 0.5, 1)) == "50.0 % (n = 1)"


def test_a_figure_holds_each_curve_once(tmp_path: Path) -> None:
    points = [(0.0, Estimate(0.2, 0.1, 0.3, 5)), (1.0, Estimate(0.6, 0.4, 0.8, 5))]
    curves = {(group, by): points for group in ("children", "others") for by in ("one", "two")}
    path = tmp_path / "picture.svg"
    assert shares.draw_shares(path, curves, x_label="rows", labels={0.0: "10", 1.0: "100"}) == (
        path.name
    )
    text = path.read_text(encoding="utf-8")
    for word in ("children", "others", "one", "two", "rows", ">10<", ">100<", "60%"):
        assert word in text
