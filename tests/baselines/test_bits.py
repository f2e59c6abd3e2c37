"""Sets as bits of integers, against sets."""

import networkx as nx
import numpy as np

from intersort.baselines._bits import as_bits, members, rows_as_bits, spread


def test_a_set_comes_back_from_its_bits():
    rng = np.random.default_rng(0)
    for size in (0, 1, 5, 40):
        chosen = sorted(int(k) for k in rng.choice(200, size=size, replace=False))
        assert members(as_bits(chosen)) == chosen


def test_rows_wider_than_a_machine_word():
    matrix = np.random.default_rng(1).random((3, 130)) < 0.3
    for row, bits in zip(matrix, rows_as_bits(matrix), strict=True):
        assert members(bits) == np.flatnonzero(row).tolist()


def test_what_is_reached_is_what_networkx_reaches():
    rng = np.random.default_rng(2)
    for _ in range(30):
        steps = rng.random((9, 9)) < 0.2
        closed = {int(k) for k in rng.choice(np.arange(1, 9), size=3, replace=False)}
        graph = nx.from_numpy_array(steps, create_using=nx.DiGraph)
        graph.remove_nodes_from(closed)
        reached = spread(1, rows_as_bits(steps), as_bits(closed))
        assert set(members(reached)) == {0} | nx.descendants(graph, 0)
