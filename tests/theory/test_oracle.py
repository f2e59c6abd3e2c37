"""Oracle distances show what they are told to show, strictly on the right side of ε."""

from __future__ import annotations

import time

import numpy as np
import pytest
from scipy.sparse import random_array, triu

from intersort import InputError
from intersort.theory.faithfulness import check_faithfulness
from intersort.theory.oracle import oracle_distances
from intersort.theory.small_cases import graph_from_edges, paths

CHAIN = graph_from_edges(4, [(0, 1), (1, 2), (2, 3)])


def dag(rng, d=12, density=0.25):
    return np.triu(rng.random((d, d)) < density, 1)


@pytest.mark.parametrize("effect", [1.0, "random"])
@pytest.mark.parametrize("null", ["zero", "random"])
@pytest.mark.parametrize("reach", ["descendants", "children"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_faithful_in_the_sense_asked_for(effect, null, reach, dtype):
    rng = np.random.default_rng(0)
    for epsilon in (0.1, 0.3, 0.5, 0.7):
        graph, intervened = dag(rng), np.sort(rng.choice(12, 7, replace=False))
        distance = oracle_distances(
            graph, intervened, epsilon, reach=reach, effect=effect, null=null, rng=rng, dtype=dtype
        )
        assert distance.dtype == dtype
        assert distance.shape == (7, 12)
        assert not np.any(distance[np.arange(7), intervened])
        result = check_faithfulness(distance, intervened, graph, epsilon=epsilon, reach=reach)
        assert result.is_faithful
        # strictly below ε, or a null pair would be tied
        assert result.lowest_epsilon < epsilon
        assert (result.lowest_epsilon > 0) == (null == "random")
        assert np.max(distance) <= max(1.0, 3 * epsilon * (1 + 1e-6))


def test_random_sizes_fill_their_ranges():
    graph = dag(np.random.default_rng(1), 80, 0.2)
    distance = oracle_distances(graph, None, 0.5, effect="random", null="random")
    shows, off = paths(graph), ~paths(graph) & ~np.eye(80, dtype=bool)
    assert 0.5 < distance[shows].min() < 0.51
    assert 1.49 < distance[shows].max() <= 1.5
    assert distance[off].min() < 0.01
    assert 0.49 < distance[off].max() < 0.5


@pytest.mark.parametrize("probability", [0.0, 0.3, 1.0])
def test_the_continuum_keeps_children_and_some_further_descendants(probability):
    graph = dag(np.random.default_rng(2), 60, 0.1)
    shows = oracle_distances(graph, reach=probability, rng=3) > 0.3
    further = paths(graph) & ~graph
    assert np.all(shows[graph])
    assert not np.any(shows & ~paths(graph))
    share, error = shows[further].mean(), np.sqrt(0.25 / further.sum())
    assert abs(share - probability) <= 4 * error
    if probability == 0.0:
        np.testing.assert_array_equal(shows, graph)


def test_equal_seeds_agree_and_none_is_seed_zero():
    a, b, c = (oracle_distances(CHAIN, null="random", rng=rng) for rng in (None, 0, 1))
    np.testing.assert_array_equal(a, b)
    assert not np.array_equal(a, c)


def test_rows_come_sorted_and_may_be_none_at_all():
    np.testing.assert_array_equal(oracle_distances(CHAIN, [3, 1]), oracle_distances(CHAIN)[[1, 3]])
    assert oracle_distances(CHAIN, []).shape == (0, 4)


def test_ten_thousand_variables_half_of_them_targets():
    """1.5 edges per variable; one |I| × d block and its Boolean mask."""
    graph = triu(random_array((10_000, 10_000), density=3e-4, rng=0), 1)
    intervened = np.arange(0, 10_000, 2)
    start = time.perf_counter()
    distance = oracle_distances(graph, intervened, dtype=np.float32)
    assert distance.nbytes == 200_000_000
    assert time.perf_counter() - start < 15  # 1.5 s on an idle core


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"reach": "parents"},
            "`reach` must be .* or a probability between 0 and 1; got 'parents'",
        ),
        ({"reach": 1.5}, "a probability between 0 and 1; got '1.5'"),
        ({"reach": True}, "a probability between 0 and 1; got 'True'"),
        ({"effect": 0.3}, "`effect` must be \"random\" or a number above epsilon = 0.3; got '0.3'"),
        ({"effect": "big"}, "`effect` must be"),
        ({"null": "small"}, '`null` must be "zero" or "random"'),
        ({"epsilon": -1.0}, "`epsilon` must be finite and not negative"),
        ({"dtype": int}, "`dtype` must be a floating-point type"),
    ],
)
def test_messages(settings, message):
    with pytest.raises(InputError, match=message):
        oracle_distances(CHAIN, **settings)
