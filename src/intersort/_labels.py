"""Labels of rows: which column was intervened on, which rows are controls, which are not used."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ._typing import BoolArray, IntArray
from ._validation import InputError, shown

CONTROL_ROW = -1
UNUSED_ROW = -2
BLANK = "(blank)"

Label: TypeAlias = str | int | None
"""A label as it was read: text, an integer, or None for a blank one."""

_LIKELY_CONTROLS = (
    "control", "controls", "ctrl", "ctl", "non-targeting", "nontargeting", "nt", "ntc",
    "safe-targeting", "wild-type", "wildtype", "wt", "observational", "observation", "obs",
    "reference", "ref", "unperturbed", "untreated", "no-intervention", "nointervention",
    "none", "vehicle", "dmso", "mock", "scramble", "scrambled", "baseline", "na", "-1",
)  # fmt: skip


@dataclass(frozen=True)
class MatchedLabels:
    """What the labels mean: `targets` per row, and what a person should hear about the rest."""

    targets: IntArray
    unused: tuple[tuple[str, int], ...]
    control: tuple[str, ...]
    control_is_variable: tuple[str, ...]


@dataclass(frozen=True)
class _Found:
    """The distinct labels, how many rows carry each, and which one each row carries."""

    codes: IntArray
    distinct: list[Label]
    counts: IntArray


def label_text(label: Label) -> str:
    """How a label is shown: itself, or (blank).

    >>> label_text(None), label_text("STAT1")
    ('(blank)', 'STAT1')
    """
    return BLANK if label is None else str(label)


def is_missing(cell: Any) -> bool:
    """Whether one object stands for nothing: None, NaN, or what pandas puts there.

    >>> is_missing(float("nan")), is_missing("")
    (True, False)
    """
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, numbers.Number) and bool(cell != cell)


def as_text(labels: Iterable[Any]) -> list[str | None]:
    """Labels of a typed column as text, blank where there is none.

    >>> as_text(["STAT1", 3, None, float("nan")])
    ['STAT1', '3', None, None]
    """
    known: dict[Any, str | None] = {}

    def one(label: Any) -> str | None:
        if is_missing(label):
            return None
        return label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)

    texts = []
    for label in labels:
        key = (type(label), label if isinstance(label, Hashable) else str(label))
        if key not in known:
            known[key] = one(label)
        texts.append(known[key])
    return texts


def list_counts(pairs: Iterable[tuple[str, int]], most: int = 5) -> str:
    """At most five labels with their number of rows, the most frequent first.

    >>> list_counts([("a", 1), ("b", 3)])
    "'b' (3 rows), 'a' (1 row)"
    """
    pairs = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
    parts = [
        f"{label if label == BLANK else shown(label)} ({count:,} {'row' if count == 1 else 'rows'})"
        for label, count in pairs[:most]
    ]
    rest = len(pairs) - most
    return ", ".join(parts) + (f" and {rest} more" if rest > 0 else "")


def match_labels(
    y: Any, names: Sequence[Any] | None, control: Any, shape: tuple[int, int]
) -> MatchedLabels:
    """Turn one label per row into `targets`: a column, −1 for control, −2 for not used.

    `names` is None where the columns have none of their own; text labels are then refused.
    """
    found = _find_labels(y)
    if found.codes.size != shape[0]:
        raise InputError(
            f"{found.codes.size:,} labels were given for {shape[0]:,} rows; give one label per row."
        )
    controls = _read_controls(control)
    marked = [_is_control(label, controls) for label in found.distinct]
    _check_kinds([one for one, hit in zip(found.distinct, marked, strict=True) if not hit], names)
    columns = {str(name): j for j, name in enumerate(names or ())}
    meaning = np.full(len(marked), UNUSED_ROW, dtype=np.int64)
    for code, label in enumerate(found.distinct):
        if marked[code]:
            meaning[code] = CONTROL_ROW
        elif isinstance(label, str):
            meaning[code] = columns.get(label, UNUSED_ROW)
        elif label is not None and 0 <= label < shape[1]:
            meaning[code] = label
    _check_enough(found, meaning, controls, names)
    named = tuple(label_text(one) for one, hit in zip(found.distinct, marked, strict=True) if hit)
    return MatchedLabels(
        targets=meaning[found.codes],
        unused=tuple(_with_rows(found, meaning == UNUSED_ROW)),
        control=named,
        control_is_variable=tuple(label for label in named if label in columns),
    )


def _with_rows(found: _Found, chosen: BoolArray | None = None) -> list[tuple[str, int]]:
    """Labels with their number of rows, the most frequent first."""
    pairs = [
        (label_text(label), int(count))
        for code, (label, count) in enumerate(zip(found.distinct, found.counts, strict=True))
        if chosen is None or chosen[code]
    ]
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))


def _find_labels(y: Any) -> _Found:
    """Distinct labels of any array, list or column, each read once."""
    if y is None:
        raise InputError(
            "Intersort requires y to be passed, but the target y is None. "
            "Give the label of each row: the variable that was intervened on, or the control."
        )
    array = np.array(y, dtype=object) if isinstance(y, list | tuple) else np.asarray(y)
    if array.ndim != 1:
        raise InputError(
            f"y should be a 1d array, one label per row; got an array of shape {array.shape}."
        )
    if array.dtype.kind in "iuf":
        missing = np.isnan(array) if array.dtype.kind == "f" else np.zeros(array.size, dtype=bool)
        kept, inverse = np.unique(array[~missing], return_inverse=True)
        codes = np.full(array.size, kept.size, dtype=np.int64)
        codes[~missing] = inverse
        raw: list[Any] = [*kept.tolist(), None]
    else:
        codes, raw = _encode(array.tolist())
    # Labels that differ in kind only ("" and None, 1 and 1.0) are one.
    merged: dict[Label, int] = {}
    meaning = [merged.setdefault(_read_label(label), len(merged)) for label in raw]
    codes = np.asarray(meaning, dtype=np.int64)[codes]
    counts = np.bincount(codes, minlength=len(merged))
    present = np.flatnonzero(counts)
    renumbered = np.zeros(len(merged), dtype=np.int64)
    renumbered[present] = np.arange(present.size)
    distinct = list(merged)
    return _Found(renumbered[codes], [distinct[code] for code in present], counts[present])


def _encode(labels: list[Any]) -> tuple[IntArray, list[Any]]:
    """Codes and distinct values of labels that are Python objects."""
    known: dict[Any, int] = {}
    codes = np.empty(len(labels), dtype=np.int64)
    try:
        for i, label in enumerate(labels):
            key = label if isinstance(label, str) else (type(label), label)
            codes[i] = known.setdefault(key, len(known))
    except TypeError as error:  # a list or a dict: nothing that can be a label
        raise InputError(
            f"Unknown label type: {shown(label)} ({type(label).__name__}) is neither text nor an "
            "integer. Give the name of the variable that was intervened on in each row."
        ) from error
    return codes, [key if isinstance(key, str) else key[1] for key in known]


def _read_label(label: Any) -> Label:
    """One label as text, integer or blank; anything else is refused."""
    if isinstance(label, bytes):
        label = label.decode("utf-8", "replace")
    if isinstance(label, str):
        return str(label) if label.strip() else None
    if is_missing(label):
        return None
    if isinstance(label, numbers.Integral) and not isinstance(label, bool | np.bool_):
        return int(label)
    if isinstance(label, numbers.Real) and not isinstance(label, bool | np.bool_):
        number = float(label)
        if number.is_integer():
            return int(number)
    kind = "Complex data not supported" if isinstance(label, complex) else "Unknown label type"
    raise InputError(
        f"{kind}: {shown(label)} ({type(label).__name__}) cannot name a variable. Labels are "
        "names of columns, or integers as column positions (with -1 for control)."
    )


def _read_controls(control: Any) -> tuple[Label, ...]:
    """The control labels as a tuple: one label or a list of them."""
    if isinstance(control, np.ndarray):
        control = control.tolist()  # one label where the array has no dimension
    if isinstance(control, str | bytes) or not isinstance(control, Iterable):
        control = [control]
    labels = tuple(_read_label(label) for label in control)
    if not labels:
        raise InputError(
            'control is empty; give the label of the control rows, as in control="control" '
            '(control="" where their label is blank).'
        )
    return labels


def _is_control(label: Label, controls: tuple[Label, ...]) -> bool:
    """Whether a row with this label is a control row."""
    if isinstance(label, str):
        return label in {str(one) for one in controls if one is not None}
    if label == CONTROL_ROW and "control" in controls:
        # The default control label stands for −1 where labels are positions.
        return not any(isinstance(one, int) for one in controls)
    return label in controls or (label is not None and str(label) in controls)


def _check_kinds(labels: list[Label], names: Sequence[Any] | None) -> None:
    """Positions need columns that are not named by other integers, text needs names."""
    text = [label for label in labels if isinstance(label, str)]
    positions = [label for label in labels if isinstance(label, int)]
    if text and positions:
        raise InputError(
            f"The labels are partly text ({shown(text[0])}) and partly integers "
            f"({positions[0]}). Give the names of columns, or positions, not both."
        )
    if text and names is None:
        raise InputError(
            f"The labels are text ({shown(text[0])}) but the columns have no names. Keep the "
            'names (in a Pipeline: set_output(transform="pandas")), or pass names=.'
        )
    numbered = [name for name in names or () if isinstance(name, numbers.Integral)]
    if positions and numbered and list(names or ()) != list(range(len(names or ()))):
        raise InputError(
            f"The labels are integers and so are names of columns ({numbered[0]}), which are "
            "not 0 … d - 1: a label could be a name or a position. Rename the columns to text."
        )


def _check_enough(
    found: _Found, meaning: IntArray, controls: tuple[Label, ...], names: Sequence[Any] | None
) -> None:
    """Control rows and at least one target must be there."""
    wanted = " or ".join(BLANK if one is None else shown(one) for one in controls)
    has_control = bool(np.any(meaning == CONTROL_ROW))
    has_target = bool(np.any(meaning >= 0))
    if not has_control:
        unknown = _with_rows(found, meaning == UNUSED_ROW)
        also = "" if has_target else " and no label is the name of a column"
        raise InputError(
            f"No control rows: no row is labelled {wanted}{also}. "
            f"Labels found: {list_counts(_with_rows(found))}. "
            "Set control= (--control) to the label of the rows without "
            f"intervention{_suggest_control(unknown)}."
        )
    if not has_target:
        few = ", ".join(shown(name) for name in list(names or ())[:5])
        expected = f"names of columns such as {few}" if few else "positions of columns"
        raise InputError(
            f"No target remains: no row is labelled with a variable. Labels found: "
            f"{list_counts(_with_rows(found))}; expected {expected}. Check the column of labels, "
            "and that the variables that were intervened on are among the columns."
        )


def _suggest_control(unknown: list[tuple[str, int]]) -> str:
    """Name the label that most likely marks the controls, as a half sentence, or nothing."""
    if not unknown:
        return ""

    def likeliness(pair: tuple[str, int]) -> tuple[int, int]:
        plain = pair[0].lower().replace("_", "-").replace(" ", "-")
        words = plain.replace(".", "-").split("-")
        if pair[0] == BLANK or plain in _LIKELY_CONTROLS:
            return 3, pair[1]
        if any(word in _LIKELY_CONTROLS for word in words):
            return 2, pair[1]
        return int(any(word in plain for word in ("control", "ctrl", "targeting", "obs"))), pair[1]

    best = max(unknown, key=likeliness)
    if best[0] == BLANK:
        return '; probably the blank one, control=""'
    return f"; probably {shown(best[0])}"
