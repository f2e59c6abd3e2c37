"""read_table: the right reader for each file, and the real files."""

from __future__ import annotations

import os

import numpy as np
import pandas
import pytest

import intersort
from intersort import (
    InputError,
    InterventionalData,
    MetadataColumnWarning,
    RawCountsWarning,
    UnusedRowsWarning,
    read_table,
)


def test_paths_that_cannot_be_read(tmp_path):
    (tmp_path / "screen.csv").write_text("a,b,did\n")
    cases = {
        tmp_path: "is a directory. Expected one file: .csv",
        tmp_path / "scren.csv": "There is no file .*; did you mean 'screen.csv'",
        tmp_path / "qqq": "There is no file .*; check the path",
        tmp_path / "none" / "qqq": "There is no file",
        tmp_path / ("x" * 5000): "cannot be opened: File name too long",
        tmp_path / "a\0b": "holds a NUL character",
        "": "is a directory",
    }
    for path, message in cases.items():
        with pytest.raises(InputError, match=message):
            read_table(path, "did")


@pytest.mark.parametrize("ending", [".xlsx", ".XLS", ".pkl", ".npz", ".rds", ".zip"])
def test_files_of_other_programs_are_refused_by_name(tmp_path, ending):
    file = tmp_path / f"screen{ending}"
    file.write_bytes(b"anything")
    with pytest.raises(InputError, match=r"are not read. Save the table as \.csv"):
        read_table(file, "did")


def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(InputError, match="is not a regular file"):
        read_table(tmp_path / "pipe.csv", "did")


def test_a_file_that_may_not_be_opened(tmp_path, monkeypatch):
    file = tmp_path / "screen.csv"
    file.write_text("a,b,did\n")

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(file), "open", refuse)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        read_table(file, "did")


def test_a_layer_of_a_table_of_text_is_refused(tmp_path):
    (tmp_path / "screen.csv").write_text("a,b,did\n")
    with pytest.raises(InputError, match=r"layer is for .h5ad files; 'screen\.csv' has"):
        read_table(tmp_path / "screen.csv", "did", layer="raw")


def test_the_source_is_kept(tmp_path):
    file = tmp_path / "screen.csv"
    file.write_text("a,b,did\n0.5,1.5,control\n1.5,2.5,a\n")
    for path in (file, str(file), bytes(file)):
        assert read_table(path, "did").source == str(file)


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv", "parquet"])
def test_what_was_written_is_read(tmp_path, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="the parquet extra is not installed")
    rng = np.random.default_rng(3)
    names = ["a", "b,; ", '"c"', "<i>d</i>", "é"]
    values = rng.normal(size=(40, 5)) * 10.0 ** rng.integers(-300, 300, size=(40, 5))
    frame = pandas.DataFrame(values, columns=names)
    frame["did"] = rng.choice([*names, "control"], 40)
    file = tmp_path / f"screen.{ending}"
    if ending == "parquet":
        frame.to_parquet(file)
    else:
        frame.to_csv(file, index=False, sep="\t" if ending == "tsv" else ",")
    data = read_table(file, "did")
    expected = InterventionalData.from_frame(frame, "did")
    assert data.names == tuple(names)
    np.testing.assert_array_equal(data.values, values)
    np.testing.assert_array_equal(data.targets, expected.targets)


def test_sachs(shared_data):
    file = shared_data / "sachs" / "sachs_wang2017_raw.csv"
    data = read_table(file, "intervention", "", ignore="experiment")
    assert data.values.shape == (5846, 11)
    assert data.names == tuple("Raf Mek Plcg PIP2 PIP3 Erk Akt PKA PKC P38 Jnk".split())  # noqa: SIM905
    assert (data.targets == -1).sum() == 1755
    counts = {data.names[j]: (data.targets == j).sum() for j in data.intervened}
    assert counts == {"Akt": 911, "PKC": 723, "PIP2": 810, "Mek": 799, "PIP3": 848}
    frame = pandas.read_csv(file)
    np.testing.assert_allclose(data.values, frame[list(data.names)], rtol=1e-15)
    again = InterventionalData.from_frame(frame, "intervention", "", ignore="experiment")
    np.testing.assert_array_equal(data.targets, again.targets)


def test_sachs_without_ignore_warns_of_the_experiment(shared_data):
    with pytest.warns(MetadataColumnWarning, match="'experiment'"):
        read_table(shared_data / "sachs" / "sachs_wang2017_raw.csv", "intervention", "")


def test_sachs_with_the_wrong_control_is_helped(shared_data):
    with pytest.raises(InputError, match=r"\(blank\) \(1,755 rows\).*probably the blank one"):
        read_table(shared_data / "sachs" / "sachs_wang2017_raw.csv", "intervention")


@pytest.mark.filterwarnings("ignore::intersort.RawCountsWarning")
def test_papalexi(shared_data):
    file = shared_data / "papalexi_eccite" / "papalexi_all299genes.csv.gz"
    ignore = ["guide", "top_guide_fraction", "bio_rep"]
    with pytest.warns(UnusedRowsWarning, match="11,422 of 20,729 rows are not used.*and 11 more"):
        data = read_table(file, "intervention", ignore=ignore)
    assert data.values.shape == (20729, 299)
    assert (data.targets == -1).sum() == 2386
    assert data.intervened.size == 9


def test_cropseq(shared_data):
    file = shared_data / "cropseq_mcf10a" / "cropseq_counts.csv"
    with (
        pytest.warns(RawCountsWarning, match="raw counts"),
        pytest.warns(UnusedRowsWarning, match="'MLL2' .149 rows., 'MLL3' .108 rows"),
    ):
        data = read_table(file, "intervention", ignore="nCount_RNA")
    assert (data.targets == -1).sum() == 409
    assert data.summary().constant_in_controls == ("CDKN2A", "PTPRD")


def test_causal_chamber(shared_data, tmp_path):
    file = shared_data / "causal_chamber_lt" / "lt_interventions_subset_ext.csv"
    with pytest.raises(InputError, match=r"No target remains.*'uniform_blue_mid' \(1,000"):
        read_table(file, "intervention", "uniform_reference")
    text = file.read_text().replace("uniform_red_mid", "red").replace("uniform_blue_strong", "blue")
    (tmp_path / "light.csv").write_text(text)
    with pytest.warns(intersort.IntersortWarning):
        data = read_table(tmp_path / "light.csv", "intervention", "uniform_reference")
    assert data.left_out == (("", "row index: the first column has no name"),)
    assert [data.names[j] for j in data.intervened] == ["red", "blue"]
    assert data.values.shape == (21000, 9)


def test_the_signature_of_the_issue(tmp_path):
    (tmp_path / "t.csv").write_text("a;b;c;did\n0.5;1;2;-\n1.5;0.25;3;-\n9.5;4.5;4;a\n")
    data = read_table(tmp_path / "t.csv", "did", "-", ["c"], ";")
    assert data.names == ("a", "b")
    assert data.control == ("-",)
