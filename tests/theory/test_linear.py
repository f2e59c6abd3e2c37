"""Lemmas 2 and 3: population distances of linear systems, and what the lemmas leave out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

from intersort import InputError
from intersort.theory.faithfulness import check_faithfulness
from intersort.theory.linear import linear_distances
from intersort.theory.small_cases import graph_from_edges


def random_system(rng, d=7):
    graph = np.triu(rng.random((d, d)) < 0.4, 1)
    return graph * rng.uniform(0.3, 2.0, (d, d)) * rng.choice([-1, 1], (d, d))


def test_agrees_with_large_samples():
    rng = np.random.default_rng(0)
    weights = random_system(rng, 4)
    noise_sd, n = np.array([1.0, 0.5, 2.0, 1.5]), 200_000
    ours = linear_distances(
        weights, [1], intervention_mean=2, intervention_sd=0.3, noise_sd=noise_sd
    )

    def sample(target=None):
        values = np.zeros((n, 4))
        for j in range(4):
            values[:, j] = values @ weights[:, j] + noise_sd[j] * rng.standard_normal(n)
            if j == target:
                values[:, j] = 2 + 0.3 * rng.standard_normal(n)
        return values

    control, treated = sample(), sample(1)
    for j in (0, 2, 3):
        theirs = wasserstein_distance(control[:, j], treated[:, j]) / control[:, j].std()
        assert ours[0, j] == pytest.approx(theirs, abs=0.02)


def test_lemma_3_random_weights_are_faithful_at_epsilon_zero():
    rng = np.random.default_rng(1)
    for _ in range(30):
        weights = random_system(rng)
        distance = linear_distances(weights, intervention_mean=2.0)
        distance[distance < 1e-9] = 0  # rounding
        assert check_faithfulness(distance, None, weights, epsilon=0.0).is_faithful


def test_lemmas_2_and_3_need_a_law_that_differs_from_the_variables_own():
    """Full support, non-zero total effects, and yet nothing moves: N(0, 1) is its own law."""
    chain = 0.7 * graph_from_edges(3, [(0, 1), (1, 2)])
    own = linear_distances(chain, [0], intervention_mean=0.0, intervention_sd=1.0)
    np.testing.assert_array_equal(own, 0)
    assert not check_faithfulness(own, [0], chain, epsilon=0.0).is_faithful
    other = linear_distances(chain, [0], intervention_mean=0.0, intervention_sd=1.5)
    assert check_faithfulness(other, [0], chain, epsilon=0.0).is_faithful


def test_a_constant_has_no_full_support_and_shows_all_the_same():
    chain = 0.7 * graph_from_edges(3, [(0, 1), (1, 2)])
    constant = linear_distances(chain, [0], intervention_mean=0.0, intervention_sd=0.0)
    assert np.all(constant[0, 1:] > 0.05)


def test_where_paths_are_not_linear_another_law_can_still_show_nothing():
    """X_1 = X_0² + N: do(0) with the law of −X_0 has full support and differs from X_0's own."""
    rng = np.random.default_rng(2)
    cause, noise = 1 + rng.standard_normal(1000), rng.standard_normal(1000)
    control, treated = cause**2 + noise, (-cause) ** 2 + noise
    assert wasserstein_distance(cause, -cause) > 1.5
    assert wasserstein_distance(control, treated) == 0


def test_paths_that_cancel_can_hide_a_child_too():
    """The paper's relaxation covers cancelling paths, but keeps every child: here one is hidden."""
    weights = np.zeros((3, 3))
    weights[0, 1], weights[1, 2], weights[0, 2] = 1.0, 1.0, -1.0
    distance = linear_distances(weights, [0], intervention_mean=3.0)
    assert distance[0, 1] > 1
    assert distance[0, 2] == pytest.approx(0, abs=1e-12)
    result = check_faithfulness(distance, [0], weights, epsilon=0.01, reach="children")
    assert result.hidden_pairs.tolist() == [[0, 2]]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"noise_sd": 0.0}, "`noise_sd` must be positive and `intervention_sd` not negative"),
        ({"intervention_sd": -1.0}, "`intervention_sd` not negative"),
        ({"intervention_mean": [1.0, 2.0]}, "`intervention_mean` must be one finite number or 3"),
        ({"noise_sd": np.inf}, "`noise_sd` must be one finite number or 3"),
    ],
)
def test_messages(settings, message):
    with pytest.raises(InputError, match=message):
        linear_distances(graph_from_edges(3, [(0, 1)]), **settings)
