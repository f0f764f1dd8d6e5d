"""The journal of a search: every point that was tried, so that a search can go on after a crash."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from discreet.errors import BadFile, Mismatch
from discreet.searching.front import Point

FORMAT = 1


class Journal:
    """Points in a file, one JSON line each, written through to the disk as they come. For the owner's eyes only."""

    def __init__(self, path: Path | None, header: Mapping[str, Any]) -> None:
        self.path = path
        self.header = {"format": FORMAT, **header}
        self.kept: dict[str, Point | None] = {}
        if path is not None:
            self._open(path)

    def _open(self, path: Path) -> None:
        if path.is_file() and path.stat().st_size:
            self.kept = dict(self._read(path))
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        self._append(self.header)

    def _read(self, path: Path) -> Iterator[tuple[str, Point | None]]:
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
            header = json.loads(lines[0])
        except (UnicodeDecodeError, json.JSONDecodeError):
            raise BadFile(f"{path} is not the journal of a search.") from None
        if header != self.header:
            raise Mismatch(
                f"{path} is the journal of another search: other data, limits, methods or draw. Give another file."
            )
        # A crash can leave half a line at the end: that trial is tried again.
        for number, line in enumerate(lines[1:-1], start=2):
            try:
                said = json.loads(line)
                yield said["trial"], None if said["point"] is None else Point.from_dict(said["point"])
            except (json.JSONDecodeError, KeyError, TypeError):
                raise BadFile(
                    f"{path}, line {number}: not a point of a search. Give another journal."
                ) from None
        self._cut_half_line(path, lines[-1])

    def _cut_half_line(self, path: Path, half: str) -> None:
        if half:
            with path.open("r+b") as file:
                file.truncate(path.stat().st_size - len(half.encode()))

    def add(self, trial: str, point: Point | None) -> None:
        """Keeps what a trial gave."""
        self.kept[trial] = point
        if self.path is not None:
            self._append({"trial": trial, "point": None if point is None else point.to_dict()})

    def _append(self, said: Mapping[str, Any]) -> None:
        assert self.path is not None
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(said, allow_nan=False) + "\n")
            file.flush()
            os.fsync(file.fileno())


def digest_of(said: Any) -> str:
    """A short digest of plain data."""
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:24]
