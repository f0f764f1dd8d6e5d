"""Memory that is given back to the system as soon as nothing needs it, in a process that is discreet's own.

Allocators keep what was freed, in case it is needed again. Between two steps that each hold a table for a moment that
is a table's worth of memory that nobody uses. As a library discreet leaves the allocators of its host as they are.
"""

from __future__ import annotations

import ctypes
import os
import sys

OF_POLARS = ("_RJEM_MALLOC_CONF", "dirty_decay_ms:0,muzzy_decay_ms:0")
"""What the allocator of polars reads when polars is loaded."""
MMAP_THRESHOLD, BYTES = -3, 1 << 20
"""For glibc: arrays from a mebibyte on stay blocks of their own, which go back to the system when they are freed."""


def give_back_at_once() -> None:
    """Sets the allocators of this process so, before polars is loaded; a setting that the user gave to polars stays."""
    os.environ.setdefault(*OF_POLARS)
    if sys.platform.startswith("linux"):
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(MMAP_THRESHOLD, BYTES)
