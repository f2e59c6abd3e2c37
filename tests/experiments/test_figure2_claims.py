"""Figure 2's claims: which cells the paper means, and words that follow from the intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from experiments import figure2_claims as claims
from experiments.figure2_claims import BETTER_THAN_US, OURS, RIVALS
from experiments.screens import DOMAINS, FRACTIONS
from experiments.statistics import Estimate

Make = Callable[..., list[dict[str, Any]]]
N_CELLS = len(DOMAINS) * len(FRACTIONS) * len(RIVALS)


def as_the_paper_says(rival: str) -> Callable[[str, float, int], float]:
    """Ours has 5."""
    return lambda domain, f, k: 3.0 if (domain, f, rival) in BETTER_THAN_US else 7.0


def everything(**changes: Any) -> dict[str, Any]:
    return {OURS: 5.0} | {rival: as_the_paper_says(rival) for rival in RIVALS} | changes


def test_the_paper_names_the_cells_in_which_a_rival_is_better() -> None:
    assert {
        ("linear", 0.25, "gies"),
        ("linear", 0.5, "gies"),
        ("linear", 0.75, "gies"),
        ("linear", 1.0, "gies"),
        ("nn", 0.25, "dcdi"),
        ("nn", 0.5, "dcdi"),
    } == BETTER_THAN_US


def test_every_cell_as_the_paper_says(grid_rows: Make) -> None:
    rows = grid_rows(everything())
    claim = claims._against_rivals(rows)
    assert claim.verdict == "holds"
    assert f"Of {N_CELLS} cells" in claim.measured
    assert f"{N_CELLS} are as the paper says, 0 the other way round, 0 not" in claim.measured
    table = claims.cell_table(rows)
    assert table.count("✓") == N_CELLS
    assert "| Neural network | 25% | dcdi | worse | 2.00 [2.00, 2.00] | worse | ✓ |" in table
    assert "| Neural network | 75% | dcdi | better | -2.00 [-2.00, -2.00] | better | ✓ |" in table


def test_a_rival_that_is_better_elsewhere_is_named(grid_rows: Make) -> None:
    rows = grid_rows(
        everything(pc=lambda domain, f, k: 1.0 if (domain, f) == ("rff", 0.5) else 7.0)
    )
    claim = claims._against_rivals(rows)
    assert claim.verdict == "holds partly"
    assert "1 the other way round (pc on random fourier features at 50%), 0 not" in claim.measured
    assert claims.cell_table(rows).count("✗") == 1


def test_a_rival_that_is_worse_where_it_should_be_better_is_named(grid_rows: Make) -> None:
    claim = claims._against_rivals(grid_rows(everything(gies=7.0)))
    assert "4 the other way round (gies on linear at 25%, gies on linear at 50%" in claim.measured


def test_what_was_not_run_or_ran_out_of_time_is_not_decided(grid_rows: Make) -> None:
    no_gies = {name: error for name, error in everything().items() if name != "gies"}
    for methods in (no_gies, everything(gies=None)):
        claim = claims._against_rivals(grid_rows(methods))
        assert claim.verdict == "holds partly"
        assert f"Of {N_CELLS} cells" in claim.measured
        assert "48 are as the paper says, 0 the other way round, 16 not decided" in claim.measured
    claim = claims._against_rivals(grid_rows(everything(), domains=["nn"], fractions=[0.5]))
    assert "4 are as the paper says, 0 the other way round, 60 not decided" in claim.measured


def test_two_datasets_decide_nothing(grid_rows: Make) -> None:
    assert claims._against_rivals(grid_rows(everything(), n=2)).verdict == "not decided"
    rows = grid_rows({OURS: 5.0, "random": 9.0, "interventional_bic": 1.0}, n=2)
    assert {claim.verdict for claim in claims.claims(rows)} == {"not decided"}


def test_without_rows_nothing_is_decided() -> None:
    assert {claim.verdict for claim in claims.claims([])} == {"not decided"}


def test_everything_the_other_way_round_does_not_hold(grid_rows: Make) -> None:
    rows = grid_rows({OURS: 5.0} | {r: lambda *_: 1.0 for r in RIVALS} | {"gies": 7.0, "dcdi": 1.0})
    for row in rows:  # GIES worse on linear data, better elsewhere; DCDI worse where it should win
        if row["method"] == "gies":
            row["d_top"] = 7.0 if row["domain"] == "linear" else 1.0
        if row["method"] == "dcdi" and row["domain"] == "nn" and row["fraction"] < 0.6:
            row["d_top"] = 7.0
    claim = claims._against_rivals(rows)
    assert claim.verdict == "does not hold"
    assert f"{N_CELLS} the other way round" in claim.measured


def test_performing_well_is_beating_chance_everywhere(grid_rows: Make) -> None:
    claim = claims._performs_well(grid_rows({OURS: 3.0, "random": 12.0}))
    assert claim.verdict == "holds"
    assert "Neural network 25%" in claim.measured
    chance = {OURS: lambda domain, f, k: 12.0 if domain == "nn" else 3.0, "random": 12.0}
    assert claims._performs_well(grid_rows(chance)).verdict == "holds partly"
    assert claims._performs_well(grid_rows({OURS: 13.0, "random": 12.0})).verdict == "does not hold"
    assert claims._performs_well(grid_rows({OURS: 13.0})).verdict == "not decided"


def spread(domain: str, fraction: float, k: int) -> float:
    return 3.0 + 0.02 * (k % 3)


@pytest.mark.parametrize(
    ("ours", "word", "counts"),
    [
        (spread, "holds", "They differ in 0 of 4 shares of targets, in 4 they are similar."),
        (
            lambda domain, f, k: spread(domain, f, k) + 5 * (domain == "nn"),
            "does not hold",
            "They differ in 4 of 4 shares of targets, in 0 they are similar.",
        ),
        (
            lambda domain, f, k: spread(domain, f, k) + 5 * (domain == "nn" and f == 0.25),
            "holds partly",
            "They differ in 1 of 4 shares of targets, in 3 they are similar.",
        ),
        (
            lambda domain, f, k: 5.0 + (k % 2) * 6 * (1 if domain == "nn" else -0.5),
            "not decided",
            "They differ in 0 of 4 shares of targets, in 0 they are similar.",
        ),
    ],
    ids=["alike", "apart", "partly", "wide"],
)
def test_similar_is_said_of_intervals(
    ours: Callable[..., float], word: str, counts: str, grid_rows: Make
) -> None:
    claim = claims._similar(grid_rows({OURS: ours, "random": 12.0}))
    assert claim.verdict == word
    assert counts in claim.measured


def test_a_difference_below_what_counts_is_similar_even_where_it_is_certain(
    grid_rows: Make,
) -> None:
    rows = grid_rows({OURS: lambda domain, f, k: 3.0 + (domain == "nn"), "random": 12.0})
    claim = claims._similar(rows)
    assert "neural network 33%, apart by 0.08 [0.08, 0.08]" in claim.measured
    assert claim.verdict == "holds"


def test_without_every_domain_or_three_datasets_similar_is_not_decided(grid_rows: Make) -> None:
    methods = {OURS: spread, "random": 12.0}
    for rows in (grid_rows(methods, domains=DOMAINS[1:]), grid_rows(methods, n=2)):
        assert claims._similar(rows).verdict == "not decided"
    one_share = claims._similar(grid_rows(methods, fractions=[1.0]))
    assert one_share.verdict == "holds partly"
    assert "in 1 they are similar" in one_share.measured


def test_the_widest_of_equal_groups_leaves_0_out_once_in_twenty() -> None:
    rng = np.random.default_rng(0)
    found = [
        claims.widest({name: list(values) for name, values in zip("abcd", draws, strict=True)})[2]
        for draws in rng.normal(size=(400, 4, 10))
    ]
    assert np.mean([gap.significant for gap in found]) < 0.08
    plain = np.mean([gap.mean > 2.1 * np.sqrt(2 / 10) for gap in found])
    assert plain > 0.12  # what two groups picked by their means would have without it


def test_the_widest_are_the_least_and_the_largest() -> None:
    groups = {"a": [1.0, 1.0, 1.0], "b": [5.0, 5.0, 5.0], "c": [2.0, 3.0, 4.0]}
    assert claims.widest(groups) == ("a", "b", Estimate(4.0, 4.0, 4.0, 3))


def test_shares_are_taken_dataset_by_dataset(grid_rows: Make) -> None:
    rows = grid_rows(
        {OURS: lambda d, f, k: 1.0 + k, "random": lambda d, f, k: 4.0 * (1 + k)}, domains=["nn"]
    )
    rows[-1]["d_top"] = 0.0  # a graph without edges has no share
    found = claims.shares(rows)
    assert found["nn", 0.25] == Estimate(0.25, 0.25, 0.25, 6)
    assert found["nn", 1.0].n == 5
    assert "| Linear | – | – | – | – |" in claims.share_table(rows)


def test_a_likelihood_without_distances_is_set_beside(grid_rows: Make) -> None:
    def better_on_nn(domain: str, fraction: float, k: int) -> float:
        return 1.0 if domain == "nn" and fraction < 0.6 else 9.0

    rows = grid_rows({OURS: 5.0, "random": 9.0, "interventional_bic": better_on_nn})
    claim = claims.claims(rows)[-1]
    assert claim.verdict == "holds partly"
    assert "better in 14 of 16 cells" in claim.measured
    assert "worse in 2 (neural network 25%; neural network 50%)." in claim.measured
    assert len(claims.claims(rows)) == len(claims.claims(grid_rows({OURS: 5.0}))) + 1
