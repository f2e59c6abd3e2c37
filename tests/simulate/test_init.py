from __future__ import annotations

import subprocess
import sys

import pytest

from intersort import simulate


@pytest.mark.parametrize("name", sorted(simulate.__all__))
def test_every_public_name_loads_with_an_example(name: str) -> None:
    assert ">>>" in (getattr(simulate, name).__doc__ or "")


def test_a_linear_screen_needs_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from intersort import simulate\n"
        "graph = simulate.random_graph(5, edges_per_variable=1)\n"
        "simulate.random_population(graph, 'linear', noise='gaussian').screen(5, 5, [1])\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {module.partition(".")[0] for module in done.stdout.split()}
    assert not loaded & {"numba", "scipy", "pandas", "sklearn", "networkx", "matplotlib"}
