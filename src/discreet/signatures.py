"""Signatures and docstrings of methods as `help` shows them: plain types, and what each parameter is for."""

from __future__ import annotations

import inspect
import textwrap
import types
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from discreet.parameters import Parameter

WIDTH = 100


class TypeName(str):
    """The name of a type, which a signature shows without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def readable(signature: inspect.Signature, hints: Mapping[str, Any]) -> inspect.Signature:
    """The signature with types that a person can read: what is declared beside them is left out.

    `hints` are the resolved annotations; those that declare nothing stay as they are written.
    """

    def shown(name: str, written: Any) -> TypeName:
        return TypeName(type_name(hints[name]) if declares(hints[name]) else written)

    parameters = [
        each.replace(annotation=shown(name, each.annotation)) for name, each in signature.parameters.items()
    ]
    result = shown("return", signature.return_annotation)
    return signature.replace(parameters=parameters, return_annotation=result)


def declares(hint: Any) -> bool:
    """Whether something is declared beside a type, or beside one inside it."""
    return get_origin(hint) is Annotated or any(declares(each) for each in get_args(hint))


def type_name(hint: Any) -> str:
    """A type as it is written in code, without what is declared beside it.

    >>> type_name(Annotated[list[int], "how many"] | None)
    'list[int] | None'
    """
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return type_name(inside[0])
    if origin in (Union, types.UnionType):
        return " | ".join(type_name(each) for each in inside)
    if origin is Literal:
        return f"Literal[{', '.join(repr(each) for each in inside)}]"
    if origin is not None:
        return f"{type_name(origin)}[{', '.join(type_name(each) for each in inside)}]"
    if hint is type(None):
        return "None"
    return getattr(hint, "__name__", str(hint))


def with_parameters(docstring: str | None, parameters: Sequence[Parameter]) -> str:
    """The docstring with what each parameter is for, what it must be, and what it is when left out."""
    described = inspect.cleandoc(docstring or "")
    lines = [line for each in parameters for line in _lines(each)]
    return "\n".join([described, "", "Parameters:", *lines]) if lines else described


def _lines(parameter: Parameter) -> list[str]:
    usual = "may be left out" if parameter.default is None else f"{parameter.default!r} when left out"
    must_be = f"must be {parameter.kind.wants()}; {'needed' if parameter.required else usual}"
    about = textwrap.wrap(f"{parameter.name}: {parameter.kind.about}", WIDTH - 4, subsequent_indent="    ")
    return [f"    {line}" for line in about] + [
        f"        {line}" for line in textwrap.wrap(must_be, WIDTH - 8)
    ]
