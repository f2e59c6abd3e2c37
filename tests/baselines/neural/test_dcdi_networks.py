"""The written slopes against those that torch works out."""

import math

import numpy as np
import pytest

from intersort.baselines.neural.dcdi_networks import DcdiNetworks
from intersort.baselines.neural.device_rows import DeviceRows
from intersort.baselines.neural.problem import Problem

torch = pytest.importorskip("torch")
D, N_PROBLEMS, N_ROWS = 4, 2, 7


@pytest.fixture
def networks():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(40, D)).astype(np.float32)
    problem = Problem(values, np.tile([-1, 0, 1, 2], 10))
    rngs = [np.random.default_rng(k) for k in range(N_PROBLEMS)]
    device = torch.device("cpu")
    rows = DeviceRows([problem] * N_PROBLEMS, rngs, device)
    generator = torch.Generator().manual_seed(0)
    made = DcdiNetworks(rows, [1.0, 3.0], rngs, generator)
    for name, part in made.value.items():
        if name == "logits":
            part.diagonal(dim1=-2, dim2=-1).fill_(-math.inf)
        else:
            part.add_(0.3 * torch.randn(part.shape, generator=generator))
    return made


def test_likelihood_and_its_slopes_are_those_of_autograd(networks):
    values, natural = networks.rows.draw(N_ROWS, networks.generator)
    weight = natural / (N_ROWS * D)
    networks.value["logits"].fill_(0.3)
    networks.value["logits"].diagonal(dim1=-2, dim2=-1).fill_(-math.inf)
    uniform = torch.rand((N_PROBLEMS, D, N_ROWS, D), generator=networks.generator)
    logistic = uniform.logit()
    v = {name: part.clone().requires_grad_() for name, part in networks.value.items()}
    soft = torch.sigmoid(logistic + v["logits"][:, :, None, :])
    mask = (soft > 0.5).float() - soft.detach() + soft
    hidden = torch.einsum("ptbj,pbj,ptju->ptbu", mask, values, v["first"]) + v["first_bias"]
    hidden = torch.nn.functional.leaky_relu(hidden)
    top = torch.einsum("ptbu,ptuw->ptbw", hidden, v["second"]) + v["second_bias"]
    top = torch.nn.functional.leaky_relu(top)
    mean = (torch.einsum("ptbu,ptuw->ptbw", top, v["last"]) + v["last_bias"])[..., 0]
    law = torch.distributions.Normal(mean, v["log_sd"][..., 0].exp())
    loss = -(law.log_prob(values.transpose(1, 2)) * weight).sum(dim=(1, 2))
    loss.sum().backward()
    found = networks.likelihood(values, weight, soft.detach())
    torch.testing.assert_close(found, loss.detach())
    networks.likelihood_slopes(values, weight, soft.detach())
    off = ~torch.eye(D, dtype=torch.bool)
    for name, part in networks.slope.items():
        assert part.abs().max() > 1e-4, name
        expected = v[name].grad
        if name == "logits":
            part, expected = part[:, off], expected[:, off]
        torch.testing.assert_close(part, expected, rtol=1e-4, atol=1e-6)


def test_penalty_slopes_are_those_of_autograd(networks):
    networks.gamma.copy_(torch.tensor([0.5, 20.0]))
    networks.mu.copy_(torch.tensor([2.0, 1e3]))
    logits = networks.value["logits"]
    logits.copy_(torch.randn(logits.shape, generator=networks.generator))
    logits.diagonal(dim1=-2, dim2=-1).fill_(-math.inf)
    free = logits.double().clone().requires_grad_()
    probabilities = free.sigmoid()
    full = torch.ones(D, D, dtype=torch.float64) - torch.eye(D, dtype=torch.float64)
    traces = torch.linalg.matrix_exp(probabilities).diagonal(dim1=-2, dim2=-1).sum(-1) - D
    h = traces / (torch.linalg.matrix_exp(full).trace() - D)
    loss = networks.reg * probabilities.sum(dim=(1, 2)) / D**2
    loss = loss + networks.gamma * h + networks.mu * h**2 / 2
    loss.sum().backward()
    networks.flat_slope.zero_()
    networks._penalty_slopes()
    off = ~torch.eye(D, dtype=torch.bool)
    found, expected = networks.slope["logits"][:, off], free.grad.float()[:, off]
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-7)


def test_a_step_is_that_of_rmsprop(networks):
    value, square = networks.flat.clone(), torch.rand(networks.flat.shape)
    networks.flat_square.copy_(square)
    networks.step()
    finite = value.isfinite()
    free = value[finite].clone().requires_grad_()
    optimiser = torch.optim.RMSprop([free], lr=0.001)
    free.grad = networks.flat_slope[finite].clone()
    optimiser.step()
    optimiser.state[free]["square_avg"] = square[finite].clone()
    with torch.no_grad():
        free.copy_(value[finite])
    optimiser.step()
    torch.testing.assert_close(networks.flat[finite], free.detach())


def test_the_problems_kept_go_on_unchanged(networks):
    networks.step()
    logits = networks.value["logits"].clone()
    square = networks.square["second"].clone()
    networks.keep(np.array([1]))
    torch.testing.assert_close(networks.value["logits"], logits[1:])
    torch.testing.assert_close(networks.square["second"], square[1:])
    assert networks.reg.tolist() == [3.0]
    networks.step()
    assert networks.flat[networks.flat != -math.inf].isfinite().all()
