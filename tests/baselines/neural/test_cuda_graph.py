"""Without CUDA a repeated step is the step, repeated; with it, the same numbers come out."""

import pytest

from intersort.baselines.neural.cuda_graph import Repeated

torch = pytest.importorskip("torch")
DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


def walk(device: "torch.device"):
    """A random walk in place, and the step that goes on with it."""
    generator = torch.Generator(device=device).manual_seed(3)
    place = torch.zeros(4, device=device)

    def step() -> None:
        place.add_(torch.rand(4, generator=generator, device=device))

    return place, step, generator


@pytest.mark.parametrize("name", DEVICES)
def test_calls_do_what_plain_repeats_do(name):
    device = torch.device(name)
    place, step, generator = walk(device)
    repeated = Repeated(step, 5, generator, device)
    expected, plain, _ = walk(device)
    for n_calls in (1, 2, 3):
        repeated()
        for _ in range(5):
            plain()
        torch.testing.assert_close(place, expected, rtol=0, atol=0)
        assert repeated.n_calls == n_calls
    assert (repeated.graph is None) == (name == "cpu")
