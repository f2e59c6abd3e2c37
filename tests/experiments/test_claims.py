"""A verdict in one word, and a claim as a line of its own page."""

from __future__ import annotations

import pytest

from experiments.claims import Claim, as_line, overall


@pytest.mark.parametrize(
    ("right", "wrong", "undecided", "word"),
    [
        (16, 0, 0, "holds"),
        (15, 1, 0, "holds partly"),
        (15, 0, 1, "holds partly"),
        (0, 1, 15, "does not hold"),
        (0, 16, 0, "does not hold"),
        (0, 0, 16, "not decided"),
        (0, 0, 0, "not decided"),
    ],
)
def test_one_word_for_many_settings(right: int, wrong: int, undecided: int, word: str) -> None:
    assert overall(right, wrong, undecided) == word


@pytest.mark.parametrize(
    ("why", "shown"),
    [
        ("Luck; see [luck](luck.md).", "Luck."),
        ("Luck; see [luck](luck.md), cell by cell.", "Luck."),
        ("Luck ([how](how.md)); see [luck](luck.md).", "Luck ([how](how.md))."),
        ("Luck. See [luck](luck.md).", "Luck."),
        ("See [luck](luck.md).", ""),
    ],
)
def test_a_page_does_not_send_to_itself(why: str, shown: str) -> None:
    line = as_line(Claim("Section 1", "It works.", "It does.", "holds partly", why))
    assert line == f"**Holds partly:** It works. It does. {shown}".strip()
