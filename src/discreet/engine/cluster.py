"""A Dask cluster: one that is already there, or workers that are started on this machine."""

from __future__ import annotations

import logging
import pickle
import secrets
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from discreet._kernels.threads import thread_count
from discreet.engine.running import in_order
from discreet.errors import DiscreetError, NotInstalled, WorkersLost
from discreet.progress import Progress

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 2
"""Pieces that wait for each worker, so that none has to wait for its next one."""
TIMES = 3
"""So often a piece is tried on workers that die of it."""


class Cluster:
    """The workers of a Dask cluster, which see the same files as this process.

    Without an `address` so many `workers` are started on this machine, and end with it.
    """

    def __init__(self, address: str | None = None, *, workers: int | None = None) -> None:
        distributed = _distributed()
        self._local = None if address else _local_workers(distributed, thread_count(workers))
        try:
            self._client = distributed.Client(address or self._local, timeout="10s")
        except (OSError, ValueError) as problem:
            raise WorkersLost(
                f"there is no Dask scheduler at {address} ({type(problem).__name__}). Give the address that it told "
                "when it was started, such as tcp://10.0.0.5:8786, or leave it out for workers on this machine."
            ) from None

    def each(
        self, work: Callable[[T], R], items: Sequence[T], *, scratch: Path, progress: Progress, what: str
    ) -> Iterator[R]:
        # What the pieces share lies in a file, which outlives any worker.
        shared = scratch / f"work-{secrets.token_hex(8)}.pickle"
        shared.write_bytes(pickle.dumps(work))
        shared.chmod(0o600)
        workers = max(1, len(self._client.scheduler_info(n_workers=-1)["workers"]))

        def begin(item: T) -> Any:
            return self._client.submit(_run, str(shared), item, pure=False, retries=0)

        try:
            yield from in_order(begin, self._finish, items, AHEAD * workers, progress, what)
        finally:
            shared.unlink(missing_ok=True)

    def _finish(self, piece: Any) -> Any:
        from distributed import CancelledError, KilledWorker
        from distributed.comm import CommClosedError

        try:
            return piece.result()
        except DiscreetError:
            raise
        except KilledWorker:
            raise WorkersLost(
                f"{TIMES} workers died of the same piece of work, most likely for want of memory; nothing was "
                "published. Give each worker more memory, or use fewer workers."
            ) from None
        except (CancelledError, CommClosedError, OSError, TimeoutError):
            raise WorkersLost(
                "the scheduler of the cluster was lost; nothing was published. Start it again, and repeat the command."
            ) from None

    def close(self) -> None:
        """Lets go of the cluster, and ends the workers that were started for it."""
        self._client.close()
        if self._local is not None:
            self._local.close()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _run(shared: str, item: Any) -> Any:
    """One piece of work, on a worker."""
    return _shared(shared)(item)


@lru_cache(maxsize=2)
def _shared(path: str) -> Callable[[Any], Any]:
    work: Callable[[Any], Any] = pickle.loads(Path(path).read_bytes())
    return work


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise NotInstalled(
            "the engine 'dask' needs dask and distributed: install discreet with the extra 'cluster'."
        ) from None
    return distributed


def _local_workers(distributed: Any, workers: int) -> Any:
    import dask

    logging.getLogger("distributed").setLevel(logging.ERROR)
    dask.config.set({"distributed.scheduler.allowed-failures": TIMES})
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )
