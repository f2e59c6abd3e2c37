"""Blocks of work over threads, with a progress bar, the same result for any number of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TypeVar

from tqdm import tqdm

from ._validation import InputError, shown

Block = TypeVar("Block")


def count_threads(n_jobs: int | None) -> int:
    """Number of threads: None is one, −1 all."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or n_jobs < -1 or n_jobs == 0:
        raise InputError(
            f"n_jobs must be a positive integer, −1 for all cores, or None for one thread; "
            f"got {shown(n_jobs)}."
        )
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return n_jobs if n_jobs > 0 else cores or 1


def run_blocks(
    work: Callable[[Block], None], blocks: Sequence[Block], n_jobs: int | None, description: str
) -> None:
    """Call `work` on every block. Each call fills its own part of a result.

    The bar is drawn on a terminal only, and only when the work takes over a second.
    """
    n_threads = min(count_threads(n_jobs), max(1, len(blocks)))
    with tqdm(total=len(blocks), desc=description, disable=None, delay=1, leave=False) as bar:
        if n_threads == 1:
            for block in blocks:
                work(block)
                bar.update()
            return
        with ThreadPoolExecutor(n_threads) as pool:
            futures = [pool.submit(work, block) for block in blocks]
            try:
                for future in futures:
                    future.add_done_callback(lambda _: bar.update())
                wait(futures, return_when=FIRST_EXCEPTION)
            finally:
                for future in futures:
                    future.cancel()
        for future in futures:
            if not future.cancelled():
                future.result()
