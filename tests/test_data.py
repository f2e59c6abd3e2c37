"""InterventionalData: one border, and everything that comes in through it."""

from __future__ import annotations

import dataclasses
import tracemalloc
import warnings

import numpy as np
import pandas
import pytest
from scipy import sparse

import intersort
from intersort import InputError, InterventionalData, UnusedRowsWarning

X = np.array([[0.5, 1.5], [1.5, 0.25], [9.5, 4.5], [0.5, 8.5], [3.5, 2.5]])
Y = ["control", "control", "a", "b", "a"]


def test_arrays_with_names():
    data = InterventionalData.from_arrays(X, Y, ["a", "b"])
    assert data.targets.tolist() == [-1, -1, 0, 1, 0]
    assert data.targets.dtype == np.int64
    assert not data.targets.flags.writeable
    assert data.names == ("a", "b")
    assert data.intervened.tolist() == [0, 1]
    assert data.control == ("control",)


def test_names_default_to_numbers():
    assert InterventionalData.from_arrays(X, [-1, -1, 0, 1, 0]).names == ("x0", "x1")


def test_a_frame_in_place_of_an_array_keeps_its_names():
    data = InterventionalData.from_arrays(pandas.DataFrame(X, columns=["a", "b"]), Y)
    assert data.names == ("a", "b")


@pytest.mark.parametrize("names", [None, ["c", "d"]])
def test_a_frame_of_sparse_columns_stays_sparse(names):
    frame = pandas.DataFrame.sparse.from_spmatrix(sparse.csr_matrix(X), columns=["a", "b"])
    data = InterventionalData.from_arrays(frame, [-1, -1, 0, 1, 0], names)
    assert sparse.issparse(data.values)
    assert data.values.toarray().tolist() == X.tolist()
    assert data.names == tuple(names or ("a", "b"))


def test_the_signatures_of_the_issue():
    labels = ["-", "-", "a", "b", "a"]
    frame = pandas.DataFrame(X, columns=["a", "b"]).assign(c=0.5, label=labels)
    assert InterventionalData.from_arrays(X, labels, ["a", "b"], "-").control == ("-",)
    data = InterventionalData.from_frame(frame, "label", "-", "c")
    assert data.names == ("a", "b")
    assert data.control == ("-",)


def test_the_signature_of_from_anndata():
    anndata = pytest.importorskip("anndata")
    obs = pandas.DataFrame({"label": ["-", "-", "a", "b", "a"]}, index=list("vwxyz"))
    var = pandas.DataFrame(index=["a", "b"])
    adata = anndata.AnnData(X.copy(), obs=obs, var=var, layers={"raw": X + 0.25})
    data = InterventionalData.from_anndata(adata, "label", "-", "raw")
    assert data.values.tolist() == (X + 0.25).tolist()


def test_labels_may_be_any_column():
    polars = pytest.importorskip("polars")
    for column in (
        pandas.Series(Y),
        pandas.Series(Y, dtype="string"),
        pandas.Series(Y, dtype="category"),
        pandas.Series([-1, -1, 0, 1, 0], dtype="Int64"),
        polars.Series(Y),
        polars.Series(Y, dtype=polars.Categorical),
        polars.Series([-1, -1, 0, 1, 0]),
    ):
        data = InterventionalData.from_arrays(X, column, ["a", "b"])
        assert data.targets.tolist() == [-1, -1, 0, 1, 0]


@pytest.mark.parametrize("missing", [None, "NA"])
def test_missing_labels_of_a_column_are_blank(missing):
    labels = [missing and pandas.NA, missing and pandas.NA, "a", "b", "a"]
    for dtype in (object, "string", "category"):
        column = pandas.Series(labels, dtype=dtype)
        data = InterventionalData.from_arrays(X, column, ["a", "b"], control="")
        assert data.targets.tolist() == [-1, -1, 0, 1, 0]
        assert data.control == ("(blank)",)


def test_rows_with_unknown_labels_stay_and_are_counted():
    with pytest.warns(UnusedRowsWarning, match="2 of 5 rows are not used.*'c' .2 rows") as caught:
        data = InterventionalData.from_arrays(X, ["control", "c", "a", "c", "a"], ["a", "b"])
    assert caught[0].filename == __file__
    assert data.values.shape == (5, 2)
    assert data.targets.tolist() == [-1, -2, 0, -2, 0]
    assert data.unused == (("c", 2),)
    assert "2 rows not used" in repr(data)


def test_it_is_frozen():
    data = InterventionalData.from_arrays(X, Y, ["a", "b"])
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.names = ("c", "d")
    with pytest.raises(ValueError, match="read-only"):
        data.values[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        data.targets[0] = 1


def test_it_can_be_built_from_its_parts():
    data = InterventionalData(values=X, targets=np.array([-1, -1, 0, 1, 0]), names=("a", "b"))
    assert repr(data) == (
        "InterventionalData: 5 rows × 2 variables (dense), 2 controls, 2 variables intervened on"
    )
    with pytest.raises(InputError, match=r"need 5 targets and 2 names; got 1 and 2"):
        InterventionalData(values=X, targets=np.array([-1]), names=("a", "b"))


def test_warnings_point_at_the_caller():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        InterventionalData.from_arrays(np.floor(X), Y, ["a", "b"])
    assert [one.filename for one in caught] == [__file__]


def _peak(work):
    """Bytes that a call has allocated at its worst moment."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_arrays_are_not_copied_and_frames_and_files_once(tmp_path):
    values = np.random.default_rng(0).normal(size=(10_000, 50))
    targets = np.arange(10_000) % 51 - 1
    frame = pandas.DataFrame(values, columns=[f"x{j}" for j in range(50)]).assign(did=targets)
    frame["did"] = np.where(targets < 0, "control", np.char.add("x", targets.astype(str)))
    frame.to_csv(tmp_path / "t.csv", index=False)
    for work, most in (
        (lambda: InterventionalData.from_arrays(values, targets), 0.5),
        (lambda: InterventionalData.from_frame(frame, "did"), 1.5),
        (lambda: intersort.read_table(tmp_path / "t.csv", "did"), 1.6),
    ):
        work()  # what is imported on the way does not count
        assert _peak(work) < most * values.nbytes


def test_scikit_learn_phrases():
    with pytest.raises(InputError, match="n_features=1"):
        InterventionalData.from_arrays(X[:, :1], [1, 1, 0, 0, 0], control=1)
    with pytest.raises(InputError, match="n_samples=1"):
        InterventionalData.from_arrays(X[:1], [1], control=1)
    with pytest.raises(InputError, match="NaN"):
        InterventionalData.from_arrays(np.where(X > 9, np.nan, X), [1, 1, 0, 0, 0], control=1)
    with pytest.raises(InputError, match="inf"):
        InterventionalData.from_arrays(np.where(X > 9, np.inf, X), [1, 1, 0, 0, 0], control=1)
    assert issubclass(InputError, ValueError)


def test_all_constructors_agree(tmp_path):
    anndata = pytest.importorskip("anndata")
    polars = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(X, columns=["a", "b"]).assign(label=Y)
    adata = anndata.AnnData(
        X.copy(),
        obs=pandas.DataFrame({"label": Y}, index=list("vwxyz")),
        var=pandas.DataFrame(index=["a", "b"]),
    )
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "t.tsv.gz", index=False, sep="\t")
    frame.to_parquet(tmp_path / "t.parquet")
    adata.write_h5ad(tmp_path / "t.h5ad")
    expected = InterventionalData.from_arrays(X, Y, ["a", "b"])
    for data in (
        InterventionalData.from_frame(frame, "label"),
        InterventionalData.from_frame(polars.from_pandas(frame), "label"),
        InterventionalData.from_anndata(adata, "label", "control"),
        *(intersort.read_table(tmp_path / f"t.{end}", "label") for end in
          ("csv", "tsv.gz", "parquet", "h5ad")),
    ):  # fmt: skip
        np.testing.assert_array_equal(data.values, expected.values)
        np.testing.assert_array_equal(data.targets, expected.targets)
        assert data.names == expected.names
