"""A population: what a screen takes its rows from, with the graph that made them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from .._rng import RandomLike, make_rng
from .._threads import run_blocks
from .._typing import ArrayLike, BoolArray, FloatArray, IntArray
from .._validation import InputError, first_few, shown
from .interventions import FixedValue, Intervention

Doing: TypeAlias = int | Mapping[int, Intervention | float] | None


@dataclass(frozen=True, eq=False, repr=False)
class Population(ABC):
    """A system with known causes that can be observed and intervened on.

    `random_population` draws one. Wherever a variable is asked for by number, the number is its
    column among the variables shown.

    Attributes
    ----------
    adjacency : bool array
        `adjacency[i, j]` means i → j, over all variables, the hidden ones included.
    shown : int array
        Columns of `adjacency` that samples show, sorted; all of them unless some are hidden.
    interventions : tuple
        What intervening on each variable of `adjacency` does to it.
    description : str
        The kind of system, in words.

    Examples
    --------
    >>> from intersort import simulate
    >>> chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> population = simulate.random_population(chain, "nn", hidden=[1])
    >>> population
    Population of 2 variables, 1 more hidden, 2 edges: nn, gaussian noise
    >>> population.shown
    array([0, 2])
    """

    adjacency: BoolArray
    shown: IntArray
    interventions: tuple[Intervention, ...]
    description: str

    @property
    def n_variables(self) -> int:
        """The number of variables that samples show."""
        return self.shown.size

    @property
    def shown_adjacency(self) -> BoolArray:
        """Edges between variables that samples show; hidden ones may join others besides."""
        return self.adjacency[np.ix_(self.shown, self.shown)]

    def __repr__(self) -> str:
        n_hidden = len(self.adjacency) - self.n_variables
        hidden = f", {n_hidden} more hidden" if n_hidden else ""
        n_edges = int(self.adjacency.sum())
        return f"Population of {self.n_variables} variables{hidden}, {n_edges} edges: " + (
            self.description
        )

    @abstractmethod
    def draw(self, n: int, do: Mapping[int, Intervention], rng: np.random.Generator) -> FloatArray:
        """Draw n rows of all variables, hidden ones included; `do` counts all variables too."""

    def sample(self, n: int, *, do: Doing = None, rng: RandomLike = None) -> FloatArray:
        """Draw n rows of one kind.

        Parameters
        ----------
        n : int
            Number of rows.
        do : int or mapping, optional
            None: rows without intervention. A number: the population's own intervention on that
            variable. A mapping from variables to interventions, or to the number that they are
            set to: all of them at once.
        rng : int, numpy.random.Generator, optional
            Randomness; None is seed 0.

        Returns
        -------
        values : array of shape (n, d)

        Examples
        --------
        >>> from intersort import simulate
        >>> chain = simulate.random_population([[0, 1], [0, 0]], "linear", noise="gaussian")
        >>> chain.sample(3, do={0: 2.5})[:, 0]
        array([2.5, 2.5, 2.5])
        """
        if n < 0:
            raise InputError(f"The number of rows must be 0 or more; got {n}.")
        values = self.draw(n, self._what_to_do(do), make_rng(rng))
        return np.ascontiguousarray(values[:, self.shown])

    def screen(
        self,
        n_control: int,
        n_per_target: int | Sequence[int] | IntArray,
        targets: ArrayLike,
        *,
        failure: float | Sequence[float] | FloatArray = 0.0,
        off_targets: Mapping[int, Sequence[int]] | None = None,
        n_jobs: int | None = None,
        rng: RandomLike = None,
    ) -> tuple[FloatArray, IntArray]:
        """Draw a whole screen: control rows, then the rows of each target.

        The rows of a target depend on `rng` and the target alone, so that a screen of fewer
        targets is a part of the screen of more, for any number of threads.

        Parameters
        ----------
        n_control : int
            Rows without intervention.
        n_per_target : int or one int per target
            Rows of each target.
        targets : int array
            The variables intervened on, each once.
        failure : float or one float per target
            Share of a target's rows in which the intervention failed: each such row carries the
            target's label and follows the law of the controls. Every row fails on its own.
        off_targets : mapping, optional
            For a target, further variables that its intervention hits in every row where it
            works (`choose_off_targets` draws such a mapping).
        n_jobs : int, optional
            Threads; None is one, −1 all.
        rng : int, numpy.random.Generator, optional
            Randomness; None is seed 0.

        Returns
        -------
        values : array of shape (n, d)
            Control rows first, then the targets in the order given.
        targets : int array of shape (n,)
            The column intervened on in each row, −1 for control.

        Examples
        --------
        >>> from intersort import simulate
        >>> adjacency = simulate.random_graph(20, edges_per_variable=1)
        >>> population = simulate.random_population(adjacency, "linear")
        >>> values, targets = population.screen(500, 50, [3, 7])
        >>> values.shape, targets[[0, 500, 550]]
        ((600, 20), array([-1,  3,  7]))
        """
        columns = self._check_targets(targets)
        n_rows = _one_each(n_per_target, columns, "n_per_target").astype(np.int64)
        failures = _one_each(failure, columns, "failure")
        _check_screen(n_control, n_rows, failures)
        hit = self._check_off_targets(off_targets or {})
        start = n_control + np.concatenate([[0], np.cumsum(n_rows)]).astype(np.int64)
        values = np.empty((int(start[-1]), self.n_variables))
        stream = streams(rng)

        def fill(block: int) -> None:
            if block < 0:
                controls = self.draw(n_control, {}, stream(self.n_variables))
                values[:n_control] = controls[:, self.shown]
                return
            target, rows = int(columns[block]), slice(start[block], start[block + 1])
            everything = [target, *hit.get(target, ())]
            do = {self._position(i): self.interventions[self._position(i)] for i in everything}
            values[rows] = self._target_rows(
                int(n_rows[block]), do, float(failures[block]), stream(target)
            )

        run_blocks(fill, range(-1, columns.size), n_jobs, "simulating")
        return values, np.repeat(np.concatenate([[-1], columns]), [n_control, *n_rows])

    def _target_rows(
        self, n: int, do: Mapping[int, Intervention], failure: float, rng: np.random.Generator
    ) -> FloatArray:
        """Rows of one target, those in which the intervention failed among them."""
        failed = rng.random(n) < failure
        rows = np.empty((n, self.n_variables))
        rows[~failed] = self.draw(int(n - failed.sum()), do, rng)[:, self.shown]
        if failed.any():
            rows[failed] = self.draw(int(failed.sum()), {}, rng)[:, self.shown]
        return rows

    def _position(self, column: int) -> int:
        """The place in `adjacency` of a variable that samples show."""
        return int(self.shown[column])

    def _what_to_do(self, do: Doing) -> dict[int, Intervention]:
        """Interventions by place in `adjacency`."""
        if do is None:
            return {}
        if not isinstance(do, Mapping):
            position = self._position(int(self._check_targets([do])[0]))
            return {position: self.interventions[position]}
        self._check_targets(list(do))
        return {
            self._position(column): FixedValue(float(how))
            if isinstance(how, int | float | np.number)
            else how
            for column, how in do.items()
        }

    def _check_targets(self, targets: ArrayLike) -> IntArray:
        """Different columns of variables that samples show."""
        columns = np.asarray(targets)
        if columns.size == 0:
            return np.zeros(0, dtype=np.int64)
        if columns.ndim != 1 or columns.dtype.kind not in "iu":
            raise InputError(f"Targets must be a list of column numbers; got {shown(targets)}.")
        outside = columns[(columns < 0) | (columns >= self.n_variables)]
        if outside.size:
            raise InputError(
                f"These targets are no columns of 0 … {self.n_variables - 1}: "
                f"{first_few(outside.tolist())}."
            )
        if np.unique(columns).size < columns.size:
            raise InputError("A target stands more than once; name each target once.")
        return columns.astype(np.int64)

    def _check_off_targets(self, off_targets: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
        """Columns that each intervention hits besides its target."""
        checked = {}
        for target, others in off_targets.items():
            self._check_targets([target, *others])
            checked[int(target)] = [int(other) for other in others]
        return checked


def _one_each(
    number: float | Sequence[float] | IntArray | FloatArray, columns: IntArray, name: str
) -> FloatArray:
    """One number per target, from one for all or from one each."""
    numbers = np.asarray(number, dtype=np.float64)
    if numbers.ndim and numbers.shape != columns.shape:
        raise InputError(
            f"{name} has shape {numbers.shape} for {columns.size} targets; give one number, or "
            "one per target."
        )
    return np.broadcast_to(numbers, columns.shape)


def _check_screen(n_control: int, n_rows: IntArray, failures: FloatArray) -> None:
    """Row counts and shares that a screen can have."""
    if n_control < 0 or (n_rows < 0).any():
        raise InputError(
            f"Numbers of rows must be 0 or more; got n_control={n_control} and n_per_target from "
            f"{n_rows.min(initial=0)}."
        )
    if not ((failures >= 0) & (failures <= 1)).all():
        raise InputError(
            f"failure is a share of rows, between 0 and 1; got {first_few(failures.tolist())}."
        )


def streams(rng: RandomLike) -> Callable[[int], np.random.Generator]:
    """Independent generators by number, so that one part of the work never changes another.

    >>> stream = streams(3)
    >>> bool(stream(1).random() == streams(3)(1).random() != stream(2).random())
    True
    """
    entropy = make_rng(rng).integers(0, 2**32, size=8, dtype=np.uint32).tolist()
    return lambda number: np.random.default_rng(
        np.random.SeedSequence(entropy, spawn_key=(number,))
    )
