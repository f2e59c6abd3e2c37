"""ε-interventional faithfulness, the remark on ε, and the paper's rule for ε from data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

from intersort import InputError
from intersort.theory.faithfulness import check_faithfulness, paper_epsilon, remark_epsilon
from intersort.theory.linear import linear_distances
from intersort.theory.oracle import oracle_distances
from intersort.theory.small_cases import graph_from_edges, paths

CHAIN = graph_from_edges(3, [(0, 1), (1, 2)])


def by_definition(distance, intervened, graph, epsilon):
    closure = paths(graph)
    return all(
        (distance[k, j] > epsilon) == closure[i, j]
        for k, i in enumerate(intervened)
        for j in range(len(graph))
        if i != j
    )


def test_the_definition_and_the_interval_of_epsilon():
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(300):
        d = int(rng.integers(2, 6))
        graph = np.triu(rng.random((d, d)) < 0.5, 1)
        intervened = np.flatnonzero(rng.random(d) < 0.7)
        noise = rng.choice([0.3, 0.9])
        distance = np.where(paths(graph)[intervened], 0.7, 0.0)
        distance = distance + noise * rng.random(distance.shape)
        epsilon = float(rng.choice([0.2, 0.5, 0.8, 1.1]))
        result = check_faithfulness(distance, intervened, graph, epsilon=epsilon)
        assert result.is_faithful == by_definition(distance, intervened, graph, epsilon)
        inside = result.lowest_epsilon <= epsilon < result.below_epsilon
        assert result.is_faithful == inside
        assert result.is_possible >= result.is_faithful
        seen.add((result.is_faithful, result.is_possible))
        if result.is_possible:  # both ends of the interval: the lower one in, the upper one out
            for edge, holds in ((result.lowest_epsilon, True), (result.below_epsilon, False)):
                if np.isfinite(edge):
                    assert by_definition(distance, intervened, graph, edge) == holds
    assert seen == {(True, True), (False, True), (False, False)}


def test_the_pairs_that_break_it():
    distance = np.array([[0, 0.9, 0.1], [0.8, 0, 0.9]])
    result = check_faithfulness(distance, [0, 1], CHAIN, epsilon=0.5)
    assert result.hidden_pairs.tolist() == [[0, 2]]
    assert result.spurious_pairs.tolist() == [[1, 0]]
    assert (result.lowest_epsilon, result.below_epsilon, result.n_pairs) == (0.8, 0.1, 4)
    assert repr(result) == (
        "not faithful at epsilon 0.5: 1 paths hidden, 1 pairs spurious, of 4; "
        "no epsilon makes it hold"
    )


def test_only_children():
    distance = oracle_distances(CHAIN, reach="children")
    assert check_faithfulness(distance, None, CHAIN, epsilon=0.3, reach="children").is_faithful
    assert not check_faithfulness(distance, None, CHAIN, epsilon=0.3).is_faithful


def test_nobody_intervened_on_is_faithful_at_every_epsilon():
    result = check_faithfulness(np.zeros((0, 3)), [], CHAIN, epsilon=0.3)
    assert result.is_faithful
    assert (result.lowest_epsilon, result.below_epsilon) == (0.0, np.inf)


def test_the_remark_needs_all_paths_not_only_edges():
    """A chain of weights 0.5: each edge shows about 1.5, the path of two edges half as much."""
    chain = 0.5 * CHAIN
    distance = linear_distances(chain, intervention_mean=[3.3, 3.6, 3.0])
    result = check_faithfulness(distance, None, chain, epsilon=0.0)
    assert result.is_faithful
    limit = remark_epsilon(distance, None, chain)
    assert result.below_epsilon == distance[0, 2] < limit == min(distance[0, 1], distance[1, 2])
    between = (result.below_epsilon + limit) / 2
    assert not check_faithfulness(distance, None, chain, epsilon=between).is_faithful


def test_the_papers_epsilon_is_right_for_populations():
    distance = linear_distances(0.8 * CHAIN)
    epsilon = paper_epsilon(distance)
    assert check_faithfulness(distance, None, CHAIN, epsilon=epsilon).is_faithful


def test_on_samples_every_pair_passes_the_papers_epsilon():
    """Two samples are never equal: no distance is 0, so no pair is below the smallest of them."""
    rng = np.random.default_rng(1)
    control = rng.standard_normal((500, 4))
    distance = np.zeros((4, 4))
    for i in range(4):  # nothing causes anything
        sample = rng.standard_normal((100, 4))
        for j in set(range(4)) - {i}:
            distance[i, j] = wasserstein_distance(control[:, j], sample[:, j])
    epsilon = paper_epsilon(distance)
    assert np.all((distance > epsilon) | np.eye(4, dtype=bool))
    result = check_faithfulness(distance, None, np.zeros((4, 4)), epsilon=epsilon)
    assert len(result.spurious_pairs) == 12


def test_all_distances_zero_leave_epsilon_open():
    assert paper_epsilon(np.zeros((2, 2))) == np.inf


@pytest.mark.parametrize(
    ("distance", "intervened", "message"),
    [
        (np.zeros((2, 3)), [1, 0], "`intervened` must be sorted"),
        (np.zeros((2, 2)), [0, 1], r"one row per intervened variable.*\(2, 3\); got \(2, 2\)"),
        (np.full((3, 3), -1.0), None, "negative or missing"),
        (np.full((3, 3), np.nan), None, "negative or missing"),
    ],
)
def test_messages(distance, intervened, message):
    with pytest.raises(InputError, match=message):
        check_faithfulness(distance, intervened, CHAIN, epsilon=0.3)
    with pytest.raises(InputError, match="`reach` must be"):
        check_faithfulness(np.zeros((3, 3)), None, CHAIN, epsilon=0.3, reach="parents")
    with pytest.raises(InputError, match="`epsilon` must be finite and not negative; got 'nan'"):
        check_faithfulness(np.zeros((3, 3)), None, CHAIN, epsilon=np.nan)
