"""CSV and TSV files, plain or gzipped: one pass that knows the place of every cell."""

from __future__ import annotations

import csv
import gzip
import operator
import zlib
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from ._columns import Columns, RawTable, choose_columns
from ._memory import free_memory, readable_size, require_memory
from ._validation import InputError, shown
from ._values import as_read_only

SEPARATORS = (",", "\t", ";")
_SPOKEN = {"\\t": "\t", "tab": "\t"}
_MISSING = frozenset({"", "na", "n/a", "nan", "null"})
_LONGEST_LINE = 1 << 28
_SAMPLE = 1 << 20
_ROWS_BETWEEN_CHECKS = 1000


def read_delimited(path: Path, targets: Any, ignore: Any, separator: str | None) -> RawTable:
    """Read a table of text: labels as text, everything else as numbers."""
    place = shown(str(path))
    separator = _SPOKEN.get(separator, separator) if separator is not None else None
    if separator is not None and (len(separator) != 1 or separator in '\r\n"'):
        raise InputError(
            f"separator must be one character such as ',', ';' or a tab; got {shown(separator)}."
        )
    with _clear_errors(place):
        separator, header = _read_header(path, separator, place)
        columns = choose_columns(header, targets, ignore)
        with _open_text(path) as handle:
            rows = csv.reader(_lines(handle, place), delimiter=separator, strict=True)
            _next_row(rows)
            if not columns.taken:
                raise InputError(f"{place} has no column of values beside the labels.")
            _check_size(path, len(columns.taken))
            numbers, labels = _read_rows(rows, header, columns, place)
    values = np.frombuffer(numbers, dtype=np.float64).reshape(-1, len(columns.taken))
    return RawTable(as_read_only(values), labels, columns.names, columns.left_out)


def _read_rows(
    rows: Any, header: list[str], columns: Columns, place: str
) -> tuple[array[float], np.ndarray]:
    """All numbers, row after row, in one growing buffer, and one label per row."""
    numbers = array("d")
    labels: list[str] = []
    known: dict[str, str] = {}
    pick = _picker(columns.taken)
    for row in rows:
        if len(row) != len(header):
            if len(row) == 0 or (len(row) == 1 and not row[0].strip()):
                continue  # a blank line
            raise InputError(_ragged(row, header, len(labels) + 1, rows.line_num, place))
        _append_numbers(numbers, pick(row), header, columns, (len(labels) + 1, rows.line_num))
        label = row[columns.labels]
        labels.append(known.setdefault(label, label))
        if len(labels) % _ROWS_BETWEEN_CHECKS == 0:
            _check_growth(numbers, place)
    if not labels:
        raise InputError(
            f"{place} has a header and no rows. Expected one row per sample below the header."
        )
    text = np.empty(len(labels), dtype=object)
    text[:] = labels
    return numbers, text


def _picker(taken: tuple[int, ...]) -> Callable[[list[str]], tuple[str, ...]]:
    """The cells of some columns as a tuple (itemgetter gives a bare cell for one column)."""
    if len(taken) == 1:
        only = taken[0]
        return lambda row: (row[only],)
    return operator.itemgetter(*taken)


def _append_numbers(
    numbers: array[float],
    cells: tuple[str, ...],
    header: list[str],
    columns: Columns,
    where: tuple[int, int],
) -> None:
    """Append the numbers of one row; cell by cell only where something is not a plain number."""
    joined = "".join(cells)
    length = len(numbers)
    # float() would take 1_000, digits of any script, and a NaN with a sign
    lower = joined.lower()
    signed = "-nan" in lower or "+nan" in lower
    if joined.isascii() and "_" not in joined and not signed:
        try:
            numbers.extend(map(float, cells))
        except ValueError:
            del numbers[length:]
        else:
            return
    for j, cell in zip(columns.taken, cells, strict=True):
        number = parse_number(cell)
        if number is None:
            raise InputError(
                f"Column {shown(header[j])} holds {shown(cell)} in row {where[0]:,} "
                f"(line {where[1]:,} of the file), which is not a number. Values must be numbers, "
                "with a point for decimals; leave the column out with ignore (--ignore) if it is "
                "no variable."
            )
        numbers.append(number)


def parse_number(cell: str) -> float | None:
    """A cell as a number; NaN for what means missing; None for any other text.

    >>> parse_number(" 1.5"), parse_number("n/a"), parse_number("1_000")
    (1.5, nan, None)
    """
    cell = cell.strip()
    if cell.lower() in _MISSING:
        return float("nan")
    if not cell.isascii() or "_" in cell:
        return None
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if number == number else None  # -nan is text


def _read_header(path: Path, separator: str | None, place: str) -> tuple[str, list[str]]:
    """The separator that gives the header the most fields, and those fields."""
    best: tuple[str, list[str]] = ("", [])
    broken: csv.Error | None = None
    for candidate in SEPARATORS if separator is None else (separator,):
        try:
            with _open_text(path) as handle:
                rows = csv.reader(_lines(handle, place), delimiter=candidate, strict=True)
                header = _next_row(rows)
        except csv.Error as error:  # quotes do not fit this separator
            broken = error
            continue
        if len(header) > len(best[1]):
            best = candidate, header
    if not best[1] and broken is not None:
        raise broken
    if not best[1]:
        raise InputError(
            f"{place} is empty. Expected a header with the names of the columns, then one row "
            "per sample."
        )
    return best


def _next_row(rows: Iterator[list[str]]) -> list[str]:
    """The first row that is not blank, or an empty one."""
    return next((row for row in rows if any(cell.strip() for cell in row)), [])


def _open_text(path: Path) -> TextIO:
    """UTF-8 text, with or without a byte order mark, line ends kept for the csv module."""
    if is_gzip_name(path):
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def is_gzip_name(path: Path) -> bool:
    """Whether the name says that the file is gzipped."""
    return path.suffix.lower() == ".gz"


def _lines(handle: TextIO, place: str) -> Iterator[str]:
    """Lines of text; a NUL or an endless line means that this is no text."""
    while line := handle.readline(_LONGEST_LINE):
        if "\0" in line or len(line) == _LONGEST_LINE:
            raise InputError(_binary(place))
        yield line


def _binary(place: str) -> str:
    return (
        f"{place} is a binary file, not text. Expected CSV or TSV (also .gz), or Parquet or h5ad "
        "under a name that ends in .parquet or .h5ad."
    )


@contextmanager
def _clear_errors(place: str) -> Iterator[None]:
    """Everything that a broken file can bring about, as one of our errors."""
    try:
        yield
    except UnicodeDecodeError as error:
        binary = any(byte < 9 for byte in bytes(error.object)[:_SAMPLE])
        if binary:
            raise InputError(_binary(place)) from error
        raise InputError(
            f"{place} is not text in UTF-8. Expected a CSV or TSV file in UTF-8; save it again "
            "with that encoding."
        ) from error
    except csv.Error as error:
        raise InputError(
            f"{place} cannot be read as a table ({shown(error)}): a cell may hold at most "
            f"{csv.field_size_limit():,} characters and quotes must be closed. Check the file "
            "and its separator."
        ) from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(
            f"{place} ends in .gz but is not a whole gzip file. Compress it again, or name it "
            "without .gz if it is plain text."
        ) from error


def _ragged(row: list[str], header: list[str], number: int, line: int, place: str) -> str:
    hint = ""
    if len(row) == len(header) + 1:
        hint = " If the first column is a row index, give it an empty name in the header."
    return (
        f"Row {number:,} of {place} (line {line:,}) has {len(row):,} fields, the header has "
        f"{len(header):,}. Every row needs as many fields as the header; check separators and "
        f"quotes.{hint}"
    )


def _check_size(path: Path, width: int) -> None:
    """Estimate the table from the file's size and the length of its first rows.

    A gzipped file is taken to be compressed throughout as well as its beginning is.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        sample = file.read(_SAMPLE)
    if is_gzip_name(path):
        unzip = zlib.decompressobj(wbits=31)
        plain = unzip.decompress(sample, 64 * _SAMPLE)
        used = len(sample) - len(unzip.unused_data) - len(unzip.unconsumed_tail)
        size = int(size * len(plain) / max(1, used))
        sample = plain
    lines = sample.splitlines()
    # Without a whole row in sight a cell and its separator take at least two bytes.
    rows = [line for line in lines[1:-1] if line]
    per_row = sum(map(len, rows)) / len(rows) + 1 if rows else 2 * width
    require_memory(max(1, size / per_row) * 8 * width, "The table (by the size of the file)")


def _check_growth(numbers: array[float], place: str) -> None:
    """The estimate was too low (a gzipped file may hide its size): stop before memory ends."""
    free = free_memory()
    if free is not None and len(numbers) > free:  # the buffer grows by less than an eighth
        raise InputError(
            f"{place} does not fit: {readable_size(8 * len(numbers))} read, "
            f"{readable_size(free)} left. Keep fewer rows or columns."
        )
