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
