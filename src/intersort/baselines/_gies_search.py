"""The search of the package gies, with its question about paths answered without listing them all.

An insertion or a turn of x → y is valid if every semi-directed path from y to x meets a set of
variables. The package lists all such paths, of which there are exponentially many, for every pair
and every set, and looks through them. But the set only ever holds neighbours of y and, for a
turn, all neighbours of x. A shortest path that avoids the set touches nothing that y points to or
is joined to but its first step, so one path for each first step tells as much as all of them.

The package itself stays as it is: its module of operators is loaded a second time, privately, and
this second instance is given the two functions below in place of its own.
"""

from __future__ import annotations

import functools
import importlib.util
from types import ModuleType, SimpleNamespace

import numpy as np

from .._optional import import_extra
from .._typing import FloatArray
from ._bits import as_bits, members, rows_as_bits, spread


@functools.cache
def load_search() -> ModuleType:
    """The package's `gies.main`, loaded anew with `telling_paths` and `separates`."""
    helpers = import_extra("gies.utils", "baselines", "The rival gies")
    specification = importlib.util.find_spec("gies.main")
    assert specification is not None
    assert specification.loader is not None
    search = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(search)
    ours = {"semi_directed_paths": telling_paths, "separates": separates}
    search.utils = SimpleNamespace(**(vars(helpers) | ours))  # type: ignore[attr-defined]
    return search


def telling_paths(start: int, end: int, graph: FloatArray) -> list[list[int]]:
    """For each first step from which a path leads on to the end: start, that step, and the end.

    Steps go along edges or lines without direction. Paths that come back to something that the
    start points to or is joined to are left out, and where the start points to the end also those
    through a variable joined to the end (which every turn excludes) and the one edge itself.

    >>> diamond = np.array([[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 0, 0, 0]])
    >>> telling_paths(0, 3, diamond)
    [[0, 1, 3], [0, 2, 3]]
    """
    start, end = int(start), int(end)
    reached_from, first_steps, joined_to_end = _masks(graph.tobytes(), graph.dtype.str, start, end)
    closed = first_steps | (1 << start)
    if first_steps >> end & 1:
        closed |= joined_to_end
        first_steps &= ~joined_to_end & ~(1 << end)
    telling = 0
    for leading in members(spread(1 << end, reached_from, closed & ~(1 << end))):
        telling |= reached_from[leading]
    return [[start, step, end] for step in members(telling & first_steps)]


def separates(between: set[int], some: set[int], others: set[int], graph: FloatArray) -> bool:
    """Does every path from one set to another meet a third?

    >>> chain = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> separates({1}, {0}, {2}, chain), separates(set(), {0}, {2}, chain)
    (True, False)
    """
    if between & some or between & others or some & others:
        raise ValueError(f"The sets {between}, {some} and {others} must not overlap.")
    leads_to = rows_as_bits(np.asarray(graph) != 0)
    reached = spread(as_bits(some), leads_to, as_bits(between))
    return not reached & as_bits(others)


def _masks(content: bytes, kind: str, start: int, end: int) -> tuple[tuple[int, ...], int, int]:
    """What leads to each variable, what the start leads to, and what is joined to the end."""
    leads_to, reached_from = _bit_rows(content, kind)
    return reached_from, leads_to[start], leads_to[end] & reached_from[end]


@functools.lru_cache(maxsize=2)
def _bit_rows(content: bytes, kind: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Rows and columns of a graph as bits of integers; one graph is asked about many times."""
    flat = np.frombuffer(content, dtype=kind) != 0
    present = flat.reshape(int(np.sqrt(flat.size)), -1)
    return rows_as_bits(present), rows_as_bits(present.T)
