"""Whether permscore matches environments to variables or flags pairs: on seeds that no table uses.

Run it as `python benchmarks/permscore_variants.py`. docs/research/rivals.md discusses the outcome.
"""

from __future__ import annotations

from _results import keep
from _variants import combine, try_variants
from ease_forms import FRACTIONS

PLAN = {10: (10, FRACTIONS), 30: (2, (0.25, 1.0))}


def main() -> None:
    """Measure, print and keep."""
    keep(
        "permscore_variants",
        try_variants("permscore", combine(assignment=(True, False)), PLAN),
    )


if __name__ == "__main__":
    main()
