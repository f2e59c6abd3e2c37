"""Tables in files: CSV, TSV, Parquet and h5ad, chosen by the ending of the name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ._columns import RawTable
from ._validation import InputError, closest, shown
from .data import InterventionalData, build

_KNOWN = ".csv, .tsv, .txt (also .gz), .parquet or .h5ad"
_FOREIGN = (".xlsx", ".xls", ".ods", ".rds", ".rda", ".pkl", ".npy", ".npz", ".zip", ".zarr")


def read_table(
    path: str | os.PathLike[str],
    targets: str,
    control: Any = "control",
    ignore: Any = (),
    separator: str | None = None,
    *,
    layer: str | None = None,
    missing: str = "refuse",
) -> InterventionalData:
    """Read a file in which one column says what was intervened on in each row.

    Every other column is a variable, unless it is ignored; a first column without a name is a
    row index and left out. All labels are text: "NA" and "1" are names like any other. In value
    columns an empty cell, NA, N/A, NaN and null (in any case) are missing values.

    Parameters
    ----------
    path : str or path
        A .csv, .tsv or .txt file (also .gz, in UTF-8), .parquet or .h5ad. Other endings are
        read as text.
    targets : str
        Name of the column of labels (of `obs` in an .h5ad file).
    control : label or list of labels, default="control"
        The label of the rows without intervention; ``""`` where it is blank.
    ignore : str or list of str, default=()
        Columns that are no variables.
    separator : str, optional
        By default whichever of comma, tab and semicolon gives the header the most fields.
    layer : str, optional
        Layer of an .h5ad file; its X by default.
    missing : {"refuse", "omit"}, default="refuse"
        Whether a missing value is an error, or is left out of each comparison.

    Returns
    -------
    InterventionalData

    Raises
    ------
    InputError
        If the file cannot be used; the message says what is wrong, where, and what to do.

    Notes
    -----
    A table that memory cannot hold is refused before it is read: by its metadata (Parquet, h5ad),
    by the size of the file and the length of its first rows, or, where it is gzipped, by how well
    its beginning is compressed.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import intersort
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name) / "screen.csv"
    >>> _ = file.write_text("rain,wet,did\\n0.1,0.2,control\\n0.3,0.1,control\\n5.2,4.9,rain\\n")
    >>> intersort.read_table(file, targets="did")
    InterventionalData: 3 rows × 2 variables (dense), 2 controls, 1 variable intervened on
    >>> folder.cleanup()
    """
    file = _check_path(path)
    try:
        table = _read(file, targets, ignore, separator, layer)
    except OSError as error:
        raise InputError(
            f"{shown(str(file))} cannot be read: {error.strerror or 'an error of the disk'}."
        ) from error
    return build(InterventionalData, table, control=control, missing=missing, source=str(file))


def _read(
    file: Path, targets: str, ignore: Any, separator: str | None, layer: str | None
) -> RawTable:
    """Hand over to the reader of this ending."""
    ending = file.suffix.lower()
    if separator is not None and ending in (".parquet", ".h5ad"):
        raise InputError(f"separator is for files of text; a {ending} file has none.")
    if layer is not None and ending != ".h5ad":
        raise InputError(f"layer is for .h5ad files; {shown(file.name)} has no layers.")
    if ending == ".parquet":
        from ._parquet import read_parquet

        return read_parquet(file, targets, ignore)
    if ending == ".h5ad":
        from ._h5ad import read_h5ad

        return read_h5ad(file, targets, ignore, layer)
    from ._delimited import read_delimited

    return read_delimited(file, targets, ignore, separator)


def _check_path(path: str | os.PathLike[str]) -> Path:
    """A regular file that is there and whose ending is not that of another format."""
    text = os.fsdecode(path)
    file = Path(text)
    place = shown(text)
    if "\0" in text:
        raise InputError(f"The path {place} holds a NUL character; give the path of a file.")
    try:
        if file.is_dir():
            raise InputError(f"{place} is a directory. Expected one file: {_KNOWN}.")
        there = file.exists()
        siblings = [] if there else sorted(other.name for other in file.parent.glob("*"))
    except OSError as error:
        raise InputError(f"{place} cannot be opened: {error.strerror}.") from error
    if not there:
        raise InputError(
            f"There is no file {place}{closest(file.name, siblings) or '; check the path.'}"
        )
    if not file.is_file():
        raise InputError(f"{place} is not a regular file. Save the data to a file first.")
    if file.suffix.lower() in _FOREIGN:
        raise InputError(
            f"{place}: files ending in {file.suffix} are not read. Save the table as {_KNOWN}."
        )
    return file
