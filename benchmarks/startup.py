"""Seconds until the package is there: import, help, the first compilation, the cached kernels.

Run it as `python benchmarks/startup.py`. Every figure is the least of several processes; the
compilation is measured with an empty cache folder. Results go to benchmarks/results/startup.json.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RESULTS = Path(__file__).parent / "results" / "startup.json"
IMPORTS = (
    "import time, numpy as np, scipy.sparse, sklearn.base, pandas, numba, intersort\n"
    "from intersort.estimator import Intersort\n"
    "rng = np.random.default_rng(0)\n"
    "X, y = rng.normal(size=(1000, 30)), np.repeat(np.arange(-1, 24), 40)\n"
    "X[:, 1:] += X[:, :-1] * 2\n"
    "for _ in range(2):\n"
    "    start = time.perf_counter()\n"
    "    Intersort().fit(X, y)\n"
    "    print(time.perf_counter() - start)"
)


def seconds(words: list[str]) -> float:
    """Wall time of one process."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    return time.perf_counter() - start


def fit_seconds(cache: str) -> tuple[float, float]:
    """Times of the first and second fit in a new process, imports apart."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS], check=True, capture_output=True, text=True, env=environment
    )
    first, second = done.stdout.split()
    return float(first), float(second)


def main() -> None:
    """Measure, print and keep."""
    with tempfile.TemporaryDirectory() as cache:
        first, _ = fit_seconds(cache)
        later, again = min(fit_seconds(cache) for _ in range(3))
    measured = {
        "python alone": min(seconds(["-c", "pass"]) for _ in range(5)),
        "import intersort": min(seconds(["-c", "import intersort"]) for _ in range(5)),
        "intersort --help": min(seconds(["-m", "intersort.cli.main", "--help"]) for _ in range(5)),
        "compiling: first fit of 30 variables after install less a second one (at most 15)": (
            first - again
        ),
        "loading: first fit in a later process less a second one (at most 1)": later - again,
        "that second fit": again,
    }
    for name, value in measured.items():
        print(f"{value:8.2f} s  {name}")
    RESULTS.parent.mkdir(exist_ok=True)
    document = {
        "command": "python benchmarks/startup.py",
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "seconds": measured,
    }
    RESULTS.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
