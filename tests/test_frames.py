"""Frames of pandas and polars."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from pandas.testing import assert_frame_equal

from intersort import InputError, InterventionalData, MetadataColumnWarning

polars = pytest.importorskip("polars", reason="the polars extra is not installed")

COLUMNS = {
    "a": [0.5, 1.5, 9.5, 0.5],
    "b": [1.5, 0.25, 4.5, 8.5],
    "did": ["control", "control", "a", "b"],
}
BOTH = pytest.mark.parametrize("kind", [pandas.DataFrame, polars.DataFrame])


def read(frame, targets="did", **options):
    return InterventionalData.from_frame(frame, targets, **options)


@BOTH
def test_every_column_but_the_labels_is_a_variable(kind):
    data = read(kind(COLUMNS))
    assert data.names == ("a", "b")
    assert data.targets.tolist() == [-1, -1, 0, 1]
    assert data.values.dtype == np.float64
    assert data.values.tolist() == [[0.5, 1.5], [1.5, 0.25], [9.5, 4.5], [0.5, 8.5]]


def test_text_of_pandas_3():
    with pandas.option_context("future.infer_string", True):
        frame = pandas.DataFrame({**COLUMNS, "did": [None, None, "a", "b"]})
        assert read(frame, control="").targets.tolist() == [-1, -1, 0, 1]


@BOTH
def test_the_frame_is_not_modified(kind):
    frame = kind(COLUMNS)
    data = read(frame)
    assert not data.values.flags.writeable
    back = frame if kind is pandas.DataFrame else frame.to_pandas()
    assert_frame_equal(back, pandas.DataFrame(COLUMNS))


@BOTH
def test_columns_to_ignore_are_left_out_and_said(kind):
    frame = kind({**COLUMNS, "batch": [1, 1, 2, 2], "cell": list("wxyz")})
    data = read(frame, ignore=["batch", "cell"])
    assert data.names == ("a", "b")
    assert data.left_out == (("batch", "ignored"), ("cell", "ignored"))
    with pytest.warns(MetadataColumnWarning, match="'batch'"):
        assert read(frame, ignore="cell").names == ("a", "b", "batch")


@BOTH
@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_an_unnamed_first_column_is_a_row_index(kind, name):
    data = read(kind({name: [0, 1, 2, 3], **COLUMNS}))
    assert data.names == ("a", "b")
    assert data.left_out == ((name, "row index: the first column has no name"),)


@BOTH
def test_integers_are_positions_among_the_columns_taken(kind):
    frame = kind({"did": [-1, -1, 0, 1], "skip": [0] * 4, "a": COLUMNS["a"], "b": COLUMNS["b"]})
    assert read(frame, ignore="skip").targets.tolist() == [-1, -1, 0, 1]


def test_integer_names_of_columns():
    values = np.array([[0.5, 1.5], [1.5, 0.25], [9.5, 4.5]])
    labels = pandas.Series([-1, 0, 1], name="did")
    frame = pandas.concat([pandas.DataFrame(values), labels], axis=1)
    assert read(frame).names == ("0", "1")
    with pytest.raises(InputError, match="could be a name or a position"):
        read(frame.rename(columns={0: 5}))
    assert read(frame.rename(columns={"did": 2}), targets=2).targets.tolist() == [-1, 0, 1]


@BOTH
def test_kinds_of_numbers(kind):
    frame = kind({**COLUMNS, "flag": [True, False, True, True], "n": [1, 2, 3, 4]})
    with pytest.warns(MetadataColumnWarning, match="'flag', 'n'"):
        data = read(frame)
    assert data.values[:, 2:].tolist() == [[1, 1], [0, 2], [1, 3], [1, 4]]


def test_float32_is_kept_where_all_columns_are():
    frame = pandas.DataFrame(COLUMNS).astype({"a": "float32", "b": "float32"})
    assert read(frame).values.dtype == np.float32
    assert read(polars.from_pandas(frame)).values.dtype == np.float32
    assert read(frame.astype({"a": float})).values.dtype == np.float64


@pytest.mark.parametrize("dtype", ["Float64", "Float32", "Int64", "double[pyarrow]", "object"])
def test_missing_values_of_pandas(dtype):
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(COLUMNS)
    frame["b"] = pandas.Series([1, None, 4, 8], dtype=dtype)
    with pytest.raises(InputError, match=r"Missing values \(NaN\) in 1 column: 'b' \(1\)"):
        read(frame)
    assert np.isnan(read(frame, missing="omit").values[1, 1])


def test_missing_values_of_polars():
    frame = polars.DataFrame({**COLUMNS, "b": [1, None, 4, 8], "c": [None, 0.5, float("nan"), 2]})
    with pytest.raises(InputError, match=r"'b' \(1\), 'c' \(2\)"):
        read(frame)


def test_sparse_frames_stay_sparse():
    dense = pandas.DataFrame({"a": [0, 0.5, 0, 3.5], "b": [0, 0, 1.5, 0]})
    frame = dense.astype(pandas.SparseDtype("float64", 0.0)).assign(did=COLUMNS["did"])
    data = read(frame)
    assert data.values.format == "csc"
    np.testing.assert_array_equal(data.values.toarray(), dense)


@BOTH
@pytest.mark.parametrize(
    "extra, options, message",
    [
        ({}, {"targets": "dit"}, "There is no column 'dit', given as targets; did you mean 'did'"),
        ({}, {"targets": "zzz"}, "no column 'zzz'.*; the columns are 'a', 'b', 'did'"),
        ({}, {"ignore": "bathc"}, "There is no column 'bathc', given as ignore"),
        ({"c": ["x", "y", "z", "w"]}, {}, "Column 'c' holds 'x' in row 1.*not a number"),
        ({"c": ["1", "2", "3", "4"]}, {}, "Column 'c' holds '1' in row 1"),
    ],
)
def test_what_cannot_be_used_is_refused(kind, extra, options, message):
    with pytest.raises(InputError, match=message):
        read(kind({**COLUMNS, **extra}), **options)


@BOTH
def test_dates_are_refused(kind):
    times = pandas.Series(pandas.to_datetime(["2026-01-01"] * 4))
    frame = pandas.DataFrame({**COLUMNS, "when": times})
    with pytest.raises(InputError, match="Column 'when' holds dates or times"):
        read(frame if kind is pandas.DataFrame else polars.from_pandas(frame))


@BOTH
def test_a_frame_without_columns(kind):
    with pytest.raises(InputError, match="no column 'did', given as targets; there are no columns"):
        read(kind())


def test_repeated_columns_are_refused():
    frame = pandas.DataFrame(np.ones((3, 3)), columns=["a", "a", "did"])
    with pytest.raises(InputError, match="stand more than once: 'a'"):
        read(frame)


@pytest.mark.parametrize("thing", [np.zeros((3, 2)), {"a": [1]}, "file.csv", None])
def test_what_is_no_frame_is_refused(thing):
    with pytest.raises(InputError, match="must be a pandas or polars DataFrame"):
        read(thing)


def test_lazy_frames_are_refused():
    with pytest.raises(InputError, match=r"pass frame.collect\(\)"):
        read(polars.DataFrame(COLUMNS).lazy())


@BOTH
def test_a_column_in_place_of_its_name_is_refused(kind):
    frame = kind(COLUMNS)
    with pytest.raises(InputError, match=r"targets takes names of columns; got 'Series'.*from_arr"):
        read(frame, frame["did"])
    with pytest.raises(InputError, match="ignore takes names of columns; got 'list'"):
        read(frame, ignore=[["a"]])
