"""Run every benchmark in this folder, one after the other: `make bench`."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    """Run each script in a process of its own; say which one failed."""
    failed = []
    for script in sorted(HERE.glob("*.py")):
        if script.name == Path(__file__).name or script.name.startswith("_"):
            continue
        print(f"\n== python benchmarks/{script.name}", flush=True)
        start = time.perf_counter()
        if subprocess.run([sys.executable, str(script)], check=False).returncode:
            failed.append(script.name)
        print(f"   ({time.perf_counter() - start:.0f} s)", flush=True)
    if failed:
        print(f"\nfailed: {', '.join(failed)}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
