"""The networks of PACER for many problems at once, and one step on a sample of their graphs.

An order is drawn by adding Gumbel noise to the logits θ and sorting (Plackett and Luce), a gate per
pair by its own probability; a pair is an edge where it follows the order and its gate is open. Each
variable's mean is a perceptron of its parents with two hidden layers of 4 units. The weights follow
the slope of the mean loss over the graphs drawn; θ and the gates follow the score function
(REINFORCE), each graph against the mean of the others. Only the loss of variable j depends on the
gates into j, and only where the order lets them through, so the rest is left out of their slope;
the expected number of edges has a closed form, and so has its slope.
"""

from __future__ import annotations

import math
from typing import Any

from .device_rows import DeviceRows
from .parameters import as_views, size_of, xavier
from .problem import import_torch

N_UNITS = 4
LEAK = 0.01
BATCH, N_GRAPHS = 64, 200
RATE, FIRST_MOMENT, SECOND_MOMENT, LEAST = 0.01, 0.9, 0.999, 1e-8
RATE_OF_ORDER = 0.001
"""Chosen here: at the rate of the networks the order settles before they have learnt anything."""
SMALLEST = 1e-7


def shapes(d: int) -> dict[str, tuple[int, ...]]:
    """What is learned per problem; `gates` and the networks have the child first."""
    return {
        "order": (d,),
        "gates": (d, d),
        "first": (d, d, N_UNITS),
        "first_bias": (d, 1, N_UNITS),
        "second": (d, N_UNITS, N_UNITS),
        "second_bias": (d, 1, N_UNITS),
        "last": (d, N_UNITS, 1),
        "last_bias": (d, 1, 1),
        "log_sd": (d, 1, 1),
    }


class PacerNetworks:
    """Parameters of all problems, and one step of Adam."""

    def __init__(self, rows: DeviceRows, reg: Any, rngs: list[Any], generator: Any) -> None:
        torch = import_torch()
        self.torch, self.rows, self.generator = torch, rows, generator
        self.device, self.d = rows.values.device, int(rows.values.shape[1])
        self.reg = torch.tensor(reg, dtype=torch.float32, device=self.device)
        parts, n = shapes(self.d), len(rngs)
        self.flat = torch.zeros(size_of(n, parts), device=self.device)
        self.flat_slope, self.mean = torch.zeros_like(self.flat), torch.zeros_like(self.flat)
        self.square = torch.zeros_like(self.flat)
        self.value, self.slope = as_views(self.flat, n, parts), as_views(self.flat_slope, n, parts)
        self.n_steps = torch.zeros((), device=self.device)
        self.rate = torch.full_like(self.flat, RATE)
        as_views(self.rate, n, parts)["order"].fill_(RATE_OF_ORDER)
        for name in ("first", "second", "last"):
            xavier(self.value[name], math.sqrt(2 / (1 + LEAK**2)), rngs)
        self.value["gates"].diagonal(dim1=-2, dim2=-1).fill_(-math.inf)

    def step(self) -> None:
        """One step of all problems."""
        values, natural = self.rows.draw(BATCH, self.generator)
        before, open_gates = self.draw_graphs(N_GRAPHS)
        loss = self.likelihood_slopes(values, natural / BATCH, before * open_gates)
        self.graph_slopes(loss, before, open_gates)
        self._descend()

    def draw_graphs(self, n: int) -> tuple[Any, Any]:
        """Which parents come before, and which gates are open (problems, child, parent, n)."""
        order, gates = self.value["order"], self.value["gates"]
        uniform = self._uniform((*order.shape, n))
        noisy = order[..., None] - (-uniform.log()).log()
        before = (noisy[:, None, :, :] > noisy[:, :, None, :]).float()
        is_open = self._uniform((*gates.shape, n)) < gates.sigmoid()[..., None]
        return before, is_open.float()

    def _uniform(self, shape: tuple[int, ...]) -> Any:
        drawn = self.torch.rand(shape, generator=self.generator, device=self.device)
        return drawn.clamp_(SMALLEST, 1 - SMALLEST)

    def likelihood_slopes(self, values: Any, weight: Any, edges: Any) -> Any:
        """Loss of each variable under each graph (problems, child, graphs).

        Writes the slopes of the mean over graphs in everything but θ and the gates. `values` is
        (problems, rows, d), `weight` (problems, child, rows), `edges` (…, child, parent, graphs).
        """
        torch, v, s = self.torch, self.value, self.slope
        (n, n_rows, d), n_graphs = values.shape, edges.shape[-1]
        edges = edges.flatten(0, 1)[..., None]
        inputs = values[:, None].expand(n, d, n_rows, d).reshape(n * d, n_rows, d)
        hidden, top, mean = self._forward(inputs, edges)
        log_sd, weight = v["log_sd"], weight[..., None]
        target = values.transpose(1, 2).contiguous()[..., None]
        away = (target - mean.view(n, d, n_rows, n_graphs)) * torch.exp(-log_sd)
        square = away.square()
        loss = ((0.5 * square + (log_sd + 0.5 * math.log(2 * math.pi))) * weight).sum(2)
        share = weight / n_graphs
        s["log_sd"].copy_(((1 - square) * share).sum((2, 3), keepdim=True))
        back = (away * share * -torch.exp(-log_sd)).reshape(n * d, n_rows * n_graphs, 1)
        self._layer("last", top, back)
        back = self._through(back * v["last"].flatten(0, 1).mT, top)
        self._layer("second", hidden, back)
        back = self._through(torch.bmm(back, v["second"].flatten(0, 1).mT), hidden)
        torch.sum(back, dim=1, keepdim=True, out=s["first_bias"].flatten(0, 1))
        of_weights = torch.bmm(inputs.mT, back.view(n * d, n_rows, n_graphs * N_UNITS))
        of_weights = of_weights.view(n * d, d, n_graphs, N_UNITS).mul_(edges)
        torch.sum(of_weights, dim=2, out=s["first"].flatten(0, 1))
        return loss

    def _forward(self, inputs: Any, edges: Any) -> tuple[Any, Any, Any]:
        """Hidden layers and means; the mask is put on the weights, which are fewer than the rows.

        `inputs` is (networks, rows, d), `edges` (networks, parent, graphs, 1), what is returned
        (networks, rows × graphs, units).
        """
        torch, v = self.torch, self.value
        weights = (v["first"].flatten(0, 1)[:, :, None, :] * edges).flatten(2)
        hidden = torch.bmm(inputs, weights).view(len(inputs), -1, N_UNITS)
        hidden.add_(v["first_bias"].flatten(0, 1))
        hidden = torch.nn.functional.leaky_relu(hidden, LEAK, inplace=True)
        top = torch.baddbmm(v["second_bias"].flatten(0, 1), hidden, v["second"].flatten(0, 1))
        top = torch.nn.functional.leaky_relu(top, LEAK, inplace=True)
        mean = torch.baddbmm(v["last_bias"].flatten(0, 1), top, v["last"].flatten(0, 1))
        return hidden, top, mean

    def _through(self, back: Any, units: Any) -> Any:
        """Slope before the leaky rectifier, given that behind it and what came out."""
        return self.torch.ops.aten.leaky_relu_backward(back, units, LEAK, True)

    def _layer(self, name: str, inputs: Any, back: Any) -> None:
        """Slopes of one layer, given its inputs and the slope in its outputs."""
        self.torch.bmm(inputs.mT, back, out=self.slope[name].flatten(0, 1))
        bias = self.slope[f"{name}_bias"].flatten(0, 1)
        self.torch.sum(back, dim=1, keepdim=True, out=bias)

    def graph_slopes(self, loss: Any, before: Any, open_gates: Any) -> None:
        """Write the slopes of θ and the gates; `loss` (problems, child, graphs) is per variable."""
        n_graphs = loss.shape[-1]
        # A loss less the mean of the others is this multiple of the loss less the mean of all.
        against_others = (loss - loss.mean(-1, keepdim=True)) / (n_graphs - 1)
        probability = self.value["gates"].sigmoid()
        tilt = (open_gates - probability[..., None]).mul_(before)
        gates = self.torch.bmm(tilt.flatten(0, 1), against_others.flatten(0, 1)[..., None]).view_as(
            probability
        )
        total = against_others.sum(1)
        order = (self._tilt_of_order(before) * total[:, None, :]).sum(-1)
        first, second = self._edge_slopes(probability)
        self.slope["gates"].copy_(gates + first)
        self.slope["order"].copy_(order + second)

    def _tilt_of_order(self, before: Any) -> Any:
        """Slope in θ of the log-probability of each order drawn (problems, d, graphs)."""
        order = self.value["order"]
        weight = self.torch.exp(order - order.amax(-1, keepdim=True)).clamp_min(1e-30)[..., None]
        # Behind i lie those that have i before them.
        left = weight + (before * weight[:, :, None, :]).sum(1)
        passed = 1 / left + (before / left[:, None, :, :]).sum(2)
        return 1 - weight * passed

    def _edge_slopes(self, probability: Any) -> tuple[Any, Any]:
        """Slopes of reg · Σ P(gate open) P(parent before child), in the gates and in θ."""
        order, reg = self.value["order"], self.reg[:, None, None]
        first = (order[:, None, :] - order[:, :, None]).sigmoid()
        gates = reg * probability * (1 - probability) * first
        moved = reg * probability * first * (1 - first)
        return gates, moved.sum(1) - moved.sum(2)

    def _descend(self) -> None:
        """Adam."""
        slope = self.flat_slope
        self.n_steps.add_(1)
        self.mean.mul_(FIRST_MOMENT).add_(slope, alpha=1 - FIRST_MOMENT)
        self.square.mul_(SECOND_MOMENT).addcmul_(slope, slope, value=1 - SECOND_MOMENT)
        mean = self.mean / (1 - FIRST_MOMENT**self.n_steps)
        root = (self.square / (1 - SECOND_MOMENT**self.n_steps)).sqrt_().add_(LEAST)
        self.flat.sub_(mean.div_(root).mul_(self.rate))

    def ranking(self) -> Any:
        """The logits of the order (problems, d), on the host."""
        return self.value["order"].cpu().numpy()

    def probabilities(self) -> Any:
        """Probabilities of open gates (problems, parent, child), on the host."""
        return self.value["gates"].sigmoid().mT.contiguous().cpu().numpy()
