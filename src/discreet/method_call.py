"""A method with its parameters: a step of a plan, an attack or a measure that was asked for.

People write it as a line of text, "microaggregate k=5 columns=age,income"; plans and manifests hold it as plain data.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from discreet import registry
from discreet.errors import BadParameter
from discreet.method import Family, Method, Unit
from discreet.parameters import ColumnsKind, Words
from discreet.results import plain
from discreet.visible import visible_line


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodCall:
    """A method by its kind and name, and the parameters that differ from its defaults.

    `label` is the line that it was written in, by which its result is found again.
    """

    kind: Family
    name: str
    parameters: Mapping[str, Any]
    label: str = ""

    @classmethod
    def of(cls, kind: Family, name: str, parameters: Mapping[str, Any], label: str = "") -> MethodCall:
        """The call, checked against what the method declares.

        >>> print(MethodCall.of("mask", "microaggregate", {"columns": ["age", "income"], "k": 5}))
        microaggregate(columns=age+income, k=5)
        """
        method = registry.find(kind, name)
        for key, value in parameters.items():
            method.check(key, value)
        for each in method.parameters:
            if each.required and each.name not in parameters:
                raise BadParameter(f"{method.name} needs {each.name}: {each.kind.about}.")
        return cls(kind=kind, name=name, parameters=MappingProxyType(dict(parameters)), label=label or name)

    @classmethod
    def parse(cls, kind: Family, text: str) -> MethodCall:
        """The call that a line of text describes, checked against what the method declares.

        Parameters are written name=value: lists of names with commas, all else as in TOML, a bare word being a text.

        >>> dict(MethodCall.parse("mask", "microaggregate k=5 columns=age,income").parameters)
        {'k': 5, 'columns': ['age', 'income']}
        """
        try:
            name, *pairs = shlex.split(text) or [""]
        except ValueError:
            raise BadParameter(f"'{text}' has a quotation mark that is not closed.") from None
        method = registry.find(kind, name)
        parameters: dict[str, Any] = {}
        for pair in pairs:
            key, equals, written = pair.partition("=")
            if not equals:
                raise BadParameter(f"{name}: '{pair}' is not of the form name=value.")
            if key in parameters:
                raise BadParameter(f"{name}: {key} is given twice. Give it once.")
            listed = isinstance(method.parameter(key).kind, ColumnsKind | Words)
            parameters[key] = (
                written.split(",") if listed and not written.startswith("[") else _value(written)
            )
        return cls.of(kind, name, parameters, label=text)

    @property
    def method(self) -> Method:
        """What the method declares of itself."""
        return registry.find(self.kind, self.name)

    @property
    def files(self) -> list[str]:
        """The names of files and known ontologies that the parameters lead to."""
        return [
            name
            for key, value in self.parameters.items()
            for name in self.method.parameter(key).kind.files(value)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The call as plans and project files hold it."""
        method = self.method
        parameters = {
            name: method.parameter(name).kind.plain(value) for name, value in self.parameters.items()
        }
        return {"method": self.name, **plain(parameters)}

    def __reduce__(self) -> tuple[Any, ...]:
        """The call to be made again where it is copied or sent to another process: a read-only view cannot be."""
        return MethodCall.of, (self.kind, self.name, dict(self.parameters), self.label)

    def __repr__(self) -> str:
        """One line without parameters, which can repeat cells."""
        return visible_line(f"<{self.kind} {self.name}>")

    def __str__(self) -> str:
        parameters = ", ".join(f"{name}={_short(value)}" for name, value in self.parameters.items())
        return f"{self.name}({parameters})"


def name_in(label: str) -> str:
    """The name of the method in the label of a call."""
    return label.split(maxsplit=1)[0] if label else label


def unit_of(measure: str) -> Unit:
    """What the number of a measure of loss counts."""
    unit = MethodCall.parse("loss", measure).method.unit
    assert unit is not None  # every loss declares one
    return unit


def _value(text: str) -> Any:
    """A parameter as TOML would read it; a bare word is a text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _short(value: Any) -> str:
    """The value in few words; a table, which can hold cells, is counted."""
    if isinstance(value, Mapping):
        return f"{len(value)} entries"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "+".join(_short(each) for each in value)
    return str(value)
