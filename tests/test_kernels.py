"""Kernels compile once, are cached where that is possible, and do no harm where it is not."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import intersort

PACKAGE = Path(intersort.__file__).parent
WORK = """
import numpy as np, intersort
rng = np.random.default_rng(0)
values = rng.normal(size=(60, 3))
targets = np.repeat([-1, 0, 1], 20)
data = intersort.InterventionalData.from_arrays(values, targets)
effects = intersort.measure_effects(data)
order = intersort.sort_ranking(effects, 0.3, 0.5)
print(intersort.__file__, effects.distance.sum(), order.order)
"""


def start(folder: Path, **environment: str) -> subprocess.Popen[str]:
    """Run the work with the package that lies in `folder`."""
    return subprocess.Popen(
        [sys.executable, "-c", WORK],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


def copy_package(folder: Path) -> Path:
    ignore = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(PACKAGE, folder / "intersort", ignore=ignore))


def test_two_processes_compile_at_once_and_a_third_loads(tmp_path: Path) -> None:
    copy_package(tmp_path)
    cache = str(tmp_path / "cache")
    both = [start(tmp_path, NUMBA_CACHE_DIR=cache) for _ in range(2)]
    said = {finish(process) for process in both}
    written = sorted(Path(cache).rglob("*.nbc"))
    assert written
    times = [path.stat().st_mtime_ns for path in written]
    said.add(finish(start(tmp_path, NUMBA_CACHE_DIR=cache)))
    assert len(said) == 1
    assert sorted(Path(cache).rglob("*.nbc")) == written
    assert [path.stat().st_mtime_ns for path in written] == times


def test_read_only_install_without_any_cache(tmp_path: Path) -> None:
    # Root may write anywhere, so a file stands where each cache folder would have to be.
    package = copy_package(tmp_path)
    for folder in [package, *(path for path in package.rglob("*") if path.is_dir())]:
        (folder / "__pycache__").write_text("")
    home = tmp_path / "home"
    home.write_text("")
    for path in [*package.rglob("*"), package]:
        path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    try:
        said = finish(start(tmp_path, HOME=str(home), XDG_CACHE_HOME=str(home / "cache")))
    finally:
        for path in [package, *package.rglob("*")]:
            path.chmod(path.stat().st_mode | stat.S_IWUSR)
    assert str(package) in said
