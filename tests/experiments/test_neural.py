"""The command that trains bundles: on a machine with nothing but NumPy and torch, whole files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from experiments import neural
from experiments.neural_problems import read_bundle, write_bundle
from intersort.baselines.neural.dcdi_training import train_dcdi

pytest.importorskip("torch")
pytestmark = pytest.mark.usefixtures("one_thread")
ROOT = Path(__file__).resolve().parents[2]
BLOCKED = ("numba", "pandas", "sklearn", "scipy", "tqdm", "matplotlib")
BARE = f"""
import sys

class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BLOCKED}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Nothing())
from experiments.neural import main
sys.exit(main(sys.argv[1:]))
"""
"""The command, where the libraries that are not needed cannot be imported."""


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    """Two problems on one dataset of three variables."""
    folder = tmp_path / "problems"
    folder.mkdir()
    values = np.random.default_rng(0).normal(size=(80, 3))
    targets = np.tile([-1, 0, 1, 2], 20)
    write_bundle(
        folder / "tiny.npz",
        [("a", values, targets)],
        [("a, two", "a", [0, 2]), ("a, one", "a", [1])],
    )
    return folder


def command(method: str, problems: Path, *more: str) -> list[str]:
    out = str(problems.parent / "out")
    usual = ["--problems", str(problems), "--out", out, "--device", "cpu", "--threads", "1"]
    return [method, *usual, "--reg", "1", "3", *more]


def written(problems: Path) -> tuple[dict, dict]:
    """Columns and description of what came out; nothing half written is left."""
    out = problems.parent / "out"
    assert sorted(path.name for path in out.iterdir()) == ["tiny.json", "tiny.npz"]
    with np.load(out / "tiny.npz") as file:
        columns = {name: file[name] for name in file.files}
    return columns, json.loads((out / "tiny.json").read_text(encoding="utf-8"))


def test_it_trains_without_numba_pandas_sklearn_and_scipy(problems: Path) -> None:
    arguments = command("dcdi", problems, "--max-steps", "200")
    done = subprocess.run(
        [sys.executable, "-c", BARE, *arguments],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert "tiny: 4 problems, d = 3" in done.stdout
    assert "step 200" in done.stdout
    columns, about = written(problems)
    assert columns["problem_keys"].tolist() == ["a, two", "a, one"] * 2
    assert columns["reg"].tolist() == [1, 1, 3, 3]
    assert columns["seed"].tolist() == [0, 1, 0, 1]
    assert columns["problem_shown"].tolist() == [[True, False, True], [False, True, False]] * 2
    assert columns["steps"].tolist() == [200] * 4
    assert set(columns["status"]) == {"met the step cap"}
    assert (columns["seconds"] > 0).all()
    assert about["status"] == {"met the step cap": 4}
    assert (about["method"], about["bundle"], about["device"]) == ("dcdi", "tiny", "cpu")
    assert (about["reg"], about["max_steps"], about["n_problems"]) == ([1, 3], 200, 4)
    assert (about["steps_done"], about["time_limit"]) == (200, None)
    assert {"torch", "numpy", "python", "seconds"} <= set(about)
    bundle = read_bundle(problems / "tiny.npz")
    again = train_dcdi(
        [neural.make_problem(bundle, k) for k in (0, 1, 0, 1)],
        reg=[1, 1, 3, 3],
        seeds=[0, 1, 0, 1],
        device="cpu",
        max_steps=200,
    )
    expected = np.stack([one.probabilities for one in again])
    np.testing.assert_allclose(columns["probabilities"], expected, rtol=1e-5, atol=1e-7)


def test_a_time_limit_is_said_in_the_status(problems: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr("intersort.baselines.neural.pacer_networks.N_GRAPHS", 5)
    arguments = command("pacer", problems, "--max-steps", "5000", "--time-limit", "0")
    assert neural.main(arguments) == 0
    assert "0 of 4 finished" in capsys.readouterr().out
    columns, about = written(problems)
    assert set(columns["status"]) == {"met the time limit"}
    assert about["status"] == {"met the time limit": 4}
    assert about["time_limit"] == 0
    assert columns["ranking"].shape == (4, 3)


def test_some_of_the_problems_keep_their_seeds(problems: Path, monkeypatch) -> None:
    monkeypatch.setattr("intersort.baselines.neural.pacer_networks.N_GRAPHS", 5)
    assert neural.main(command("pacer", problems, "--max-steps", "10", "--skip", "1")) == 0
    columns, about = written(problems)
    assert columns["problem_keys"].tolist() == ["a, one"] * 2
    assert columns["seed"].tolist() == [1, 1]
    assert about["status"] == {"ok": 2}


def test_a_run_that_is_stopped_while_it_writes_leaves_what_was_there(
    problems: Path, monkeypatch
) -> None:
    arguments = command("dcdi", problems, "--max-steps", "0")
    assert neural.main(arguments) == 0
    before = {path.name: path.read_bytes() for path in (problems.parent / "out").iterdir()}

    def stop(file, **_: object) -> None:
        file.write(b"half of it")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez_compressed", stop)
    with pytest.raises(KeyboardInterrupt):
        neural.main(arguments)
    found = {name: (problems.parent / "out" / name).read_bytes() for name in before}
    assert found == before


def test_what_there_is_is_written_now_and_then(problems: Path, monkeypatch) -> None:
    monkeypatch.setattr(neural, "SECONDS_A_CHECKPOINT", 0)
    monkeypatch.setattr(neural, "SECONDS_A_LINE", 0)
    steps, write = [], neural.Writer.write

    def note(writer: neural.Writer, trained: list) -> None:
        write(writer, trained)
        steps.append(written(problems)[0]["steps"].tolist())

    monkeypatch.setattr(neural.Writer, "write", note)
    assert neural.main(command("dcdi", problems, "--max-steps", "200", "--most", "1")) == 0
    assert steps == [[100, 100], [200, 200], [200, 200]]


def test_a_folder_without_bundles_is_answered(tmp_path: Path, capsys) -> None:
    assert neural.main(command("dcdi", tmp_path, "--max-steps", "0")) == 2
    assert "holds no bundle (*.npz)" in capsys.readouterr().out
