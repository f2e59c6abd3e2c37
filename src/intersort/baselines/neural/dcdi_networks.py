"""The networks of DCDI-G for many problems at once, and the slope of their loss.

One perceptron per variable with two hidden layers of 16 leaky rectified units gives its mean; one
learned sd per variable. For every row and variable the parents are drawn by a hard Gumbel-sigmoid
of the logits of the edges, and the slope is passed straight through. The slopes are written out:
on a GPU, memory is what the step waits for, and these touch each mask as few times as can be.
"""

from __future__ import annotations

import math
from typing import Any

from .acyclicity import is_acyclic, violation
from .device_rows import DeviceRows
from .parameters import as_views, size_of, xavier
from .problem import import_torch

N_UNITS = 16
LEAK = 0.01
START_OF_LOGITS = 5.0
BATCH = 64
RATE, DECAY, LEAST = 0.001, 0.99, 1e-8
HELD_OUT_AT_ONCE = 256
CLOSEST_TO_ONE = 1e-7


def shapes(d: int) -> dict[str, tuple[int, ...]]:
    """What is learned per problem; the first axis is the child, in `logits` the second its parent.

    >>> shapes(3)["logits"]
    (3, 3)
    """
    return {
        "logits": (d, d),
        "first": (d, d, N_UNITS),
        "first_bias": (d, 1, N_UNITS),
        "second": (d, N_UNITS, N_UNITS),
        "second_bias": (d, 1, N_UNITS),
        "last": (d, N_UNITS, 1),
        "last_bias": (d, 1, 1),
        "log_sd": (d, 1, 1),
    }


class DcdiNetworks:
    """Parameters of all problems, and one step of RMSprop on the augmented Lagrangian."""

    def __init__(self, rows: DeviceRows, reg: Any, rngs: list[Any], generator: Any) -> None:
        torch = import_torch()
        self.torch, self.rows, self.generator = torch, rows, generator
        self.device, self.d = rows.values.device, int(rows.values.shape[1])
        self.reg = torch.tensor(reg, dtype=torch.float64, device=self.device)
        self._allocate(len(rngs))
        self._start(rngs)
        self.gamma, self.mu = torch.zeros_like(self.reg), torch.zeros_like(self.reg)
        self.readout = torch.zeros((4, len(rngs)), dtype=torch.float64, device=self.device)

    def _allocate(self, n: int) -> None:
        """Flat tensors of what is learned, its slope and the mean square of that."""
        parts = shapes(self.d)
        self.flat = self.torch.zeros(size_of(n, parts), device=self.device)
        self.flat_slope = self.torch.zeros_like(self.flat)
        self.flat_square = self.torch.zeros_like(self.flat)
        self.value = as_views(self.flat, n, parts)
        self.slope = as_views(self.flat_slope, n, parts)
        self.square = as_views(self.flat_square, n, parts)

    def _start(self, rngs: list[Any]) -> None:
        """Xavier's uniform weights, each problem's from its own seed; no variable is its parent."""
        for name in ("first", "second", "last"):
            xavier(self.value[name], math.sqrt(2 / (1 + LEAK**2)), rngs)
        self.value["logits"].fill_(START_OF_LOGITS)
        self.value["logits"].diagonal(dim1=-2, dim2=-1).fill_(-math.inf)

    def step(self) -> None:
        """One step of all problems."""
        values, natural = self.rows.draw(BATCH, self.generator)
        self.likelihood_slopes(values, natural / (BATCH * self.d), self.draw_soft(BATCH))
        self._penalty_slopes()
        self.flat_square.mul_(DECAY).addcmul_(self.flat_slope, self.flat_slope, value=1 - DECAY)
        self.flat.addcdiv_(self.flat_slope, self.flat_square.sqrt().add_(LEAST), value=-RATE)

    def draw_soft(self, n_rows: int) -> Any:
        """Gumbel-sigmoids (problems, child, n_rows, parent), an edge where above a half."""
        logits = self.value["logits"][:, :, None, :]
        shape = (len(logits), self.d, n_rows, self.d)
        soft = self.torch.rand(shape, generator=self.generator, device=self.device)
        return soft.logit_(eps=CLOSEST_TO_ONE).add_(logits).sigmoid_()

    def _forward(self, values: Any, soft: Any) -> tuple[Any, ...]:
        """Inputs, hidden layers, and residuals in learned sds (problems, d, rows)."""
        v, torch = self.value, self.torch
        n, n_rows = values.shape[0], values.shape[1]
        inputs = torch.mul(soft > 0.5, values[:, None]).flatten(0, 1)
        hidden = torch.baddbmm(v["first_bias"].flatten(0, 1), inputs, v["first"].flatten(0, 1))
        hidden = torch.nn.functional.leaky_relu(hidden, LEAK)
        top = torch.baddbmm(v["second_bias"].flatten(0, 1), hidden, v["second"].flatten(0, 1))
        top = torch.nn.functional.leaky_relu(top, LEAK)
        mean = torch.baddbmm(v["last_bias"].flatten(0, 1), top, v["last"].flatten(0, 1))
        away = values.transpose(1, 2) - mean.view(n, self.d, n_rows)
        return inputs, hidden, top, away * torch.exp(-v["log_sd"][..., 0])

    def likelihood(self, values: Any, weight: Any, soft: Any) -> Any:
        """Negative log-likelihood of each problem; `weight` (problems, d, rows) is summed over."""
        residual = self._forward(values, soft)[-1]
        log_sd = self.value["log_sd"][..., 0]
        loss = residual.square().mul_(0.5).add_(log_sd + 0.5 * math.log(2 * math.pi))
        return loss.mul_(weight).sum(dim=(1, 2))

    def likelihood_slopes(self, values: Any, weight: Any, soft: Any) -> None:
        """Write the slopes of `likelihood`, straight through the drawn parents."""
        torch, v, s = self.torch, self.value, self.slope
        inputs, hidden, top, residual = self._forward(values, soft)
        n, n_rows = values.shape[0], values.shape[1]
        s["log_sd"][..., 0] = (weight * (1 - residual.square())).sum(-1, keepdim=True)
        back = residual * weight * -torch.exp(-v["log_sd"][..., 0])
        back = back.reshape(n * self.d, n_rows, 1)
        self._layer("last", top, back)
        back = self._through(back * v["last"].flatten(0, 1).mT, top)
        self._layer("second", hidden, back)
        back = self._through(back @ v["second"].flatten(0, 1).mT, hidden)
        self._layer("first", inputs, back)
        of_mask = (back @ v["first"].flatten(0, 1).mT).view(n, self.d, n_rows, self.d)
        of_mask.mul_(values[:, None]).mul_(torch.addcmul(soft, soft, soft, value=-1))
        torch.sum(of_mask, dim=2, out=s["logits"])

    def _through(self, back: Any, units: Any) -> Any:
        """Slope before the leaky rectifier, given that behind it and what came out."""
        return self.torch.ops.aten.leaky_relu_backward(back, units, LEAK, True)

    def _layer(self, name: str, inputs: Any, back: Any) -> None:
        """Slopes of one layer, given its inputs and the slope in its outputs."""
        self.torch.bmm(inputs.mT, back, out=self.slope[name].flatten(0, 1))
        bias = self.slope[f"{name}_bias"].flatten(0, 1)
        self.torch.sum(back, dim=1, keepdim=True, out=bias)

    def _penalty_slopes(self) -> None:
        """Add the slopes of the regulariser and of the augmented constraint."""
        probabilities = self.value["logits"].double().sigmoid_()
        h, slope = violation(probabilities)
        slope = slope * (self.gamma + self.mu * h)[:, None, None]
        slope.add_((self.reg / self.d**2)[:, None, None])
        slope.mul_(probabilities).mul_(1 - probabilities)
        self.slope["logits"].add_(slope.float())

    def read(self) -> None:
        """Write loss on the rows held out, violation, regulariser and acyclicity of each."""
        loss = self.torch.zeros_like(self.readout[0])
        for values, weight in self.rows.held_out_in_parts(HELD_OUT_AT_ONCE):
            soft = self.draw_soft(values.shape[1])
            loss += self.likelihood(values, weight / self.d, soft).double()
        probabilities = self.value["logits"].double().sigmoid_()
        self.readout[0] = loss
        self.readout[1] = violation(probabilities)[0]
        self.readout[2] = self.reg * probabilities.sum(dim=(1, 2)) / self.d**2
        self.readout[3] = is_acyclic((probabilities > 0.5).float()).double()

    def probabilities(self) -> Any:
        """Probabilities of the edges (problems, parent, child), on the host."""
        return self.value["logits"].sigmoid().mT.contiguous().cpu().numpy()

    def press(self, gamma: Any, mu: Any, changed: Any) -> None:
        """Take new multipliers; where they changed the optimiser starts anew."""
        self.gamma.copy_(self.torch.from_numpy(gamma))
        self.mu.copy_(self.torch.from_numpy(mu))
        same = self.torch.from_numpy(~changed).to(self.device).float()
        for part in self.square.values():
            part.mul_(same.view(-1, *[1] * (part.dim() - 1)))

    def keep(self, kept: Any) -> None:
        """Go on with some of the problems."""
        index = self.torch.from_numpy(kept).to(self.device)
        value, square = self.value, self.square
        self._allocate(len(kept))
        for name in shapes(self.d):
            self.value[name].copy_(value[name][index])
            self.square[name].copy_(square[name][index])
        self.reg, self.gamma, self.mu = self.reg[index], self.gamma[index], self.mu[index]
        self.readout = self.readout[:, index].clone()
        self.rows.keep(index)
