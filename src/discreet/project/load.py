"""Reading a project file: every key is known, every name is answered to, and errors say where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from discreet.dialect.forms import form_of
from discreet.errors import BadProject, UnknownColumn, did_you_mean
from discreet.headline import HEADLINES, checked_name
from discreet.method_call import MethodCall
from discreet.plan import Plan
from discreet.project.sections import (
    READ_KEYS,
    SECTIONS,
    AssessOptions,
    EngineOptions,
    ReadOptions,
    ReleaseOptions,
)
from discreet.project.toml_file import TomlFile
from discreet.table import ColumnSpec, Role, Scale

FILE_NAME = "discreet.toml"


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
    engine: EngineOptions = field(default_factory=EngineOptions)

    @classmethod
    def load(cls, path: str | Path) -> Project:
        """The project in this TOML file.

        Raises BadFile where the file cannot be read, BadProject where it is not TOML or contradicts itself, and
        UnknownKey, UnknownMethod, UnknownParameter, UnknownColumn or BadParameter where it holds a name that
        nothing answers to or a value that its key does not take. Each says the file and, where known, the line.
        """
        absent = "there is no project file {path}. `discreet inspect FILE` writes one."
        return cls._of(TomlFile.read(path, absent))

    @classmethod
    def parse(cls, text: str, path: str | Path = FILE_NAME) -> Project:
        """The project that this text describes, as if it stood in the file at `path`; errors are those of `load`."""
        return cls._of(TomlFile(Path(path), text))

    @classmethod
    def _of(cls, source: TomlFile) -> Project:
        parsed = source.parsed(BadProject)
        source.check_names(parsed, SECTIONS, ())
        tables = _table(source, parsed, "columns")
        columns = _columns(source, tables)
        read = _section(source, parsed, "read") | _read_by_column(source, tables)
        file = read.pop("file", None)
        return cls(
            path=source.path,
            columns=MappingProxyType(columns),
            plan=_plan(source, parsed.get("mask", []), columns),
            file=None if file is None else source.path.parent / file,
            read=source.within(("read",), lambda: ReadOptions(**read)),
            assess=_assess(source, _section(source, parsed, "assess")),
            release=_release(source, _section(source, parsed, "release"), columns),
            engine=_engine(source, _section(source, parsed, "engine")),
        )

    def to_dict(self) -> dict[str, Any]:
        """The project as a TOML file would hold it."""
        sections: dict[str, Any] = {
            "read": {**({} if self.file is None else {"file": self.file.name}), **self.read.to_dict()},
            "columns": {
                name: {**each.to_dict(), **self.read.of_column(name)} for name, each in self.columns.items()
            },
            "mask": self.plan.to_dict(),
            "assess": self.assess.to_dict(),
            "release": self.release.to_dict(),
            "engine": self.engine.to_dict(),
        }
        return {name: section for name, section in sections.items() if section}


def _engine(source: TomlFile, section: Mapping[str, Any]) -> EngineOptions:
    return source.within(("engine",), lambda: EngineOptions(**section))


def _table(source: TomlFile, parsed: Mapping[str, Any], name: str) -> dict[str, Any]:
    table = parsed.get(name, {})
    if not isinstance(table, dict):
        raise BadProject(f"{source.where((name,))}: '{name}' must be a table: [{name}].")
    return table


def _section(source: TomlFile, parsed: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The values of a section, checked as it is declared, its lists as tuples."""
    table = _table(source, parsed, name)
    source.check(table, SECTIONS[name], (name,))
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def _columns(source: TomlFile, tables: Mapping[str, Any]) -> dict[str, ColumnSpec]:
    columns = {}
    for name, table in tables.items():
        section = ("columns", name)
        if not isinstance(table, dict):
            raise BadProject(
                f"{source.where(section)}: column '{name}' must be a table with a role, such as "
                f'{{ role = "confidential" }}.'
            )
        source.check(table, SECTIONS["columns"], section)
        columns[name] = _column(source, name, table)
    return columns


def _column(source: TomlFile, name: str, table: Mapping[str, Any]) -> ColumnSpec:
    section = ("columns", name)
    if "role" not in table:
        raise BadProject(
            f"{source.where(section)}: column '{name}' has no role; it is one of {', '.join(Role)}."
        )
    scale, order = table.get("scale"), table.get("order", [])
    if order and scale not in (None, Scale.ORDINAL):
        raise BadProject(
            f"{source.where((*section, 'order'))}: the order of '{name}' must be left out, as the column is not "
            "ordinal."
        )
    settled = {
        "role": Role(table["role"]),
        "scale": None if scale is None else Scale(scale),
        "order": tuple(str(each) for each in order),
    }
    stated = {key: value for key, value in table.items() if key not in READ_KEYS}
    return ColumnSpec(**{**stated, **settled})


def _read_by_column(source: TomlFile, tables: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """How columns are read, for those of which it is said."""
    formats = {name: table["format"] for name, table in tables.items() if "format" in table}
    for name, text in formats.items():
        source.within(("columns", name, "format"), partial(form_of, text))
    marks = {name: tuple(table["missing"]) for name, table in tables.items() if "missing" in table}
    return {"formats": formats, "missing_in": marks}


def _plan(source: TomlFile, steps: Any, columns: Mapping[str, ColumnSpec]) -> Plan:
    if not isinstance(steps, list) or not all(isinstance(each, dict) for each in steps):
        raise BadProject(
            f"{source.where(('mask',))}: masking steps are written as [[mask]], twice bracketed."
        )
    calls: list[MethodCall] = []
    for place, each in enumerate(steps, start=1):
        if "method" not in each:
            raise BadProject(f"{source.where(('mask',), place)}: masking step {place} names no method.")
        plan = source.within(("mask",), partial(Plan.from_dict, [each]), place)
        _check_columns(source, plan.columns, columns, ("mask", "columns"), place)
        calls.extend(plan.steps)
    return Plan(steps=tuple(calls))


def _check_columns(
    source: TomlFile,
    names: Iterable[str],
    columns: Mapping[str, ColumnSpec],
    keys: tuple[str, ...],
    occurrence: int = 1,
) -> None:
    for name in names:
        if name not in columns:
            raise UnknownColumn(
                f"{source.where(keys, occurrence)}: column '{name}' is not described under [columns]."
                f"{did_you_mean(name, columns)}"
            )


def _assess(source: TomlFile, values: Mapping[str, Any]) -> AssessOptions:
    attacks = values.get("attacks", ())
    for name in attacks:
        source.within(("assess", "attacks"), partial(checked_name, name))
    for name in values.get("losses", ()):
        source.within(("assess", "losses"), partial(MethodCall.parse, "loss", name))
    limits = {key: _limits(source, values.get(key, {}), key, attacks) for key in ("ceilings", "floors")}
    alpha = values.get("alpha")
    return AssessOptions(**{**values, **limits, "alpha": None if alpha is None else float(alpha)})


def _limits(
    source: TomlFile, limits: Mapping[str, float], key: str, attacks: tuple[str, ...]
) -> Mapping[str, float]:
    for name in limits:
        place = ("assess", key, name)
        source.within(place, partial(checked_name, name))
        if attacks and name not in attacks and name not in HEADLINES:
            raise BadProject(
                f"{source.where(place)}: {key} names '{name}', which is not among the attacks. Add it there."
            )
    return MappingProxyType({name: float(limit) for name, limit in limits.items()})


def _release(
    source: TomlFile, values: Mapping[str, Any], columns: Mapping[str, ColumnSpec]
) -> ReleaseOptions:
    for key in ("pseudonymise", "publish_text", "sanitise_text"):
        _check_columns(source, values.get(key, ()), columns, ("release", key))
    beside = source.path.parent / values.get("policy", "")
    return ReleaseOptions(**{**values, "policy": str(beside)} if beside.is_file() else values)
