"""Repeat a step on a device: recorded as a CUDA graph where there is one, else called again.

Steps of small networks are over sooner than Python can ask for the next, so that on a GPU a few
dozen of them are recorded once and replayed. The code of the step is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .problem import import_torch


class Repeated:
    """A step that changes tensors in place, done `n` times a call.

    The first call runs plainly, which is the warm-up that recording asks for.
    """

    def __init__(self, step: Callable[[], None], n: int, generator: Any, device: Any) -> None:
        self.step, self.n, self.generator, self.device = step, n, generator, device
        self.n_calls = 0
        self.graph: Any = None

    def __call__(self) -> None:
        """Do the step `n` times."""
        if self.device.type != "cuda":
            self._repeat()
        elif self.n_calls == 0:
            self._warm_up()
        else:
            if self.graph is None:
                self._record()
            self.graph.replay()
        self.n_calls += 1

    def _repeat(self) -> None:
        for _ in range(self.n):
            self.step()

    def _warm_up(self) -> None:
        """Run on a side stream, as recording will."""
        torch = import_torch()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            self._repeat()
        torch.cuda.current_stream().wait_stream(stream)

    def _record(self) -> None:
        torch = import_torch()
        self.graph = torch.cuda.CUDAGraph()
        self.graph.register_generator_state(self.generator)
        with torch.cuda.graph(self.graph):
            self._repeat()
