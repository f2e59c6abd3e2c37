"""The rows of many problems on a device: each dataset is uploaded once, batches are gathered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .problem import Problem, import_torch


class DeviceRows:
    """Rows for training and rows held out, of all problems of a batch.

    Rows for training are drawn with replacement, a batch of each problem at once.
    """

    def __init__(self, problems: Sequence[Problem], rngs: Sequence[Any], device: Any) -> None:
        torch = import_torch()
        tables = {id(problem.values): problem for problem in problems}
        start, begin = {}, 0
        for key, problem in tables.items():
            start[key] = begin
            begin += len(problem.values)
        values = [np.asarray(p.values, dtype=np.float32) for p in tables.values()]
        targets = [np.asarray(p.targets, dtype=np.int64) for p in tables.values()]
        self.values = torch.from_numpy(np.concatenate(values)).to(device)
        self.targets = torch.from_numpy(np.concatenate(targets)).to(device)
        self.columns = torch.arange(self.values.shape[1], device=device)[:, None]
        splits = [p.split(rng) for p, rng in zip(problems, rngs, strict=True)]
        training = [t + start[id(p.values)] for p, (t, _) in zip(problems, splits, strict=True)]
        held_out = [h + start[id(p.values)] for p, (_, h) in zip(problems, splits, strict=True)]
        counts = np.array([rows.size for rows in training])
        self.pool = torch.from_numpy(np.concatenate(training)).to(device)
        self.counts = torch.from_numpy(counts).to(device)[:, None]
        self.first = torch.from_numpy(np.cumsum(counts) - counts).to(device)[:, None]
        padded, weight = _pad(held_out)
        self.held_out = torch.from_numpy(padded).to(device)
        self.weight = torch.from_numpy(weight).to(device)

    def draw(self, n_rows: int, generator: Any) -> tuple[Any, Any]:
        """Rows (problems, n_rows, d), and where each is no intervention (problems, d, n_rows)."""
        torch = import_torch()
        shape = (self.first.shape[0], n_rows)
        uniform = torch.rand(shape, generator=generator, device=self.values.device)
        place = torch.minimum((uniform * self.counts).long(), self.counts - 1)
        return self.gather(self.pool[self.first + place])

    def gather(self, rows: Any) -> tuple[Any, Any]:
        """The same of given rows (problems, n_rows)."""
        natural = self.targets[rows][:, None, :] != self.columns
        return self.values[rows], natural.to(self.values.dtype)

    def held_out_in_parts(self, n_rows: int) -> Any:
        """Rows held out, some at a time, with 1 / count for each row and 0 where it is padding."""
        for begin in range(0, self.held_out.shape[1], n_rows):
            part = slice(begin, begin + n_rows)
            values, natural = self.gather(self.held_out[:, part])
            yield values, natural * self.weight[:, None, part]

    def keep(self, kept: Any) -> None:
        """Go on with some of the problems."""
        self.counts, self.first = self.counts[kept], self.first[kept]
        self.held_out, self.weight = self.held_out[kept], self.weight[kept]


def _pad(rows: Sequence[Any]) -> tuple[Any, Any]:
    """Rows held out as one table, and what each weighs."""
    longest = max(part.size for part in rows)
    padded = np.zeros((len(rows), longest), dtype=np.int64)
    weight = np.zeros((len(rows), longest), dtype=np.float32)
    for k, part in enumerate(rows):
        padded[k, : part.size] = part
        weight[k, : part.size] = 1 / max(part.size, 1)
    return padded, weight
