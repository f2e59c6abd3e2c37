"""Train a neural rival on bundles of problems, on whatever device there is.

    python -m experiments.neural dcdi --problems FOLDER --out FOLDER --reg 1 3 --device cuda

It imports NumPy, torch and `intersort.baselines.neural` alone, so that it runs on a machine that
has nothing else. Each bundle gives ``NAME.npz`` (one row per problem and regulariser) and
``NAME.json`` (device, versions, settings, seconds). Both are written every minute, so that a run
that is stopped leaves what it had. The seed of a problem is its place in the bundle.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from experiments.neural_problems import Bundle, read_bundle
from intersort.baselines.neural.problem import OK, Problem, Progress, Trained, import_torch

SECONDS_A_LINE = 10
SECONDS_A_CHECKPOINT = 60
SECONDS_TO_WRITE = 5


def main(arguments: list[str] | None = None) -> int:
    """Train on every bundle in turn, the time limit being that of all together."""
    options = _parser().parse_args(arguments)
    begin = time.perf_counter()
    torch = import_torch()
    if options.threads:
        torch.set_num_threads(options.threads)
    paths = sorted(options.problems.glob("*.npz"))
    if not paths:
        print(f"{options.problems} holds no bundle (*.npz); write one with write_bundle.")
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    for path in paths:
        limit = options.time_limit
        left = None if limit is None else limit - (time.perf_counter() - begin) - SECONDS_TO_WRITE
        _train(path, options, left)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m experiments.neural", description=__doc__)
    parser.add_argument("method", choices=["dcdi", "pacer"])
    parser.add_argument("--problems", type=Path, required=True, help="folder of bundles")
    parser.add_argument("--out", type=Path, required=True, help="folder for what comes out")
    parser.add_argument("--reg", type=float, nargs="+", required=True, help="each problem × each")
    parser.add_argument("--max-steps", type=int, required=True)
    parser.add_argument("--time-limit", type=float, help="seconds, of all bundles together")
    parser.add_argument("--device", help="cuda or cpu; CUDA where there is one by default")
    parser.add_argument("--threads", type=int, help="threads of torch on the CPU")
    parser.add_argument("--skip", type=int, default=0, help="leave out the first problems")
    parser.add_argument("--most", type=int, help="take at most so many problems")
    return parser


def _train(path: Path, options: argparse.Namespace, time_limit: float | None) -> None:
    """One bundle."""
    bundle = read_bundle(path)
    writer = Writer(path.stem, bundle, options)
    last = None if options.most is None else options.skip + options.most
    chosen = range(len(bundle.problem_keys))[options.skip : last]
    writer.places = [k for _ in options.reg for k in chosen]
    writer.regs = [reg for reg in options.reg for _ in chosen]
    problems = [make_problem(bundle, k) for k in writer.places]
    print(f"{path.stem}: {len(problems)} problems, d = {problems[0].n_variables}", flush=True)
    trained = _function(options.method)(
        problems,
        reg=writer.regs,
        seeds=writer.places,
        device=options.device,
        max_steps=options.max_steps,
        time_limit=time_limit,
        report=writer.look,
    )
    writer.step = max(one.steps for one in trained)
    writer.n_finished = sum(one.status == OK for one in trained)
    writer.write(trained)
    print(writer.line(), flush=True)


def _function(method: str) -> Any:
    """The function that trains it."""
    if method == "dcdi":
        from intersort.baselines.neural.dcdi_training import train_dcdi

        return train_dcdi
    from intersort.baselines.neural.pacer_training import train_pacer

    return train_pacer


def make_problem(bundle: Bundle, k: int) -> Problem:
    """One problem of a bundle; problems on one dataset share its array."""
    dataset = int(bundle.problem_datasets[k])
    shown = np.flatnonzero(bundle.problem_shown[k])
    return Problem(bundle.values[dataset], bundle.targets[dataset], shown)


@dataclass
class Writer:
    """Lines on the screen, and files."""

    name: str
    bundle: Bundle
    options: argparse.Namespace
    places: list[int] = field(default_factory=list)
    regs: list[float] = field(default_factory=list)
    begin: float = field(default_factory=time.perf_counter)
    said: float = 0.0
    written: float = 0.0
    step: int = 0
    n_finished: int = 0

    def look(self, progress: Progress) -> None:
        """Say how far it is every ten seconds, write every minute."""
        self.step, self.n_finished = progress.step, progress.n_finished
        if progress.seconds - self.said > SECONDS_A_LINE:
            self.said = progress.seconds
            print(self.line(), flush=True)
        if progress.seconds - self.written > SECONDS_A_CHECKPOINT:
            self.written = progress.seconds
            self.write(progress.results())

    def line(self) -> str:
        """Steps, seconds, milliseconds a step, problems finished."""
        seconds = time.perf_counter() - self.begin
        return (
            f"  step {self.step:,}, {seconds:.0f} s, {1000 * seconds / max(self.step, 1):.2f} ms a "
            f"step, {self.n_finished} of {len(self.places)} finished"
        )

    def write(self, trained: list[Trained]) -> None:
        """Write both files, each under another name first, so that none is ever half there."""
        keys = [self.bundle.problem_keys[place] for place in self.places]
        columns = {
            "problem_keys": np.array(keys),
            "problem_shown": self.bundle.problem_shown[self.places],
            "reg": np.array(self.regs),
            "seed": np.array(self.places),
            "probabilities": np.stack([one.probabilities for one in trained]),
            "steps": np.array([one.steps for one in trained]),
            "seconds": np.array([one.seconds for one in trained]),
            "status": np.array([one.status for one in trained]),
        }
        if trained[0].ranking is not None:
            columns["ranking"] = np.stack([one.ranking for one in trained])
        path = self.options.out / f"{self.name}.npz"
        with open(f"{path}.part", "wb") as file:
            np.savez_compressed(file, **columns)
        os.replace(f"{path}.part", path)
        text = json.dumps(self.describe(trained), indent=1) + "\n"
        part = path.with_suffix(".json.part")
        part.write_text(text, encoding="utf-8")
        os.replace(part, path.with_suffix(".json"))

    def describe(self, trained: list[Trained]) -> dict[str, Any]:
        """Device, versions, settings, and how many ended how."""
        torch = import_torch()
        cuda = (self.options.device or "cuda").startswith("cuda") and torch.cuda.is_available()
        statuses = [one.status for one in trained]
        return {
            "method": self.options.method,
            "bundle": self.name,
            "device": torch.cuda.get_device_name() if cuda else "cpu",
            "torch": torch.__version__,
            "numpy": np.__version__,
            "python": sys.version.split()[0],
            "reg": self.options.reg,
            "max_steps": self.options.max_steps,
            "time_limit": self.options.time_limit,
            "n_problems": len(trained),
            "steps_done": self.step,
            "seconds": round(time.perf_counter() - self.begin, 3),
            "status": {status: statuses.count(status) for status in sorted(set(statuses))},
        }


if __name__ == "__main__":
    sys.exit(main())
