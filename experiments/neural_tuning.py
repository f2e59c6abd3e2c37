"""The regulariser of each neural rival, chosen per domain and size on datasets no table uses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .grid import TITLES
from .pages import table
from .statistics import by, estimate
from .store import Row
from .task import Task

TITLE = "Regularisers of the neural rivals"


def tasks(size: str) -> list[Task]:
    """None: `neural_plan` makes the datasets, `neural` trains, `neural_plan collect` adds rows."""
    return []


def solve(task: Task) -> dict[str, Any]:
    """Never called."""
    raise NotImplementedError


def usual(rows: list[Row]) -> list[Row]:
    """Rows made with the rates that the rivals have."""
    return [row for row in rows if "order_rate" not in row]


def choose(rows: list[Row]) -> dict[tuple[str, int, str], float]:
    """(method, variables, domain) → the regulariser with the least mean D_top, ties to the least.

    >>> row = {"method": "dcdi", "d": 10, "domain": "linear", "reg": 1.0, "d_top": 2.0}
    >>> choose([row, row | {"reg": 3.0, "d_top": 1.0}])
    {('dcdi', 10, 'linear'): 3.0}
    """
    chosen = {}
    for key, part in by(usual(rows), "method", "d", "domain").items():
        means = {
            reg: estimate(row["d_top"] for row in here).mean
            for (reg,), here in sorted(by(part, "reg").items())
        }
        chosen[key] = min(means, key=lambda reg: means[reg])
    return chosen


def report(rows: list[Row], folder: Path) -> str:
    """A table a method and size."""
    parts = [
        (
            "DCDI's default regulariser is near random on these data, and PACER's scale is not "
            "said in its paper, so both are chosen: two datasets a domain (one and two edges "
            "per variable), a quarter and all of the variables intervened on, repetitions that "
            "no other page uses. Mean D_top; the least is taken (**bold**) for every other "
            "page. PACER is shown besides with other rates for the logits of its order: at the "
            "rate of its networks, 0.01, the order settles before they have learnt anything, so "
            "0.001 is used everywhere else."
        )
    ]
    chosen = choose(rows)
    for (method, d), part in by(usual(rows), "method", "d").items():
        parts += [f"## {method}, {d} variables", _table(part, chosen)]
    other = [row for row in rows if "order_rate" in row]
    for (rate, d), part in by(other, "order_rate", "d").items():
        parts += [f"## pacer, {d} variables, rate of the order {rate:g}", _table(part, {})]
    return "\n\n".join(parts)


def _table(rows: list[Row], chosen: dict[tuple[str, int, str], float]) -> str:
    regs = sorted({row["reg"] for row in rows})
    lines = []
    for (method, d, domain), part in by(rows, "method", "d", "domain").items():
        line = [TITLES[domain]]
        for reg in regs:
            here = [row["d_top"] for row in part if row["reg"] == reg]
            text = f"{estimate(here).mean:.2f}" if here else ""
            line.append(f"**{text}**" if chosen.get((method, d, domain)) == reg else text)
        lines.append(line)
    return table(["domain", *[f"{reg:g}" for reg in regs]], lines)
