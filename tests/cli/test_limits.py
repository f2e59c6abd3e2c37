"""How long `intersort order` may search, what it knows beforehand, and how it stops."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import intersort
from intersort.effects.files import write_effects


@pytest.fixture
def distances(tmp_path: Path) -> Path:
    """Distances of 60 variables that contradict each other: no proof within a minute."""
    distance = np.random.default_rng(0).gamma(1.0, 0.4, size=(60, 60))
    path = tmp_path / "effects.csv"
    write_effects(intersort.Effects.from_matrix(distance), path)
    return path


def test_effort_and_certificate(call: Any, distances: Path) -> None:
    words = ("order", "--from-effects", distances, "--epsilon", 0.5, "--effort", "low", "--json")
    status, out, _ = call(*words)
    bounded = json.loads(out)
    assert status == 0
    assert 0 < bounded["gap"] < 1
    assert bounded["interrupted"] is False
    assert set(bounded["levels"]) == set(bounded["order"])
    status, out, _ = call(*words, "--no-certify")
    assert status == 0
    assert json.loads(out)["upper_bound"] > bounded["upper_bound"]


@pytest.mark.parametrize("limit, said", [("0", "positive number"), ("x", "invalid float")])
def test_wrong_time_limits(call: Any, distances: Path, limit: str, said: str) -> None:
    words = ("order", "--from-effects", distances, "--epsilon", 0.5, "--time-limit", limit)
    status, out, err = call(*words)
    assert (status, out) == (2, "")
    assert said in err


def test_knowledge_from_a_file(call: Any, screen: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    known.write_text(json.dumps({"before": [["D", "A"]]}))
    words = ("order", screen, "--targets", "target", "--knowledge")
    status, out, _ = call(*words, known, "--out", tmp_path / "r", "--json")
    document = json.loads(out)
    assert status == 0
    assert document["order"].index("D") < document["order"].index("A")
    assert document["knowledge_cost"]["most"] > 0
    assert document["parameters"]["knowledge"]["before"] == [["D", "A"]]
    assert "level" in pd.read_csv(tmp_path / "r" / "order.csv").columns
    known.write_text(json.dumps({"before": [["D", "A"], ["A", "D"]]}))
    status, out, err = call(*words, known)
    assert (status, out) == (2, "")
    assert "A" in err
    assert "D" in err
    assert "Traceback" not in err


def test_interrupt_writes_a_complete_result(distances: Path, tmp_path: Path) -> None:
    code = (
        "import os, signal, sys, threading\n"
        "from intersort.cli.main import main\n"
        "import intersort.orders.find as find\n"
        "solve = find._solve\n"
        "def solve_and_interrupt(*a, **k):\n"
        "    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "    return solve(*a, **k)\n"
        "find._compile()\n"
        "find._solve = solve_and_interrupt\n"
        "find._compile = lambda: None\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    words = ["order", "--from-effects", str(distances), "--epsilon", "0.5"]
    words += ["--time-limit", "60", "--out", str(tmp_path / "r")]
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        env=dict(os.environ),
    )
    assert done.returncode == 128 + signal.SIGINT, done.stderr
    document = json.loads((tmp_path / "r" / "result.json").read_text())
    assert document["interrupted"] is True
    assert len(document["order"]) == 60
    assert "interrupted" in done.stdout
    table = pd.read_csv(tmp_path / "r" / "order.csv")
    assert table["variable"].tolist() == document["order"]
