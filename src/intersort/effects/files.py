"""Effects to a file and back: a CSV table or Parquet, the same layout, equal to the last bit.

The header is ``target, n_rows, n_without_values, distance`` and then the variables; the row below
it holds each variable's control sd, and then comes one row a target. Columns are known by their
place, so a variable may be called "target" (the header's own word then gets an underscore).
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from .._optional import import_extra
from .._typing import FloatArray, IntArray
from .._validation import InputError, closest, shown
from .effects import Effects
from .registry import name_of

FIXED_COLUMNS = ("target", "n_rows", "n_without_values", "distance")
CONTROL_LABEL = "(control sd)"


def write_effects(effects: Effects, path: str | Path) -> None:
    """Write effects as Parquet where the path ends in .parquet, else as CSV.

    >>> import intersort, pathlib, tempfile
    >>> from intersort.effects.files import write_effects
    >>> effects = intersort.Effects.from_matrix([[0.0, 2.5], [0.1, 0.0]], names=["A", "B"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_effects(effects, f"{folder}/effects.csv")
    ...     print((pathlib.Path(folder) / "effects.csv").read_text())
    target,n_rows,n_without_values,distance,A,B
    (control sd),,,wasserstein,,
    A,,,wasserstein,0.0,2.5
    B,,,wasserstein,0.1,0.0
    <BLANKLINE>
    """
    header = [*_fixed_header(effects.names), *effects.names]
    if Path(path).suffix.lower() == ".parquet":
        _write_parquet(effects, header, Path(path))
        return
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(_rows(effects))


def read_effects(path: str | Path) -> Effects:
    """Read what `intersort effects` wrote.

    Parameters
    ----------
    path : str or Path
        A CSV or Parquet file; which of the two, its first bytes say.

    Examples
    --------
    >>> import intersort, tempfile
    >>> from intersort.effects.files import write_effects
    >>> effects = intersort.Effects.from_matrix([[0.0, 2.5], [0.1, 0.0]], names=["A", "B"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_effects(effects, f"{folder}/effects.csv")
    ...     intersort.read_effects(f"{folder}/effects.csv").distance
    array([[0. , 2.5],
           [0.1, 0. ]])
    """
    path = Path(path)
    try:
        with open(path, "rb") as file:
            start = file.read(4096)
    except OSError as error:
        raise InputError(
            f"Cannot read {shown(path)}: {error.strerror or 'the system refused'}. "
            "Give a file that `intersort effects` wrote."
        ) from error
    if start.startswith(b"PAR1"):
        return _from_rows(*_read_parquet(path), path)
    if not start or b"\0" in start or path.suffix.lower() == ".parquet":
        raise _not_effects(path, "it is empty" if not start else "its content is no such table")
    return _from_rows(*_read_csv(path), path)


def _fixed_header(names: Sequence[str]) -> list[str]:
    """The fixed columns' headers, each different from every variable's name."""
    headers = []
    for header in FIXED_COLUMNS:
        while header in names:
            header += "_"
        headers.append(header)
    return headers


def _rows(effects: Effects) -> Iterator[list[Any]]:
    """Rows as they stand in the file: the control's, then one a target."""
    measured_by = name_of(effects.measured_by)
    n_variables = len(effects.names)
    sd = [None] * n_variables if effects.control_sd is None else effects.control_sd.tolist()
    yield [CONTROL_LABEL, None, None, measured_by, *sd]
    for row, name in enumerate(effects.intervened_names):
        n_rows = None if effects.n_rows is None else int(effects.n_rows[row])
        without = None if effects.n_without_values is None else int(effects.n_without_values[row])
        yield [name, n_rows, without, measured_by, *effects.distance[row].tolist()]


def _write_parquet(effects: Effects, header: list[str], path: Path) -> None:
    pyarrow = import_extra("pyarrow", "parquet", "Writing Parquet")
    parquet = import_extra("pyarrow.parquet", "parquet", "Writing Parquet")
    n_rows = effects.intervened.size + 1

    def above(top: Any, values: Any, kind: Any) -> Any:
        below = [None] * (n_rows - 1) if values is None else values.tolist()
        return pyarrow.array([top, *below], type=kind)

    sd = [None] * len(effects.names) if effects.control_sd is None else effects.control_sd.tolist()
    columns = [
        pyarrow.array([CONTROL_LABEL, *effects.intervened_names], type=pyarrow.string()),
        above(None, effects.n_rows, pyarrow.int64()),
        above(None, effects.n_without_values, pyarrow.int64()),
        pyarrow.array([name_of(effects.measured_by)] * n_rows, type=pyarrow.string()),
    ]
    for column, top in enumerate(sd):
        columns.append(above(top, effects.distance[:, column], pyarrow.float64()))
    parquet.write_table(pyarrow.table(columns, names=header), path)


def _read_parquet(path: Path) -> tuple[list[str], Iterator[tuple[int, list[Any]]]]:
    pyarrow = import_extra("pyarrow", "parquet", "Reading Parquet")
    parquet = import_extra("pyarrow.parquet", "parquet", "Reading Parquet")
    try:
        table = parquet.ParquetFile(path).read()
    except (pyarrow.ArrowException, OSError) as error:
        raise _not_effects(path, "its Parquet content is damaged") from error
    columns = [column.to_pylist() for column in table.columns]
    rows = ([column[row] for column in columns] for row in range(table.num_rows))
    return list(table.column_names), enumerate(rows, start=2)


def _read_csv(path: Path) -> tuple[list[str], Iterator[tuple[int, list[Any]]]]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file, strict=True))
    except (csv.Error, UnicodeDecodeError) as error:
        raise _not_effects(path, "its content is no such table") from error
    numbered = ((line, row) for line, row in enumerate(rows[1:], start=2) if row)
    return (rows[0] if rows else []), numbered


def _from_rows(header: list[str], rows: Iterator[tuple[int, list[Any]]], path: Path) -> Effects:
    """Effects from the rows of a file, each error with its row and column."""
    n_fixed = len(FIXED_COLUMNS)
    names = header[n_fixed:]
    if not names or header[:n_fixed] != _fixed_header(names):
        raise _not_effects(path, "its header is another one")
    taken: list[list[Any]] = []
    lines: list[int] = []
    for line, row in rows:
        if len(row) != len(header):
            raise InputError(
                f"{shown(path)}, row {line}: {len(row)} cells under a header of {len(header)}. "
                "Write the file again with `intersort effects`."
            )
        taken.append(row)
        lines.append(line)
    if not taken or taken[0][0] != CONTROL_LABEL:
        raise _not_effects(path, f"its second row is not that of {CONTROL_LABEL}")
    control_sd = _numbers(taken[0], header, lines[0], path, may_be_empty=True)
    distance = np.empty((len(taken) - 1, len(names)))
    for place, row in enumerate(taken[1:]):
        distance[place] = _numbers(row, header, lines[place + 1], path, may_be_empty=False)
    positions = {name: position for position, name in enumerate(names)}
    intervened = [_position(row[0], positions, path) for row in taken[1:]]
    effects = Effects.from_matrix(distance, intervened, names)
    order = np.argsort(intervened, kind="stable")
    measured = bool(intervened) or control_sd is not None
    n_rows, n_without = (
        _counts([row[place] for row in taken[1:]], order, header[place], path) if measured else None
        for place in (1, 2)
    )
    return replace(
        effects,
        control_sd=control_sd,
        n_rows=n_rows,
        n_without_values=n_without,
        measured_by=str(taken[0][3]),
    )


def _numbers(
    row: list[Any], header: list[str], line: int, path: Path, *, may_be_empty: bool
) -> FloatArray | None:
    """The numbers of one row; None where all are empty and may be."""
    cells = row[len(FIXED_COLUMNS) :]
    if may_be_empty and all(cell in ("", None) for cell in cells):
        return None
    numbers = np.empty(len(cells))
    for place, cell in enumerate(cells):
        try:
            numbers[place] = float(cell)
        except (TypeError, ValueError):
            numbers[place] = np.nan
        if not (np.isfinite(numbers[place]) and numbers[place] >= 0.0):
            raise InputError(
                f"{shown(path)}, row {line}, column {shown(header[place + len(FIXED_COLUMNS)])}: "
                f"{shown(cell)} is no distance. Expected a finite number that is zero or more; "
                "correct the cell or write the file again."
            )
    return numbers


def _counts(cells: list[Any], order: IntArray, column: str, path: Path) -> IntArray | None:
    """Whole numbers in the order of the targets; None where the column is empty."""
    if cells and all(cell in ("", None) for cell in cells):
        return None
    try:
        counts = np.array([int(cell) for cell in cells], dtype=np.int64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{shown(path)}, column {shown(column)}: expected a whole number in each row, or "
            "none at all. Correct the column or empty it."
        ) from error
    return counts[order]


def _position(target: Any, positions: dict[str, int], path: Path) -> int:
    if target not in positions:
        raise InputError(
            f"{shown(path)}: the target {shown(target)} is no column"
            f"{closest(str(target), list(positions)) or '.'} Each target must be a variable."
        )
    return positions[target]


def _not_effects(path: Path, reason: str) -> InputError:
    return InputError(
        f"{shown(path)} is no table of effects: {reason}. Expected a CSV or Parquet file that "
        "`intersort effects` wrote."
    )
