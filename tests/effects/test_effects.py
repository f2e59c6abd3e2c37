"""Effects from a matrix: what is taken, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from intersort import Effects, InputError


def test_rows_are_sorted_with_their_targets_and_the_diagonal_is_zeroed() -> None:
    given = np.array([[1.0, 2.0, 9.0], [7.0, 3.0, 4.0]])
    effects = Effects.from_matrix(given, [2, 0], names=["a", "b", "c"])
    assert effects.intervened.tolist() == [0, 2]
    assert effects.distance.tolist() == [[0.0, 3.0, 4.0], [1.0, 2.0, 0.0]]
    assert effects.intervened_names == ("a", "c")
    assert effects.control_sd is None
    assert effects.n_rows is None
    assert given[0, 2] == 9.0, "the input must not be modified"


def test_a_square_matrix_needs_no_targets_and_no_names() -> None:
    effects = Effects.from_matrix(np.full((3, 3), 5.0))
    assert effects.intervened.tolist() == [0, 1, 2]
    assert effects.names == ("x0", "x1", "x2")
    assert np.array_equal(effects.distance, 5.0 - 5.0 * np.eye(3))


def test_no_target_at_all_is_allowed() -> None:
    effects = Effects.from_matrix(np.empty((0, 3)), [])
    assert effects.distance.shape == (0, 3)
    assert effects.intervened.dtype == np.int64
    assert effects.to_frame().shape == (0, 3)
    assert repr(effects) == "Effects(0 of 3 variables intervened on)"


def test_whatever_stands_on_the_diagonal_is_ignored() -> None:
    effects = Effects.from_matrix([[np.nan, 1.0], [2.0, -3.0]])
    assert effects.distance.tolist() == [[0.0, 1.0], [2.0, 0.0]]


def test_frame_has_targets_as_rows() -> None:
    frame = Effects.from_matrix([[4.0, 0.5]], [1], names=["gene", "target"]).to_frame()
    assert frame.index.tolist() == ["target"]
    assert frame.index.name == "target"
    assert frame.loc["target", "gene"] == 4.0


def test_repr_says_what_was_measured() -> None:
    effects = Effects.from_matrix([[0.0, 1.5], [0.2, 0.0]])
    assert (
        repr(effects) == "Effects(2 of 2 variables intervened on, wasserstein distances up to 1.5)"
    )


@pytest.mark.parametrize(
    ("distance", "intervened", "message"),
    [
        (
            [[0.0, -1.0], [0.0, 0.0]],
            None,
            "1 distances are negative, NaN or infinite.*'x0' to 'x1'",
        ),
        ([[0.0, np.nan], [0.0, 0.0]], None, "negative, NaN or infinite"),
        ([[0.0, np.inf], [0.0, 0.0]], None, "negative, NaN or infinite"),
        ([[0.0, 1.0]], None, "1 rows and 2 columns. Give `intervened`"),
        ([[0.0, 1.0]], [0, 1], "2 entries and the distances have 1 rows"),
        ([[0.0, 1.0]], [2], r"holds column '2', but the columns are numbered 0 … 1"),
        ([[0.0, 1.0]], [-1], r"holds column '-1'"),
        ([[0.0, 1.0], [1.0, 0.0]], [1, 1], "column '1' more than once"),
        ([[0.0, 1.0]], [0.5], "must be a list of column positions"),
        ([[0.0, 1.0]], ["x0"], "must be a list of column positions"),
        ([0.0, 1.0], None, r"must be a matrix.*shape \(2,\)"),
        ([["a", "b"]], None, "must be a matrix of numbers"),
        ([[0.0, 1.0], [1.0]], None, "must be a matrix of numbers"),
    ],
)
def test_a_bad_matrix_is_refused(distance: object, intervened: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Effects.from_matrix(distance, intervened)  # type: ignore[arg-type]


def test_names_must_fit_the_columns() -> None:
    with pytest.raises(InputError, match="1 names were given for 2 variables"):
        Effects.from_matrix(np.zeros((2, 2)), names=["a"])
    with pytest.raises(InputError, match="stand more than once: 'a'"):
        Effects.from_matrix(np.zeros((2, 2)), names=["a", "a"])


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", ""], "Column 2 has no name"),
        (["a\0", "b"], r"name of column 1, 'a\\x00', holds U\+0000"),
        (["a", "b\u202e"], r"holds U\+202E, a character that is not printable"),
        (["a", "b" * 1001], "has 1,001 characters"),
    ],
)
def test_names_are_checked_as_those_of_data(names: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Effects.from_matrix([[0.0, 1.0], [2.0, 0.0]], names=names)


def test_distances_are_read_only_and_the_input_is_not() -> None:
    given = np.ones((2, 2))
    effects = Effects.from_matrix(given)
    with pytest.raises(ValueError, match="read-only"):
        effects.distance[0, 1] = 3.0
    assert given.flags.writeable
