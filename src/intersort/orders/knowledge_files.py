"""Knowledge from a file: JSON with four keys, or CSV with two columns."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from .._validation import InputError, closest, first_few, shown
from .knowledge import Knowledge

KEYS = ("before", "tiers", "first", "last")
COLUMNS = ("before", "after")
_LARGEST_FILE = 1 << 28


def read_knowledge(path: str | Path) -> Knowledge:
    """Read what is known about the order from a JSON or CSV file.

    JSON: an object with any of the keys `before` (list of pairs), `tiers` (list of lists),
    `first` and `last` (lists). CSV: a header with the columns `before` and `after`, a pair a row.
    It is JSON if it begins with a brace or the name ends in .json. Text is the name of a
    variable; a whole number that is not quoted in JSON is a column position, and so is text that
    is a whole number where no variable has a number for a name.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    Knowledge

    Examples
    --------
    >>> import intersort, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "known.json")
    ...     _ = path.write_text('{"before": [["JAK2", "STAT1"]], "first": ["IFNGR2"]}')
    ...     intersort.read_knowledge(path)
    Knowledge(before=(('JAK2', 'STAT1'),), tiers=(), first=('IFNGR2',), last=())
    """
    place = shown(str(path))
    text = _read_text(Path(path), place)
    try:
        if text.lstrip()[:1] in "{[" or Path(path).suffix.lower() == ".json":
            return _from_json(text)
        return _from_csv(text)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def _read_text(path: Path, place: str) -> str:
    if path.is_dir():
        raise InputError(f"{place} is a directory; give a JSON or CSV file with the knowledge.")
    try:
        with open(path, "rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the system refused"
        raise InputError(
            f"Cannot read {place}: {reason}. Give a JSON or CSV file with the knowledge."
        ) from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text or len(content) > _LARGEST_FILE:
        raise InputError(
            f"{place} is no text of knowledge (binary, not UTF-8, or above 256 MB). Give a JSON "
            "or CSV file saved as UTF-8."
        )
    if not text.strip():
        raise InputError(
            f"{place} is empty. For JSON give an object with the keys {', '.join(KEYS)}; for CSV "
            f"a header with the columns {' and '.join(COLUMNS)}."
        )
    return text


def _from_json(text: str) -> Knowledge:
    try:
        given = json.loads(text, object_pairs_hook=_distinct_keys)
    except InputError:
        raise
    except (ValueError, RecursionError) as error:  # a number of a million digits is a ValueError
        where = (
            f"line {error.lineno}: {error.msg}"
            if isinstance(error, json.JSONDecodeError)
            else "too deep, or with a number too long"
        )
        raise InputError(
            f"this is no JSON ({where}). Correct it, or give a CSV file with the columns "
            f"{' and '.join(COLUMNS)}."
        ) from error
    if not isinstance(given, dict):
        raise InputError(
            f"this JSON holds a {type(given).__name__}, not an object; write "
            '{"before": [["a", "b"]], "tiers": [], "first": [], "last": []}.'
        )
    unknown = [key for key in given if key not in KEYS]
    if unknown:
        raise InputError(
            f"the knowledge has unknown keys: {first_few(unknown)}"
            f"{closest(unknown[0], KEYS) or '.'} The keys are {', '.join(KEYS)}."
        )
    return Knowledge(**given)


def _distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    twice = [key for key in dict.fromkeys(keys) if keys.count(key) > 1]
    if twice:
        raise InputError(f"the key {shown(twice[0])} stands twice; join the two lists.")
    return dict(pairs)


def _from_csv(text: str) -> Knowledge:
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise InputError(
            f"this is no CSV ({error}). Expected a header with the columns "
            f"{' and '.join(COLUMNS)}, then a pair a row."
        ) from error
    filled = [(line, row) for line, row in enumerate(rows, start=1) if any(map(str.strip, row))]
    header = tuple(cell.strip().lower() for cell in filled[0][1])
    if header != COLUMNS:
        raise InputError(
            f"the header is {shown(','.join(filled[0][1]))}; expected the columns "
            f"{' and '.join(COLUMNS)}, separated by a comma."
        )
    for line, row in filled[1:]:
        if len(row) != 2 or not all(map(str.strip, row)):
            raise InputError(
                f"row {line} must hold two variables, the earlier and the later one; "
                f"got {shown(','.join(row))}."
            )
    return Knowledge(before=[(row[0].strip(), row[1].strip()) for _, row in filled[1:]])
