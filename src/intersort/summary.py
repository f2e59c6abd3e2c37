"""What a person checks before trusting any result: rows, columns, and did do(i) move i itself?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._ecdf import largest_gap
from ._labels import BLANK, CONTROL_ROW, list_counts
from ._typing import FloatArray, IntArray
from ._validation import shown
from ._values import is_sparse

if TYPE_CHECKING:
    from .data import InterventionalData

_STANDARD_ERRORS = 4.0
_LARGEST_GAP = 1.95  # Kolmogorov–Smirnov: sqrt(-log(0.001 / 2) / 2)
_CELLS_PER_BLOCK = 1 << 20
_LONGEST_LIST = 50


@dataclass(frozen=True)
class OnTarget:
    """Whether an intervention on a variable shows in that variable.

    Attributes
    ----------
    variable : str
    n_rows : int
        Rows in which it was intervened on and measured.
    mean_before, mean_after : float or None
        Its mean in the control rows and in those rows; None where nothing was measured.
    mean_shift : float or None
        Their difference in control sd (ddof = 0); None where that sd is 0.
    spread_ratio : float or None
        Its sd in those rows over its control sd; None for a single row or a control sd of 0.
    moved : bool or None
        Whether its mean differs by more than 4 standard errors, or its distribution by more than
        the Kolmogorov–Smirnov test allows at the level 0.001; None where that cannot be judged.
    """

    variable: str
    n_rows: int
    mean_before: float | None
    mean_after: float | None
    mean_shift: float | None
    spread_ratio: float | None
    moved: bool | None

    def __str__(self) -> str:
        rows = f"{self.n_rows:,} row{'' if self.n_rows == 1 else 's'}"
        shift = "" if self.mean_shift is None else f", mean {self.mean_shift:+.3g} control sd"
        spread = "" if self.spread_ratio is None else f", spread × {self.spread_ratio:.2g}"
        if self.moved is None:
            verdict = "cannot be judged"
        else:
            verdict = "moved" if self.moved else "NOT seen to move"
        if self.mean_shift is None and self.mean_before is not None:
            verdict += f" (constant {self.mean_before:.6g} in the controls)"
        return f"{self.variable}: {rows}{shift}{spread}; {verdict}"


@dataclass(frozen=True, repr=False)
class DataSummary:
    """Everything about a data set that should be looked at before its order is.

    Its text (``str``) is for a person, ``to_dict()`` for a machine.

    Attributes
    ----------
    source : str
    n_rows, n_variables : int
    control : tuple of str
        Labels of the control rows.
    n_controls : int
    rows_per_target : tuple of (variable, number of rows)
    unused : tuple of (label, number of rows)
        Rows that are not used, because their label is neither a variable nor the control.
    variables : tuple of str
        Columns taken.
    left_out : tuple of (column, reason)
    never_intervened, constant_in_controls, single_row_targets : tuple of str
    control_is_variable : tuple of str
        Control labels that are names of variables too.
    missing : tuple of (variable, number of values)
    on_target : tuple of OnTarget
        One per variable that was intervened on.

    Examples
    --------
    >>> import intersort
    >>> values = [[0.1, 2.0], [0.3, 2.5], [0.2, 2.1], [4.0, 6.3], [4.0, 5.9]]
    >>> labels = ["control", "control", "control", "A", "A"]
    >>> data = intersort.InterventionalData.from_arrays(values, labels, names=["A", "B"])
    >>> summary = data.summary()
    >>> summary.n_controls, summary.rows_per_target, summary.never_intervened
    (3, (('A', 2),), ('B',))
    """

    source: str
    n_rows: int
    n_variables: int
    control: tuple[str, ...]
    n_controls: int
    rows_per_target: tuple[tuple[str, int], ...]
    unused: tuple[tuple[str, int], ...]
    variables: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    never_intervened: tuple[str, ...]
    constant_in_controls: tuple[str, ...]
    single_row_targets: tuple[str, ...]
    control_is_variable: tuple[str, ...]
    missing: tuple[tuple[str, int], ...]
    on_target: tuple[OnTarget, ...]

    @property
    def not_moved(self) -> tuple[str, ...]:
        """Variables whose own intervention does not show in them."""
        return tuple(one.variable for one in self.on_target if one.moved is False)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain lists, numbers and text, ready for JSON."""
        return {
            **asdict(self),
            "rows_per_target": dict(self.rows_per_target),
            "unused": dict(self.unused),
            "left_out": dict(self.left_out),
            "missing": dict(self.missing),
            "not_moved": list(self.not_moved),
            "control": list(self.control),
            "variables": list(self.variables),
            "on_target": [asdict(one) for one in self.on_target],
        }

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return "\n".join([*self._rows(), *self._columns(), *self._on_target()])

    def _rows(self) -> Iterator[str]:
        """Which rows there are, and which are not used."""
        origin = f" from {shown(self.source, 200)}" if self.source else ""
        yield f"{self.n_rows:,} rows × {self.n_variables:,} variables{origin}"
        yield f"Controls: {self.n_controls:,} rows labelled {_listed(self.control)}"
        for label in self.control_is_variable:
            yield f"  {shown(label)} is a variable too: its rows count as controls, not as a target"
        if self.unused:
            count = sum(rows for _, rows in self.unused)
            yield (
                f"Not used: {count:,} rows, whose label is neither a variable nor the control: "
                f"{list_counts(self.unused)}"
            )
        else:
            yield "Not used: no rows"

    def _columns(self) -> Iterator[str]:
        """Which columns there are, and what is special about some."""
        yield f"Columns taken: {_listed(self.variables)}"
        if self.left_out:
            reasons = [f"{shown(name)} ({reason})" for name, reason in self.left_out]
            yield f"Columns left out: {', '.join(reasons)}"
        for text, names in (
            ("Never intervened on", self.never_intervened),
            ("Constant in the controls", self.constant_in_controls),
            ("Targets with a single row", self.single_row_targets),
        ):
            if names:
                yield f"{text} ({len(names):,}): {_listed(names)}"
        if self.missing:
            total = sum(count for _, count in self.missing)
            parts = ", ".join(f"{shown(name)} ({count:,})" for name, count in self.missing[:5])
            more = f" and {len(self.missing) - 5} more columns" if len(self.missing) > 5 else ""
            yield f"Missing values: {total:,}, in {parts}{more}"

    def _on_target(self) -> Iterator[str]:
        """Every target with its rows, and plain words about those that did not move."""
        n_targets = len(self.on_target)
        yield f"Intervened on: {n_targets:,} variables. Did do(i) move i itself?"
        yield from (f"  {one}" for one in self.on_target[:_LONGEST_LIST])
        if n_targets > _LONGEST_LIST:
            yield f"  … and {n_targets - _LONGEST_LIST:,} more (to_dict holds all)"
        if self.not_moved:
            yield (
                f"Look at {_listed(self.not_moved)}: the intervention does not show in the "
                "variable itself. It may have failed, be mislabelled, or have too few rows."
            )


def _listed(names: Iterable[str]) -> str:
    """Names in a row, the first fifty of them."""
    names = list(names)
    text = ", ".join(name if name == BLANK else shown(name) for name in names[:_LONGEST_LIST])
    return text + (
        f" and {len(names) - _LONGEST_LIST:,} more" if len(names) > _LONGEST_LIST else ""
    )


def summarize(data: InterventionalData) -> DataSummary:
    """Count rows and columns and look at every target's own column, a block of columns at a time.

    `data.summary()` calls this.

    Examples
    --------
    >>> import warnings
    >>> import intersort
    >>> from intersort.summary import summarize
    >>> X = [[0.0, 1.0], [2.0, 3.0], [9.0, 1.0], [0.0, 2.0]]
    >>> y = ["control", "control", "rain", "wte"]
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     data = intersort.InterventionalData.from_arrays(X, y, names=["rain", "wet"])
    >>> summarize(data).unused
    (('wte', 1),)
    """
    rows = _rows_of_targets(data.targets)
    controls = np.flatnonzero(data.targets == CONTROL_ROW)
    n_missing = np.zeros(len(data.names), dtype=np.int64)
    constant = np.zeros(len(data.names), dtype=bool)
    checks: list[OnTarget] = []
    for start, block in _column_blocks(data.values):
        stop = start + block.shape[1]
        n_missing[start:stop] = np.isnan(block).sum(axis=0)
        before = block[controls]
        lowest, highest = np.fmin.reduce(before, axis=0), np.fmax.reduce(before, axis=0)
        constant[start:stop] = ~(lowest < highest)
        for j in (j for j in range(start, stop) if j in rows):
            checks.append(
                _check_on_target(data.names[j], before[:, j - start], block[rows[j], j - start])
            )
    names = data.names
    return DataSummary(
        source=data.source,
        n_rows=data.values.shape[0],
        n_variables=len(names),
        control=data.control,
        n_controls=controls.size,
        rows_per_target=tuple((names[j], found.size) for j, found in sorted(rows.items())),
        unused=data.unused,
        variables=names,
        left_out=data.left_out,
        never_intervened=tuple(name for j, name in enumerate(names) if j not in rows),
        constant_in_controls=tuple(names[j] for j in np.flatnonzero(constant).tolist()),
        single_row_targets=tuple(names[j] for j, found in sorted(rows.items()) if found.size == 1),
        control_is_variable=data.control_is_variable,
        missing=tuple((names[j], int(n_missing[j])) for j in np.flatnonzero(n_missing).tolist()),
        on_target=tuple(checks),
    )


def _rows_of_targets(targets: IntArray) -> dict[int, IntArray]:
    """The rows of every variable that was intervened on."""
    by_target = np.argsort(targets, kind="stable")
    found, starts = np.unique(targets[by_target], return_index=True)
    groups = np.split(by_target, starts[1:])
    return {int(j): rows for j, rows in zip(found, groups, strict=True) if j >= 0}


def _column_blocks(values: Any) -> Iterator[tuple[int, FloatArray]]:
    """Dense blocks of columns, small enough that a sparse table is never expanded whole."""
    n_rows, width = values.shape
    columns = values.tocsc() if is_sparse(values) else values
    step = max(1, _CELLS_PER_BLOCK // max(1, n_rows))
    for start in range(0, width, step):
        block = columns[:, start : start + step]
        dense = block.toarray() if is_sparse(block) else block
        yield start, np.asarray(dense, dtype=np.float64)


def _check_on_target(name: str, before: FloatArray, after: FloatArray) -> OnTarget:
    """Compare mean and variance of one variable with and without its own intervention."""
    before, after = before[~np.isnan(before)], after[~np.isnan(after)]
    n_rows = after.size
    if not before.size or not n_rows:
        return OnTarget(name, n_rows, _mean(before), _mean(after), None, None, None)
    with np.errstate(over="ignore", invalid="ignore"):
        centre, sd = float(before.mean()), float(before.std())
        # One control row says nothing about how far the variable moves by itself.
        if not before.min() < before.max() or sd == 0:
            moved = bool(np.any(after != before[0])) if before.size > 1 else None
            return OnTarget(name, n_rows, _mean(before), _mean(after), None, None, moved)
        shift = (float(after.mean()) - centre) / sd
        ratio = _finite(float(after.std()) / sd) if n_rows > 1 else None
    # The mean shows a clear shift in a few rows, the distribution any change in many.
    standard_error = float(np.sqrt(1 / n_rows + 1 / before.size))
    moved = abs(shift) > _STANDARD_ERRORS * standard_error
    gap = largest_gap(np.sort(before), np.sort(after))
    moved = moved or gap > _LARGEST_GAP * standard_error
    return OnTarget(name, n_rows, _mean(before), _mean(after), _finite(shift), ratio, moved)


def _mean(values: FloatArray) -> float | None:
    with np.errstate(over="ignore", invalid="ignore"):
        return _finite(float(values.mean())) if values.size else None


def _finite(number: float) -> float | None:
    """None in place of what JSON cannot say (values near the largest float overflow)."""
    return number if np.isfinite(number) else None
