"""The desk: a folder, the work that goes on in it, and each table with its project and the states that it had."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shlex
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from typing import Any

from discreet.digests import digest_of
from discreet.errors import BadFile
from discreet.project import Project
from discreet.reading.content import file_digest
from discreet.signing import PUBLIC_ENDING
from discreet.states import States, version_of
from discreet.web.folder import Folder
from discreet.web.refused import Refused, Stale
from discreet.web.work import Work, Works


class Desk:
    """A folder that a steward works in."""

    def __init__(self, root: Path) -> None:
        self.folder = Folder(root)
        self.works = Works(self.folder.own / "work", self.folder.root)
        self._digests: dict[Path, tuple[tuple[int, int, int], str]] = {}
        self._turn = threading.RLock()

    @property
    def root(self) -> Path:
        return self.folder.root

    def subject(self, name: str) -> Subject:
        """The table of this name with its project."""
        return Subject(desk=self, table=self.folder.table(name))

    def digest(self, file: Path) -> str:
        """The digest of a file, taken again when the file is another one by its size, time or place."""
        found = file.stat()
        mark = (found.st_size, found.st_mtime_ns, found.st_ino)
        known = self._digests.get(file)
        if known is None or known[0] != mark:
            known = self._digests[file] = (mark, file_digest(file))
        return known[1]

    def given(self, place: Path) -> str:
        """A file as the command line is given it: below the folder of the desk, and never like an option."""
        return f"./{self.folder.name_of(place)}"

    @property
    def key(self) -> Path:
        """The secret key that signs releases made here; it need not be there, and no page shows it."""
        return self.folder.own_folder("keys") / "steward.key"

    @property
    def public_key(self) -> Path:
        """The public half of the key, which others check by."""
        return self.key.with_name(f"{self.key.name}{PUBLIC_ENDING}")

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """A block in which nobody else changes projects, in this desk or in another one of the same folder."""
        with self._turn:
            lock = os.open(self.folder.own / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield
            finally:
                os.close(lock)


@dataclass(frozen=True, kw_only=True)
class Subject:
    """One table of the desk: its file, its project, and the states that the project had."""

    desk: Desk
    table: Path

    @cached_property
    def name(self) -> str:
        return self.desk.folder.name_of(self.table)

    @cached_property
    def project_file(self) -> Path:
        return self.desk.folder.project_of(self.table)

    @cached_property
    def text(self) -> str:
        """The project as it stands in its file; empty where there is none yet."""
        if self.project_file.is_symlink():
            said = f"{self.project_file.name} is a link, which may lead out of the folder: it is not read."
            raise Refused(HTTPStatus.FORBIDDEN, said)
        try:
            return self.project_file.read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError):
            raise Refused(
                HTTPStatus.UNPROCESSABLE_ENTITY, f"{self.project_file.name} cannot be read."
            ) from None

    @property
    def version(self) -> str:
        return version_of(self.text)

    @cached_property
    def project(self) -> Project:
        """The project, checked. Raises Refused where there is none yet."""
        if not self.text:
            raise Refused(HTTPStatus.CONFLICT, "This table has no project yet. Look at its columns first.")
        return Project.parse(self.text, self.project_file)

    @property
    def has_project(self) -> bool:
        return bool(self.text)

    @cached_property
    def steps(self) -> list[dict[str, Any]]:
        return self.project.plan.to_dict()

    @property
    def history(self) -> States:
        folder = (
            self.desk.folder.own / "history" / digest_of(self.desk.folder.name_of(self.project_file))[:16]
        )
        return States(self.project_file, folder)

    @property
    def releases(self) -> list[Path]:
        """The releases that were made of this table, by the name that their private halves tell."""
        from discreet.text.release import is_text_release

        found = [each for each in self.desk.folder.releases() if not is_text_release(each)]
        return [each for each in found if original_of(each) in (self.table.name, None)]

    def change(self, version: str, edit: Callable[[str], str]) -> Subject:
        """The subject with its project changed; nothing is written where it is not that version, or not valid."""
        with self.desk.turn():
            now = self.again()
            if now.version != version:
                raise Stale(now.version)
            text = edit(now.text)
            Project.parse(text, self.project_file)
            self.history.record(text)
        return self.again()

    def travel(self, version: str, go: Callable[[States], object]) -> Subject:
        """The subject at another state of its history."""
        with self.desk.turn():
            now = self.again()
            if now.version != version:
                raise Stale(now.version)
            go(self.history)
        return self.again()

    def again(self) -> Subject:
        """The subject as it is on the disk now."""
        return Subject(desk=self.desk, table=self.table)

    def work(
        self, name: str, says: str, *arguments: str, parts: tuple[str, ...] = (), once: str = ""
    ) -> Work:
        """A command about this table, with its file and project; its answer depends on the sections in `parts`."""
        project: Mapping[str, Any] = self.project.to_dict() if self.has_project else {}
        about = {part: digest_of(project.get(part)) for part in parts}
        given = ("--project", self.desk.given(self.project_file)) if self.has_project else ()
        return Work(
            name=name,
            says=says,
            arguments=(*arguments, *given),
            depends_on={"file": self.desk.digest(self.table), **about, **self._files_named()},
            once=once,
        )

    def _files_named(self) -> dict[str, str]:
        """The digests of files beside the project that its columns, steps and texts rest on."""
        if not self.has_project:
            return {}
        project = self.project
        said = [name for each in project.columns.values() for name in (each.ontology, each.mapping)]
        names = [*said, project.release.policy, *(name for step in project.plan.steps for name in step.files)]
        places = {name: self.project_file.parent / name for name in names if name}
        return {name: self.desk.digest(place) for name, place in places.items() if place.is_file()}

    @property
    def file(self) -> str:
        """The table as the command line is given it."""
        return self.desk.given(self.table)


def as_typed(arguments: tuple[str, ...]) -> str:
    """A command as one would type it in the folder of the desk."""
    return shlex.join(["discreet", *arguments])


_ORIGINALS: dict[tuple[Path, int], str | None] = {}


def original_of(release: Path) -> str | None:
    """The name of the file that a release was made of; None where its private half is not here or tells none."""
    from discreet.manifest import PRIVATE_NAME
    from discreet.shapes import read_json

    place = release / "private" / PRIVATE_NAME
    try:
        key = (place, place.stat().st_mtime_ns)
        if key not in _ORIGINALS:
            original = read_json(place).get("original")
            _ORIGINALS[key] = original.get("name") if isinstance(original, dict) else None
    except (BadFile, OSError):
        return None
    return _ORIGINALS[key]
