"""Components against networkx; nothing is lost between them; closure of requirements."""

import networkx as nx
import numpy as np

from intersort.orders.certificate.decompose import close_requirements, split


def no_requirement(d):
    return np.zeros((d, d), dtype=bool)


def random_net(rng, d, density):
    net = np.where(rng.random((d, d)) < density, rng.normal(size=(d, d)), 0.0)
    return net - net.T


def test_components_are_the_strongly_connected_ones():
    rng = np.random.default_rng(0)
    for _ in range(100):
        d = int(rng.integers(1, 25))
        net = random_net(rng, d, rng.choice([0.02, 0.06, 0.12, 0.5]))
        parts = split(net, no_requirement(d))
        graph = nx.from_numpy_array((net > 0).astype(int), create_using=nx.DiGraph)
        expected = {frozenset(part) for part in nx.strongly_connected_components(graph)}
        assert {frozenset(part.tolist()) for part in parts} == expected


def test_no_pair_of_two_components_loses():
    rng = np.random.default_rng(1)
    for _ in range(50):
        net = random_net(rng, 20, 0.07)
        parts = split(net, no_requirement(20))
        for place, part in enumerate(parts):
            for later in parts[place + 1 :]:
                assert (net[np.ix_(part, later)] >= 0).all()


def test_a_requirement_joins_what_would_order_itself():
    net = np.triu(np.ones((3, 3)), 1) - np.tril(np.ones((3, 3)), -1)
    required = no_requirement(3)
    required[2, 0] = True
    assert [part.tolist() for part in split(net, no_requirement(3))] == [[0], [1], [2]]
    assert [part.tolist() for part in split(net, required)] == [[0, 1, 2]]


def test_closure():
    rng = np.random.default_rng(2)
    for _ in range(20):
        arcs = np.triu(rng.random((12, 12)) < 0.15, 1)
        graph = nx.from_numpy_array(arcs.astype(int), create_using=nx.DiGraph)
        expected = nx.to_numpy_array(nx.transitive_closure_dag(graph)) > 0
        np.testing.assert_array_equal(close_requirements(arcs), expected)
