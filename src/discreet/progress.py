"""How long work tells what it has done: a function that is passed in."""

from __future__ import annotations

from typing import Protocol


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
