"""Labels of rows: what they mean, and which of them are refused."""

from __future__ import annotations

import numpy as np
import pytest

from intersort import InputError
from intersort._labels import BLANK, list_counts, match_labels

NAMES = ("a", "b", "c")


def match(y, names=NAMES, control="control", width=3):
    return match_labels(y, names, control, (len(y), width))


@pytest.mark.parametrize(
    "y",
    [
        ["control", "a", "c", "a"],
        ("control", "a", "c", "a"),
        np.array(["control", "a", "c", "a"]),
        np.array(["control", "a", "c", "a"], dtype=object),
        np.array([b"control", b"a", b"c", b"a"]),
        [-1, 0, 2, 0],
        np.array([-1, 0, 2, 0], dtype=np.int8),
        np.array([-1, 0, 2, 0], dtype=object),
        np.array([-1.0, 0.0, 2.0, 0.0]),
        np.array([-1.0, 0, np.int64(2), 0], dtype=object),
        ["control", 0, 2, 0],
    ],
    ids=str,
)
def test_names_and_positions_mean_the_same(y):
    matched = match(y)
    assert matched.targets.dtype == np.int64
    assert matched.targets.tolist() == [-1, 0, 2, 0]
    assert matched.unused == ()


def test_unknown_labels_are_not_joined_to_the_controls():
    matched = match(["control", "a", "x", "y", "x", None])
    assert matched.targets.tolist() == [-1, 0, -2, -2, -2, -2]
    assert matched.unused == (("x", 2), (BLANK, 1), ("y", 1))


def test_positions_out_of_range_are_unknown_labels():
    matched = match([-1, 0, 3, 7, -5])
    assert matched.targets.tolist() == [-1, 0, -2, -2, -2]
    assert matched.unused == (("-5", 1), ("3", 1), ("7", 1))


def test_an_integer_control_takes_the_place_of_minus_one():
    matched = match([1, 0, 2, -1], control=1)
    assert matched.targets.tolist() == [-1, 0, 2, -2]
    assert matched.unused == (("-1", 1),)


def test_an_integer_and_its_text_are_the_same_control():
    assert match([-1, 0, 2], control="-1").targets.tolist() == [-1, 0, 2]
    assert match(["1", "a"], control=1).targets.tolist() == [-1, 0]


def test_a_list_of_controls():
    matched = match(["wt", "NT", "a", "control"], control=["wt", "NT"])
    assert matched.targets.tolist() == [-1, -1, 0, -2]
    assert set(matched.control) == {"wt", "NT"}


@pytest.mark.parametrize("blank", ["", None, float("nan"), np.nan, "  "], ids=repr)
@pytest.mark.parametrize("control", ["", None, float("nan")], ids=repr)
def test_blank_labels_can_be_the_control(blank, control):
    matched = match(np.array([blank, "a", blank], dtype=object), control=control)
    assert matched.targets.tolist() == [-1, 0, -1]
    assert matched.control == (BLANK,)


def test_blanks_among_float_positions_can_be_the_control():
    assert match([np.nan, 0.0, 2.0], control="").targets.tolist() == [-1, 0, 2]


def test_text_that_looks_missing_is_a_label():
    matched = match(["NA", "None", "null", "control"], names=("NA", "None", "b"))
    assert matched.targets.tolist() == [0, 1, -2, -1]
    assert matched.unused == (("null", 1),)


def test_a_control_label_that_is_a_variable_is_said():
    matched = match(["a", "b"], control="a")
    assert matched.targets.tolist() == [-1, 1]
    assert matched.control_is_variable == ("a",)


def test_text_labels_are_never_positions():
    with pytest.raises(InputError, match="No target remains"):
        match(["control", "0", "1"])


def test_integer_names_that_are_positions_are_accepted():
    assert match([-1, 0, 2], names=(0, 1, 2)).targets.tolist() == [-1, 0, 2]


@pytest.mark.parametrize(
    "y, options, message",
    [
        (None, {}, "requires y to be passed, but the target y is None"),
        ([["a"], ["b"]], {}, "y should be a 1d array"),
        ([-1, 0.5], {}, "Unknown label type: '0.5'"),
        ([-1, np.inf], {}, "Unknown label type: 'inf'"),
        ([True, False], {}, "Unknown label type: 'True'"),
        (np.array([1j, 0]), {}, "Complex data not supported"),
        (np.array([{}, "a"], dtype=object), {}, "Unknown label type.*neither text nor an integer"),
        (["control", "a", 1], {}, "partly text .'a'. and partly integers .1."),
        (["control", "a"], {"names": None}, r"set_output\(transform=\"pandas\"\).*names="),
        ([-1, 20], {"names": (10, 20, 30)}, "could be a name or a position"),
        (["control", "a"], {"control": []}, "control is empty"),
        (["control", "a"], {"control": 0.5}, "Unknown label type"),
        (["control", "x", "y"], {}, "No target remains.*'x' .1 row., 'y'.*such as 'a', 'b', 'c'"),
        ([-1, 9], {"names": None}, "expected positions of columns"),
        (["a", "b"], {}, "No control rows: no row is labelled 'control'.*Labels found: 'a' .1 row"),
        (["x", "y"], {}, "No control rows.*and no label is the name of a column"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(y, options, message):
    with pytest.raises(InputError, match=message):
        match_labels(y, options.get("names", NAMES), options.get("control", "control"), (
            0 if y is None else len(y), 3))  # fmt: skip


def test_as_many_labels_as_rows():
    with pytest.raises(InputError, match="2 labels were given for 5 rows"):
        match_labels(["control", "a"], NAMES, "control", (5, 3))


@pytest.mark.parametrize(
    "labels, likely",
    [
        (["non-targeting", "zzz", "zzz"], "'non-targeting'"),
        (["Control_3", "zzz", "zzz"], "'Control_3'"),
        (["NT", "zzz", "zzz"], "'NT'"),
        (["wild type", "zzz", "zzz"], "'wild type'"),
        (["OBS", "zzz", "zzz"], "'OBS'"),
        (["", "zzz", "zzz"], 'the blank one, control=""'),
        (["mycontrols", "zzz", "zzz"], "'mycontrols'"),
        (["qqq", "zzz", "zzz"], "'zzz'"),
    ],
)
def test_without_controls_the_likely_label_is_suggested(labels, likely):
    with pytest.raises(InputError, match="No control rows") as caught:
        match(["a", *labels], control="ctrl0")
    assert f"probably {likely}." in str(caught.value)


def test_without_unknown_labels_nothing_is_suggested():
    with pytest.raises(InputError, match=r"without intervention\.$"):
        match(["a", "b"])


def test_labels_in_messages_are_few_short_and_escaped():
    text = list_counts([(f"l{k}\x1b[31m" + "x" * 1000, k) for k in range(9)])
    assert text.endswith("and 4 more")
    assert "\x1b" not in text
    assert len(text) < 600


def test_a_million_labels_take_little_time():
    y = np.array(["control", "a", "b"] * 100_000, dtype=object)
    assert np.bincount(match(y).targets + 1).tolist() == [100_000] * 3


@pytest.mark.parametrize("control", [np.array("c"), np.array(["c"]), np.array(["c", "d"])], ids=str)
def test_the_control_may_be_an_array(control):
    assert match(["c", "c", "a"], control=control).targets.tolist() == [-1, -1, 0]


def test_the_control_may_be_a_number_without_dimension():
    assert match([1, 1, 0], control=np.array(1)).targets.tolist() == [-1, -1, 0]
