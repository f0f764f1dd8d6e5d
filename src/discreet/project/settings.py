"""Small TOML files of settings: every key is known, every value checked, and errors say where."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from discreet.errors import BadFile, BadParameter, UnknownKey, did_you_mean
from discreet.parameters import Kind
from discreet.project.lines import line_in_message, line_of


def read_settings(path: str | Path, kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """The settings in a TOML file, each of the kind that is declared for its key.

    Raises BadFile where the file cannot be read or is not TOML, UnknownKey for a key that is not declared, with the
    nearest one, and BadParameter for a value of another kind; each says the file and, where known, the line.
    """
    place = Path(path)
    text = _text(place)
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        # What tomllib says names a character at most, never a value.
        raise BadFile(
            f"{_at(place, line_in_message(problem))}: not valid TOML: {str(problem).split(' (at')[0]}."
        ) from None
    for name, value in said.items():
        where = _at(place, line_of(text, [name]))
        if name not in kinds:
            raise UnknownKey(f"{where}: unknown key '{name}'.{did_you_mean(name, kinds)}")
        if not kinds[name].accepts(value):
            raise BadParameter(f"{where}: {name} must be {kinds[name].wants()}.")
    return said


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise BadFile(f"there is no file {path}.") from None
    except UnicodeDecodeError:
        raise BadFile(f"{path.name} is not UTF-8 text, as a TOML file must be.") from None
    except OSError as problem:
        raise BadFile(f"{path} cannot be read: {problem.strerror}.") from None


def _at(path: Path, line: int | None) -> str:
    return path.name if line is None else f"{path.name}, line {line}"
