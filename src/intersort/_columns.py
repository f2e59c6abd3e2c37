"""Columns of a frame or file: the labels, the variables, and what is left out and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ._typing import Table
from ._validation import InputError, check_distinct, closest, first_few, shown

ROW_INDEX = "row index: the first column has no name"
IGNORED = "ignored"


@dataclass(frozen=True)
class Columns:
    """Positions of the labels and of the variables, names as they are, and the rest."""

    labels: int
    taken: tuple[int, ...]
    names: tuple[Any, ...]
    left_out: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class RawTable:
    """What a reader found: nothing of it is validated yet."""

    values: Table
    labels: Any
    names: tuple[Any, ...] | None
    left_out: tuple[tuple[str, str], ...]


def choose_columns(found: Sequence[Any], targets: Any, ignore: Any) -> Columns:
    """Take every column but the labels, those to ignore and an unnamed row index."""
    check_distinct([str(name) for name in found])
    labels = _position(found, targets, "targets")
    ignored = {_position(found, name, "ignore") for name in as_list(ignore)}
    left_out: list[tuple[str, str]] = []
    taken: list[int] = []
    for j, name in enumerate(found):
        if j == labels:
            continue
        if j in ignored:
            left_out.append((str(name), IGNORED))
        elif j == 0 and is_unnamed(name):
            left_out.append((str(name), ROW_INDEX))
        else:
            taken.append(j)
    return Columns(labels, tuple(taken), tuple(found[j] for j in taken), tuple(left_out))


def as_list(names: Any) -> list[Any]:
    """One name or several, as a list."""
    if names is None:
        return []
    if isinstance(names, str) or not isinstance(names, Iterable):
        return [names]
    return list(names)


def is_unnamed(name: Any) -> bool:
    """Whether a first column is a row index: no name, or the one pandas gives it then."""
    return name is None or str(name).strip() in ("", "Unnamed: 0") or name != name


def _position(found: Sequence[Any], wanted: Any, role: str) -> int:
    """Where a column stands, or which name was probably meant."""
    try:
        hash(wanted)
    except TypeError:
        raise InputError(
            f"{role} takes names of columns; got {shown(type(wanted).__name__)}. Give the name "
            "of a column; labels that are no column go into InterventionalData.from_arrays(X, y)."
        ) from None
    matches = [j for j, name in enumerate(found) if name == wanted and type(name) is type(wanted)]
    matches = matches or [j for j, name in enumerate(found) if str(name) == str(wanted)]
    if matches:
        return matches[0]
    text = [str(name) for name in found]
    there = f"; the columns are {first_few(text)}." if text else "; there are no columns."
    raise InputError(
        f"There is no column {shown(wanted)}, given as {role}{closest(str(wanted), text) or there}"
    )
