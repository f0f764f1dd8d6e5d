"""Files and folders that are being written: named so that they are known, locked while their writer lives.

A process that is killed leaves what it was writing. Its lock goes with it, so whoever writes next in the same folder
knows that nobody will finish it, and clears it away.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

LOCKS: ModuleType | None = None
"""The locks of the system; where it has none, what a killed process leaves stays."""
with contextlib.suppress(ImportError):
    import fcntl

    LOCKS = fcntl

OWN: set[Path] = set()
"""What this process is writing."""
NAME = re.compile(r"\..+\.[0-9a-f]{16}\.part", re.DOTALL)


@contextlib.contextmanager
def unfinished(place: Path, create: Callable[[Path], object]) -> Iterator[Path]:
    """A new file or folder beside the place, made by `create` and gone when the block ends unless it was moved.

    What others left unfinished in the same folder is cleared first.
    """
    clear_abandoned(place.parent)
    path, lock = _claimed(place, create)
    OWN.add(path)
    try:
        yield path
    finally:
        _remove(path)
        OWN.discard(path)
        if lock is not None:
            os.close(lock)


def clear_own() -> None:
    """Removes what this process was writing, before it ends without clearing up after itself."""
    for path in tuple(OWN):
        _remove(path)


def clear_abandoned(folder: Path) -> None:
    """Removes what is unfinished in the folder and has no living writer."""
    try:
        found = [Path(each.path) for each in os.scandir(folder) if NAME.fullmatch(each.name)]
    except OSError:
        return
    for path in found:
        lock = locked(path, wait=False)
        if lock is not None:
            _remove(path)
            os.close(lock)


def locked(path: Path, *, wait: bool) -> int | None:
    """A handle that holds the lock of a file or folder; None where another has it or there are no locks."""
    if LOCKS is None:
        return None
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        LOCKS.flock(handle, LOCKS.LOCK_EX if wait else LOCKS.LOCK_EX | LOCKS.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _claimed(place: Path, create: Callable[[Path], object]) -> tuple[Path, int | None]:
    """A new path with its lock. Whoever clears up can come between making and locking it: then it is made again."""
    while True:
        path = place.parent / f".{place.name}.{secrets.token_hex(8)}.part"
        create(path)
        lock = locked(path, wait=True)
        if path.exists():
            return path, lock
        if lock is not None:
            os.close(lock)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        # Threads that still write there no longer find it under its name.
        gone = path.with_name(f".gone.{secrets.token_hex(8)}.part")
        try:
            path.rename(gone)
        except OSError:
            gone = path
        shutil.rmtree(gone, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
