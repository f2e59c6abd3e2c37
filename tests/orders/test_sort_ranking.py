"""SORTRANKING, compiled, against the plain version edge for edge."""

import numpy as np
import pytest

from intersort import CausalOrder, Effects, InputError, score_orders, sort_ranking
from intersort.orders.plain import find_best_graph_plainly, sort_ranking_plainly


def draw_effects(rng, d, tied):
    distance = rng.integers(0, 5, size=(d, d)) / 4 if tied else rng.gamma(0.5, size=(d, d))
    intervened = np.flatnonzero(rng.random(d) < 0.7)
    names = [f"v{column}" for column in range(d)]
    return Effects.from_matrix(distance[intervened], intervened=intervened, names=names)


def expand(effects, block):
    dense = np.zeros((len(effects.names), len(effects.names)))
    dense[effects.intervened] = block
    return dense


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("per_pair", [False, True])
def test_the_plain_version_edge_for_edge(tied, per_pair):
    rng = np.random.default_rng(0)
    for d in [*range(2, 20), 63, 64, 65]:
        effects = draw_effects(rng, d, tied)
        epsilon = rng.random(effects.distance.shape) if per_pair else 0.25
        result = sort_ranking(effects, epsilon)
        threshold = expand(effects, np.broadcast_to(epsilon, effects.distance.shape))
        dense = expand(effects, effects.distance)
        dense[np.setdiff1d(np.arange(d), effects.intervened)] = -1.0  # never an edge
        order, edges = sort_ranking_plainly(dense, threshold)
        assert result.order.tolist() == order
        rows, columns = np.nonzero(result.graph)
        assert set(zip(effects.intervened[rows].tolist(), columns.tolist(), strict=True)) == set(
            edges
        )
        s_init = sum(dense[edge] - threshold[edge] for edge in edges)
        assert result.s_init == pytest.approx(s_init, abs=1e-9)


def test_ties_go_row_by_row_and_variables_by_column():
    """Equal distances 1→0 and 0→1: the row of 0 comes first."""
    distance = np.array([[0, 1.0, 0], [1.0, 0, 0], [0, 0, 0]])
    assert sort_ranking(Effects.from_matrix(distance), 0.5).order.tolist() == [0, 2, 1]


def test_children_follow_in_the_order_of_acceptance():
    """0 → 2 is stronger than 0 → 1, so 2 is visited first among the children of 0."""
    distance = np.array([[0, 1.0, 2.0], [0, 0, 0], [0, 0, 0]])
    assert sort_ranking(Effects.from_matrix(distance), 0.5).order.tolist() == [0, 2, 1]


def test_a_distance_of_exactly_epsilon_is_no_edge():
    distance = np.array([[0, 0.5], [0.75, 0]])
    result = sort_ranking(Effects.from_matrix(distance), 0.5)
    assert result.graph.tolist() == [[False, False], [True, False]]
    assert result.s_init == 0.25


def test_score_is_the_papers_score_of_the_order():
    effects = draw_effects(np.random.default_rng(1), 9, tied=False)
    result = sort_ranking(effects, 0.3, c=0.7)
    assert isinstance(result, CausalOrder)
    assert result.method == "sort_ranking"
    assert result.score == score_orders(effects, 0.3, c=0.7).score(result.order)
    assert result.upper_bound >= result.score
    assert result.names == effects.names


def test_never_warns_about_a_bonus_it_does_not_use(recwarn):
    """The order does not depend on c: only `score_orders` warns."""
    sort_ranking(Effects.from_matrix(np.ones((6, 6))), epsilon=2.0, c=0.0)
    assert not recwarn.list


def test_without_interventions_the_columns_stay_as_they_are():
    nothing = Effects.from_matrix(np.zeros((0, 4)), intervened=[], names=list("abcd"))
    result = sort_ranking(nothing, 0.3)
    assert result.order.tolist() == [0, 1, 2, 3]
    assert result.graph.shape == (0, 4)
    assert (result.s_init, result.score, result.is_optimal) == (0.0, 0.0, True)


def test_how_far_the_heuristic_falls_short_of_the_best_graph():
    """The strongest edge costs two others of 0.75 each: greedy keeps 1.0 of 1.5."""
    distance = np.zeros((4, 4))
    distance[0, 1] = 2.0
    distance[1, 2] = distance[2, 0] = 1.75
    distance[1, 3] = distance[3, 0] = 1.75
    result = sort_ranking(Effects.from_matrix(distance), epsilon=1.0)
    best, _ = find_best_graph_plainly(distance, 1.0)
    assert result.s_init == pytest.approx(1.0 + 2 * 0.75)
    assert best == pytest.approx(4 * 0.75)


def test_the_best_graph_is_never_worse():
    rng = np.random.default_rng(4)
    shortfalls = []
    for _ in range(40):
        distance = rng.random((5, 5))
        np.fill_diagonal(distance, 0)
        best, _ = find_best_graph_plainly(distance, 0.3)
        shortfalls.append(best - sort_ranking(Effects.from_matrix(distance), 0.3).s_init)
    assert min(shortfalls) >= -1e-12
    assert max(shortfalls) > 0.01  # and often better: it is a heuristic


def test_a_bare_matrix_is_refused_with_the_way_out():
    with pytest.raises(InputError, match=r"needs effects, not ndarray.*Effects\.from_matrix"):
        sort_ranking(np.zeros((3, 3)), 0.3)


def test_refuses_a_bad_epsilon_or_c():
    effects = Effects.from_matrix(np.zeros((3, 3)))
    with pytest.raises(InputError, match="epsilon must be finite"):
        sort_ranking(effects, -1)
    with pytest.raises(InputError, match="c must be a finite number"):
        sort_ranking(effects, 0.3, c=-1)
