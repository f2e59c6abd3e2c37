"""`intersort order` on real files: what is printed, what is written, what is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import intersort

FILES = {"order.csv", "effects.csv", "result.json"}


def test_prints_the_order_and_writes_nothing(call: Any, screen: Path) -> None:
    status, out, err = call("order", screen, "--targets", "target")
    assert (status, err) == (0, "")
    places = [out.index(f" {name} ") for name in "ABCD"]
    assert places == sorted(places)
    assert list(screen.parent.iterdir()) == [screen]


def test_writes_three_files(call: Any, screen: Path, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "result"
    status, _, _ = call("order", screen, "--targets", "target", "--out", folder, "--seed", 3)
    assert status == 0
    assert {path.name for path in folder.iterdir()} == FILES
    table = pd.read_csv(folder / "order.csv")
    assert list(table.columns[:7]) == [
        *("rank", "variable", "intervened", "n_rows", "pairs_out", "pairs_in", "determined")
    ]
    assert table["rank"].tolist() == [1, 2, 3, 4]
    assert table["variable"].tolist() == ["A", "B", "C", "D"]
    assert table["intervened"].tolist() == [True, True, True, False]
    assert table["n_rows"].tolist() == [60, 60, 60, 0]
    assert table["pairs_out"].tolist() == [3, 2, 1, 0]
    assert table["pairs_in"].tolist() == [0, 1, 2, 3]
    document = json.loads((folder / "result.json").read_text())
    assert document["schema"] == 1
    assert document["order"] == ["A", "B", "C", "D"]
    assert document["seed"] == 3
    assert document["input"]["sha256"]
    assert document["parameters"]["c_used"] >= document["parameters"]["epsilon_used"]["most"]


def test_json_is_the_document_and_nothing_else(call: Any, screen: Path, tmp_path: Path) -> None:
    words = ("order", screen, "--targets", "target", "--out", tmp_path / "r", "--json")
    status, out, _ = call(*words)
    assert status == 0
    assert json.loads(out) == json.loads((tmp_path / "r" / "result.json").read_text())


def test_quiet_with_out_prints_nothing(call: Any, screen: Path, tmp_path: Path) -> None:
    words = ("order", screen, "--targets", "target", "--out", tmp_path / "r", "--quiet")
    assert call(*words) == (0, "", "")


def test_a_folder_with_results_is_refused_without_force(
    call: Any, screen: Path, tmp_path: Path
) -> None:
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "order.csv").write_text("mine")
    words = ("order", screen, "--targets", "target", "--out", tmp_path / "r")
    status, out, err = call(*words)
    assert (status, out) == (2, "")
    assert "already holds 'order.csv'" in err
    assert "--force" in err
    assert (tmp_path / "r" / "order.csv").read_text() == "mine"
    assert call(*words, "--force")[0] == 0
    assert {path.name for path in (tmp_path / "r").iterdir()} == FILES


def test_out_that_is_a_file_is_refused(call: Any, screen: Path) -> None:
    status, _, err = call("order", screen, "--targets", "target", "--out", screen)
    assert status == 2
    assert "must name a folder" in err


def test_out_that_cannot_be_written_is_refused(call: Any, screen: Path) -> None:
    out = screen / "below-a-file"
    status, _, err = call("order", screen, "--targets", "target", "--out", out)
    assert status == 2
    assert "Cannot write to" in err


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_effects_and_order_agree_with_the_whole_way(
    call: Any, screen: Path, tmp_path: Path, format: str
) -> None:
    words = ("--targets", "target", "--format", format)
    assert call("effects", screen, *words, "--out", tmp_path / "e")[0] == 0
    effects = tmp_path / "e" / f"effects.{format}"
    whole = call("order", screen, *words, "--epsilon", 0.3, "--json")
    steps = call("order", "--from-effects", effects, "--epsilon", 0.3, "--json")
    assert (whole[0], steps[0]) == (0, 0)
    for key in ("order", "score", "upper_bound"):
        assert json.loads(whole[1])[key] == json.loads(steps[1])[key]


def test_from_effects_needs_epsilon(call: Any, screen: Path, tmp_path: Path) -> None:
    call("effects", screen, "--targets", "target", "--out", tmp_path / "e")
    status, _, err = call("order", "--from-effects", tmp_path / "e" / "effects.csv")
    assert status == 2
    assert "Give epsilon" in err


def test_file_and_effects_together_are_refused(call: Any, screen: Path) -> None:
    status, _, err = call("order", screen, "--targets", "target", "--from-effects", screen)
    assert status == 2
    assert "either FILE or --from-effects" in err


@pytest.mark.parametrize("words, said", [((), "No FILE"), (("x.csv",), "--targets is missing")])
def test_what_is_missing_is_said(call: Any, words: tuple[str, ...], said: str) -> None:
    status, _, err = call("order", *words)
    assert status == 2
    assert said in err


@pytest.mark.parametrize("method", ["default", "paper", "sort_ranking", "local_search", "exact"])
def test_every_method_equals_the_estimator(call: Any, screen: Path, method: str) -> None:
    status, out, _ = call("order", screen, "--targets", "target", "--method", method, "--json")
    assert status == 0
    model = intersort.Intersort(method=method)
    model.fit_data(intersort.read_table(screen, "target"))
    document = json.loads(out)
    assert document["order"] == list(model.result_.ordered_names)
    assert document["score"] == model.score_
    assert ("n_optimal" in document) == (method in ("default", "exact"))


def test_warnings_reach_stderr_and_the_document(call: Any, screen: Path) -> None:
    words = ("order", screen, "--targets", "target", "--method", "paper", "--epsilon", 1.5)
    status, out, err = call(*words, "--c", 0.1, "--json")
    assert status == 0
    assert err.count("warning") == 1
    assert len(json.loads(out)["warnings"]) == 1
    assert "WeakBonusWarning" in json.loads(out)["warnings"][0]


def test_markup_in_names_is_text(call: Any, tmp_path: Path) -> None:
    name = "<script>$x_1$</script>"
    rows = [f'"{name}",b,target', *(f"{k},{k % 3}.5,control" for k in range(9)), f"40,9,{name}"]
    path = tmp_path / "markup.csv"
    path.write_text("\n".join(rows) + "\n")
    status, out, _ = call("order", path, "--targets", "target", "--out", tmp_path / "r", "--json")
    assert status == 0
    assert name in json.loads(out)["order"]
    assert name in pd.read_csv(tmp_path / "r" / "order.csv")["variable"].tolist()


def test_logarithm_of_zero_is_refused(call: Any, screen: Path) -> None:
    status, out, err = call("order", screen, "--targets", "target", "--transform", "log")
    assert (status, out) == (2, "")
    assert "log needs values above 0" in err


def test_interrupt_leaves_nothing_half(screen: Path, tmp_path: Path) -> None:
    code = (
        "import sys, time, intersort.effects.measure as m\n"
        "def slow(*a, **k):\n    print('measuring', flush=True)\n    time.sleep(60)\n"
        "m.measure_effects = slow\n"
        "from intersort.cli.main import main\nsys.exit(main(sys.argv[1:]))"
    )
    words = ["order", str(screen), "--targets", "target", "--out", str(tmp_path / "r")]
    with subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "measuring\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted" in err
    assert not (tmp_path / "r").exists()


def test_our_own_fault_is_called_that(
    call: Any, screen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("intersort.readers.read_table", broken)
    status, out, err = call("order", screen, "--targets", "target")
    assert (status, out) == (1, "")
    assert "boom" in err
    assert "please report" in err


def test_a_closed_pipe_is_no_error(screen: Path) -> None:
    command = f"{sys.executable} -m intersort.cli.main order {screen} --targets target | true"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, env=dict(os.environ)
    )
    assert "Traceback" not in done.stderr


def test_missing_extra_names_its_install_line(
    call: Any, screen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    pd.DataFrame({"a": [1.0]}).to_csv(tmp_path / "real.csv")
    path = tmp_path / "table.parquet"
    path.write_bytes(b"PAR1" + b"\0" * 20 + b"PAR1")
    status, _, err = call("order", path, "--targets", "target")
    assert status == 2
    assert 'pip install "intersort[parquet]"' in err


def test_an_interrupt_during_the_renames_comes_too_late(
    call: Any, screen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def interrupted_replace(*paths: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        replace(*paths)

    monkeypatch.setattr(os, "replace", interrupted_replace)
    assert call("order", screen, "--targets", "target", "--out", tmp_path / "r")[0] == 0
    assert {path.name for path in (tmp_path / "r").iterdir()} == FILES
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_force_leaves_no_effects_of_another_format(call: Any, screen: Path, tmp_path: Path) -> None:
    words = ("order", screen, "--targets", "target", "--out", tmp_path / "r")
    assert call(*words)[0] == 0
    assert call(*words, "--format", "parquet")[0] == 2
    assert call(*words, "--format", "parquet", "--force")[0] == 0
    assert {path.name for path in (tmp_path / "r").iterdir()} == {
        *("order.csv", "effects.parquet", "result.json")
    }


def test_effects_keep_their_distance(call: Any, screen: Path, tmp_path: Path) -> None:
    words = ("--targets", "target", "--distance", "energy", "--out", tmp_path / "e")
    assert call("effects", screen, *words)[0] == 0
    words = ("order", "--from-effects", tmp_path / "e" / "effects.csv", "--epsilon", 0.3)
    status, out, _ = call(*words, "--json")
    parameters = json.loads(out)["parameters"]
    assert status == 0
    assert parameters["distance"] == "energy"
    assert "control" not in parameters
    status, _, err = call(*words, "--method", "paper")
    assert status == 2
    assert "'energy'" in err


def test_reading_options_without_a_table_are_refused(
    call: Any, screen: Path, tmp_path: Path
) -> None:
    call("effects", screen, "--targets", "target", "--out", tmp_path / "e")
    words = ("order", "--from-effects", tmp_path / "e" / "effects.csv", "--epsilon", 0.3)
    status, out, err = call(*words, "--layer", "x", "--control", "q", "--missing", "omit")
    assert (status, out) == (2, "")
    assert "--control, --missing, --layer" in err


def test_the_document_says_how_the_table_was_read(call: Any, screen: Path) -> None:
    words = ("order", screen, "--targets", "target", "--ignore", "D", "--json")
    parameters = json.loads(call(*words)[1])["parameters"]
    assert (parameters["targets"], parameters["ignore"]) == ("target", ["D"])


@pytest.mark.parametrize("option", [("--seed", -1), ("--c", -1), ("--n-jobs", -5)])
def test_wrong_numbers_are_bad_input(call: Any, screen: Path, option: tuple[str, int]) -> None:
    status, out, err = call("order", screen, "--targets", "target", *option)
    assert (status, out) == (2, "")
    assert "Traceback" not in err


def test_a_file_name_that_is_no_text(call_alone: Any, screen: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(screen.parent) + b"/caf\xe9.csv"))
    odd.write_bytes(screen.read_bytes())
    status, out, err = call_alone("order", odd, "--targets", "target", "--json")
    assert status == 0, err
    assert json.loads(out)["input"]["file"] == "caf\\xe9.csv"


def test_output_that_knows_no_signs(call_alone: Any, screen: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    status, out, err = call_alone("check", screen, "--targets", "target", env=environment)
    assert status == 0, err
    assert "\\xd7" in out


def test_a_full_disk_is_not_our_fault(screen: Path) -> None:
    words = ["check", str(screen), "--targets", "target"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "intersort.cli.main", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "intersort: error: the disk is full; the output is not complete\n"
