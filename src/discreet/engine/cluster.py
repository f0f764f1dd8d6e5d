"""A Dask cluster: one that is already there, or workers that are started on this machine."""

from __future__ import annotations

import logging
import os
import pickle
import secrets
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import resource_tracker
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from discreet._kernels.threads import thread_count
from discreet.engine.running import in_order
from discreet.errors import BadFile, DiscreetError, NotInstalled, WorkersLost
from discreet.progress import Progress

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 2
"""Pieces that wait for each worker, so that none has to wait for its next one."""
WAIT = 10
"""Seconds after which it is asked whether there are workers at all."""
TIMES = 3
"""So often a piece is tried on workers that die of it."""


class Cluster:
    """The workers of a Dask cluster, which see the same files as this process.

    Without an `address` so many `workers` are started on this machine, and end with it.
    """

    def __init__(self, address: str | None = None, *, workers: int | None = None) -> None:
        distributed = _distributed()
        # What is lost is told by an error of ours; the log would tell it in many lines of its own.
        for name in ("distributed", "distributed.client", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
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
        with _named_losses():
            workers = self._workers()

        def begin(item: T) -> Any:
            with _named_losses():
                return self._client.submit(_run, str(shared), item, pure=False, retries=0)

        try:
            yield from in_order(begin, self._finish, items, AHEAD * workers, progress, what)
        finally:
            shared.unlink(missing_ok=True)

    def _workers(self) -> int:
        """How many workers there are; waits a moment for the first."""
        try:
            self._client.wait_for_workers(1, timeout=WAIT)
        except TimeoutError:
            raise WorkersLost(
                f"the cluster has had no worker for {WAIT} seconds; nothing was published. Start workers "
                "(dask worker ADDRESS), and repeat the command."
            ) from None
        return len(self._client.scheduler_info(n_workers=-1)["workers"])

    def _finish(self, piece: Any) -> Any:
        with _named_losses():
            while True:
                try:
                    return piece.result(timeout=WAIT)
                except TimeoutError:
                    # It may take long, or wait for workers that will not come back.
                    self._workers()

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


@contextmanager
def _named_losses() -> Iterator[None]:
    """Turns what Dask says of a cluster that is no more into an error that says what to do."""
    from distributed import CancelledError, KilledWorker
    from distributed.comm import CommClosedError

    try:
        yield
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


def _run(shared: str, item: Any) -> Any:
    """One piece of work, on a worker. What its disk refuses is no fault of the cluster."""
    try:
        return _shared(shared)(item)
    except OSError as problem:
        reason = problem.strerror or "the system refused (is the disk full?)"
        raise BadFile(
            f"a worker could not use a file beside the release: {reason}. Nothing was published. Workers see the same "
            "folders as this process under the same names, and need room there."
        ) from None


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

    dask.config.set({"distributed.scheduler.allowed-failures": TIMES})
    with _quiet_when_stopped():
        return distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
        )


@contextmanager
def _quiet_when_stopped() -> Iterator[None]:
    """Processes that are started here leave Ctrl-C to this one, which ends them, and say nothing when they end."""
    key, wish = "PYTHONWARNINGS", "ignore:resource_tracker"
    before = os.environ.get(key)
    os.environ[key] = f"{before},{wish}" if before else wish
    # Started by another thread it would let that one hear Ctrl-C again.
    resource_tracker.ensure_running()
    mask = getattr(signal, "pthread_sigmask", None)
    kept = mask and mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if mask:
            mask(signal.SIG_SETMASK, kept)
        if before is None:
            del os.environ[key]
        else:
            os.environ[key] = before
