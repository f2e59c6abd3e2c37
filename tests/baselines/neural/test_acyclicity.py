"""The written exponential against torch's, the violation against its definition."""

import itertools

import numpy as np
import pytest

from intersort.baselines.neural.acyclicity import (
    exponential,
    is_acyclic,
    violation,
    violation_of_full_graph,
)

torch = pytest.importorskip("torch")


def without_diagonal(d: int) -> "torch.Tensor":
    return 1 - torch.eye(d, dtype=torch.float64)


def drawn(d: int, n: int = 5) -> "torch.Tensor":
    generator = torch.Generator().manual_seed(d)
    return torch.rand((n, d, d), generator=generator, dtype=torch.float64) * without_diagonal(d)


@pytest.mark.parametrize("d", [2, 3, 5, 10, 30])
def test_exponential_is_torchs(d):
    for matrices in (drawn(d), without_diagonal(d)[None]):
        expected = torch.linalg.matrix_exp(matrices)
        torch.testing.assert_close(exponential(matrices), expected, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("d", [2, 10, 30])
def test_the_full_graph_has_violation_one(d):
    assert violation(without_diagonal(d)[None])[0].item() == pytest.approx(1, rel=1e-10)
    traced = torch.linalg.matrix_exp(without_diagonal(d)).trace().item() - d
    assert violation_of_full_graph(d) == pytest.approx(traced, rel=1e-10)


@pytest.mark.parametrize("d", [2, 4, 10])
def test_violation_and_its_slope_are_those_of_the_definition(d):
    free = drawn(d).requires_grad_()
    excess = torch.linalg.matrix_exp(free).diagonal(dim1=-2, dim2=-1).sum(-1) - d
    expected = excess / violation_of_full_graph(d)
    expected.sum().backward()
    found, slope = violation(free.detach())
    torch.testing.assert_close(found, expected.detach(), rtol=1e-10, atol=1e-14)
    torch.testing.assert_close(slope, free.grad, rtol=1e-10, atol=1e-14)


def has_cycle(edges: np.ndarray) -> bool:
    """Whether a walk as long as there are variables exists."""
    return bool(np.linalg.matrix_power(edges, len(edges)).any())


def test_of_all_graphs_of_three_variables_those_without_cycles_have_none():
    off = [(i, j) for i in range(3) for j in range(3) if i != j]
    graphs = np.zeros((2 ** len(off), 3, 3))
    for graph, chosen in zip(graphs, itertools.product([0, 1], repeat=len(off)), strict=True):
        for pair, value in zip(off, chosen, strict=True):
            graph[pair] = value
    cyclic = np.array([has_cycle(graph) for graph in graphs])
    assert (~cyclic).sum() == 25  # labelled graphs without cycles
    h = violation(torch.from_numpy(graphs))[0].numpy()
    assert (h[~cyclic] == 0).all()
    assert (h[cyclic] > 0.01).all()
    np.testing.assert_array_equal(is_acyclic(torch.from_numpy(graphs).float()).numpy(), ~cyclic)


@pytest.mark.parametrize("d", [2, 7, 8, 9, 30])
def test_a_circle_of_all_variables_is_seen_and_a_full_order_is_none(d):
    order = torch.ones((d, d)).triu(1)
    circle = torch.eye(d).roll(1, dims=1)
    assert is_acyclic(torch.stack([order, circle, order.mT])).tolist() == [True, False, True]
    assert violation(order.double()[None])[0].item() == pytest.approx(0, abs=1e-14)
