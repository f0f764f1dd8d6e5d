"""Stored machine code is added to by one process at a time.

Numba reads the list of what is stored, chooses the next free name and writes both. Two processes that do so at once
choose the same name for the code of different types, and a later one would run the one's code on the other's data.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

LOCKS: ModuleType | None = None
"""The locks of the system; where it has none, processes are not kept apart."""
with contextlib.suppress(ImportError):
    import fcntl

    LOCKS = fcntl

NAME = ".being-stored"


@contextlib.contextmanager
def alone_in(folder: str | Path) -> Iterator[None]:
    """A block that one process at a time is in, for a folder; OSError where nothing can be written there."""
    if LOCKS is None:
        yield
        return
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    handle = os.open(place / NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        LOCKS.flock(handle, LOCKS.LOCK_EX)
        yield
    finally:
        os.close(handle)
