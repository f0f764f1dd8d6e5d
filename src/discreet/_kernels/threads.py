"""Work shared among threads. Kernels release the interpreter's lock, so threads run them at the same time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

Progress = Callable[[int, int], object]
"""Called with how many are done and how many there are."""


def in_threads(work: Callable[[int], int], tasks: Sequence[int], threads: int) -> Iterator[int]:
    """What `work` gives for each task, in order, worked out by several threads at once."""
    if threads == 1 or len(tasks) <= 1:
        yield from map(work, tasks)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(work, tasks)
    finally:
        pool.shutdown(cancel_futures=True)


def thread_count(threads: int | None) -> int:
    """The number of threads to use: as asked, or as many as this process may run on."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise ValueError(f"threads must be at least 1; got {threads}")
    return threads
