"""Real data: read right, honest where they are not there, and the paper's figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import real_data, real_data_page, real_screens
from experiments.order_picture import draw_order
from experiments.task import Task

PAPER_ORDER = "PKC PKA P38 Jnk Mek Raf Erk PIP2 Plcg Akt PIP3"
BACKWARD = {"Raf>Mek", "Plcg>PIP2", "PIP3>PIP2"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A toy of each source in the formats of the real ones."""
    rng = np.random.default_rng(0)
    sachs, tunnel = tmp_path / "sachs", tmp_path / "causal_chamber_lt"
    network = tmp_path / "dream4_size10" / "insilico_size10_2"
    for part in (sachs, tunnel, network):
        part.mkdir(parents=True)
    rows = [f"{a:.3f},{b:.3f},1,{t}" for t in ("", "A") for a, b in rng.uniform(2, 9, (6, 2))]
    (sachs / "sachs_wang2017_raw.csv").write_text(
        "\n".join(["A,B,experiment,intervention", *rows]), encoding="utf-8"
    )
    (sachs / "edges_consensus17.csv").write_text("source,target\nA,B\n", encoding="utf-8")
    labels = ["uniform_reference", "uniform_red_mid", "uniform_red_strong", "uniform_pol_1_mid"]
    lines = [";vis_1;red;intervention"]
    lines += [f"{k};{k};{10 * k + i};{name}" for i, name in enumerate(labels) for k in range(4)]
    (tunnel / "lt_interventions_subset_ext.csv").write_text("\n".join(lines), encoding="utf-8")
    (tunnel / "adjacency_lt_standard.csv").write_text(
        ",red,vis_1,current\nred,0,1,1\nvis_1,0,0,0\ncurrent,0,0,0\n", encoding="utf-8"
    )
    (network / "wildtype.tsv").write_text('"G1"\t"G2"\n0.5\t0.25\n', encoding="utf-8")
    (network / "timeseries.tsv").write_text(
        '"Time"\t"G1"\t"G2"\n0.0\t0.7\t0.75\n50.0\t9\t9\n', encoding="utf-8"
    )
    (network / "knockouts.tsv").write_text('"G1"\t"G2"\n0.0\t0.1\n0.5\t0.0\n', encoding="utf-8")
    (network / "goldStandard.tsv").write_text("G1\tG2\t1\nG2\tG1\t0\n", encoding="utf-8")
    monkeypatch.setenv("INTERSORT_DATA", str(tmp_path))
    real_screens.read_screen.cache_clear()
    yield tmp_path
    real_screens.read_screen.cache_clear()


def test_sachs_is_read_on_the_log_scale(folder: Path) -> None:
    screen = real_screens.read_screen("sachs")
    data, adjacency = screen.take()
    assert screen.names == ("A", "B")
    assert adjacency.tolist() == [[False, True], [False, False]]
    control = np.asarray(data.values)[data.targets == -1]
    np.testing.assert_allclose(control.std(axis=0), 1)
    import pandas as pd

    raw = pd.read_csv(folder / "sachs" / "sachs_wang2017_raw.csv")[["A", "B"]].to_numpy()
    spread = np.log(raw)[:6].std(axis=0)
    np.testing.assert_allclose(control[0] - control[1], (np.log(raw)[0] - np.log(raw)[1]) / spread)


def test_the_tunnel_has_the_rows_of_one_strength_and_the_measured_part_of_the_graph(
    folder: Path,
) -> None:
    data, adjacency = real_screens.read_screen("light_tunnel_mid").take()
    assert data.names == ("vis_1", "red")
    assert len(data.targets) == 8  # reference and red_mid; pol_1 hits two variables, strong waits
    assert data.intervened.tolist() == [1]
    assert adjacency.tolist() == [[False, False], [True, False]]


def test_dream4_has_its_wild_types_as_controls_and_a_row_a_knock_out(folder: Path) -> None:
    screen = real_screens.read_screen("dream4_2")
    data, adjacency = screen.take()
    assert data.targets.tolist() == [-1, -1, 0, 1]
    np.testing.assert_allclose(np.asarray(data.values)[:2], [[-1, -1], [1, 1]])
    assert adjacency.tolist() == [[False, True], [False, False]]
    assert not screen.can_be_halved


def test_a_variant_is_half_the_rows_with_columns_shuffled_and_the_graph_with_them(
    folder: Path,
) -> None:
    screen = real_screens.read_screen("sachs")
    orders = set()
    for repeat in range(1, 9):
        data, adjacency = screen.take(repeat)
        assert np.bincount(data.targets + 1).tolist() in ([3, 3], [3, 0, 3])
        assert adjacency[data.names.index("A"), data.names.index("B")]
        assert adjacency.sum() == 1
        orders.add(data.names)
        again, _ = screen.take(repeat)
        np.testing.assert_array_equal(data.values, again.values)
    assert orders == {("A", "B"), ("B", "A")}


def test_without_data_there_is_no_task_and_a_line_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("INTERSORT_DATA", str(tmp_path))
    for size in ("full", "smoke"):
        assert real_data.tasks(size) == []
        assert "set INTERSORT_DATA" in capsys.readouterr().err


def test_tasks_ask_for_both_thresholds_where_a_method_takes_one(folder: Path) -> None:
    cells = [task.cell for task in real_data.tasks("full")]
    thresholds = {c.get("threshold") for c in cells if c["method"] == "sort_ranking"}
    assert thresholds == {"paper", "own"}
    assert {c.get("threshold") for c in cells if c["method"] == "pc"} == {None}
    assert {c["method"] for c in cells} == set(real_data.METHODS)
    assert len({task.key for task in real_data.tasks("full")}) == len(cells)


def solve(name: str, method: str, **more: Any) -> dict[str, Any]:
    cell = {"data": name, "method": method, "repeat": 0} | more
    return cell | real_data.solve(Task("real_data", cell))


@pytest.fixture(scope="module")
def sachs(shared_data: Path) -> list[dict[str, Any]]:
    real_screens.read_screen.cache_clear()
    methods = ("intersort_paper", "sort_ranking")
    found = [solve("sachs", method, threshold="paper") for method in methods]
    found.append(solve("sachs", "intersort_paper", threshold="paper") | {"repeat": 1})
    return [*found, solve("sachs", "random")]


def test_the_papers_figure(sachs: list[dict[str, Any]]) -> None:
    row = sachs[0]
    assert row["order"] == PAPER_ORDER
    assert row["d_top"] == 3
    assert set(row["backward"].split()) == BACKWARD
    assert len(row["forward"].split()) == 14
    assert row["n_optimal"] == 12
    assert real_data.claims(sachs)[0].verdict == "holds"


def test_another_error_is_not_the_papers(sachs: list[dict[str, Any]]) -> None:
    assert real_data.claims([sachs[0] | {"d_top": 4.0}])[0].verdict == "does not hold"
    assert real_data.claims([]) == []


def test_the_claim_names_the_best_rival_of_another_kind(sachs: list[dict[str, Any]]) -> None:
    more = [sachs[0] | {"method": m, "d_top": e} for m, e in (("gies", 6.2), ("r2_sort", 3.0))]
    del more[0]["threshold"], more[1]["threshold"]
    assert "lowest of the other rivals is r2_sort with 3.0" in (
        real_data.claims([*sachs, *more])[0].measured
    )


def test_where_nothing_but_the_targets_moves_sort_ranking_is_random(shared_data: Path) -> None:
    """The negative control: only sensors are intervened on, and they act on nothing."""
    real_screens.read_screen.cache_clear()
    errors = [
        solve("light_tunnel_weak", "sort_ranking", threshold="paper", repeat=k)["d_top"]
        for k in range(1, 11)
    ]
    assert abs(np.mean(errors) - 9) < 3.3 * np.std(errors) / np.sqrt(10)
    assert solve("light_tunnel_mid", "sort_ranking", threshold="paper", repeat=1)["d_top"] == 0


def test_a_rival_that_cannot_take_the_data_says_why(tmp_path: Path) -> None:
    lost = {"data": "dream4_1", "method": "pc", "repeat": 0, "status": "failed: InputError: six"}
    known = {"data": "dream4_1", "method": "random", "repeat": 1, "status": "ok", "d_top": 7.0}
    sizes = {"n_variables": 10, "n_edges": 15, "least_possible": 2, "n_control": 6}
    sizes |= {"n_targets": 10, "n_per_target": 1}
    ranked = [
        {"data": "dream4_1", "method": "sort_ranking", "threshold": threshold, "repeat": 1}
        | {"pairs_above": 9, "d_top": 3.0, "status": "ok"}
        for threshold in ("paper", "own")
    ]
    text = real_data.report([row | sizes for row in (lost, known, *ranked)], tmp_path)
    assert "- pc, always: InputError: six" in text
    assert "failed" in text
    assert "nan" not in text


def test_the_page_needs_no_data(sachs: list[dict[str, Any]], tmp_path: Path) -> None:
    text = real_data.report(sachs, tmp_path)
    assert (tmp_path / "real_data_sachs_intersort_paper.svg").exists()
    assert "Raf → Mek" in text
    assert real_data_page.spread(sachs[:1]) == "–"


def test_a_picture_with_all_edges_forward_has_no_red(tmp_path: Path) -> None:
    for name, edges in (("forward", {("A", "B")}), ("both", {("A", "B"), ("C", "A")})):
        draw_order(tmp_path / f"{name}.svg", ["A", "B", "C"], edges, {"A"})
    assert "edge against it" not in (tmp_path / "forward.svg").read_text(encoding="utf-8")
    assert "edge against it" in (tmp_path / "both.svg").read_text(encoding="utf-8")
