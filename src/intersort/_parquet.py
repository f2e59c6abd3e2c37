"""Parquet files: size from the metadata, then one column at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ._columns import ROW_INDEX, Columns, RawTable, choose_columns
from ._delimited import parse_number
from ._labels import as_text
from ._memory import require_memory
from ._optional import import_extra
from ._validation import InputError, shown
from ._values import as_read_only

_MAGIC = b"PAR1"


def read_parquet(path: Path, targets: Any, ignore: Any) -> RawTable:
    """Read labels as text and every other column as numbers, into one array."""
    place = shown(str(path))
    _check_signature(path, place)
    parquet = import_extra("pyarrow.parquet", "parquet", "Reading Parquet")
    with _clear_errors(place), parquet.ParquetFile(str(path)) as file:
        columns = _without_index(choose_columns(file.schema_arrow.names, targets, ignore))
        if not columns.taken:
            raise InputError(f"{place} has no column of values beside the labels.")
        values, labels = _fill(file, columns, place)
    return RawTable(as_read_only(values), labels, columns.names, columns.left_out)


def _check_signature(path: Path, place: str) -> None:
    with path.open("rb") as file:
        start = file.read(4)
    if start != _MAGIC:
        raise InputError(
            f"{place} ends in .parquet but is not a Parquet file. "
            "Write it again, or give it the ending of what it is (.csv, .tsv, .h5ad)."
        )


def _without_index(columns: Columns) -> Columns:
    """Leave out the row index that pandas stores under a name of its own."""
    index = re.compile(r"__index_level_\d+__")
    pairs = list(zip(columns.taken, columns.names, strict=True))
    kept = [(j, name) for j, name in pairs if not index.fullmatch(name)]
    left_out = [(name, ROW_INDEX) for _, name in pairs if index.fullmatch(name)]
    return Columns(
        columns.labels,
        tuple(j for j, _ in kept),
        tuple(name for _, name in kept),
        (*columns.left_out, *left_out),
    )


def _fill(file: Any, columns: Columns, place: str) -> tuple[np.ndarray, np.ndarray]:
    """All columns, each copied once into one array."""
    n_rows = file.metadata.num_rows
    schema = file.schema_arrow
    small = all(str(schema.field(j).type) == "float" for j in columns.taken)
    dtype = np.dtype(np.float32 if small else np.float64)
    require_memory(n_rows * len(columns.taken) * dtype.itemsize, "The table (by its metadata)")
    if n_rows == 0:
        raise InputError(f"{place} has a header and no rows. Expected one row per sample.")
    values = np.empty((n_rows, len(columns.taken)), dtype=dtype, order="F")
    for k, (j, name) in enumerate(zip(columns.taken, columns.names or (), strict=True)):
        values[:, k] = _numbers(_column(file, schema.field(j).name), name)
    labels = np.empty(n_rows, dtype=object)
    labels[:] = as_text(_column(file, schema.field(columns.labels).name).to_pylist())
    return values, labels


def _column(file: Any, name: str) -> Any:
    """One column of the file, from all its row groups.

    Rows at a time would hold a page of every column at once: more memory than the table itself.
    """
    return file.read(columns=[name], use_threads=False).column(0)


def _numbers(column: Any, name: str) -> np.ndarray:
    """One column as numbers: null is missing, text is parsed as in a CSV file."""
    kind = str(column.type)
    if kind.startswith("decimal"):
        column = column.cast("float64")
    elif kind.startswith(("date", "time", "duration", "interval")):
        raise InputError(
            f"Column {shown(name)} holds dates or times ({kind}), which are not numbers; "
            "leave it out with ignore, or convert it."
        )
    elif not kind.startswith(("int", "uint", "float", "double", "halffloat", "bool")):
        return np.array(
            [_parse(cell, name, row) for row, cell in enumerate(column.to_pylist())],
            dtype=np.float64,
        )
    found = column.to_numpy()
    if found.dtype == object:  # Booleans with nulls
        return np.array([np.nan if cell is None else cell for cell in found], dtype=np.float64)
    return np.asarray(found)


def _parse(cell: Any, name: str, row: int) -> float:
    number = float("nan") if cell is None else None
    if isinstance(cell, str):
        number = parse_number(cell)
    if number is None:
        raise InputError(
            f"Column {shown(name)} holds {shown(cell)} in row {row + 1:,}, which is not a number. "
            "Values must be numbers; leave the column out with ignore (--ignore) if it is no "
            "variable."
        )
    return number


@contextmanager
def _clear_errors(place: str) -> Iterator[None]:
    """What Arrow says about a broken file, as one of our errors."""
    arrow = import_extra("pyarrow", "parquet", "Reading Parquet")
    try:
        yield
    except (arrow.ArrowException, OSError) as error:
        raise InputError(
            f"{place} is damaged or no Parquet file that can be read. Write it again."
        ) from error
