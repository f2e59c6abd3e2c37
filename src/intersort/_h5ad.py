"""AnnData, in memory or as .h5ad: one matrix, one column of `obs`, the names of the variables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ._columns import IGNORED, RawTable, as_list
from ._labels import as_text
from ._memory import require_memory
from ._optional import import_extra
from ._validation import InputError, closest, first_few, shown

_MAGIC = b"\x89HDF\r\n\x1a\n"


def read_anndata(adata: Any, target_key: str, layer: str | None) -> RawTable:
    """Take X or one layer, the labels and the names out of an AnnData object."""
    if not all(hasattr(adata, part) for part in ("obs", "var_names", "layers")):
        raise InputError(
            f"adata must be an AnnData object; got {shown(type(adata).__name__)}. "
            "Frames go into from_frame, arrays into from_arrays, files into read_table."
        )
    _check_key(target_key, list(adata.obs.columns), "obs has no column")
    if layer is not None:
        _check_key(layer, list(adata.layers.keys()), "There is no layer")
    values = adata.X if layer is None else adata.layers[layer]
    if values is None:
        raise InputError("This AnnData has no X; name a layer with layer= (--layer).")
    if hasattr(values, "to_memory"):  # backed by a file
        values = values.to_memory()
    labels = np.asarray(adata.obs[target_key])
    return RawTable(values, labels, tuple(adata.var_names), ())


def read_h5ad(path: Path, targets: str, ignore: Any, layer: str | None) -> RawTable:
    """Read one matrix, one column and the names from a file; every label is text."""
    place = shown(str(path))
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise InputError(
                f"{place} ends in .h5ad but is not an HDF5 file. "
                "Write it again, or give it the ending of what it is (.csv, .tsv, .parquet)."
            )
    anndata = import_extra("anndata", "anndata", "Reading h5ad")
    h5py = import_extra("h5py", "anndata", "Reading h5ad")
    with _clear_errors(place), h5py.File(path, "r") as file:
        for part in ("obs", "var"):
            if part not in file:
                raise InputError(f"{place} is an HDF5 file without {part}: no AnnData was stored.")
        stored = _stored_matrix(file, layer)
        require_memory(
            sum(_size(file[name]) for name in ("obs", "var")) + _size(stored),
            "The matrix (by its metadata)",
        )
        obs = anndata.io.read_elem(file["obs"])
        _check_key(targets, [str(name) for name in obs.columns], "obs has no column")
        names = [str(name) for name in anndata.io.read_elem(file["var"]).index]
        values = anndata.io.read_elem(stored)
    labels = np.empty(len(obs), dtype=object)
    labels[:] = as_text(np.asarray(obs[targets], dtype=object).tolist())
    return _leave_out(RawTable(values, labels, tuple(names), ()), ignore)


def _stored_matrix(file: Any, layer: str | None) -> Any:
    """X, or the layer that was asked for, still in the file."""
    if layer is not None:
        _check_key(layer, list(file["layers"]) if "layers" in file else [], "There is no layer")
        return file["layers"][layer]
    if "X" not in file:
        raise InputError("This file has no X; name a layer with layer= (--layer).")
    return file["X"]


def _size(stored: Any) -> int:
    """Bytes that a dataset or a group of datasets takes in memory."""
    if hasattr(stored, "shape"):
        return int(np.prod(stored.shape, dtype=np.float64)) * int(stored.dtype.itemsize)
    return sum(_size(stored[name]) for name in stored)


def _leave_out(table: RawTable, ignore: Any) -> RawTable:
    """Drop the variables to ignore."""
    ignored = [str(name) for name in as_list(ignore)]
    if not ignored:
        return table
    names = list(table.names or ())
    for name in ignored:
        _check_key(name, names, "There is no variable")
    kept = [j for j, name in enumerate(names) if name not in ignored]
    return RawTable(
        table.values[:, kept],
        table.labels,
        tuple(names[j] for j in kept),
        tuple((name, IGNORED) for name in names if name in ignored),
    )


def _check_key(key: Any, found: list[Any], complaint: str) -> None:
    if key not in found:
        text = [str(name) for name in found]
        there = f"; there are {first_few(text)}." if text else "; there are none."
        raise InputError(f"{complaint} {shown(key)}{closest(str(key), text) or there}")


@contextmanager
def _clear_errors(place: str) -> Iterator[None]:
    """What HDF5 and anndata say about a broken file, as one of our errors."""
    try:
        yield
    except (InputError, ImportError):
        raise
    except Exception as error:
        raise InputError(
            f"{place} is damaged or no AnnData file that can be read. Write it again with "
            "write_h5ad."
        ) from error
