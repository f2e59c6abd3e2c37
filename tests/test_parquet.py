"""Parquet files."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from intersort import InputError, MetadataColumnWarning, _memory, _optional, read_table

arrow = pytest.importorskip("pyarrow", reason="the parquet extra is not installed")
parquet = pytest.importorskip("pyarrow.parquet", reason="the parquet extra is not installed")

COLUMNS = {
    "a": [0.5, 1.5, 9.5, 0.5],
    "b": [1.5, 0.25, 4.5, 8.5],
    "did": ["control", "control", "a", "b"],
}


@pytest.fixture
def read(tmp_path):
    """Write columns to a Parquet file and read it back as a table."""

    def write_and_read(columns, **options):
        parquet.write_table(arrow.table(columns), tmp_path / "t.parquet")
        return read_table(tmp_path / "t.parquet", options.pop("targets", "did"), **options)

    return write_and_read


def test_columns_are_read(read):
    data = read({**COLUMNS, "skip": ["x"] * 4}, ignore="skip")
    assert data.names == ("a", "b")
    assert data.targets.tolist() == [-1, -1, 0, 1]
    assert data.values.tolist() == [[0.5, 1.5], [1.5, 0.25], [9.5, 4.5], [0.5, 8.5]]
    assert data.left_out == (("skip", "ignored"),)


def test_row_groups_and_names_with_dots(tmp_path):
    values = np.random.default_rng(0).normal(size=(20, 3))
    columns = {"a.b.c": values[:, 0], "a.b": values[:, 1], "a": values[:, 2]}
    table = arrow.table({**columns, "did": ["control", "a.b"] * 10})
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=3)
    data = read_table(tmp_path / "t.parquet", "did")
    assert data.names == ("a.b.c", "a.b", "a")
    np.testing.assert_array_equal(data.values, values)
    assert data.targets.tolist() == [-1, 1] * 10


@pytest.mark.parametrize(
    "labels, control",
    [
        (arrow.array([None, "", "a", "b"]), ""),
        (arrow.array(["NA", "NA", "a", "b"]).dictionary_encode(), "NA"),
        (arrow.array([b"NA", b"NA", b"a", b"b"]), "NA"),
        (arrow.array(["NA", "NA", "a", "b"], arrow.large_string()), ["NA"]),
    ],
)
def test_labels_are_text(read, labels, control):
    assert read({**COLUMNS, "did": labels}, control=control).targets.tolist() == [-1, -1, 0, 1]


def test_integer_labels_are_names(read):
    data = read({"1": COLUMNS["a"], "0": COLUMNS["b"], "did": [-1, -1, 0, 1]}, control="-1")
    assert data.targets.tolist() == [-1, -1, 1, 0]


def test_kinds_of_numbers(read):
    more = {
        "n": arrow.array([1, 2, 3, 4], arrow.int16()),
        "flag": [True, False, True, True],
        "money": arrow.array([1, 2, 3, 5]).cast(arrow.decimal128(30, 2)),
        "text": ["0.5", " 1.5", "2.25", "1e3"],
        "half": arrow.array(np.array([0.5, 1.5, 2.5, 3.5], dtype=np.float16)),
    }
    with pytest.warns(MetadataColumnWarning, match="'n', 'flag', 'money'"):
        values = read({**COLUMNS, **more}).values
    assert values[:, 2:].tolist() == [
        [1, 1, 1, 0.5, 0.5], [2, 0, 2, 1.5, 1.5], [3, 1, 3, 2.25, 2.5], [4, 1, 5, 1000, 3.5]
    ]  # fmt: skip


def test_float32_is_kept_where_all_columns_are(read):
    small = {name: arrow.array(COLUMNS[name], arrow.float32()) for name in ("a", "b")}
    assert read({**COLUMNS, **small}).values.dtype == np.float32
    assert read({**COLUMNS, "a": small["a"]}).values.dtype == np.float64


@pytest.mark.parametrize("cells", [[1.5, None, 2.5, 0.5], [1.5, float("nan"), 2.5, 0.5],
                                   ["1", "NA", "2", "3"], [True, None, False, True]])  # fmt: skip
def test_missing_values(read, cells):
    with pytest.raises(InputError, match=r"Missing values \(NaN\) in 1 column: 'b' \(1\)"):
        read({**COLUMNS, "b": cells})
    assert np.isnan(read({**COLUMNS, "b": cells}, missing="omit").values[1, 1])


def test_the_index_of_pandas_is_left_out(tmp_path):
    file = tmp_path / "t.parquet"
    pandas.DataFrame(COLUMNS, index=list("wxyz")).to_parquet(file)
    data = read_table(file, "did")
    assert data.names == ("a", "b")
    assert data.left_out == (("__index_level_0__", "row index: the first column has no name"),)


@pytest.mark.parametrize(
    "columns, options, message",
    [
        ({**COLUMNS, "c": ["x", "y", "z", "w"]}, {}, "Column 'c' holds 'x' in row 1.*not a number"),
        ({**COLUMNS, "c": [[1], [2], [3], [4]]}, {}, "Column 'c' holds '.1.' in row 1"),
        (
            {**COLUMNS, "c": arrow.array([1, 2, 3, 4], arrow.timestamp("s"))},
            {},
            "Column 'c' holds dates or times",
        ),
        ({**COLUMNS, "did": [[1], [2], [3], [4]]}, {}, "No control rows"),
        ({"did": COLUMNS["did"]}, {}, "no column of values beside the labels"),
        ({name: column[:0] for name, column in COLUMNS.items()}, {}, "no rows"),
        (COLUMNS, {"targets": "dit"}, "did you mean 'did'"),
        (COLUMNS, {"separator": ","}, "separator is for files of text"),
        (COLUMNS, {"layer": "raw"}, "layer is for .h5ad files; 't.parquet' has no layers"),
    ],
)
def test_what_cannot_be_used_is_refused(read, columns, options, message):
    with pytest.raises(InputError, match=message):
        read(columns, **options)


def test_a_fake_or_damaged_file(tmp_path):
    file = tmp_path / "t.parquet"
    file.write_text("a,b,did\n1,2,control\n")
    with pytest.raises(InputError, match=r"ends in \.parquet but is not a Parquet file"):
        read_table(file, "did")
    file.write_bytes(b"PAR1" + b"\x00" * 100 + b"PAR1")
    with pytest.raises(InputError, match="is damaged or no Parquet file"):
        read_table(file, "did")


def test_a_table_that_memory_cannot_hold_is_refused_before_it_is_read(read, monkeypatch):
    monkeypatch.setattr(_memory, "free_memory", lambda: 50)
    with pytest.raises(
        InputError, match=r"by its metadata. needs about 64 bytes of memory, 50 bytes"
    ):
        read(COLUMNS)


def test_the_signature_is_checked_before_the_extra_is_imported(tmp_path, monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(_optional.importlib, "import_module", missing)
    file = tmp_path / "t.parquet"
    file.write_bytes(b"no")
    with pytest.raises(InputError, match="not a Parquet file"):
        read_table(file, "did")
    file.write_bytes(b"PAR1")
    with pytest.raises(_optional.MissingExtraError, match=r'pip install "intersort\[parquet\]"'):
        read_table(file, "did")
