"""`intersort effects`, `intersort check` and `intersort demo`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import intersort


def test_effects_written_are_effects_read(call: Any, screen: Path, tmp_path: Path) -> None:
    status, out, _ = call("effects", screen, "--targets", "target", "--out", tmp_path / "e")
    assert status == 0
    assert "effects.csv" in out
    effects = intersort.read_effects(tmp_path / "e" / "effects.csv")
    again = intersort.measure_effects(intersort.read_table(screen, "target"))
    assert effects.names == again.names
    np.testing.assert_array_equal(effects.distance, again.distance)


def test_effects_prints_the_matrix(call: Any, screen: Path) -> None:
    status, out, _ = call("effects", screen, "--targets", "target")
    assert status == 0
    assert all(name in out for name in "ABCD")
    assert list(screen.parent.iterdir()) == [screen]


def test_effects_as_json(call: Any, screen: Path) -> None:
    status, out, _ = call("effects", screen, "--targets", "target", "--json")
    document = json.loads(out)
    assert status == 0
    assert document["variables"] == ["C", "A", "D", "B"]
    assert sorted(document["intervened"]) == ["A", "B", "C"]
    assert np.shape(document["distance"]) == (3, 4)


def test_effects_with_another_distance(call: Any, screen: Path) -> None:
    words = ("effects", screen, "--targets", "target", "--distance", "kolmogorov_smirnov", "--json")
    status, out, _ = call(*words)
    assert status == 0
    assert np.max(json.loads(out)["distance"]) <= 1
    status, _, err = call(*words[:-2], "kolmogorov_smirnof")
    assert status == 2
    assert "kolmogorov_smirnov" in err


def test_check_says_what_the_file_holds(call: Any, screen: Path) -> None:
    status, out, _ = call("check", screen, "--targets", "target")
    assert status == 0
    for said in ("300", "60", "480", "A", "D"):
        assert said in out
    status, out, _ = call("check", screen, "--targets", "target", "--json")
    assert status == 0
    assert isinstance(json.loads(out), dict)


def test_demo_prints_what_it_promises(call: Any, tmp_path: Path) -> None:
    status, out, err = call("demo", "--out", tmp_path / "demo")
    assert (status, err) == (0, "")
    for said in ("D_top", "random order", "expectation", "intersort order your-table.csv"):
        assert said in out
    written = {path.name for path in (tmp_path / "demo").iterdir()}
    assert written == {"screen.csv", "order.csv", "effects.csv", "result.json"}
    table = pd.read_csv(tmp_path / "demo" / "screen.csv")
    assert table["target"].nunique() == 16


def test_demo_as_json_agrees_with_its_files(call: Any, tmp_path: Path) -> None:
    status, out, _ = call("demo", "--out", tmp_path / "demo", "--json")
    assert status == 0
    document = json.loads(out)
    order = pd.read_csv(tmp_path / "demo" / "order.csv")["variable"].tolist()
    assert document["order"] == order
    assert 0 <= document["d_top"] < document["random_order"]
    assert call("demo", "--json")[1] == out
