"""AnnData, in memory and as a file."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from scipy import sparse

from intersort import InputError, InterventionalData, _memory, _optional, read_table

anndata = pytest.importorskip("anndata", reason="the anndata extra is not installed")
h5py = pytest.importorskip("h5py", reason="the anndata extra is not installed")

X = np.array([[0.5, 1.5, 0], [1.5, 0.25, 2.5], [9.5, 4.5, 0], [0.5, 8.5, 1.5]])
LABELS = ["NT", "NT", "JAK2", "STAT1"]
GENES = ["JAK2", "STAT1", "IRF1"]


def cells(values=X, labels=LABELS, **layers):
    return anndata.AnnData(
        values,
        obs=pandas.DataFrame({"guide": labels}, index=["w", "x", "y", "z"]),
        var=pandas.DataFrame(index=GENES),
        layers=layers,
    )


@pytest.fixture
def read(tmp_path):
    """Write an AnnData to a file and read it back as a table."""

    def write_and_read(adata, targets="guide", control="NT", **options):
        adata.write_h5ad(tmp_path / "t.h5ad")
        return read_table(tmp_path / "t.h5ad", targets, control, **options)

    return write_and_read


@pytest.mark.parametrize("form", [np.asarray, np.float32, sparse.csr_matrix, sparse.csc_matrix])
def test_x_is_taken_as_it_is(read, form):
    adata = cells(form(X))
    for data in (InterventionalData.from_anndata(adata, "guide", "NT"), read(adata)):
        assert data.names == tuple(GENES)
        assert data.targets.tolist() == [-1, -1, 0, 1]
        if sparse.issparse(adata.X):
            assert data.values.format == adata.X.format
        else:
            assert data.values.dtype == adata.X.dtype
        dense = data.values.toarray() if sparse.issparse(data.values) else data.values
        np.testing.assert_array_equal(dense, X)
    np.testing.assert_array_equal(adata.X.toarray() if sparse.issparse(adata.X) else adata.X, X)


def test_a_layer_can_be_taken(read):
    adata = cells(X, log=sparse.csr_matrix(np.log1p(X)))
    for data in (
        InterventionalData.from_anndata(adata, "guide", "NT", layer="log"),
        read(adata, layer="log"),
    ):
        np.testing.assert_array_equal(data.values.toarray(), np.log1p(X))


def test_views_and_backed_files(tmp_path):
    for form in (np.asarray, sparse.csr_matrix):
        adata = cells(form(X))
        view = InterventionalData.from_anndata(adata[:, [1, 0]], "guide", "NT")
        assert view.names == ("STAT1", "JAK2")
        assert view.targets.tolist() == [-1, -1, 1, 0]
        adata.write_h5ad(tmp_path / "t.h5ad")
        backed = anndata.read_h5ad(tmp_path / "t.h5ad", backed="r")
        data = InterventionalData.from_anndata(backed, "guide", "NT")
        backed.file.close()
        assert data.values.shape == X.shape


def test_labels_in_a_file_are_text_and_positions_in_memory(read):
    adata = cells(labels=[-1, -1, 0, 1])
    assert InterventionalData.from_anndata(adata, "guide").targets.tolist() == [-1, -1, 0, 1]
    with pytest.raises(InputError, match="No control rows"):
        read(adata, control="control")


def test_blank_labels_can_be_the_control(read):
    adata = cells(labels=pandas.Categorical([None, None, "JAK2", "STAT1"]))
    assert read(adata, control="").targets.tolist() == [-1, -1, 0, 1]
    assert InterventionalData.from_anndata(adata, "guide", "").targets.tolist() == [-1, -1, 0, 1]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_variables_to_ignore(read, form):
    data = read(cells(form(X)), ignore="IRF1")
    assert data.names == ("JAK2", "STAT1")
    assert data.left_out == (("IRF1", "ignored"),)
    assert data.values.shape == (4, 2)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"targets": "guid"}, "obs has no column 'guid'; did you mean 'guide'"),
        ({"targets": "zzz"}, "obs has no column 'zzz'; there are 'guide'"),
        ({"layer": "log"}, "There is no layer 'log'; there are none"),
        ({"ignore": "IRF2"}, "There is no variable 'IRF2'; did you mean 'IRF1'"),
        ({"separator": ","}, "separator is for files of text; a .h5ad file has none"),
    ],
)
def test_what_is_not_there_is_named(read, options, message):
    with pytest.raises(InputError, match=message):
        read(cells(), **options)


def test_what_is_not_there_in_memory():
    with pytest.raises(InputError, match="obs has no column 'guid'"):
        InterventionalData.from_anndata(cells(), "guid", "NT")
    with pytest.raises(InputError, match="There is no layer 'raw'; did you mean 'raw2'"):
        InterventionalData.from_anndata(cells(raw2=X), "guide", "NT", layer="raw")
    with pytest.raises(InputError, match="This AnnData has no X; name a layer"):
        InterventionalData.from_anndata(cells(None, log=X), "guide", "NT")
    with pytest.raises(InputError, match="adata must be an AnnData object; got 'ndarray'"):
        InterventionalData.from_anndata(X, "guide", "NT")


def test_a_file_without_x(read):
    with pytest.raises(InputError, match="This file has no X; name a layer"):
        read(cells(None, log=X))


def test_repeated_genes_are_refused(tmp_path):
    adata = cells()
    file = tmp_path / "t.h5ad"
    adata.write_h5ad(file)
    with h5py.File(file, "r+") as opened:
        index = opened["var"][opened["var"].attrs["_index"]]
        # From anndata 0.13 on text is a group of values and a mask.
        (index["values"] if isinstance(index, h5py.Group) else index)[1] = "JAK2"
    with pytest.raises(InputError, match="stand more than once: 'JAK2'"):
        read_table(file, "guide", "NT")


def test_a_fake_or_damaged_file(tmp_path):
    file = tmp_path / "t.h5ad"
    file.write_text("a,b,did\n1,2,control\n")
    with pytest.raises(InputError, match=r"ends in \.h5ad but is not an HDF5 file"):
        read_table(file, "did")
    file.write_bytes(b"\x89HDF\r\n\x1a\n" + b"\0" * 500)
    with pytest.raises(InputError, match="is damaged or no AnnData file"):
        read_table(file, "did")
    with h5py.File(file, "w") as opened:
        opened["X"] = X
    with pytest.raises(InputError, match="HDF5 file without obs: no AnnData was stored"):
        read_table(file, "did")


def test_a_table_that_memory_cannot_hold_is_refused_before_it_is_read(read, tmp_path, monkeypatch):
    read(cells())
    with h5py.File(tmp_path / "t.h5ad", "r+") as opened:
        attributes = dict(opened["X"].attrs)
        del opened["X"]
        huge = opened.create_dataset("X", (10**9, 10**5), "f4", chunks=(10**3, 10**3))
        huge.attrs.update(attributes)
    with pytest.raises(InputError, match=r"by its metadata. needs about 400\.0 TB of memory"):
        read_table(tmp_path / "t.h5ad", "guide", "NT")
    monkeypatch.setattr(_memory, "free_memory", lambda: 50)
    for form in (np.asarray, sparse.csr_matrix):
        with pytest.raises(InputError, match="by its metadata"):
            read(cells(form(X)))


def test_the_signature_is_checked_before_the_extra_is_imported(tmp_path, monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(_optional.importlib, "import_module", missing)
    file = tmp_path / "t.h5ad"
    file.write_bytes(b"no")
    with pytest.raises(InputError, match="not an HDF5 file"):
        read_table(file, "did")
    file.write_bytes(b"\x89HDF\r\n\x1a\n")
    with pytest.raises(_optional.MissingExtraError, match=r'pip install "intersort\[anndata\]"'):
        read_table(file, "did")
