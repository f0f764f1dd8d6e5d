"""Reading a project file: every key is known, every name is answered to, and errors say where."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from discreet.errors import (
    BadFile,
    BadInput,
    BadParameter,
    BadProject,
    UnknownColumn,
    UnknownKey,
    did_you_mean,
    listed,
)
from discreet.formats import WRITTEN_NAMES
from discreet.headline import HEADLINES, checked_name
from discreet.method_call import MethodCall
from discreet.parameters import ColumnsKind, Real
from discreet.plan import Plan
from discreet.project.lines import key_on_line, line_in_message, line_of
from discreet.project.sections import AssessOptions, ColumnSpec, ReadOptions, ReleaseOptions
from discreet.table import Role, Scale, one_of

FILE_NAME = "discreet.toml"
SECTIONS = ("read", "columns", "mask", "assess", "release")
KEYS = {
    "read": ("file", "delimiter", "encoding", "decimal", "missing", "sheet", "header"),
    "column": ("role", "scale", "order", "ontology", "mapping"),
    "assess": ("attacks", "losses", "ceilings", "floors", "alpha"),
    "release": ("order", "pseudonymise", "publish_text", "format", "spreadsheet_safe"),
}
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What a steward's project file says, checked. It never contains data.

    `file` is the data file that the project is about, where it names one, resolved against its own folder.
    """

    path: Path
    columns: Mapping[str, ColumnSpec]
    plan: Plan
    file: Path | None = None
    read: ReadOptions = field(default_factory=ReadOptions)
    assess: AssessOptions = field(default_factory=AssessOptions)
    release: ReleaseOptions = field(default_factory=ReleaseOptions)

    @classmethod
    def load(cls, path: str | Path) -> Project:
        """The project in this TOML file.

        Raises BadFile where the file cannot be read, BadProject where it is not TOML or contradicts itself, and
        UnknownKey, UnknownMethod, UnknownParameter, UnknownColumn or BadParameter where it holds a name that
        nothing answers to or a value out of range. Each says the file and, where known, the line.
        """
        place = Path(path)
        try:
            text = place.read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            raise BadFile(f"there is no project file {place}. `discreet inspect FILE` writes one.") from None
        except UnicodeDecodeError:
            raise BadFile(f"{place.name} is not UTF-8 text, as a TOML file must be.") from None
        except OSError as problem:
            raise BadFile(f"{place} cannot be read: {problem.strerror}.") from None
        return _Reader(place, text).project()

    def to_dict(self) -> dict[str, Any]:
        """The project as a TOML file would hold it."""
        said: dict[str, Any] = {
            "read": {**({} if self.file is None else {"file": self.file.name}), **self.read.to_dict()},
            "columns": {name: each.to_dict() for name, each in self.columns.items()},
            "mask": self.plan.to_dict(),
            "assess": self.assess.to_dict(),
            "release": self.release.to_dict(),
        }
        return {name: value for name, value in said.items() if value}


@dataclass(frozen=True, slots=True)
class _Reader:
    """One project file while it is read."""

    path: Path
    text: str

    def project(self) -> Project:
        said = self._toml()
        self._known(said, SECTIONS, ())
        columns = self._columns(self._table(said, "columns"))
        plan = self._plan(said.get("mask", []), columns)
        read = self._table(said, "read")
        self._known(read, KEYS["read"], ("read",))
        file = self._text(read, "file", ("read",))
        return Project(
            path=self.path,
            columns=MappingProxyType(columns),
            plan=plan,
            file=None if file is None else self.path.parent / file,
            read=self._read_options(read),
            assess=self._assessing(self._table(said, "assess")),
            release=self._releasing(self._table(said, "release"), columns),
        )

    def _toml(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as problem:
            line = line_in_message(problem)
            what = str(problem).split(" (at")[0]
            if line is not None and ("overwrite" in what or "twice" in what or "immutable" in what):
                raise BadProject(self._said_twice(line)) from None
            # What tomllib says names a character at most, never a value.
            raise BadProject(f"{self._at(line)}: not valid TOML: {what}.") from None

    def _said_twice(self, line: int) -> str:
        key = key_on_line(self.text, line)
        about = f"'{key}' is" if key else "something is"
        more = " A column has one role." if key == "role" or key.startswith("columns") else ""
        return f"{self._at(line)}: {about} given twice.{more} Keep one of the two."

    def _at(self, line: int | None) -> str:
        return self.path.name if line is None else f"{self.path.name}, line {line}"

    def _where(self, keys: tuple[str, ...], occurrence: int = 1) -> str:
        return self._at(line_of(self.text, keys, occurrence))

    def _known(self, said: Mapping[str, Any], keys: tuple[str, ...], section: tuple[str, ...]) -> None:
        for name in said:
            if name not in keys:
                inside = f" in [{'.'.join(section)}]" if section else ""
                raise UnknownKey(
                    f"{self._where((*section, name))}: unknown key '{name}'{inside}.{did_you_mean(name, keys)}"
                )

    def _table(self, said: Mapping[str, Any], name: str) -> dict[str, Any]:
        value = said.get(name, {})
        if not isinstance(value, dict):
            raise BadProject(f"{self._where((name,))}: '{name}' must be a table: [{name}].")
        return value

    def _within(self, keys: tuple[str, ...], make: Callable[[], T], occurrence: int = 1) -> T:
        """What `make` gives; its error, when it raises one, with the place in the file before it."""
        try:
            return make()
        except BadInput as problem:
            raise type(problem)(f"{self._where(keys, occurrence)}: {problem}") from None

    def _text(self, said: Mapping[str, Any], key: str, section: tuple[str, ...]) -> str | None:
        value = said.get(key)
        if value is not None and (not isinstance(value, str) or not value):
            raise BadProject(f"{self._where((*section, key))}: '{key}' must be a text that is not empty.")
        return value

    def _texts(self, said: Mapping[str, Any], key: str, section: tuple[str, ...]) -> tuple[str, ...]:
        value = said.get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise BadProject(f"{self._where((*section, key))}: '{key}' must be a list of texts.")
        twice = sorted({each for each in value if value.count(each) > 1})
        if twice:
            raise BadProject(f"{self._where((*section, key))}: '{key}' names {listed(twice)} twice.")
        return tuple(value)

    def _read_options(self, said: Mapping[str, Any]) -> ReadOptions:
        texts = {
            key: self._text(said, key, ("read",)) for key in ("delimiter", "encoding", "decimal", "sheet")
        }
        missing = self._texts(said, "missing", ("read",))
        header = self._flag(said, "header", ("read",))
        return self._within(("read",), lambda: ReadOptions(missing=missing, header=header, **texts))

    def _flag(self, said: Mapping[str, Any], key: str, section: tuple[str, ...]) -> bool | None:
        value = said.get(key)
        if value is not None and not isinstance(value, bool):
            raise BadProject(f"{self._where((*section, key))}: '{key}' must be true or false.")
        return value

    def _columns(self, said: Mapping[str, Any]) -> dict[str, ColumnSpec]:
        found = {}
        for name, each in said.items():
            section = ("columns", name)
            if not isinstance(each, dict):
                raise BadProject(
                    f"{self._where(section)}: column '{name}' must be a table with a role, such as "
                    f'{{ role = "confidential" }}.'
                )
            self._known(each, KEYS["column"], section)
            found[name] = self._described(name, each)
        return found

    def _described(self, name: str, said: Mapping[str, Any]) -> ColumnSpec:
        section = ("columns", name)
        role, scale = self._text(said, "role", section), self._text(said, "scale", section)
        if role is None:
            raise BadProject(
                f"{self._where(section)}: column '{name}' has no role; it is one of {', '.join(Role)}."
            )
        order = said.get("order", [])
        plain = isinstance(order, list) and all(isinstance(each, str | int | float) for each in order)
        if not plain or (order and scale not in (None, "ordinal")):
            wanted = (
                "a list of values from low to high" if not plain else "left out, as the column is not ordinal"
            )
            raise BadProject(f"{self._where((*section, 'order'))}: the order of '{name}' must be {wanted}.")
        return ColumnSpec(
            role=Role(self._within((*section, "role"), lambda: one_of(role, Role, "role"))),
            scale=None
            if scale is None
            else Scale(self._within((*section, "scale"), lambda: one_of(scale, Scale, "scale"))),
            order=tuple(str(each) for each in order),
            ontology=self._text(said, "ontology", section) or "",
            mapping=self._text(said, "mapping", section) or "",
        )

    def _plan(self, said: Any, columns: Mapping[str, ColumnSpec]) -> Plan:
        if not isinstance(said, list) or not all(isinstance(each, dict) for each in said):
            raise BadProject(
                f"{self._where(('mask',))}: masking steps are written as [[mask]], twice bracketed."
            )
        steps: list[MethodCall] = []
        for place, each in enumerate(said, start=1):
            if "method" not in each:
                raise BadProject(f"{self._where(('mask',), place)}: masking step {place} names no method.")
            plan = self._within(("mask",), partial(Plan.from_dict, [each]), place)
            for name in _named_columns(plan):
                self._is_column(name, columns, ("mask", "columns"), place)
            steps.extend(plan.steps)
        return Plan(steps=tuple(steps))

    def _is_column(
        self, name: str, columns: Mapping[str, ColumnSpec], keys: tuple[str, ...], occurrence: int = 1
    ) -> None:
        if name not in columns:
            raise UnknownColumn(
                f"{self._where(keys, occurrence)}: column '{name}' is not described under [columns]."
                f"{did_you_mean(name, columns)}"
            )

    def _assessing(self, said: Mapping[str, Any]) -> AssessOptions:
        section = ("assess",)
        self._known(said, KEYS["assess"], section)
        attacks, losses = self._texts(said, "attacks", section), self._texts(said, "losses", section)
        for name in attacks:
            self._within(("assess", "attacks"), partial(checked_name, name))
        for name in losses:
            self._within(("assess", "losses"), partial(MethodCall.parse, "loss", name))
        alpha = said.get("alpha")
        if alpha is not None:
            self._number(alpha, ("assess", "alpha"), 1.0)
        return AssessOptions(
            attacks=attacks,
            losses=losses,
            ceilings=self._limits(said, "ceilings", 1.0, attacks),
            floors=self._limits(said, "floors", math.inf, attacks),
            alpha=None if alpha is None else float(alpha),
        )

    def _limits(
        self, said: Mapping[str, Any], key: str, at_most: float, attacks: tuple[str, ...]
    ) -> Mapping[str, float]:
        limits = self._table(said, key) if key in said else {}
        for name, value in limits.items():
            place = ("assess", key, name)
            self._within(place, partial(checked_name, name))
            if attacks and name not in attacks and name not in HEADLINES:
                raise BadProject(
                    f"{self._where(place)}: {key} names '{name}', which is not among the attacks. Add it there."
                )
            self._number(value, place, at_most)
        return MappingProxyType({name: float(value) for name, value in limits.items()})

    def _number(self, value: object, keys: tuple[str, ...], at_most: float) -> None:
        if not Real(about="", at_least=0, at_most=at_most).accepts(value):
            wanted = "from 0 to 1" if at_most == 1 else "of at least 0"
            raise BadParameter(f"{self._where(keys)}: {keys[-1]} must be a number {wanted}.")

    def _releasing(self, said: Mapping[str, Any], columns: Mapping[str, ColumnSpec]) -> ReleaseOptions:
        section = ("release",)
        self._known(said, KEYS["release"], section)
        order = self._text(said, "order", section) or "shuffled"
        if order not in ("shuffled", "kept"):
            raise BadParameter(f'{self._where(("release", "order"))}: order must be "shuffled" or "kept".')
        ending = self._text(said, "format", section)
        if ending is not None and ending not in WRITTEN_NAMES:
            raise BadParameter(
                f"{self._where(('release', 'format'))}: there is no format '{ending}' to write; it is one of "
                f"{', '.join(WRITTEN_NAMES)}."
            )
        pseudonymise = self._texts(said, "pseudonymise", section)
        for name in pseudonymise:
            self._is_column(name, columns, ("release", "pseudonymise"))
        publish_text = self._texts(said, "publish_text", section)
        for name in publish_text:
            self._is_column(name, columns, ("release", "publish_text"))
        return ReleaseOptions(
            order="kept" if order == "kept" else "shuffled",
            pseudonymise=pseudonymise,
            publish_text=publish_text,
            format=ending,
            spreadsheet_safe=self._flag(said, "spreadsheet_safe", section) is not False,
        )


def _named_columns(plan: Plan) -> list[str]:
    """The columns that the steps of a plan name."""
    named: list[str] = []
    for step in plan.steps:
        for parameter in step.method.parameters:
            if isinstance(parameter.kind, ColumnsKind):
                named.extend(step.parameters.get(parameter.name) or ())
    return named
