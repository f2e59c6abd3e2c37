"""One decorator for every compiled kernel.

Kernels are serial and release the GIL; threads call them on blocks. The machine code is cached
beside the package where that can be written, else in the user's cache folder (numba's own rule),
and where neither can be written the kernel compiles anew in each process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` on its first call, cached where a cache can be kept."""
    try:
        return njit(function, nogil=True, cache=True, error_model="numpy")
    except RuntimeError:  # numba found no place it may write to
        return njit(function, nogil=True, cache=False, error_model="numpy")
