"""A method and its parameters, asked for in a line of text: "microaggregate k=5 columns=age,income"."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discreet import registry
from discreet.errors import BadParameter
from discreet.parameters import ColumnsKind, Words
from discreet.registry import Family, Method


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodCall:
    """A method with the parameters asked for; `label` is the line that asked."""

    label: str
    method: Method
    parameters: Mapping[str, Any]

    @property
    def files(self) -> list[str]:
        """The names of files and known ontologies that the parameters lead to."""
        return [
            name
            for key, value in self.parameters.items()
            for name in self.method.parameter(key).kind.files(value)
        ]


def parse_call(kind: Family, text: str) -> MethodCall:
    """What a line asks for, checked against what the method declares.

    Parameters are written name=value: lists of names with commas, all else as in TOML, a bare word being a text.

    >>> dict(parse_call("mask", "microaggregate k=5 columns=age,income").parameters)
    {'k': 5, 'columns': ['age', 'income']}
    """
    try:
        name, *pairs = shlex.split(text) or [""]
    except ValueError:
        raise BadParameter(f"'{text}' has a quotation mark that is not closed.") from None
    method = registry.find(kind, name)
    parameters: dict[str, Any] = {}
    for pair in pairs:
        key, equals, said = pair.partition("=")
        if not equals:
            raise BadParameter(f"{name}: '{pair}' is not of the form name=value.")
        if key in parameters:
            raise BadParameter(f"{name}: {key} is given twice. Give it once.")
        listed = isinstance(method.parameter(key).kind, ColumnsKind | Words) and not said.startswith("[")
        parameters[key] = said.split(",") if listed else _value(said)
        method.check(key, parameters[key])
    return MethodCall(label=text, method=method, parameters=parameters)


def name_in(label: str) -> str:
    """The name of the method that a line asks for."""
    return label.split(maxsplit=1)[0] if label else label


def _value(text: str) -> Any:
    """A parameter as TOML would read it; a bare word is a text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
