"""Views share the memory of the flat tensor; weights come from each problem's own seed."""

import math

import numpy as np
import pytest

from intersort.baselines.neural.parameters import as_views, size_of, xavier

torch = pytest.importorskip("torch")
SHAPES = {"weights": (2, 3), "bias": (3,), "scale": ()}


def test_views_tile_the_flat_tensor():
    flat = torch.arange(float(size_of(4, SHAPES)))
    views = as_views(flat, 4, SHAPES)
    assert {name: tuple(view.shape) for name, view in views.items()} == {
        "weights": (4, 2, 3),
        "bias": (4, 3),
        "scale": (4,),
    }
    assert all(view.is_contiguous() for view in views.values())
    assert torch.cat([view.flatten() for view in views.values()]).tolist() == flat.tolist()
    views["bias"].zero_()
    assert (flat == 0).sum() == 12 + 1


def test_weights_are_uniform_between_xaviers_bounds():
    part = torch.zeros((2, 50, 8, 4))
    xavier(part, 1.5, [np.random.default_rng(k) for k in (0, 1)])
    most = 1.5 * math.sqrt(6 / 12)
    assert part.abs().max() <= most
    assert part.var().item() == pytest.approx(most**2 / 3, rel=0.05)
    assert not torch.equal(part[0], part[1])
    alone = torch.zeros((1, 50, 8, 4))
    xavier(alone, 1.5, [np.random.default_rng(1)])
    torch.testing.assert_close(alone[0], part[1])
