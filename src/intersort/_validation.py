"""The error for bad input, and the small checks that several stages share."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

LONGEST_NAME = 1000


class InputError(ValueError):
    """What was given cannot be used; the message says what is wrong and what to do."""


def shown(value: object, longest: int = 60) -> str:
    """Quote a value from the data for a message: escaped, one line, never long.

    >>> shown("a\\nb")
    "'a\\\\nb'"
    """
    text = value if isinstance(value, str) else str(value)
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return ascii(text) if not text.isprintable() else repr(text)


def first_few(values: Iterable[object], most: int = 5) -> str:
    """List at most five values for a message, and count the rest."""
    values = list(values)
    text = ", ".join(shown(value) for value in values[:most])
    return text if len(values) <= most else f"{text} and {len(values) - most} more"


def closest(name: str, names: Sequence[str]) -> str:
    """Suggest the name that was probably meant, as a half sentence, or nothing."""
    match = difflib.get_close_matches(name, names, n=1) or [
        other for other in names if other.lower() == name.lower()
    ]
    return f"; did you mean {shown(match[0])}?" if match else ""


def check_names(names: Iterable[Any], n_variables: int) -> tuple[str, ...]:
    """Names as a tuple of distinct printable text, one per variable."""
    taken = tuple(str(name) for name in names)
    if len(taken) != n_variables:
        raise InputError(
            f"{len(taken)} names were given for {n_variables} variables; give one name per column."
        )
    check_distinct(taken)
    for j, name in enumerate(taken):
        if not name.strip():
            raise InputError(f"Column {j + 1} has no name; name it, or leave it out.")
        if len(name) > LONGEST_NAME:
            raise InputError(
                f"The name of column {j + 1} has {len(name):,} characters ({shown(name)}); "
                f"at most {LONGEST_NAME:,} are accepted. Is the first line really the header?"
            )
        if not name.isprintable():
            letter = next(letter for letter in name if not letter.isprintable())
            raise InputError(
                f"The name of column {j + 1}, {shown(name)}, holds U+{ord(letter):04X}, a "
                "character that is not printable: a control or format character, or a space "
                "other than the plain one. Rename the column."
            )
    return taken


def check_distinct(names: Sequence[str]) -> None:
    """Refuse names that stand more than once."""
    if len(set(names)) < len(names):
        seen: set[str] = set()
        twice = [name for name in names if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
        raise InputError(
            f"Column names must differ; these stand more than once: {first_few(twice)}. "
            "Rename or drop the repeated columns."
        )


def check_order(order: Any, n_variables: int) -> np.ndarray:
    """An order as an integer array that holds each of 0 … d − 1 once."""
    checked = np.asarray(order)
    if (
        checked.ndim != 1
        or checked.size != n_variables
        or checked.dtype.kind not in "iu"
        or not np.array_equal(np.sort(checked), np.arange(n_variables))
    ):
        raise InputError(
            f"An order of {n_variables} variables must be an integer array that holds each of "
            f"0 … {n_variables - 1} exactly once; got {shown(np.asarray(order).tolist())}."
        )
    return checked.astype(np.int64)
