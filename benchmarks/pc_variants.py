"""Which rows and which level PC is given in which domain: chosen on seeds that no table uses.

Run it as `python benchmarks/pc_variants.py`. docs/research/rivals.md discusses the outcome.
"""

from __future__ import annotations

from _results import keep
from _variants import combine, try_variants
from ease_forms import FRACTIONS

ROWS, LEVELS = ("control", "pooled"), (0.05, 0.01)
PLAN = {10: (10, FRACTIONS), 30: (4, (0.25, 1.0))}


def main() -> None:
    """Measure, print and keep."""
    variants = combine(rows=ROWS, alpha=LEVELS)
    on_control = {name for name, settings in variants.items() if settings["rows"] == "control"}
    keep("pc_variants", try_variants("pc", variants, PLAN, on_control))


if __name__ == "__main__":
    main()
