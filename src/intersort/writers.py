"""Results out: tables and documents, each written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._typing import ArrayLike
from ._validation import InputError, first_few, shown
from .effects.registry import name_of

if TYPE_CHECKING:
    import pandas as pd

    from .effects.effects import Effects
    from .estimator import Intersort
    from .orders.causal_order import CausalOrder

SCHEMA = 1
"""Version of result.json; it rises when a key changes its meaning."""


def order_table(result: CausalOrder, effects: Effects, epsilon: ArrayLike) -> pd.DataFrame:
    """One row a variable, causes first, with the evidence that speaks about it.

    ``pairs_out`` counts the variables that an intervention on this one moved by more than
    epsilon, ``pairs_in`` the interventions that moved this one. A variable with neither is not
    determined: its place in the order is arbitrary. Variables of one ``level`` could stand in
    another order among themselves as far as the score can tell; it is empty where nobody asked.

    >>> import intersort
    >>> effects = intersort.Effects.from_matrix([[0, 2.0, 0], [0.1, 0, 0], [0, 0, 0]])
    >>> result = intersort.find_order(intersort.score_orders(effects, 0.3))
    >>> order_table(result, effects, 0.3)[["variable", "pairs_out", "pairs_in"]].values.tolist()
    [['x0', 1, 0], ['x2', 0, 0], ['x1', 0, 1]]
    """
    import pandas as pd

    above = effects.distance > np.asarray(epsilon)
    d = len(effects.names)
    intervened = np.zeros(d, dtype=bool)
    intervened[effects.intervened] = True
    n_rows = np.zeros(d, dtype=np.int64)
    if effects.n_rows is not None:
        n_rows[effects.intervened] = effects.n_rows
    pairs_out = np.zeros(d, dtype=np.int64)
    pairs_out[effects.intervened] = above.sum(axis=1)
    pairs_in = above.sum(axis=0)
    table = result.to_frame()
    column = table.pop("column").to_numpy()
    table["intervened"] = intervened[column]
    table["n_rows"] = n_rows[column] if effects.n_rows is not None else pd.NA
    table["pairs_out"] = pairs_out[column]
    table["pairs_in"] = pairs_in[column]
    table["determined"] = (table["pairs_out"] + table["pairs_in"]) > 0
    table["level"] = pd.NA if result.ties is None else result.ties.levels[column] + 1
    return table


def result_document(model: Intersort, source: Path, warnings: Sequence[str]) -> dict[str, Any]:
    """Everything that `result.json` holds: the order, its evidence and how it was made."""
    result = model.result_
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "order": list(result.ordered_names),
        "score": result.score,
        "method": model.method,
        "found_by": result.method,
        "is_optimal": result.is_optimal,
        "upper_bound": result.upper_bound,
        "gap": result.gap,
        "interrupted": result.interrupted,
    }
    if result.ties is not None:
        levels = zip(result.ordered_names, result.ties.levels[result.order], strict=True)
        document["levels"] = {name: int(level) + 1 for name, level in levels}
    if result.knowledge_cost is not None:
        document["knowledge_cost"] = dict(
            zip(("least", "most"), result.knowledge_cost, strict=True)
        )
    n_optimal = getattr(result, "n_optimal", None)
    if n_optimal is not None:
        document["n_optimal"] = int(n_optimal)
    document |= {
        "parameters": _parameters(model),
        "seed": model.random_state,
        "input": {"file": readable_name(source), "sha256": hash_file(source)},
        "versions": used_versions(),
        "warnings": list(warnings),
    }
    return document


def _parameters(model: Intersort) -> dict[str, Any]:
    """The settings as given, and the threshold and bonus that were used."""
    parameters = {
        name: value
        for name, value in model.get_params().items()
        if name not in ("method", "random_state", "n_jobs")
    }
    parameters["distance"] = name_of(model.effects_.measured_by)
    used = np.asarray(model.epsilon_)
    parameters["epsilon_used"] = (
        float(used)
        if used.ndim == 0
        else {
            "from": "null_threshold" if model.epsilon is None else "given per pair",
            "least": float(used.min(initial=np.inf)) if used.size else None,
            "median": float(np.median(used)) if used.size else None,
            "most": float(used.max(initial=0.0)) if used.size else None,
        }
    )
    parameters["c_used"] = model.c_
    return parameters


def used_versions() -> dict[str, str]:
    """Versions of this package, Python and the libraries that decide a result."""
    names = ("intersort", "numpy", "scipy", "numba", "scikit-learn", "pandas")
    return {"python": platform.python_version()} | {name: version(name) for name in names}


def readable_name(path: Path) -> str:
    """The name of a file as text that can be written anywhere, whatever its bytes."""
    return os.fsencode(path.name).decode("utf-8", "backslashreplace")


def hash_file(path: Path) -> str:
    """SHA-256 of a file, read in blocks."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_folder(folder: Path, names: Sequence[str], *, force: bool) -> list[str]:
    """Refuse a folder that holds any of these files, unless told otherwise; say which it holds."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{shown(folder)} is a file; --out must name a folder.")
    there = [name for name in names if (folder / name).exists()]
    if there and not force:
        raise InputError(
            f"{shown(folder)} already holds {first_few(there)}. "
            "Give another --out folder, or --force to replace them."
        )
    return there


def write_files(
    folder: Path,
    files: Mapping[str, Callable[[Path], None]],
    *,
    force: bool,
    replaced: Sequence[str] = (),
) -> None:
    """Write several files into `folder`: all under temporary names, then renamed.

    No file is ever there by half. An interrupt while they are renamed comes too late, and what a
    killed run leaves can be told by its lack of the last file, which is taken away first.

    Parameters
    ----------
    folder : Path
        Made if it is not there.
    files : mapping of name to function
        Each function writes one file, at the path it is given.
    force : bool
        Whether files that are there already may be replaced.
    replaced : sequence of str
        Further names that these files take the place of.
    """
    old = check_folder(folder, [*files, *replaced], force=force)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".intersort-", dir=folder) as scratch:
            for name, write in files.items():
                write(Path(scratch) / name)
            with _interrupts_held():
                for name in reversed(old):
                    (folder / name).unlink()
                for name in files:
                    os.replace(Path(scratch) / name, folder / name)
    except OSError as error:
        raise InputError(
            f"Cannot write to {shown(folder)}: {error.strerror or 'the system refused'}. "
            "Choose an --out folder that can be written."
        ) from error


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let no interrupt come between a few short steps; one that came is dropped."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def write_json(document: Mapping[str, Any]) -> Callable[[Path], None]:
    """Make a writer of one JSON document."""
    text = to_json(document)

    def write(path: Path) -> None:
        path.write_text(text + "\n", encoding="utf-8")

    return write


def to_json(document: Mapping[str, Any]) -> str:
    """JSON text without NaN, with NumPy scalars and arrays as plain numbers and lists."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if callable(value):
        return getattr(value, "__name__", "callable")
    return str(value)
