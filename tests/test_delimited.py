"""CSV and TSV files: every broken one gets one clear message."""

from __future__ import annotations

import gzip
import struct

import numpy as np
import pytest

from intersort import InputError, _delimited, _memory, read_table
from intersort._delimited import parse_number

GOOD = "a,b,did\n0.5,1.5,control\n1.5,0.25,control\n9.5,4.5,a\n0.5,8.5,b\n"


@pytest.fixture
def read(tmp_path):
    """Write text or bytes to a file and read it back as a table."""

    def write_and_read(content, name="table.csv", **options):
        file = tmp_path / name
        data = content if isinstance(content, bytes) else content.encode()
        file.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return read_table(file, options.pop("targets", "did"), **options)

    return write_and_read


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.txt", "t.CSV.GZ", "t.csv.gz", "t.dat", "t"])
@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_the_separator_is_found(read, name, separator):
    name = name.replace(".CSV.GZ", ".csv.gz")
    data = read(GOOD.replace(",", separator), name)
    assert data.names == ("a", "b")
    assert data.targets.tolist() == [-1, -1, 0, 1]
    assert data.values.tolist() == [[0.5, 1.5], [1.5, 0.25], [9.5, 4.5], [0.5, 8.5]]


@pytest.mark.parametrize("given, written", [("|", "|"), ("\\t", "\t"), ("tab", "\t"), (" ", " ")])
def test_the_separator_can_be_given(read, given, written):
    assert read(GOOD.replace(",", written), separator=given).names == ("a", "b")


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        GOOD.rstrip("\n"),
        "\n\n" + GOOD.replace("\n", "\n\n") + "  \n",
        GOOD.replace("a,b", '"a","b"').replace("0.5", '"0.5"').replace("control", '"control"'),
        GOOD.replace("0.5", " 0.5 "),
        GOOD.replace("0.5", "5E-1"),
    ],
    ids=["BOM", "CRLF", "CR", "no last line end", "blank lines", "quotes", "spaces", "exponent"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_ways_to_write_the_same(read, text, name):
    data = read(text, name)
    assert data.names == ("a", "b")
    assert data.targets.tolist() == [-1, -1, 0, 1]
    assert data.values.tolist() == [[0.5, 1.5], [1.5, 0.25], [9.5, 4.5], [0.5, 8.5]]


def test_quoted_names_with_separators_and_labels_with_line_ends(read):
    data = read(
        '"a,;1",b,did\n0.5,1.5,"con\ntrol"\n9.5,4.25,"a,;1"\n0.5,8.5,"b"\n', control="con\ntrol"
    )
    assert data.names == ("a,;1", "b")
    assert data.targets.tolist() == [-1, 0, 1]


@pytest.mark.parametrize("cell", ["", "NA", "n/a", "NaN", "nan", "NULL", "Null", "  ", "N/A"])
def test_words_for_missing_values(read, cell):
    text = GOOD.replace("0.25", cell)
    with pytest.raises(InputError, match=r"Missing values \(NaN\) in 1 column: 'b' \(1\)"):
        read(text)
    assert np.isnan(read(text, missing="omit").values[1, 1])


@pytest.mark.parametrize("cell", ["inf", "-Inf", "infinity", "1e999"])
def test_infinities_are_refused(read, cell):
    with pytest.raises(InputError, match="Infinite values"):
        read(GOOD.replace("0.25", cell), missing="omit")


@pytest.mark.parametrize("cell", ["x", "1_000", "None", "0x10", "1,5", "--", "٣", "1 2", "TRUE"])
def test_text_in_a_value_column_is_refused_with_its_place(read, cell):
    quoted = f'"{cell}"'
    with pytest.raises(InputError) as caught:
        read(GOOD.replace("4.5", quoted))
    start = f"Column 'b' holds {cell!r} in row 3 (line 4 of the file), which is not a number."
    assert str(caught.value).startswith(start)
    assert "ignore (--ignore)" in str(caught.value)


def test_what_a_message_shows_is_escaped_and_short(read):
    with pytest.raises(InputError) as caught:
        read(GOOD.replace("4.5", "\x1b[31m" + "y" * 1000))
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_labels_are_text(read):
    text = "1,NA,did\n0.5,1.5,None\n0.25,0.5,\n9.5,4.5,NA\n0.5,8.5,1\n"
    data = read(text, control=["None", ""])
    assert data.targets.tolist() == [-1, -1, 1, 0]


def test_numbers_come_back_to_the_last_bit(read):
    random = np.random.default_rng(0).integers(0, 2**63, 2000).tolist()
    numbers = [struct.unpack("d", struct.pack("q", bits))[0] for bits in random]
    numbers = [number for number in numbers if np.isfinite(number)][:1500]
    rows = "".join(f"{number!r},{-number!r},a\n" for number in numbers)
    data = read("a,b,did\n0.5,1.5,control\n" + rows)
    assert data.values[1:, 0].tolist() == numbers
    assert data.values[1:, 1].tolist() == [-number for number in numbers]


def test_an_unnamed_first_column_is_left_out(read):
    data = read(";a;b;did\n0;0.5;1.5;control\ncell;9.5;4.5;a\n")
    assert data.names == ("a", "b")
    assert data.left_out == (("", "row index: the first column has no name"),)


@pytest.mark.parametrize(
    "content, options, message",
    [
        ("", {}, "is empty. Expected a header"),
        ("\n \n\n", {}, "is empty"),
        ("a,b,did\n", {}, "has a header and no rows"),
        ("did\ncontrol\n", {}, "no column of values beside the labels"),
        ("a,did\n0.5,control\n2.5,a\n", {}, "at least two variables; got n_features=1"),
        (GOOD.replace("control", "ctrl"), {}, "No control rows.*'ctrl' .2 rows.*probably 'ctrl'"),
        (GOOD.replace(",a\n", ",x\n").replace(",b\n", ",y\n"), {}, "No target remains"),
        (GOOD, {"targets": "Did"}, "no column 'Did', given as targets; did you mean 'did'"),
        (GOOD, {"ignore": "c"}, "no column 'c', given as ignore"),
        (GOOD.replace("b,did", "a,did"), {}, "stand more than once: 'a'"),
        (GOOD.replace("b,did", ",did"), {}, "Column 2 has no name"),
        (GOOD.replace("b,did", '"b\nc",did'), {}, r"'b\\nc', holds U\+000A"),
        (GOOD.replace("b,did", "b\x1b,did"), {}, r"'b\\x1b', holds U\+001B"),
        (GOOD.replace("9.5", "-nan"), {}, "Column 'a' holds '-nan' in row 3"),
        (GOOD.replace("9.5", " +NaN"), {}, r"Column 'a' holds ' \+NaN' in row 3"),
        (GOOD.replace("9.5,4.5", "-NAN,"), {}, "Column 'a' holds '-NAN' in row 3"),
        (GOOD.replace("9.5,4.5,a", "9.5,a"), {}, r"Row 3 of .* \(line 4\) has 2 fields"),
        (GOOD.replace("9.5,4.5,a", "7,9.5,4.5,a"), {}, "has 4 fields.*first column is a row index"),
        (GOOD.replace("9.5,4.5,a", '9.5,4.5,"a'), {}, "cannot be read as a table.*quotes must be"),
        (GOOD.replace("9.5,4.5,a", '9.5,"4"5,a'), {}, "cannot be read as a table"),
        ("a,b," + "d" * 200_000 + "\n", {}, "a cell may hold at most 131,072 characters"),
        (GOOD.replace("4.5", "4" * 10_000_000), {}, "a cell may hold at most 131,072 characters"),
        (GOOD.replace(",a\n", "," + "a" * 10_000_000 + "\n"), {}, "at most 131,072 characters"),
        (GOOD.replace("9.5", "9.5\x00"), {}, "is a binary file, not text. Expected CSV"),
        (b"\x89PNG\r\n\x1a\n\xff\xfe\x00\x01", {}, "is a binary file"),
        (b"PK\x03\x04\xff\xff", {}, "is a binary file"),
        (gzip.compress(GOOD.encode()), {}, "is a binary file"),
        (GOOD.encode("utf-16"), {}, "is a binary file"),
        (GOOD.replace("b,did", "é,did").encode("latin-1"), {}, "is not text in UTF-8.*save it"),
        (GOOD, {"separator": ",,"}, "separator must be one character.*got ',,'"),
        (GOOD, {"separator": "\n"}, "separator must be one character"),
        (GOOD, {"separator": ""}, "separator must be one character"),
        (GOOD, {"separator": "|"}, "There is no column 'did'"),
    ],
)  # fmt: skip
def test_every_broken_file_gets_its_message(read, content, options, message):
    with pytest.raises(InputError, match=message):
        read(content, **options)


def test_a_gz_file_that_is_none_or_is_cut_off(tmp_path):
    file = tmp_path / "t.csv.gz"
    packed = gzip.compress((GOOD + "1.5,2.5,a\n" * 500).encode())
    for content in (
        GOOD.encode(),
        packed[:-20],
        packed[:-8] + bytes(8),
        packed[:10] + b"\xff" * 50,
    ):
        file.write_bytes(content)
        with pytest.raises(InputError, match=r"ends in \.gz but is not a whole gzip file"):
            read_table(file, "did")


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_a_table_that_memory_cannot_hold_is_refused_before_it_is_read(read, monkeypatch, name):
    text = "a,b,did\n" + "0.5,1.5,control\n" * 5000 + "2.5,1.5,a\n"
    monkeypatch.setattr(_memory, "free_memory", lambda: 50_000)
    monkeypatch.setattr(_delimited, "_read_rows", lambda *_: pytest.fail("the file was read"))
    with pytest.raises(
        InputError, match=r"by the size of the file. needs about 80\.\d kB.* 50.0 kB"
    ):
        read(text, name)


def test_a_file_that_hides_its_size_is_stopped_while_it_is_read(read, monkeypatch):
    monkeypatch.setattr(_delimited, "_check_size", lambda *_: None)
    monkeypatch.setattr(_delimited, "free_memory", lambda: 10_000)
    with pytest.raises(InputError, match=r"does not fit: \d+\.\d kB read, 10.0 kB left"):
        read("a,b,did\n" + "0.5,1.5,control\n" * 20_000, "t.csv.gz")


def test_a_line_without_end_is_no_text(read, monkeypatch):
    monkeypatch.setattr(_delimited, "_LONGEST_LINE", 100)
    with pytest.raises(InputError, match="is a binary file"):
        read(GOOD.replace("9.5", "9" * 200))


@pytest.mark.parametrize("cell, number", [("1.5", 1.5), (" -2e3 ", -2000.0), ("+7", 7.0)])
def test_cells_that_are_numbers(cell, number):
    assert parse_number(cell) == number
