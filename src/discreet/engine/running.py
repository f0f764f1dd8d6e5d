"""Where the pieces of a work run: in threads of this process, or on the workers of a cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Protocol, TypeVar

from discreet._kernels.threads import thread_count
from discreet.progress import Progress

T = TypeVar("T")
R = TypeVar("R")
F = TypeVar("F")


class Engine(Protocol):
    """Runs pieces of work that do not depend on each other."""

    def each(
        self, work: Callable[[T], R], items: Sequence[T], *, scratch: Path, progress: Progress, what: str
    ) -> Iterator[R]:
        """What the work gives for each item, in the order of the items.

        A piece that was lost with its worker is done again: it writes the same files with the same content. Files that
        all workers see may lie in `scratch`.
        """


class Threads:
    """Threads of this process; no more pieces are begun than there are threads, so that memory stays small."""

    def __init__(self, threads: int | None = None) -> None:
        self.threads = thread_count(threads)

    def each(
        self, work: Callable[[T], R], items: Sequence[T], *, scratch: Path, progress: Progress, what: str
    ) -> Iterator[R]:
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                yield from in_order(
                    lambda item: pool.submit(work, item), Future.result, items, self.threads, progress, what
                )
            finally:
                pool.shutdown(cancel_futures=True)


def in_order(
    begin: Callable[[T], F],
    finish: Callable[[F], R],
    items: Sequence[T],
    at_once: int,
    progress: Progress,
    what: str,
) -> Iterator[R]:
    """What pieces give that are begun a few at a time, in the order of the items."""
    running: deque[F] = deque()
    left = iter(items)
    for done in range(len(items)):
        progress(done, len(items), what)
        while len(running) < at_once and (item := next(left, None)) is not None:
            running.append(begin(item))
        yield finish(running.popleft())
    progress(len(items), len(items), what)
