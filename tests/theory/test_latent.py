"""Hidden variables: the projection, and the paper's proposition on every graph of four and five."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from intersort import InputError
from intersort.theory.faithfulness import check_faithfulness
from intersort.theory.latent import latent_projection
from intersort.theory.oracle import oracle_distances
from intersort.theory.small_cases import graph_from_edges, graphs_up_to_relabelling, paths


def directed_paths(graph, start, end):
    if start == end:
        yield (end,)
        return
    for child in np.flatnonzero(graph[start]):
        for rest in directed_paths(graph, int(child), end):
            yield (start, *rest)


def by_definition(graph, observed):
    """Both kinds of edges by listing paths."""
    d, hidden = len(graph), set(range(len(graph))) - set(observed)

    def free(a, b):
        return any(set(path[1:-1]) <= hidden for path in directed_paths(graph, a, b))

    directed = [[a != b and free(a, b) for b in observed] for a in observed]
    bidirected = [
        [a != b and any(free(h, a) and free(h, b) for h in hidden) for b in observed]
        for a in observed
    ]
    assert d == len(graph)
    return directed, bidirected


@pytest.mark.parametrize("d", [2, 3, 4])
def test_the_projection_is_its_definition_for_every_graph_and_every_subset(d):
    for graph in graphs_up_to_relabelling(d)[0]:
        for size in range(d + 1):
            for observed in combinations(range(d), size):
                projection = latent_projection(graph, list(observed))
                directed, bidirected = by_definition(graph, observed)
                assert projection.directed.tolist() == directed
                assert projection.bidirected.tolist() == bidirected
                assert projection.observed.tolist() == list(observed)


def test_proposition_faithful_distances_stay_faithful_on_every_projection():
    """Every graph of five variables, every subset that is observed, random distances."""
    rng = np.random.default_rng(0)
    for graph in graphs_up_to_relabelling(5)[0]:
        distance = oracle_distances(graph, effect="random", null="random", rng=rng)
        closure = paths(graph)
        for size in (2, 3, 4):
            for observed in map(list, combinations(range(5), size)):
                projection = latent_projection(graph, observed)
                np.testing.assert_array_equal(
                    paths(projection.directed), closure[np.ix_(observed, observed)]
                )
        seen = list(rng.permutation(5)[:3])
        some = np.sort(seen)
        result = check_faithfulness(
            distance[np.ix_(some, some)],
            None,
            latent_projection(graph, seen).directed,
            epsilon=0.3,
        )
        assert result.is_faithful


def test_the_proposition_does_not_extend_to_the_papers_relaxation():
    """0 → 1 → 2 with 1 hidden: only children show, and the projection's one edge does not."""
    chain = graph_from_edges(3, [(0, 1), (1, 2)])
    distance = oracle_distances(chain, reach="children")
    assert check_faithfulness(distance, None, chain, epsilon=0.3, reach="children").is_faithful
    projection = latent_projection(chain, [0, 2])
    assert projection.directed.tolist() == [[False, True], [False, False]]
    result = check_faithfulness(
        distance[np.ix_([0, 2], [0, 2])], None, projection.directed, epsilon=0.3, reach="children"
    )
    assert result.hidden_pairs.tolist() == [[0, 1]]


def test_a_common_cause_that_is_hidden_leaves_a_bidirected_edge():
    projection = latent_projection(graph_from_edges(3, [(0, 1), (0, 2), (1, 2)]), [1, 2])
    assert projection.directed.tolist() == [[False, True], [False, False]]
    assert projection.bidirected.tolist() == [[False, True], [True, False]]


def test_nothing_hidden_changes_nothing():
    graph = graphs_up_to_relabelling(5)[0][200]
    projection = latent_projection(graph, range(5))
    np.testing.assert_array_equal(projection.directed, graph)
    assert not projection.bidirected.any()


def test_columns_must_exist():
    with pytest.raises(InputError, match="`observed` must hold distinct columns between 0 and 1"):
        latent_projection(np.zeros((2, 2)), [2])
