"""Files and folders that are there whole or not at all.

A file is written under another name in the same folder, put safely on the disk, and renamed into place. Where
anything fails, the folder is as it was.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from discreet.errors import BadFile, WouldOverwrite, listed
from discreet.manifest import PRIVATE_NAME, PUBLIC_NAME
from discreet.reading.content import file_digest
from discreet.writing.unfinished import unfinished

PRIVATE_MODE, PUBLIC_MODE = 0o600, 0o666
PRIVATE_FOLDER, PUBLIC_FOLDER = 0o700, 0o777
HERE, EXCHANGE = -100, 2
"""What the system call renameat2 is told: names are relative to the working folder, and both are kept."""

REPLACE = "replace it with --force (in Python force=True)"

Ours = Callable[[Path], Collection[str]]
"""For a folder, the patterns of the files that discreet wrote there; none where it is not one of discreet's."""


@contextlib.contextmanager
def new_file(path: str | Path, *, force: bool = False, private: bool = False) -> Iterator[Path]:
    """A path to write to, which becomes the file when the block ends without an error.

    Raises WouldOverwrite where the file is there already and `force` is not set, before the block runs and again
    when the file is put in place. A private file can be read by its owner only, from its first byte on.
    """
    place = Path(path)
    refuse_overwrite(place, force)
    mode = PRIVATE_MODE if private else PUBLIC_MODE
    with _named_problems(place), unfinished(place, lambda path: _create(path, mode)) as temporary:
        yield temporary
        _settle(temporary)
        _put_in_place(temporary, place, force)


def write_bytes(path: str | Path, content: bytes, *, force: bool = False, private: bool = False) -> str:
    """The SHA-256 digest of the file, written whole or not at all."""
    with new_file(path, force=force, private=private) as temporary:
        temporary.write_bytes(content)
        return file_digest(temporary)


def write_text(path: str | Path, text: str, *, force: bool = False, private: bool = False) -> str:
    """The SHA-256 digest of the UTF-8 file, written whole or not at all."""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError:
        raise BadFile(
            f"{path} cannot be written: a name that belongs in it, such as that of a file, is not UTF-8 text. Rename "
            "the file, or the column."
        ) from None
    return write_bytes(path, content, force=force, private=private)


def write_json(
    path: str | Path, value: Mapping[str, Any] | list[Any], *, force: bool = False, private: bool = False
) -> str:
    """The SHA-256 digest of the JSON file, written whole or not at all; NaN and infinity are refused."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return write_text(path, text, force=force, private=private)


@contextlib.contextmanager
def new_folder(
    path: str | Path, *, force: bool = False, private: bool = False, ours: Ours | None = None
) -> Iterator[Path]:
    """A folder to fill, which becomes the folder at `path` when the block ends without an error.

    An empty folder may be there already. One that holds something is replaced only with `force`, and with `ours` given
    only if every file in it is one that discreet wrote there: so a slip of the hand removes nothing else. Where `path`
    is a link to a folder, the folder it leads to is filled.
    """
    place = Path(path).resolve() if Path(path).is_symlink() else Path(path)
    refuse_folder(place, force, ours)
    mode = PRIVATE_FOLDER if private else PUBLIC_FOLDER
    with (
        _named_problems(place),
        unfinished(place, lambda path: path.mkdir(mode=mode)) as temporary,
        _known_by(place, temporary),
    ):
        yield temporary
        for each in sorted(temporary.rglob("*")):
            _settle(each)
        _settle(temporary)
        refuse_folder(place, force, ours)
        _swap_folders(temporary, place)


def refuse_overwrite(path: Path, force: bool, original: str | Path | None = None) -> None:
    """Raises WouldOverwrite where the path is the original, or is there already and `force` is not set.

    What belongs to a release, or is the original that a project file beside it tells of, is never replaced.
    """
    if original is not None and same_file(path, Path(original)):
        raise WouldOverwrite(
            f"{path.name} is the original; a release never replaces it. Choose another name."
        )
    if not force and (path.exists() or path.is_symlink()):
        raise WouldOverwrite(f"{path} is there already. Choose another name, or {REPLACE}.")
    if path.is_dir():
        raise WouldOverwrite(f"{path} is a folder; a file cannot take its place.")
    if path.exists() and (held := _what_it_is(path)):
        raise WouldOverwrite(f"{path} is {held}, which nothing else replaces. Choose another name.")


def _what_it_is(path: Path) -> str:
    """What a file is that must stay as it is, in words; empty where it is none of these."""
    from discreet.project import FILE_NAME

    if path.name in (PUBLIC_NAME, PRIVATE_NAME):
        return "the manifest of a release"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        if json.loads((path.parent / PUBLIC_NAME).read_bytes())["file"]["name"] == path.name:
            return "the published file of a release"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        project = (path.parent / FILE_NAME).read_bytes().decode("utf-8-sig")
        if tomllib.loads(project)["read"]["file"] == path.name:
            return f"the original that {FILE_NAME} tells of"
    return ""


def same_file(path: Path, original: Path) -> bool:
    """Whether both lead to one file, by whatever names and links."""
    if path.resolve() == original.resolve():
        return True
    return path.exists() and original.exists() and path.samefile(original)


def refuse_folder(path: Path, force: bool, ours: Ours | None) -> None:
    """Raises WouldOverwrite where there is a folder that a new one may not replace."""
    if path.exists() and not path.is_dir():
        raise WouldOverwrite(f"{path} is a file; a folder cannot take its place.")
    if not path.exists() or not any(path.iterdir()):
        return
    if not force:
        raise WouldOverwrite(f"{path} is not empty. Choose another folder, or {REPLACE}.")
    if ours is None:
        return
    known = ours(path)
    held = {each.relative_to(path).as_posix() for each in path.rglob("*") if not each.is_dir()}
    strange = sorted(name for name in held if not any(fnmatch(name, pattern) for pattern in known))
    if strange or not known:
        other = f"such as {listed(strange[:3])}" if strange else "not written by discreet"
        raise WouldOverwrite(
            f"{path} holds other things, {other}, and is not replaced. Choose another folder, or move them away."
        )


def _create(path: Path, mode: int) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))


def _settle(path: Path) -> None:
    """Waits until the content is on the disk, so that a rename never shows a file without it."""
    with contextlib.ExitStack() as stack:
        handle = os.open(path, os.O_RDONLY)
        stack.callback(os.close, handle)
        try:
            os.fsync(handle)
        except OSError as problem:
            # Some file systems cannot settle a folder; the rename is then as safe as they make it.
            if problem.errno not in (errno.EINVAL, errno.ENOTSUP) or not path.is_dir():
                raise


def _put_in_place(temporary: Path, path: Path, force: bool) -> None:
    if force:
        temporary.replace(path)
    else:
        try:
            # A link fails where the name is taken, even if it was taken this very moment; a rename does not.
            path.hardlink_to(temporary)
        except FileExistsError:
            raise WouldOverwrite(f"{path} is there already. Choose another name, or {REPLACE}.") from None
        except OSError:
            refuse_overwrite(path, force)
            temporary.replace(path)
    _settle(path.parent)


def _swap_folders(temporary: Path, path: Path) -> None:
    """Puts the new folder in the place of the old one, which takes the temporary name, in one step where there is one.

    A system that cannot exchange two names has a moment between two renames in which there is neither folder.
    """
    if not path.exists():
        temporary.rename(path)
    elif not _exchange(temporary, path):
        with unfinished(path, path.rename) as old:
            try:
                temporary.rename(path)
            except OSError:
                old.rename(path)
                raise
    _settle(path.parent)


def _exchange(one: Path, other: Path) -> bool:
    """Whether two folders have taken each other's names, in one step; False where the system cannot do that."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if os.name == "posix" else None
    if rename is None:
        return False
    return bool(rename(HERE, os.fsencode(one), HERE, os.fsencode(other), EXCHANGE) == 0)


@contextlib.contextmanager
def _known_by(path: Path, temporary: Path) -> Iterator[None]:
    """Errors that tell of a file in the temporary folder tell of it by the name that the user knows."""
    try:
        yield
    except BadFile as problem:
        raise BadFile(str(problem).replace(str(temporary), str(path))) from None


@contextlib.contextmanager
def _named_problems(path: Path) -> Iterator[None]:
    """Turns what the operating system says into an error that names the file."""
    try:
        yield
    except FileNotFoundError as problem:
        if not path.parent.is_dir():
            raise BadFile(f"{path} cannot be written: there is no folder {path.parent}.") from None
        raise BadFile(f"{path} cannot be written: {problem.strerror}.") from None
    except OSError as problem:
        reason = problem.strerror or "the system refused (is the disk full?)"
        raise BadFile(f"{path} cannot be written: {reason}.") from None
