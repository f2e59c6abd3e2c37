"""The written slopes against those that torch works out."""

import math

import numpy as np
import pytest

from intersort.baselines.neural.device_rows import DeviceRows
from intersort.baselines.neural.pacer_networks import PacerNetworks
from intersort.baselines.neural.problem import Problem

torch = pytest.importorskip("torch")
D, N_PROBLEMS, N_ROWS, N_GRAPHS = 4, 2, 7, 5


@pytest.fixture
def networks():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(40, D)).astype(np.float32)
    problem = Problem(values, np.tile([-1, 0, 1, 2], 10))
    rngs = [np.random.default_rng(k) for k in range(N_PROBLEMS)]
    rows = DeviceRows([problem] * N_PROBLEMS, rngs, torch.device("cpu"))
    generator = torch.Generator().manual_seed(0)
    made = PacerNetworks(rows, [0.5, 2.0], rngs, generator)
    for part in made.value.values():
        part.add_(0.5 * torch.randn(part.shape, generator=generator))
    return made


def test_likelihood_and_its_slopes_are_those_of_autograd(networks):
    values, natural = networks.rows.draw(N_ROWS, networks.generator)
    before, open_gates = networks.draw_graphs(N_GRAPHS)
    edges, weight = before * open_gates, natural / N_ROWS
    v = {name: part.clone().requires_grad_() for name, part in networks.value.items()}
    leaky = torch.nn.functional.leaky_relu
    bias = {name: v[f"{name}_bias"][:, :, :, None, :] for name in ("first", "second", "last")}
    hidden = torch.einsum("ptjs,pbj,ptju->ptbsu", edges, values, v["first"]) + bias["first"]
    top = torch.einsum("ptbsu,ptuw->ptbsw", leaky(hidden), v["second"]) + bias["second"]
    mean = torch.einsum("ptbsu,ptuw->ptbsw", leaky(top), v["last"]) + bias["last"]
    law = torch.distributions.Normal(mean[..., 0], v["log_sd"].exp())
    loss = -law.log_prob(values.transpose(1, 2)[..., None]) * weight[..., None]
    (loss.sum() / N_GRAPHS).backward()
    found = networks.likelihood_slopes(values, weight, edges)
    torch.testing.assert_close(found, loss.sum(2).detach())
    for name in set(v) - {"order", "gates"}:
        assert networks.slope[name].abs().max() > 1e-4, name
        torch.testing.assert_close(networks.slope[name], v[name].grad, rtol=1e-4, atol=1e-6)


def test_tilt_of_the_order_is_the_slope_of_its_log_probability(networks):
    before, _ = networks.draw_graphs(N_GRAPHS)
    found = networks._tilt_of_order(before)
    n_before = before.sum(2)  # of each variable (problems, d, graphs)
    for p in range(N_PROBLEMS):
        for s in range(N_GRAPHS):
            free = networks.value["order"][p].clone().requires_grad_()
            order = free[n_before[p, :, s].argsort()]
            log_probability = sum(order[k] - order[k:].logsumexp(0) for k in range(D))
            log_probability.backward()
            torch.testing.assert_close(found[p, :, s], free.grad, rtol=1e-4, atol=1e-5)


def test_slopes_of_the_expected_number_of_edges_are_those_of_autograd(networks):
    gates = networks.value["gates"].clone().requires_grad_()
    order = networks.value["order"].clone().requires_grad_()
    follows = (order[:, None, :] - order[:, :, None]).sigmoid()
    (networks.reg[:, None, None] * gates.sigmoid() * follows).sum().backward()
    of_gates, of_order = networks._edge_slopes(networks.value["gates"].sigmoid())
    torch.testing.assert_close(of_gates.nan_to_num(), gates.grad.nan_to_num())
    torch.testing.assert_close(of_order, order.grad)


def test_graphs_are_drawn_with_the_probabilities_stated(networks):
    before, open_gates = networks.draw_graphs(4000)
    order, gates = networks.value["order"], networks.value["gates"]
    follows = (order[:, None, :] - order[:, :, None]).sigmoid()
    off = ~torch.eye(D, dtype=torch.bool)
    assert (before.mean(-1) - follows)[:, off].abs().max() < 0.04
    assert (open_gates.mean(-1) - gates.sigmoid()).abs().max() < 0.04
    assert open_gates.diagonal(dim1=1, dim2=2).sum() == 0


def test_slopes_of_order_and_gates_fall_along_the_mean_loss(networks):
    """Against differences of the mean loss, where the loss of a graph is a known function."""
    networks.reg.zero_()
    worth = torch.randn((D, D), generator=networks.generator)[None, :, :, None]
    before, open_gates = networks.draw_graphs(60_000)
    loss = (worth * before * open_gates).sum(2)
    networks.graph_slopes(loss, before, open_gates)
    gates = networks.value["gates"].clone().requires_grad_()
    order = networks.value["order"].clone().requires_grad_()
    follows = (order[:, None, :] - order[:, :, None]).sigmoid()
    (worth[..., 0] * gates.sigmoid() * follows)[:, ~torch.eye(D, dtype=torch.bool)].sum().backward()
    torch.testing.assert_close(networks.slope["gates"], gates.grad.nan_to_num(), atol=0.02, rtol=0)
    torch.testing.assert_close(networks.slope["order"], order.grad, atol=0.03, rtol=0)


def test_a_step_is_that_of_adam_and_the_order_has_a_rate_of_its_own(networks):
    free = {name: part.clone().requires_grad_() for name, part in networks.value.items()}
    order, rest = free["order"], [part for name, part in free.items() if name != "order"]
    groups = [{"params": [order], "lr": 0.001}, {"params": rest, "lr": 0.01}]
    optimiser = torch.optim.Adam(groups)
    for _ in range(3):
        networks.step()
        for name, part in free.items():
            part.grad = networks.slope[name].clone()
        optimiser.step()
    assert (~networks.flat.isfinite()).sum() == N_PROBLEMS * D
    assert math.isclose(networks.n_steps.item(), 3)
    for name, part in free.items():
        found, expected = networks.value[name], part.detach()
        finite = found.isfinite()
        torch.testing.assert_close(found[finite], expected[finite], rtol=1e-4, atol=1e-5)
