"""The private copy of the search of gies: its answers about paths are those of the package."""

import numpy as np
import pytest

from intersort.baselines._gies_search import load_search, separates, telling_paths

utils = pytest.importorskip("gies.utils")


def random_mixed_graph(rng: np.random.Generator, d: int) -> np.ndarray:
    """Edges from earlier to later variables of a random order; some without direction."""
    order = rng.permutation(d)
    graph = np.zeros((d, d))
    for later in range(d):
        for earlier in range(later):
            if rng.random() < 0.4:
                graph[order[earlier], order[later]] = 1
                graph[order[later], order[earlier]] = rng.random() < 0.5
    return graph


def random_subset(rng: np.random.Generator, members: set) -> set:
    return {int(member) for member in members if rng.random() < 0.5}


def test_an_insertion_is_valid_where_the_package_says_so():
    rng = np.random.default_rng(0)
    answers = []
    for _ in range(60):
        graph = random_mixed_graph(rng, int(rng.integers(3, 8)))
        for x, y in np.argwhere((graph + graph.T + np.eye(len(graph))) == 0):
            wall = random_subset(rng, utils.neighbors(y, graph))
            theirs = all(wall & set(path) for path in utils.semi_directed_paths(y, x, graph))
            assert all(wall & set(path) for path in telling_paths(y, x, graph)) == theirs
            answers.append(theirs)
    assert 0.1 < np.mean(answers) < 0.9


def test_a_turn_is_valid_where_the_package_says_so():
    rng = np.random.default_rng(1)
    answers = []
    for _ in range(60):
        graph = random_mixed_graph(rng, int(rng.integers(3, 8)))
        for y, x in np.argwhere((graph != 0) & (graph.T == 0)):
            wall = random_subset(rng, utils.neighbors(y, graph)) | utils.neighbors(x, graph)
            longer = [p for p in utils.semi_directed_paths(y, x, graph) if p != [y, x]]
            theirs = all(wall & set(path) for path in longer)
            ours = [path for path in telling_paths(y, x, graph) if path != [y, x]]
            assert all(wall & set(path) for path in ours) == theirs
            answers.append(theirs)
    assert 0.1 < np.mean(answers) < 0.9


def test_separation_is_that_of_the_package():
    rng = np.random.default_rng(2)
    answers = []
    for _ in range(200):
        graph = random_mixed_graph(rng, 7)
        part = rng.integers(4, size=7)
        sets = [{int(k) for k in np.flatnonzero(part == which)} for which in range(3)]
        assert separates(*sets, graph) == utils.separates(*sets, graph)
        answers.append(separates(*sets, graph))
    assert 0.1 < np.mean(answers) < 0.9


def test_sets_that_overlap_are_refused_as_the_package_refuses_them():
    with pytest.raises(ValueError, match="must not overlap"):
        separates({0}, {1}, {1, 2}, np.zeros((3, 3)))


def test_the_package_itself_is_left_as_it_is():
    import gies.main

    search = load_search()
    assert search.utils.semi_directed_paths is telling_paths
    assert gies.main.utils.semi_directed_paths is utils.semi_directed_paths is not telling_paths
    assert load_search() is search
