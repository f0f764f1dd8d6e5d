"""The history of a project: its releases, when and how they were made, and what assessments said of them.

It is a file beside the project that only grows, a JSON line for each event, for the owner's eyes only. It holds names
of methods and columns, numbers and digests, and no cell. A process that is killed leaves at most half a line, which is
passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from discreet.assessment import Assessment
from discreet.errors import BadFile
from discreet.manifest import PUBLIC_NAME
from discreet.method_call import MethodCall
from discreet.plan import Plan
from discreet.project import Project
from discreet.reading.content import file_digest
from discreet.results import FORMAT
from discreet.shapes import Check, digest, list_of, maybe, number, record, text, whole
from discreet.writing.release import public_folder
from discreet.writing.unfinished import locked

NAME = ".discreet-history.jsonl"
PROTECTED, ASSESSED = "protected", "assessed"
NOT_ASSESSED = "not assessed"
"""The verdict of a release that nobody assessed: nothing about it is known."""


_EACH = {"format": whole(0), "when": text, "event": text, "folder": text, "release": digest}
_SHARE = maybe(number)
_EVENTS: Mapping[str, Check] = {
    PROTECTED: record(
        {
            **_EACH,
            "plan": list_of(text),
            "unfinished": text,
            "project": digest,
            "project_file": text,
        }
    ),
    ASSESSED: record(
        {
            **_EACH,
            "verdict": text,
            "identity": _SHARE,
            "attribute": _SHARE,
            "lost": _SHARE,
            "limits": list_of(text),
        }
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRelease:
    """One release that was made, and what its last assessment found.

    `risks` are the headlines, as shares, and `lost` is in percent; None where not computed. `verdict` is "met",
    "exceeded", "not checked", "no limits" or "not assessed". `there` says whether the folder still holds this very
    release, and `project_changed` whether the project file is another than it was made with; None where that is gone.
    """

    folder: str
    made: str
    plan: tuple[str, ...]
    unfinished: str
    there: bool
    project_changed: bool | None
    verdict: str = NOT_ASSESSED
    assessed: str = ""
    identity: float | None = None
    attribute: float | None = None
    lost: float | None = None
    limits: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {name: _plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The releases of a project in the order they were made. `unread` counts lines that could not be read."""

    releases: tuple[PastRelease, ...]
    unread: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "releases": [each.to_dict() for each in self.releases],
            "unread_lines": self.unread,
        }


def note_release(folder: Path, plan: Plan, project: Project, *, unfinished: str = "") -> None:
    """Keeps that a release by a plan was saved in a folder, made as the project says. BadFile where it cannot be kept.

    `unfinished` says what is left to do, as the manifest does.
    """
    kept_in = project.path.parent
    _append(
        kept_in,
        {
            "event": PROTECTED,
            "folder": _beside(folder, kept_in),
            "release": file_digest(public_folder(folder) / PUBLIC_NAME),
            "plan": [_told(step) for step in plan.steps],
            "unfinished": unfinished,
            "project": file_digest(project.path),
            "project_file": _beside(project.path, kept_in),
        },
    )


def note_assessment(folder: Path, found: Assessment, project: Project) -> None:
    """Keeps what an assessment found of the release in a folder. Raises BadFile where it cannot be kept."""
    _append(
        project.path.parent,
        {
            "event": ASSESSED,
            "folder": _beside(folder, project.path.parent),
            "release": file_digest(public_folder(folder) / PUBLIC_NAME),
            "verdict": found.verdict,
            "identity": None if found.identity is None or not found.identity.attacks else found.identity.risk,
            "attribute": None
            if found.attribute is None or not found.attribute.attacks
            else found.attribute.risk,
            "lost": None if found.lost is None else found.lost.loss,
            "limits": [
                f"{each.name} {'at least' if each.is_floor else 'at most'} {each.bound:g}: {each.status}"
                for each in found.limits
            ],
        },
    )


def history(folder: str | Path) -> History:
    """The history of the project in a folder: its releases in the order they were made, with their last verdicts.

    Raises BadFile where there is none.
    """
    place = Path(folder)
    events, unread = _read(place / NAME)
    made: list[tuple[str, PastRelease]] = []
    for each in events:
        if each["event"] == PROTECTED:
            made = [(key, _replaced(past, each["folder"])) for key, past in made]
            made.append((each["release"], _past(place, each)))
            continue
        # The last one of these bytes in this folder, or else a copy of a release that lay elsewhere.
        places = [at for at, (key, _) in enumerate(made) if key == each["release"]]
        here = [at for at in places if made[at][1].folder == each["folder"]]
        for at in (here or places)[-1:]:
            made[at] = (each["release"], _judged(made[at][1], each))
    return History(releases=tuple(past for _, past in made), unread=unread)


def _replaced(release: PastRelease, folder: str) -> PastRelease:
    """The release, gone where a later one was written to the same folder."""
    return replace(release, there=False) if release.folder == folder else release


def _past(place: Path, event: Mapping[str, Any]) -> PastRelease:
    return PastRelease(
        folder=event["folder"],
        made=event["when"],
        plan=tuple(event["plan"]),
        unfinished=event["unfinished"],
        there=_digest(public_folder(place / event["folder"]) / PUBLIC_NAME) == event["release"],
        project_changed=_changed(_digest(place / event["project_file"]), event["project"]),
    )


def _judged(release: PastRelease, event: Mapping[str, Any]) -> PastRelease:
    return replace(
        release,
        verdict=event["verdict"],
        assessed=event["when"],
        identity=event["identity"],
        attribute=event["attribute"],
        lost=event["lost"],
        limits=tuple(event["limits"]),
    )


def _changed(now: str | None, then: str) -> bool | None:
    return None if now is None else now != then


def _digest(path: Path) -> str | None:
    try:
        return file_digest(path)
    except BadFile:
        return None


def _told(step: MethodCall) -> str:
    """A step without what could repeat cells: its method, and the parameters that hold none."""
    kinds = {each.name: each.kind for each in step.method.parameters}
    told = {name: each for name, each in step.parameters.items() if not kinds[name].holds_cells}
    words = [
        f"{name}={'+'.join(each) if isinstance(each, list | tuple) else each}" for name, each in told.items()
    ]
    return " ".join([step.name, *words])


def _beside(path: Path, folder: Path) -> str:
    """The path as it is found from the folder."""
    return os.path.relpath(path.resolve(), folder.resolve())


def _append(folder: Path, event: Mapping[str, Any]) -> None:
    """Writes one event through to the disk, in one piece; where a killed process left half a line, after its end."""
    path = folder / NAME
    line = {"format": FORMAT, "when": datetime.now(UTC).isoformat(timespec="seconds"), **event}
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            lock = locked(path, wait=True)
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            os.write(handle, ("\n" * torn + json.dumps(line, allow_nan=False) + "\n").encode())
            os.fsync(handle)
            if lock is not None:
                os.close(lock)
        finally:
            os.close(handle)
    except OSError as problem:
        raise BadFile(f"the history {path} cannot be kept: {problem.strerror}.") from None


def _read(path: Path) -> tuple[list[dict[str, Any]], int]:
    """The events in the file, and how many lines are none."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        raise BadFile(
            f"there is no history in {path.parent}: no `discreet protect` was run with a project file there. Give the "
            "folder of the project file."
        ) from None
    except OSError as problem:
        raise BadFile(f"the history {path} cannot be read: {problem.strerror}.") from None
    found = [_event(line) for line in lines if line]
    events = [each for each in found if each is not None]
    return events, len(found) - len(events)


def _event(line: str) -> dict[str, Any] | None:
    """The event that a line holds; None where it is torn or was written by something else."""
    try:
        event = json.loads(line)
        _EVENTS[event["event"]](event, "the history")
    except (BadFile, ValueError, KeyError, TypeError, RecursionError):
        return None
    return dict(event)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
