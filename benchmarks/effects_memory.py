"""Time and peak memory of the effects at d = 1,000, dense and sparse, each in a fresh process.

Run it as `python benchmarks/effects_memory.py`. All variables intervened on, 100 rows each, 5,000
control rows: 840 MB of float64; the sparse tables hold 5 % of it. After one warm-up call on a toy
the peak is reset, so what is counted is the call itself, with `n_jobs=-1`. Needs Linux.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from _results import keep
from scipy import sparse

from intersort import InterventionalData, measure_effects

D, N_CONTROL, N_ROWS = 1000, 5000, 100
DENSITY = 0.05


def memory(line: str) -> float:
    """A line of this process's status, in MB."""
    for text in Path("/proc/self/status").read_text().splitlines():
        if text.startswith(line + ":"):
            return int(text.split()[1]) * 1024 / 1e6
    raise RuntimeError(f"no {line} in /proc/self/status")


def draw(kind: str) -> tuple[object, float]:
    """The table and its size in MB, made without a second copy of a dense one."""
    rng = np.random.default_rng(0)
    n = N_CONTROL + D * N_ROWS
    if kind == "dense":
        values = np.empty((n, D))
        rng.standard_normal(out=values)
        return values, values.nbytes / 1e6
    table = sparse.random_array((n, D), density=DENSITY, format=kind, rng=rng)
    return table, sum(part.nbytes for part in (table.data, table.indices, table.indptr)) / 1e6


def measure(kind: str) -> None:
    """One line: seconds, CPU seconds, size of the input, memory before the call, peak in it."""
    values, size = draw(kind)
    names = tuple(f"x{column}" for column in range(D))
    toy = values[:200, :8]
    toy = toy.copy() if kind == "dense" else toy
    measure_effects(InterventionalData(toy, np.repeat([-1, 0], 100), names[:8]), n_jobs=-1)
    targets = np.repeat(np.arange(-1, D), [N_CONTROL] + [N_ROWS] * D)
    data = InterventionalData(values, np.random.default_rng(1).permutation(targets), names)
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    before = memory("VmRSS")
    start, worked = time.perf_counter(), time.process_time()
    measure_effects(data, n_jobs=-1)
    seconds, worked = time.perf_counter() - start, time.process_time() - worked
    print(seconds, worked, size, before, memory("VmHWM"))


def main() -> None:
    """Measure each kind three times in processes of their own, print and keep the fastest."""
    rows = []
    for kind in ("dense", "csr", "csc"):
        runs = []
        for _ in range(3):
            words = [sys.executable, __file__, kind]
            done = subprocess.run(words, check=True, capture_output=True, text=True)
            runs.append([float(word) for word in done.stdout.split()])
        seconds, worked, size, before, peak = min(runs)
        rows.append(
            {
                "table": kind,
                "seconds": seconds,
                "CPU seconds": worked,
                "input MB": size,
                "before MB": before,
                "peak MB": peak,
                "peak of the process / input": peak / size,
                "above before / input": (peak - before) / size,
                "time / dense": seconds / float(rows[0]["seconds"]) if rows else 1.0,
            }
        )
    keep("effects_memory", rows)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        measure(sys.argv[1])
    else:
        main()
