"""What must hold of every order, whatever the weights."""

import zlib
from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import intersort
from intersort.orders.local_search import search_moves
from intersort.orders.plain import exact_order_plainly, local_search_plainly
from intersort.scores.weight_matrix import as_order_score

SETTINGS = settings(max_examples=60, deadline=None, derandomize=True)


@st.composite
def weights_and_orders(draw, most=6):
    """A matrix of small whole numbers or of floats, and two orders of its variables."""
    d = draw(st.integers(2, most))
    entries = draw(
        st.sampled_from([st.integers(-3, 3), st.integers(-1000, 1000).map(lambda n: n * 0.001)])
    )
    weights = draw(arrays(np.float64, (d, d), elements=entries.map(float)))
    np.fill_diagonal(weights, 0)
    shuffled = st.permutations(range(d)).map(np.array)
    return weights, draw(shuffled), draw(shuffled)


@SETTINGS
@given(weights_and_orders())
def test_relabelling_variables_relabels_the_optimum(drawn):
    weights, labels, _ = drawn
    renamed = weights[np.ix_(labels, labels)]  # variable k of `renamed` is labels[k]
    first, second = intersort.exact_order(weights), intersort.exact_order(renamed)
    assert abs(first.score - second.score) <= 1e-9 * first.largest_weight
    assert first.n_optimal == second.n_optimal
    if first.n_optimal == 1:
        np.testing.assert_array_equal(labels[second.order], first.order)


@SETTINGS
@given(weights_and_orders(most=5))
def test_no_order_is_better_and_all_equals_are_counted(drawn):
    weights, _, _ = drawn
    score = as_order_score(weights)
    result = intersort.exact_order(score)
    values = np.array([score.score(order) for order in permutations(range(len(weights)))])
    tolerance = 1e-9 * score.largest_weight
    assert values.max() <= result.score + tolerance
    assert result.n_optimal == (values >= result.score - tolerance).sum()


@SETTINGS
@given(weights_and_orders())
def test_compiled_and_plain_agree(drawn):
    weights, initial, _ = drawn
    found, moves = search_moves(as_order_score(weights), initial)
    expected, expected_moves = local_search_plainly(weights, initial.tolist())
    assert moves == expected_moves
    assert found.tolist() == expected
    assert exact_order_plainly(weights)[1] == intersort.exact_order(weights).n_optimal


@SETTINGS
@given(weights_and_orders())
def test_sampled_orders_are_optimal(drawn):
    weights, _, _ = drawn
    score = as_order_score(weights)
    result = intersort.exact_order(score)
    for order in result.sample_optimal(5):
        assert abs(score.score(order) - result.score) <= 1e-9 * score.largest_weight * len(order)


@SETTINGS
@given(weights_and_orders(), st.integers(1, 2))
def test_search_never_ends_below_its_start_or_above_its_bound(drawn, depth):
    weights, initial, _ = drawn
    score = as_order_score(weights)
    result = intersort.local_search(score, initial, depth=depth)
    tolerance = 1e-9 * score.largest_weight
    assert score.score(initial) - tolerance <= result.score <= result.upper_bound + tolerance
    assert result.score <= intersort.exact_order(score).score + tolerance


@SETTINGS
@given(weights_and_orders())
def test_a_symmetric_part_shifts_every_score_alike(drawn):
    weights, first, second = drawn
    symmetric = weights + weights.T
    before, after = as_order_score(weights), as_order_score(weights + symmetric)
    difference = after.score(first) - before.score(first)
    assert abs(after.score(second) - before.score(second) - difference) < 1e-9


@SETTINGS
@given(weights_and_orders())
def test_relabelling_variables_relabels_sort_ranking(drawn):
    """Where all distances differ, and every variable has an edge that decides its place."""
    weights, labels, _ = drawn
    d = len(weights)
    rng = np.random.default_rng(zlib.crc32(weights.tobytes()))
    distance = rng.permutation(d * d).reshape(d, d) + 1.0
    effects = intersort.Effects.from_matrix(distance)
    renamed = intersort.Effects.from_matrix(distance[np.ix_(labels, labels)])
    # every pair exceeds epsilon, so the graph is complete and its order is unique
    first = intersort.sort_ranking(effects, 0.5)
    second = intersort.sort_ranking(renamed, 0.5)
    np.testing.assert_array_equal(labels[second.order], first.order)
    assert abs(first.s_init - second.s_init) < 1e-9
