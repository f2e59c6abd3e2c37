"""read(write(x)) = x, and each way in which a file can be wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from intersort import Effects, InputError, read_effects
from intersort.effects.files import write_effects

KINDS = ("csv", "parquet")
AWKWARD = ("target", "n_rows", "distance", 'a"b,c', "<b>é</b>", " x ", "(control sd)", "")


def assert_same(read: Effects, written: Effects) -> None:
    assert read.names == written.names
    assert read.measured_by == written.measured_by
    for field in ("distance", "intervened", "control_sd", "n_rows", "n_without_values"):
        ours, theirs = getattr(read, field), getattr(written, field)
        assert (ours is None) == (theirs is None), field
        if ours is not None:
            assert ours.dtype == theirs.dtype
            assert ours.shape == theirs.shape
            assert ours.tobytes() == theirs.tobytes(), field


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_what_is_read_is_what_was_written(data: st.DataObject, tmp_path: Path) -> None:
    d = data.draw(st.integers(1, 6))
    intervened = data.draw(st.lists(st.integers(0, d - 1), unique=True, max_size=d))
    positive = st.floats(0.0, 1e308, allow_subnormal=True)
    matrix = data.draw(arrays(np.float64, (len(intervened), d), elements=positive))
    effects = Effects.from_matrix(matrix, intervened, names=AWKWARD[:d])
    if data.draw(st.booleans()):
        count = arrays(np.int64, len(intervened), elements=st.integers(0, 2**40))
        effects = replace(
            effects,
            control_sd=data.draw(arrays(np.float64, d, elements=positive)),
            n_rows=data.draw(count),
            n_without_values=data.draw(count),
            measured_by="energy",
        )
    for kind in KINDS:
        write_effects(effects, tmp_path / f"effects.{kind}")
        assert_same(read_effects(tmp_path / f"effects.{kind}"), effects)


def test_the_table_can_be_read_by_eye(tmp_path: Path) -> None:
    effects = replace(
        Effects.from_matrix([[9.0, 0.25, 1.0]], [0], names=["target", "b,c", "d"]),
        control_sd=np.array([1.0, 2.0, 0.5]),
        n_rows=np.array([100]),
        n_without_values=np.array([0]),
    )
    write_effects(effects, tmp_path / "effects.csv")
    assert (tmp_path / "effects.csv").read_text().splitlines() == [
        'target_,n_rows,n_without_values,distance,target,"b,c",d',
        "(control sd),,,wasserstein,1.0,2.0,0.5",
        "target,100,0,wasserstein,0.0,0.25,1.0",
    ]


def test_rows_in_another_order_and_a_byte_order_mark_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "saved_by_a_spreadsheet.csv"
    path.write_text(
        "\ufefftarget,n_rows,n_without_values,distance,a,b\r\n(control sd),,,energy,1,2\r\n"
        "b,20,0,energy,0.5,0\r\na,10,0,energy,0,3\r\n"
    )
    effects = read_effects(str(path))
    assert effects.intervened.tolist() == [0, 1]
    assert effects.distance.tolist() == [[0.0, 3.0], [0.5, 0.0]]
    assert effects.n_rows is not None
    assert effects.n_rows.tolist() == [10, 20]
    assert effects.measured_by == "energy"


def test_a_function_is_written_by_its_name(tmp_path: Path) -> None:
    def my_distance(control: np.ndarray, sample: np.ndarray) -> float:
        return 0.0

    effects = replace(Effects.from_matrix([[0.0, 1.0], [1.0, 0.0]]), measured_by=my_distance)
    write_effects(effects, tmp_path / "effects.csv")
    assert read_effects(tmp_path / "effects.csv").measured_by == "my_distance"


HEADER = "target,n_rows,n_without_values,distance,a,b\n"
CONTROL = "(control sd),,,wasserstein,1,2\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no table of effects: it is empty"),
        ("rank,variable\n1,a\n", "no table of effects: its header is another one"),
        ("target,n_rows,n_without_values,distance\n", "its header is another one"),
        (HEADER, r"its second row is not that of \(control sd\)"),
        (HEADER + "a,1,0,wasserstein,0,1\n", "its second row is not that of"),
        (HEADER + CONTROL + "a,1,0,wasserstein,0\n", "row 3: 5 cells under a header of 6"),
        (HEADER + CONTROL + "a,1,0,wasserstein,0,far\n", "row 3, column 'b': 'far' is no distance"),
        (HEADER + CONTROL + "a,1,0,wasserstein,0,-1\n", "row 3, column 'b': '-1' is no distance"),
        (HEADER + CONTROL + "a,1,0,wasserstein,0,nan\n", "'nan' is no distance"),
        (HEADER + CONTROL + "a,1,0,wasserstein,0,\n", "'' is no distance"),
        (HEADER + "(control sd),,,wasserstein,1,inf\n", "row 2, column 'b': 'inf' is no distance"),
        (HEADER + CONTROL + "B,1,0,wasserstein,0,1\n", "'B' is no column; did you mean 'b'?"),
        (HEADER + CONTROL + "zz,1,0,wasserstein,0,1\n", "'zz' is no column. Each target"),
        (HEADER + CONTROL + 2 * "a,1,0,wasserstein,0,1\n", "column '0' more than once"),
        (
            HEADER + CONTROL + "a,1.5,0,wasserstein,0,1\n",
            "column 'n_rows': expected a whole number",
        ),
        (HEADER.replace("b", "a") + CONTROL, "stand more than once: 'a'"),
        (HEADER + '"unclosed', "its content is no such table"),
        (HEADER + "x" * 200_000 + ",,,w,1,2\n", "its content is no such table"),
        ("\0\1binary", "its content is no such table"),
    ],
)
def test_a_wrong_file_gets_one_message(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "effects.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_effects(path)


def test_what_is_no_file_of_the_kind_gets_one_message(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Cannot read .*No such file"):
        read_effects(tmp_path / "missing.csv")
    with pytest.raises(InputError, match=r"Cannot read .*Is a directory"):
        read_effects(tmp_path)
    fake = tmp_path / "fake.parquet"
    fake.write_text(HEADER + CONTROL)
    with pytest.raises(InputError, match="no table of effects"):
        read_effects(fake)
    fake.write_bytes(b"PAR1 and then nothing of the kind")
    with pytest.raises(InputError, match="its Parquet content is damaged"):
        read_effects(fake)
    latin = tmp_path / "latin.csv"
    latin.write_bytes((HEADER + CONTROL).replace("b", "é").encode("latin-1"))
    with pytest.raises(InputError, match="its content is no such table"):
        read_effects(latin)


def test_names_of_a_file_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "effects.csv"
    write_effects(Effects.from_matrix([[0.0, 1.0], [2.0, 0.0]], names=["A", "B"]), file)
    file.write_text(file.read_text().replace("B", "B\x1b[31m"))
    with pytest.raises(InputError, match=r"name of column 2, 'B\\x1b\[31m', holds U\+001B"):
        read_effects(file)
