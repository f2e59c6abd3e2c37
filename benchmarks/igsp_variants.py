"""Which levels and how many runs IGSP is given in which domain: chosen on seeds that no table uses.

Run it as `python benchmarks/igsp_variants.py`. docs/research/rivals.md discusses the outcome.
"""

from __future__ import annotations

from _results import keep
from _variants import combine, try_variants
from ease_forms import FRACTIONS

LEVELS, INVARIANCE_LEVELS, RUNS = (1e-5, 1e-3, 1e-2, 0.05), (1e-5, 1e-3), (5, 50)
PLAN = {10: (20, FRACTIONS), 30: (8, (0.25, 1.0))}


def main() -> None:
    """Measure, print and keep."""
    variants = combine(alpha=LEVELS, alpha_invariance=INVARIANCE_LEVELS, n_runs=RUNS)
    keep("igsp_variants", try_variants("igsp", variants, PLAN))


if __name__ == "__main__":
    main()
