"""A TOML file that is checked against its declared keys, so that every error says the file, the line and the key."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from discreet.errors import BadFile, BadInput, BadParameter, UnknownKey, did_you_mean, listed
from discreet.parameters import Choice, Kind, Words
from discreet.project.kinds import Limits
from discreet.project.lines import key_on_line, line_in_message, line_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TomlFile:
    """The text of a TOML file, for checking what it holds and for saying where something stands in it.

    A path of keys names a place: ("read", "delimiter") is the key `delimiter` in [read].
    """

    path: Path
    text: str

    @classmethod
    def read(cls, path: str | Path, absent: str = "there is no file {path}.") -> TomlFile:
        """The file at this path; BadFile where it cannot be read, in the words of `absent` where there is none."""
        place = Path(path)
        try:
            return cls(place, place.read_bytes().decode("utf-8-sig"))
        except FileNotFoundError:
            raise BadFile(absent.format(path=place)) from None
        except UnicodeDecodeError:
            raise BadFile(f"{place.name} is not UTF-8 text, as a TOML file must be.") from None
        except OSError as problem:
            raise BadFile(f"{place} cannot be read: {problem.strerror}.") from None

    def parsed(self, error: type[BadInput] = BadFile) -> dict[str, Any]:
        """What the file holds; raises the error where it is not TOML."""
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as problem:
            line = line_in_message(problem)
            what = str(problem).split(" (at")[0]
            if line is not None and ("overwrite" in what or "twice" in what or "immutable" in what):
                raise error(self._given_twice(line)) from None
            # What tomllib says names a character at most, never a value.
            raise error(f"{self._at(line)}: not valid TOML: {what}.") from None

    def where(self, keys: tuple[str, ...], occurrence: int = 1) -> str:
        """The file and, where it is found, the line of a key; `occurrence` picks among tables such as [[mask]]."""
        return self._at(line_of(self.text, keys, occurrence))

    def within(self, keys: tuple[str, ...], make: Callable[[], T], occurrence: int = 1) -> T:
        """What `make` gives; its error, when it raises one, with the place in the file before it."""
        try:
            return make()
        except BadInput as problem:
            raise type(problem)(f"{self.where(keys, occurrence)}: {problem}") from None

    def check_names(self, names: Collection[str], known: Collection[str], section: tuple[str, ...]) -> None:
        """Raises UnknownKey, with the nearest key, for a name that is not known in the section."""
        for name in names:
            if name not in known:
                inside = f" in [{'.'.join(section)}]" if section else ""
                near = did_you_mean(name, known)
                raise UnknownKey(f"{self.where((*section, name))}: unknown key '{name}'{inside}.{near}")

    def check(
        self, table: Mapping[str, Any], kinds: Mapping[str, Kind], section: tuple[str, ...] = ()
    ) -> None:
        """Raises UnknownKey for a key that is not declared, and BadParameter for a value that is not of its kind."""
        self.check_names(table, kinds, section)
        for name, value in table.items():
            self._check_value(value, kinds[name], (*section, name))

    def _check_value(self, value: Any, kind: Kind, keys: tuple[str, ...]) -> None:
        if isinstance(kind, Limits) and isinstance(value, dict):
            for name, each in value.items():
                self._check_value(each, kind.limit, (*keys, name))
        elif not kind.accepts(value):
            near = (
                did_you_mean(value, kind.among) if isinstance(kind, Choice) and isinstance(value, str) else ""
            )
            raise BadParameter(f"{self.where(keys)}: {keys[-1]} must be {kind.wants()}.{near}")
        elif isinstance(kind, Words) and len(set(value)) < len(value):
            repeated = sorted({each for each in value if value.count(each) > 1})
            raise BadParameter(f"{self.where(keys)}: {keys[-1]} names {listed(repeated)} twice.")

    def _given_twice(self, line: int) -> str:
        key = key_on_line(self.text, line)
        about = f"'{key}' is" if key else "something is"
        more = " A column has one role." if key == "role" or key.startswith("columns") else ""
        return f"{self._at(line)}: {about} given twice.{more} Keep one of the two."

    def _at(self, line: int | None) -> str:
        return self.path.name if line is None else f"{self.path.name}, line {line}"
