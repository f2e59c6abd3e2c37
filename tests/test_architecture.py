"""House rules that can be read off the source: who imports whom, sizes, public names."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import intersort

PACKAGE = Path(intersort.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
ROOT = Path(__file__).resolve().parents[1]
EXPERIMENTS = sorted((ROOT / "experiments").rglob("*.py"))
ALL_FILES = [*FILES, *EXPERIMENTS]
STAGES = ["data", "effects", "scores", "orders", "uncertainty", "parents", "design", "shown"]
PART_OF_STAGE = {
    "transform": "data",
    "readers": "data",
    "summary": "data",
    "estimator": "shown",
    "writers": "shown",
    "plots": "shown",
    "report": "shown",
    "cli": "shown",
}
APART = {"simulate", "theory", "metrics"}
EXTRAS = {"pyarrow", "polars", "anndata", "matplotlib", "h5py", "torch", "dask", "pooch"}
EXTRAS |= {"causallearn", "gies", "permscore"}
SLOW = {"sklearn", "pandas", "numba", "scipy", "networkx", "highspy", *EXTRAS}


def imported_parts(path: Path) -> set[str]:
    """First part, below `intersort`, of everything a file imports from the package."""
    here = ("intersort", *path.relative_to(PACKAGE).with_suffix("").parts)
    parts = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level] if node.level else ()
            module = (*base, *((node.module or "").split(".") if node.module else ()))
            targets = [module] if len(module) > 1 else [(*module, a.name) for a in node.names]
        elif isinstance(node, ast.Import):
            targets = [tuple(alias.name.split(".")) for alias in node.names]
        else:
            continue
        parts |= {target[1] for target in targets if target[0] == "intersort" and len(target) > 1}
    return parts


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def test_no_stage_imports_a_later_one() -> None:
    wrong = []
    for path in FILES:
        stage = PART_OF_STAGE.get(part_of(path), part_of(path))
        if stage not in STAGES:
            continue
        for part in imported_parts(path):
            other = PART_OF_STAGE.get(part, part)
            if other in STAGES and STAGES.index(other) > STAGES.index(stage):
                wrong.append(f"{path.relative_to(PACKAGE)} imports {part}")
    assert not wrong


def test_simulate_theory_and_metrics_import_no_stage() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {part}"
        for path in FILES
        if part_of(path) in APART
        for part in imported_parts(path) - {part_of(path)}
        if not part.startswith("_")
    ]
    assert not wrong


def test_private_modules_import_no_stage() -> None:
    # `_labels` and `_values` belong to the data stage; the others serve all stages.
    wrong = [
        f"{path.name} imports {part}"
        for path in PACKAGE.glob("_*.py")
        if path.stem not in ("__init__", "__main__")
        for part in imported_parts(path)
        if not part.startswith("_")
    ]
    assert not wrong


def test_the_rule_would_catch_a_wrong_import(tmp_path: Path) -> None:
    assert imported_parts(PACKAGE / "writers.py") >= {"effects", "orders", "_validation"}


def test_the_package_imports_no_experiment() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}: {line}"
        for path in FILES
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.match(r"\s*(from|import)\s+experiments\b", line)
    ]
    assert not wrong


def test_files_stay_short() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in ALL_FILES}
    assert len(EXPERIMENTS) > 10
    assert {str(path): n for path, n in lines.items() if n > 400} == {}


def test_functions_stay_short() -> None:
    long = []
    for path in ALL_FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or node.end_lineno is None:
                continue
            first = node.body[0]
            documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            start = (first.end_lineno if documented else node.lineno) or node.lineno
            if node.end_lineno - start > 40:
                long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert not long


def test_no_pickle_and_no_global_randomness() -> None:
    words = ("pickle", "np.random.seed", "allow_pickle=True", "np.random.rand")
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in ALL_FILES
        for word in words
        if word in path.read_text(encoding="utf-8")
    ]
    assert not found


@pytest.mark.parametrize("name", sorted(intersort.__all__))
def test_every_public_name_loads_and_is_documented(name: str) -> None:
    thing = getattr(intersort, name)
    assert thing.__doc__, f"{name} has no docstring"
    is_exception = isinstance(thing, type) and issubclass(thing, Exception)
    if not (is_exception or inspect.ismodule(thing)):
        assert ">>>" in thing.__doc__, f"{name} has no example"


def run_python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_loads_nothing_heavy() -> None:
    loaded = run_python("import intersort, sys; print(*sys.modules)").split()
    assert not SLOW & {module.partition(".")[0] for module in loaded}


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom intersort.cli.main import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\nprint(*sys.modules)"
    )
    loaded = run_python(code).split()
    assert not SLOW & {module.partition(".")[0] for module in loaded}


def test_importing_every_module_needs_no_extra() -> None:
    modules = [
        ".".join(("intersort", *path.relative_to(PACKAGE).with_suffix("").parts))
        for path in FILES
        if path.stem not in ("__init__", "__main__")
    ]
    block = (
        "import importlib, sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] in {sorted(EXTRAS)!r}:\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
    )
    run_python(block + f"for m in {modules!r}: importlib.import_module(m)")


def test_stage_folders_export_nothing() -> None:
    for stage in ("effects", "scores", "orders", "plots", "cli"):
        module = importlib.import_module(f"intersort.{stage}")
        text = Path(str(module.__file__)).read_text(encoding="utf-8")
        assert not [n for n in ast.parse(text).body if not isinstance(n, ast.Expr)], stage
