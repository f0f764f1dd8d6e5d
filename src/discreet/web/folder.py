"""The folder that the desk works in, and the names of files that lead nowhere else."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time
import tomllib
import unicodedata
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO

from discreet.errors import did_you_mean
from discreet.formats import BY_ENDING, ending_of
from discreet.hierarchies import ENDING
from discreet.manifest import PUBLIC_NAME
from discreet.project import FILE_NAME
from discreet.web.refused import Refused

OWN = ".discreet"
"""The folder in which the desk keeps what it needs to go on: work, histories, and facts that were computed."""
ADDED_DOCUMENTS = "documents"
"""The folder into which documents go that are added in the browser."""
LONGEST_NAME = 200
RELEASE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,59}")
FORBIDDEN = frozenset('\\/:*?"<>|%')
LEFTOVER, LEFT_AFTER = re.compile(r"\..+\.[0-9a-f]{16}\.part", re.DOTALL), 3600.0
"""The name of a file that is being written, and the seconds without a change after which nobody writes it any more."""
RESERVED = frozenset({"con", "prn", "aux", "nul"})


class Folder:
    """A folder of tables, documents and releases; nothing outside of it is ever opened."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    @property
    def own(self) -> Path:
        """Where the desk keeps its own files, for the owner's eyes only."""
        place = self.root / OWN
        if place.is_symlink():
            raise Refused(
                HTTPStatus.FORBIDDEN, f"{OWN} is a link: the desk keeps its own files in its folder."
            )
        place.mkdir(mode=0o700, exist_ok=True)
        return place

    def clear_leftovers(self) -> None:
        """Takes away what uploads left behind when the desk was killed: it holds data, and nobody sees it."""
        before = time.time() - LEFT_AFTER
        for each in self.root.iterdir():
            with contextlib.suppress(OSError):
                if LEFTOVER.fullmatch(each.name) and each.lstat().st_mtime < before:
                    each.unlink()

    def own_folder(self, name: str) -> Path:
        """A folder of the desk's own files of one kind."""
        place = self.own / name
        place.mkdir(mode=0o700, exist_ok=True)
        return place

    def inside(self, name: str) -> Path:
        """The file or folder of this name, folders before it with slashes; it is there, and no link leads out.

        Raises Refused: 400 for what is no such name, 403 for what is kept from all pages, 404 for what is not there.
        """
        parts = _parts(name)
        place = self.root
        for part in parts:
            place = place / part
            try:
                found = place.lstat()
            except (OSError, ValueError):
                raise Refused(
                    HTTPStatus.NOT_FOUND, "There is no such file in the folder of the desk."
                ) from None
            if stat.S_ISLNK(found.st_mode):
                raise Refused(
                    HTTPStatus.FORBIDDEN, "Links are not followed: they may lead out of the folder."
                )
        return place

    def opened(self, place: Path) -> BinaryIO:
        """A file below the folder, open to be read, none of whose names is a link at that moment.

        What was looked at before can have become a link since; so each name on the way is opened by itself.
        """
        at = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            *folders, last = place.relative_to(self.root).parts
            for name in folders:
                below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at)
                os.close(at)
                at = below
            return os.fdopen(os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=at), "rb")
        except OSError:
            raise Refused(
                HTTPStatus.NOT_FOUND, "There is no such file in the folder of the desk any more."
            ) from None
        finally:
            os.close(at)

    def name_of(self, place: Path) -> str:
        """The name by which pages know a file."""
        return place.relative_to(self.root).as_posix()

    def tables(self) -> list[Path]:
        """The files that are tables, in the folder and in the folders in it that are no releases."""
        found = [each for each in self._walk() if _is_table(each)]
        return sorted(found, key=lambda each: (each.parent != self.root, self.name_of(each).lower()))

    def hierarchies(self) -> list[Path]:
        """The files of levels that `discreet hierarchy` and the desk wrote."""
        return sorted(each for each in self._walk() if each.name.endswith(ENDING))

    def documents(self) -> list[Path]:
        """The folders of documents: those in which a document lies, and no table that is none."""
        found = [each for each in self._folders() if self._holds_documents(each)]
        return sorted(found, key=lambda each: self.name_of(each).lower())

    def releases(self) -> list[Path]:
        """The folders of releases, the newest first."""
        found = [each for each in self._folders() if _is_release(each)]
        return sorted(found, key=lambda each: -(each / "public" / PUBLIC_NAME).stat().st_mtime)

    def table(self, name: str) -> Path:
        """The table of this name; Refused with 404 where it is none."""
        place = self.inside(name)
        if not place.is_file() or not _is_table(place) or not self._is_open(place.parent):
            raise Refused(HTTPStatus.NOT_FOUND, "There is no such table in the folder of the desk.")
        return place

    def papers(self, name: str) -> Path:
        """The folder of documents of this name; Refused with 404 where it is none."""
        place = self.inside(name)
        if place == self.root or not self._is_open(place) or not self._holds_documents(place):
            raise Refused(
                HTTPStatus.NOT_FOUND, "There is no such folder of documents in the folder of the desk."
            )
        return place

    def release(self, name: str) -> Path:
        """The folder of the release of this name; Refused with 404 where it is none."""
        place = self.inside(name)
        if self._depth(place) not in (1, 2) or not _is_release(place):
            near = did_you_mean(name, [self.name_of(each) for each in self.releases()])
            raise Refused(HTTPStatus.NOT_FOUND, f"There is no such release in the folder of the desk.{near}")
        return place

    def _depth(self, place: Path) -> int:
        return len(place.relative_to(self.root).parts)

    def _is_open(self, folder: Path) -> bool:
        """Whether tables and documents are looked for in a folder: two floors down at most, and in no release."""
        return (
            folder.is_dir()
            and self._depth(folder) <= 2
            and not any(map(_is_release, (folder, folder.parent)))
        )

    def _holds_documents(self, folder: Path) -> bool:
        """Whether a folder holds a document, nothing but documents among tables, and belongs to no release."""
        from discreet.text.documents.formats import format_of

        if any(map(_is_release, (folder, folder.parent))):
            return False
        texts = False
        for each in _listed(folder):
            if each.is_file(follow_symlinks=False):
                known = format_of(each.name) is not None
                if not known and ending_of(Path(each.name)) in BY_ENDING:
                    return False
                texts = texts or known
        return texts

    def project_of(self, table: Path) -> Path:
        """The project file of a table, which need not be there: the usual one, unless that is about another file."""
        beside, own = table.parent / FILE_NAME, table.parent / f"{table.stem}.toml"
        if own.exists():
            return own
        if not beside.exists():
            return beside
        about = _file_in(beside)
        return beside if about in (None, table.name) else own

    def new_name(self, name: str) -> Path:
        """Where a new file of this name goes; Refused where the name is none, or is taken."""
        parts = _parts(name)
        plain = parts[0]
        bad = len(parts) > 1 or FORBIDDEN & set(plain) or plain.split(".")[0].lower() in RESERVED
        if bad or len(plain.encode()) > LONGEST_NAME or plain != unicodedata.normalize("NFC", plain).strip():
            raise Refused(HTTPStatus.BAD_REQUEST, "Give the file a plain name, such as people.csv.")
        place = self.root / plain
        if os.path.lexists(place):
            raise Refused(HTTPStatus.CONFLICT, "A file of this name is there already; it was left as it is.")
        return place

    def new_document(self, name: str) -> Path:
        """Where a new document of this plain name goes: into the folder of documents that were added here."""
        folder = self.root / ADDED_DOCUMENTS
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()) or _is_release(folder):
            said = f"Documents go into the folder {ADDED_DOCUMENTS}, and something else has that name. Rename it."
            raise Refused(HTTPStatus.CONFLICT, said)
        if os.path.lexists(folder / name):
            raise Refused(HTTPStatus.CONFLICT, "A file of this name is there already; it was left as it is.")
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder / name

    def free_name(self) -> str:
        """A name for a new release that nothing has yet."""
        taken = {each.name for each in self.root.iterdir()}
        names = ["release", *(f"release-{number}" for number in range(2, 1000))]
        return next(name for name in names if name not in taken)

    def new_release(self, name: str) -> str:
        """The name of a new release; Refused where it is no plain one, or is taken."""
        plain = name.strip()
        if not RELEASE_NAME.fullmatch(plain):
            raise Refused(
                HTTPStatus.UNPROCESSABLE_ENTITY, "Give the release a plain name: letters, digits and hyphens."
            )
        self.new_name(plain)
        return plain

    def _folders(self) -> list[Path]:
        """The folders one and two floors down, hidden ones and links left out."""
        first = _folders_in(self.root)
        return [*first, *(each for one in first for each in _folders_in(one))]

    def _walk(self) -> list[Path]:
        """The files of the folder and of the folders in it that are no releases."""
        released = set(self.releases())
        folders = [self.root, *(each for each in self._folders() if not {each, each.parent} & released)]
        return [
            folder / each.name
            for folder in folders
            for each in _listed(folder)
            if each.is_file(follow_symlinks=False)
        ]


def _is_table(place: Path) -> bool:
    return ending_of(place) in BY_ENDING and not place.name.endswith(ENDING)


def _folders_in(folder: Path) -> list[Path]:
    return [folder / each.name for each in _listed(folder) if each.is_dir(follow_symlinks=False)]


def _is_release(folder: Path) -> bool:
    """Whether a folder holds a release; what lies behind a link does not count."""
    public = folder / "public"
    manifest = public / PUBLIC_NAME
    return manifest.is_file() and not public.is_symlink() and not manifest.is_symlink()


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    """What lies in a folder and is not hidden, in the order of the names; a folder may hold very many files."""
    try:
        with os.scandir(folder) as found:
            return sorted(
                (each for each in found if not each.name.startswith(".")), key=lambda each: each.name
            )
    except OSError:
        return []


def _parts(name: str) -> list[str]:
    """The parts of a name, each a plain name of something in a folder."""
    if not name or len(name) > 4 * LONGEST_NAME or any(_is_odd(each) for each in name):
        raise Refused(HTTPStatus.BAD_REQUEST, "This is no name of a file.")
    parts = name.split("/")
    folded = unicodedata.normalize("NFKC", name).replace("\\", "/").split("/")
    if any(each in ("", ".", "..") for each in [*parts, *folded]) or (len(name) > 1 and name[1] == ":"):
        raise Refused(HTTPStatus.BAD_REQUEST, "A name of a file leads to no other folder.")
    if any(each.startswith(".") for each in parts):
        raise Refused(HTTPStatus.FORBIDDEN, "Hidden files are not for pages.")
    return parts


def _is_odd(character: str) -> bool:
    return (
        unicodedata.category(character) in ("Cc", "Cs", "Cn", "Co", "Zl", "Zp")
        or character in "\\\ufffd\ufeff"
    )


def _file_in(project: Path) -> str | None:
    """The file that a project says it is about; None where it says none, or cannot be read."""
    try:
        about = tomllib.loads(project.read_bytes().decode("utf-8-sig")).get("read", {}).get("file")
    except (OSError, ValueError, AttributeError):
        return None
    return about if isinstance(about, str) else None
