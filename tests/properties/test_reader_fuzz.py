"""Whatever is in a file: a result, or one of our errors, and no unexpected warning."""

from __future__ import annotations

import csv
import gzip
import io
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intersort import InputError, IntersortWarning, InterventionalData, read_table

NUMBERS = st.floats(width=64).map(repr) | st.integers().map(str)
CELLS = NUMBERS | st.sampled_from(["", "NA", "nan", "a", "b", "control", "1_0", "inf"]) | st.text()
NAMES = st.sampled_from(["a", "b", "did", "", "c d", "0", "control"]) | st.text(max_size=5)
PIECES = st.sampled_from(
    [*(bytes([one]) for one in b',;\t\n\r"a\0\xff'), b"did", b"0.5", b"control", b"\xef\xbb\xbf"]
)


def read(content: bytes, ending: str, **options) -> InterventionalData | None:
    """Read bytes as a file; None where one of our errors says why not."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", IntersortWarning)
        file = Path(folder) / f"table{ending}"
        file.write_bytes(content)
        try:
            return read_table(file, "did", **options)
        except InputError as error:
            message = str(error)
            assert message.isprintable(), "a message shows raw bytes"
            assert 20 < len(message) < 1500
            return None


def check(data: InterventionalData) -> None:
    """What every result promises."""
    n_rows, width = data.values.shape
    assert width >= 2
    assert len(set(data.names)) == width
    assert data.targets.shape == (n_rows,)
    assert data.targets.min() >= -2
    assert data.targets.max() < width
    assert (data.targets == -1).any()
    assert (data.targets >= 0).any()
    assert not np.isinf(data.values).any()
    assert sum(count for _, count in data.unused) == (data.targets == -2).sum()
    assert str(data.summary())


@st.composite
def tables(draw):
    """A table that may be right or wrong in any of many ways."""
    width = draw(st.integers(1, 5))
    names = draw(st.lists(NAMES, min_size=width, max_size=width))
    names = draw(st.sampled_from([names, ["a", "b", "did"]]))
    cell = draw(st.sampled_from([CELLS, NUMBERS]))
    rows = draw(st.lists(st.lists(cell, min_size=len(names), max_size=len(names)), max_size=6))
    if "did" in names and draw(st.booleans()):
        for row in rows:
            row[names.index("did")] = draw(st.sampled_from(["control", "a", "b", "x", ""]))
    if rows and draw(st.integers(0, 4)) == 0:
        rows[-1] = rows[-1][:-1]
    return [names, *rows]


@given(
    table=tables(),
    separator=st.sampled_from([",", ";", "\t"]),
    ending=st.sampled_from([".csv", ".tsv.gz"]),
    missing=st.sampled_from(["refuse", "omit"]),
    control=st.sampled_from(["control", "", ["x", "control"]]),
)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_tables(table, separator, ending, missing, control):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator).writerows(table)
    content = text.getvalue().encode("utf-8", "surrogatepass")
    content = gzip.compress(content) if ending.endswith("gz") else content
    data = read(content, ending, missing=missing, control=control)
    if data is not None:
        check(data)
        assert missing == "omit" or not np.isnan(data.values).any()


@given(
    content=st.binary(max_size=300) | st.lists(PIECES, max_size=60).map(b"".join),
    ending=st.sampled_from([".csv", ".csv.gz", ".parquet", ".h5ad", ".txt"]),
    signature=st.sampled_from([b"", b"PAR1", b"\x89HDF\r\n\x1a\n", b"\x1f\x8b\x08", b"a,b,did\n"]),
)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_bytes(content, ending, signature):
    pytest.importorskip("pyarrow", reason="the parquet extra is not installed")
    pytest.importorskip("anndata", reason="the anndata extra is not installed")
    data = read(signature + content, ending)
    if data is not None:
        check(data)


@given(
    labels=st.lists(st.sampled_from(["control", "a", "b", "zz"]), min_size=4, max_size=9),
    seed=st.integers(0, 1000),
)
@settings(max_examples=50, deadline=None, derandomize=True)
def test_good_tables_are_read(labels, seed):
    labels = ["control", "a", *labels]
    values = np.random.default_rng(seed).normal(size=(len(labels), 2))
    rows = [f"{a!r},{b!r},{label}" for (a, b), label in zip(values.tolist(), labels, strict=True)]
    data = read("\n".join(["a,b,did", *rows]).encode(), ".csv")
    assert data is not None
    assert data.values.tolist() == values.tolist()
    codes = {"control": -1, "a": 0, "b": 1, "zz": -2}
    assert data.targets.tolist() == [codes[label] for label in labels]
