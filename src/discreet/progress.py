"""How long work tells what it has done: a function that is passed in."""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path
from typing import Protocol

EVERY = 0.2
"""Seconds from one note in a file to the next."""


class Progress(Protocol):
    """Called now and then with what has been done of how much, and of what."""

    def __call__(self, done: float, total: float, what: str) -> None: ...


class _Silent:
    """Says nothing."""

    def __call__(self, done: float, total: float, what: str) -> None:
        return

    def __repr__(self) -> str:
        return "SILENT"


SILENT: Progress = _Silent()


def part(progress: Progress, place: int, parts: int, name: str) -> Progress:
    """How the piece of work at `place` among so many tells its own progress within the whole."""
    if progress is SILENT:
        return SILENT

    def report(done: float, total: float, what: str) -> None:
        share = min(max(done / total, 0.0), 1.0) if total > 0 else 0.0
        progress(place + share, parts, what if what == name else f"{name}: {what}")

    return report


def progress_in(path: Path) -> Progress:
    """A reporter that keeps in a file how far the work is, as JSON: `{"done": 2, "total": 8, "what": "link"}`.

    The file is whole whenever it is read, and for its owner alone. Where it cannot be written the work goes on.
    """
    latest = 0.0

    def report(done: float, total: float, what: str) -> None:
        nonlocal latest
        now = time.monotonic()
        if now - latest < EVERY and done < total:
            return
        latest = now
        beside = path.with_name(f"{path.name}.next")
        with contextlib.suppress(OSError):
            with open(beside, "w", encoding="utf-8", opener=_private) as file:
                file.write(json.dumps({"done": done, "total": total, "what": what}))
            beside.replace(path)

    return report


def _private(path: str, flags: int) -> int:
    """A file that is made for its owner alone."""
    return os.open(path, flags, 0o600)
