"""The journal of a search: every point that was tried, so that a search can go on after a crash."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from discreet.errors import BadFile, BadInput, Mismatch
from discreet.searching.front import FailedPlan, TriedPlan
from discreet.searching.question import Question, differences

CONFIRMED = "confirm."
"""What the names of trials begin with in which a plan that would be chosen met all attacks."""


def points_so_far(path: Path) -> tuple[TriedPlan, ...]:
    """The points that a search has written into its journal by now; it may still be going on.

    Half a line at the end is left out. Raises BadFile where it is no journal.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")[1:-1]
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError):
        raise BadFile(f"{path} cannot be read as the journal of a search. Give another file.") from None
    try:
        return tuple(points_of(json.loads(line) for line in lines))
    except (BadInput, ValueError, KeyError, TypeError, AttributeError):
        raise BadFile(f"{path} holds what is no point of a search. Give another journal.") from None


def points_of(entries: Iterable[Mapping[str, Any]]) -> Iterator[TriedPlan]:
    """The points among the entries of a journal, without plans that failed and those that were only confirmed."""
    for each in entries:
        if "failed" not in each and not each["trial"].startswith(CONFIRMED):
            yield TriedPlan.from_dict(each["point"])


class Journal:
    """Points in a file, one JSON line each, written through to the disk as they come. For the owner's eyes only."""

    def __init__(self, path: Path | None, question: Question) -> None:
        self.path = path
        self.kept: dict[str, TriedPlan | FailedPlan] = {}
        if path is not None:
            self._open(path, question.to_dict())

    def _open(self, path: Path, header: Mapping[str, Any]) -> None:
        if path.is_file() and path.stat().st_size:
            self.kept = dict(self._read(path, header))
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        self._append(header)

    def _read(self, path: Path, header: Mapping[str, Any]) -> Iterator[tuple[str, TriedPlan | FailedPlan]]:
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
            earlier = json.loads(lines[0])
        except (OSError, UnicodeDecodeError, ValueError, RecursionError):
            raise BadFile(f"{path} cannot be read as the journal of a search. Give another file.") from None
        if not isinstance(earlier, dict) or "format" not in earlier:
            raise BadFile(f"{path} is not the journal of a search. Give another file.")
        if other := differences(earlier, header):
            raise Mismatch(
                f"{path} is the journal of another search, and its answers are not those to this one. What differs: "
                f"{'; '.join(other)}. Give another file for the journal, or search with what that one began with."
            )
        # A crash can leave half a line at the end: that trial is tried again.
        for number, line in enumerate(lines[1:-1], start=2):
            try:
                entry = json.loads(line)
                failed = "failed" in entry
                yield (
                    entry["trial"],
                    FailedPlan.from_dict(entry["failed"]) if failed else TriedPlan.from_dict(entry["point"]),
                )
            except (BadInput, ValueError, KeyError, TypeError, AttributeError):
                raise BadFile(
                    f"{path}, line {number}: not a point of a search. Give another journal."
                ) from None
        self._cut_half_line(path, lines[-1])

    def _cut_half_line(self, path: Path, half: str) -> None:
        if half:
            with path.open("r+b") as file:
                file.truncate(path.stat().st_size - len(half.encode()))

    def add(self, trial: str, point: TriedPlan | FailedPlan) -> None:
        """Keeps what a trial gave."""
        self.kept[trial] = point
        if self.path is not None:
            kind = "failed" if isinstance(point, FailedPlan) else "point"
            self._append({"trial": trial, kind: point.to_dict()})

    def _append(self, entry: Mapping[str, Any]) -> None:
        assert self.path is not None
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, allow_nan=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
