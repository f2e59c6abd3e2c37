"""The page of all claims: everyone who makes one is asked, and the words are counted."""

from __future__ import annotations

from types import ModuleType
from typing import Any, get_args

import pytest

from experiments import catalogue, theory_claims, verdict
from experiments.claims import Claim, Verdict
from experiments.pages import how_made

MODULES: dict[str, Any] = {name: catalogue.find(name) for name in catalogue.NAMES}
CLAIMING = [name for name, module in MODULES.items() if hasattr(module, "claims")]


def claim(where: str, word: Verdict = "holds") -> Claim:
    return Claim(where, "It works.", "It does.", word, "Luck.")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[dict[str, Any]]]:
    """The rows that each experiment is asked about, its claims being its name."""
    seen: dict[str, list[dict[str, Any]]] = {}

    def stand_in(module: ModuleType, name: str) -> None:
        def claims(rows: list[dict[str, Any]]) -> list[Claim]:
            seen[name] = rows
            return [claim(name)]

        monkeypatch.setattr(module, "claims", claims)

    for name in CLAIMING:
        stand_in(MODULES[name], name)
    monkeypatch.setattr(theory_claims, "claims", lambda: [claim("theory")])
    return seen


def test_every_experiment_is_a_source_of_the_verdict_but_itself() -> None:
    assert {*verdict.ALSO, "verdict"} == set(catalogue.NAMES)
    assert {"figure2", "efficiency", "robustness", "hundred_variables"} < set(CLAIMING)


def test_every_experiment_that_has_claims_and_rows_is_asked(
    asked: dict[str, list[dict[str, Any]]],
) -> None:
    rows = [{"experiment": name} for name in verdict.ALSO]
    found = [c.where for c in verdict.claims_of(rows)]
    assert found == ["theory", *[name for name in verdict.ALSO if name in CLAIMING]]
    for name, given in asked.items():
        sources = {name, *getattr(MODULES[name], "ALSO", ())}
        assert {row["experiment"] for row in given} == sources


def test_rows_of_one_experiment_do_not_reach_another(
    asked: dict[str, list[dict[str, Any]]],
) -> None:
    rows = [{"experiment": "depth", "n": 1}, {"experiment": "depth", "n": 2}]
    assert [c.where for c in verdict.claims_of(rows)] == ["theory", "depth"]
    assert asked == {"depth": rows}


def test_without_rows_the_theory_is_left(asked: dict[str, list[dict[str, Any]]]) -> None:
    assert [c.where for c in verdict.claims_of([])] == ["theory"]
    assert not asked


@pytest.mark.parametrize(
    ("why", "shown"),
    [
        ("", "See [luck](luck.md)."),
        ("Chance.", "Chance; see [luck](luck.md)."),
        ("Chance; see [another name](luck.md).", "Chance; see [another name](luck.md)."),
        ("Chance ([how](how.md)).", "Chance ([how](how.md)); see [luck](luck.md)."),
    ],
)
def test_a_reason_says_where_to_look(why: str, shown: str) -> None:
    given = Claim("Section 1", "It works.", "It does.", "holds", why)
    assert verdict.with_page(given, "[luck](luck.md)").why == shown


def test_every_line_of_an_experiment_names_its_page(
    asked: dict[str, list[dict[str, Any]]],
) -> None:
    found = verdict.claims_of([{"experiment": name} for name in CLAIMING])
    assert all(f"]({c.where}.md)" in c.why for c in found[1:])


def test_a_cell_begins_with_a_capital() -> None:
    assert verdict.sentence("settings of 15") == "Settings of 15"
    assert verdict.sentence("ε is 0.3") == "ε is 0.3"
    assert verdict.sentence("") == ""


def test_words_are_counted_and_every_claim_has_a_line() -> None:
    words = ("holds", "holds", "holds partly", "not decided")
    text = verdict.page_of([claim(f"Section {k}", word) for k, word in enumerate(words)])
    assert "Its 4 claims, one a line, by verdict: holds 2, holds partly 1, not decided 1." in text
    lines = [line for line in text.splitlines() if line.startswith("| Section")]
    assert lines == [
        f"| Section {k} | It works. | It does. | **{word}** | Luck. |"
        for k, word in enumerate(words)
    ]


def test_no_verdict_is_left_out_of_the_count() -> None:
    assert set(verdict.WORDS) == set(get_args(Verdict))


def test_a_page_of_many_sources_names_them_in_one_sentence() -> None:
    many = how_made("verdict", {"figure1": 12_600, "figure2": 5, "depth": 1, "large": 2})
    assert "rows in `experiments/results` of figure1 (12,600), figure2 (5), depth (1)" in many
    few = how_made("noise", {"figure2": 2720})
    assert few.startswith("Made by `python -m experiments run figure2`, then `python -m exp")
    assert "2,720 rows of `experiments/results/figure2.csv`" in few
