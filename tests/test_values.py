"""Values: shared where possible, refused where they are no numbers."""

from __future__ import annotations

import warnings
from decimal import Decimal

import numpy as np
import pytest
from scipy import sparse

from intersort import InputError, InterventionalData, MetadataColumnWarning, RawCountsWarning
from intersort._values import count_not_finite, find_whole

Y = ["control", "control", "x0", "x1"]
NAMES = ["x0", "x1", "x2"]


def table(**changes):
    values = np.array([[0.5, 1.5, 2.5], [1.5, 0.25, 1.0], [9.5, 4.5, 0.0], [0.5, 8.5, 1.5]])
    for place, value in changes.items():
        values[int(place[1]), int(place[2])] = value
    return values


def build(values, **options):
    return InterventionalData.from_arrays(values, Y, NAMES, **options)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "layout",
    [
        np.ascontiguousarray,
        np.asfortranarray,
        lambda values: np.repeat(values, 2, axis=1)[:, ::2],
        lambda values: values[::-1][::-1],
    ],
    ids=["C", "Fortran", "strided", "reversed"],
)
def test_float_arrays_are_shared_read_only_and_untouched(dtype, layout):
    values = layout(table().astype(dtype))
    before = values.copy()
    data = build(values)
    assert np.shares_memory(data.values, values)
    assert data.values.dtype == dtype
    assert not data.values.flags.writeable
    assert values.flags.writeable
    np.testing.assert_array_equal(values, before)


def test_read_only_arrays_are_taken():
    values = table()
    values.flags.writeable = False
    assert np.shares_memory(build(values).values, values)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.float16, np.longdouble, ">f8"])
def test_other_numbers_become_float64(dtype):
    values = np.array([[1, 2, 3], [4, -5, 6], [7, 8, 9], [0, 1, 5]]).astype(dtype)
    if np.dtype(dtype).kind == "u":
        values[1, 1] = 5
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RawCountsWarning)
        data = build(values)
    assert data.values.dtype == np.float64
    np.testing.assert_array_equal(data.values, values)


def test_booleans_and_lists_and_objects_become_float64():
    assert build(table() > 1).values.dtype == np.float64
    assert build(table().tolist()).values.tolist() == table().tolist()
    mixed = table().astype(object)
    mixed[0, 0] = Decimal("0.5")
    assert build(mixed).values.tolist() == table().tolist()


def parts_of(values):
    return values.data, values.indices, values.indptr


@pytest.mark.parametrize("container", ["csr_matrix", "csc_matrix", "csr_array", "csc_array"])
def test_sparse_tables_stay_as_they_are(container):
    values = getattr(sparse, container)(table())
    data = build(values)
    assert data.values.format == values.format
    assert type(data.values) is type(values)
    assert np.shares_memory(data.values.data, values.data)
    for kept, own in zip(parts_of(data.values), parts_of(values), strict=True):
        assert not kept.flags.writeable
        assert own.flags.writeable


@pytest.mark.parametrize("container", ["coo_matrix", "lil_array", "dok_matrix", "bsr_array"])
def test_other_sparse_formats_become_csc(container):
    data = build(getattr(sparse, container)(table()))
    assert data.values.format == "csc"
    assert not any(part.flags.writeable for part in parts_of(data.values))
    np.testing.assert_array_equal(data.values.toarray(), table())


@pytest.mark.parametrize("shell", [sparse.csr_matrix, sparse.csc_matrix])
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_duplicates_are_summed_and_the_input_is_not_modified(shell, dtype):
    indptr = [0, 3, 4, 4, 5] if shell is sparse.csr_matrix else [0, 3, 4, 5]
    stored = np.array([1, 2, -4, 3, 5], dtype=dtype)
    square = shell((stored, np.array([2, 0, 2, 1, 0]), np.array(indptr)), shape=(4, 3))
    parts = [part.copy() for part in (square.data, square.indices, square.indptr)]
    expected = square.toarray()
    for kept, part in zip((square.data, square.indices, square.indptr), parts, strict=True):
        kept[:] = part  # toarray() of some formats sorts
    data = build(square)
    assert data.values.has_canonical_format
    assert data.values.dtype == np.float64
    np.testing.assert_array_equal(data.values.toarray(), expected)
    for kept, part in zip((square.data, square.indices, square.indptr), parts, strict=True):
        np.testing.assert_array_equal(kept, part)


def test_sparse_is_never_densified():
    huge = sparse.csr_matrix(([1.5, 2.5], ([0, 1], [0, 1])), shape=(4, 2_000_000))
    data = InterventionalData.from_arrays(huge, [-1, -1, 0, 1])
    assert data.values.nnz == 2


def test_masked_cells_are_missing():
    masked = np.ma.masked_equal(table(), 9.5)
    with pytest.raises(InputError, match="Missing values"):
        build(masked)
    assert np.isnan(build(masked, missing="omit").values[2, 0])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
def test_missing_values_are_refused_with_their_counts_or_kept(form):
    values = form(table(r00=np.nan, r20=np.nan, r12=np.nan))
    with pytest.raises(InputError, match=r"Missing values \(NaN\) in 2 columns: 'x0' \(2\), 'x2'"):
        build(values)
    kept = build(values, missing="omit").values
    assert count_not_finite(kept)[0].tolist() == [2, 0, 1]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
@pytest.mark.parametrize("missing", ["refuse", "omit"])
@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
def test_infinities_are_always_refused(form, missing, infinity):
    values = form(table(r11=infinity, r00=np.nan))
    with pytest.raises(InputError, match=r"Infinite values \(inf\) in 1 column: 'x1' \(1\)"):
        build(values, missing=missing)


def test_values_near_the_largest_float_are_no_infinities():
    values = table()
    values[:] *= 1e307
    assert build(values).values.max() > 9e307


def test_missing_takes_two_words():
    with pytest.raises(InputError, match='missing must be "refuse" or "omit"; got \'drop\''):
        build(table(), missing="drop")


@pytest.mark.parametrize(
    "values, message",
    [
        (np.zeros(4), "Reshape your data"),
        ([[1, 2, 3], [1, 2]], "every row needs as many values as the others"),
        (np.zeros((4, 3, 2)), "3 dimensions"),
        (np.zeros((4, 3), dtype=complex), "Complex data not supported"),
        (sparse.csr_matrix(np.zeros((4, 3), dtype=complex)), "Complex data not supported"),
        (sparse.coo_array(np.zeros(4)), "sparse array with 1 dimension"),
        (np.zeros((4, 3), dtype="M8[s]"), "Values must be numbers; got an array of type datetime"),
        (np.array([[0, 1, 2]] * 3 + [[0, 1j, 2]], dtype=object), "Complex data not supported"),
        (
            np.array([[0, 1, 2]] * 3 + [[0, "a\nb", 2]], dtype=object),
            r"Column 'x1' holds 'a\\nb' in row 4, which is not a number.*ignore",
        ),
        (np.array([["1"] * 3] * 4), "Column 'x0' holds '1' in row 1"),
    ],
)
def test_what_is_no_table_of_numbers_is_refused(values, message):
    with pytest.raises(InputError, match=message):
        build(values)


@pytest.mark.parametrize("width", [0, 1])
def test_one_variable_is_refused(width):
    with pytest.raises(InputError, match=f"at least two variables; got n_features={width}"):
        InterventionalData.from_arrays(np.zeros((4, width)), [-1, -1, 0, 0])


@pytest.mark.parametrize("n_rows", [0, 1])
def test_one_row_is_refused(n_rows):
    with pytest.raises(InputError, match=f"got n_samples={n_rows}"):
        InterventionalData.from_arrays(np.zeros((n_rows, 3)), [-1] * n_rows)


@pytest.mark.parametrize(
    "names, message",
    [
        (["a", "b"], "2 names were given for 3 variables"),
        (["a", "b", "a"], "stand more than once: 'a'"),
        (["a", "b", 3, 4], "4 names were given"),
        (["a", "", "b"], "Column 2 has no name"),
        (["a", "b\x00", "c"], r"name of column 2, 'b\\x00', holds U\+0000"),
        (["a", "b\x1b[31m", "c"], r"'b\\x1b\[31m', holds U\+001B"),
        (["a", "b\ud800", "c"], r"'b\\ud800', holds U\+D800"),
        (["a", "b\u202e", "c"], r"'b\\u202e', holds U\+202E, .*not printable.*format character"),
        (["a", "b\u200b", "c"], r"holds U\+200B"),
        (["a", "b\u00a0c", "c"], r"'b\\xa0c', holds U\+00A0.*a space other than the plain one"),
        (["a", "b" * 2000, "c"], "has 2,000 characters .*at most 1,000"),
    ],
)
def test_names_are_distinct_printable_text(names, message):
    with pytest.raises(InputError, match=message):
        InterventionalData.from_arrays(table(), [-1, -1, 0, 1], names)


def test_names_of_data_built_from_parts_are_checked():
    with pytest.raises(InputError, match="Column 2 has no name"):
        InterventionalData(values=table()[:, :2], targets=np.arange(4) - 1, names=("a", " "))


def test_names_with_markup_are_accepted():
    names = ("<b>a</b>", "=1+1", "b & ç é 因")
    assert InterventionalData.from_arrays(table(), [-1, -1, 0, 1], names).names == names


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
def test_counts_bring_a_warning(form):
    counts = np.array([[0, 3, 1], [2, 0, 1], [5, 1, 0], [1, 9, 2]])
    with pytest.warns(RawCountsWarning, match="normalise first.*depth .a logarithm alone leaves"):
        build(form(counts))
    with pytest.warns(RawCountsWarning, match="All columns hold"):
        build(form(counts.astype(float)))


def test_counts_beside_a_share_bring_a_warning():
    counts = np.arange(80.0).reshape(4, 20)
    counts[:, 7] /= 100
    with pytest.warns(RawCountsWarning, match="All columns but 'x7' hold whole numbers"):
        InterventionalData.from_arrays(counts, [-1, -1, 0, 1])


@pytest.mark.parametrize("values", [table(), table() > 1, np.floor(table()) - 5], ids=str)
def test_other_tables_bring_none(values):
    build(values)


def test_an_integer_column_among_fractional_ones_is_named():
    values = table()
    values[:, 2] = [1, 1, 2, 3]
    with pytest.warns(MetadataColumnWarning, match="'x2'.*name it in ignore"):
        build(values)
    with pytest.warns(MetadataColumnWarning, match="'x2'"):
        build(sparse.csr_matrix(values))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_integer_columns_in_the_majority_are_named_too(form):
    values = np.column_stack([table()[:, :1], [[1, 7], [2, 7], [4, 6], [9, 5]]])
    with pytest.warns(MetadataColumnWarning, match="^2 integer columns .*'x1', 'x2'. If"):
        InterventionalData.from_arrays(form(values), [-1, -1, 0, 0])


def test_at_most_five_integer_columns_are_named():
    values = np.column_stack([table(), np.arange(28.0).reshape(4, 7)])
    with pytest.warns(MetadataColumnWarning, match="^7 integer columns .*'x7' and 2 more"):
        InterventionalData.from_arrays(values, [-1, -1, 0, 1])


def test_an_integer_column_that_was_intervened_on_or_is_constant_is_not():
    values = table()
    values[:, 1] = [1, 1, 2, 3]
    values[:, 2] = 4
    values = np.column_stack([values, table()])
    InterventionalData.from_arrays(values, [-1, -1, 0, 1])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
def test_columns_of_whole_numbers_are_found(form):
    values = np.array([[0.5, np.nan, 2.0, 0], [1.0, 2.0, -1.0, 0]])
    whole, empty, any_negative = find_whole(form(values))
    assert whole.tolist() == [False, True, True, True]
    assert empty.tolist() == [False, False, False, True]
    assert any_negative


def test_a_table_larger_than_a_block_is_read_to_its_end():
    values = np.zeros((3_000, 700))
    values[-1, 3], values[-2, 4] = 0.5, np.nan
    whole, empty, _ = find_whole(values)
    assert np.flatnonzero(~whole).tolist() == [3]
    assert np.flatnonzero(~empty).tolist() == [3, 4]
    assert np.flatnonzero(count_not_finite(values)[0]).tolist() == [4]
