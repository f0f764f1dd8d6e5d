"""What is given on the command line is what the command takes: a data file, the folder of a release, a place to write.

Each is looked at before any work is done, so that a slip of the hand costs a second and says what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from discreet.errors import BadFile, BadParameter, did_you_mean
from discreet.manifest import PUBLIC_NAME
from discreet.reading.content import is_dataset
from discreet.writing.release import PUBLIC, public_folder


def data_file(path: Path, what: str = "the original") -> Path:
    """The path, where a file, a pipe or a dataset is there; BadFile that says what is there instead."""
    if path.is_dir() and is_release(path):
        raise BadFile(f"{path} is the folder of a release, and {what} is a data file. Give that file.")
    if is_dataset(path):
        return path
    if path.is_dir():
        raise BadFile(f"{path} is a folder, and {what} is a data file. Give the file in it.")
    if not path.exists():
        raise BadFile(f"there is no file {path}.{_near(path)} Give the path of {what}.")
    return path


def release_folder(path: Path, then: str) -> Path:
    """The path, where a release is in it; BadFile that says what is there instead.

    `then` is how the command is written, for whoever gave the arguments in another order.
    """
    if not path.exists():
        raise BadFile(
            f"there is no folder {path}.{_near(path)} `discreet protect FILE --out {path}` makes a release there."
        )
    if not path.is_dir():
        raise BadFile(f"{path} is a file, and a release is a folder, as `discreet protect` wrote it: {then}.")
    if not is_release(path):
        raise BadFile(
            f"{path} holds no release: there is no {PUBLIC}/{PUBLIC_NAME} in it. Give the folder that `discreet "
            "protect FILE --out FOLDER` wrote."
        )
    return path


def is_release(folder: Path) -> bool:
    """Whether the public half of a release is in the folder."""
    return (public_folder(folder) / PUBLIC_NAME).is_file()


def writable(path: Path, endings: Sequence[str] = ()) -> None:
    """Raises before any work is done where a file cannot be written: no folder for it, or an ending of no format."""
    if endings and path.suffix.lower() not in endings:
        raise BadParameter(f"{path}: the name must end in {_either(endings)}; got '{path.suffix}'.")
    if not path.parent.is_dir():
        raise BadFile(
            f"{path} cannot be written: there is no folder {path.parent}. Make it, or choose another."
        )


def _either(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _near(path: Path) -> str:
    """A file or folder beside it of nearly this name, where there is one."""
    try:
        beside = [each.name for each in path.parent.iterdir() if each.suffix[:2] == path.suffix[:2]]
    except OSError:
        return f" Nor is there a folder {path.parent}."
    suggestion = did_you_mean(path.name, beside)
    return suggestion if "Did you mean" in suggestion else ""
