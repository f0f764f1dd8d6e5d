"""Forms made from what methods declare: each parameter a field with its range, its default and what it is for."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING
from dataclasses import fields as record_fields
from typing import Any

import tomlkit

from discreet.errors import BadParameter
from discreet.method import Method
from discreet.method_call import MethodCall
from discreet.parameters import (
    Amounts,
    Choice,
    ColumnsKind,
    Distributions,
    Flag,
    Groups,
    Kind,
    Numbers,
    Pairs,
    PairsOrFile,
    Parameter,
    Real,
    Selector,
    Whole,
    Word,
    Words,
)
from discreet.project.kinds import Limits
from discreet.table import IDENTIFYING, ColumnSpec

PREFIX = "parameter."
"""What stands before the name of a parameter in a form, so that it is never taken for a field of the page."""
OF, AT = ".of", ".at"
"""What stands after the name of a table of limits in the fields of its rows: what is limited, and at what."""
SHOWN_AT_ONCE = 4
"""Parameters of a method that its form shows at once; methods name what matters first."""
TABLES = (Pairs, Amounts, Distributions, Limits)
SPELT_OUT = {"tab": "\t", "space": " "}
"""What stands between cells and cannot be seen in a field."""
FIELDS: Mapping[type[Kind], str] = {
    Whole: "number",
    Real: "number",
    Choice: "choice",
    Flag: "flag",
    ColumnsKind: "columns",
    Groups: "groups",
    Numbers: "list",
    Words: "list",
    PairsOrFile: "table",
    Pairs: "table",
    Amounts: "table",
    Distributions: "table",
    Limits: "table",
}


def fields_of(
    method: Method, given: Mapping[str, Any], columns: Mapping[str, ColumnSpec]
) -> list[dict[str, Any]]:
    """The fields of a method's form, as plain data, filled with what is given; `first` are those shown at once."""
    made = [_field(method, each, given.get(each.name), columns) for each in method.parameters]
    return [
        {**each, "first": place < SHOWN_AT_ONCE or each["needed"] or bool(each["value"])}
        for place, each in enumerate(made)
    ]


def fields_of_section(
    kinds: Mapping[str, Kind],
    given: Mapping[str, Any],
    record: type[Any],
    *,
    without: str,
    lists: Mapping[str, Mapping[str, str]] | None = None,
) -> list[dict[str, Any]]:
    """The fields of a section of a project, or of a column in it, filled with what is given.

    `record` holds the defaults, and `without` says in words what an empty field means where it has none. `lists` tells
    of lists and of tables of limits what there is to choose from, each with its title.
    """
    usual = {each.name: each.default for each in record_fields(record)}
    made = []
    for name, kind in kinds.items():
        value, default, among = given.get(name), usual.get(name), (lists or {}).get(name)
        if among is not None and isinstance(kind, Limits):
            made.append(_limited_of(name, kind, value or {}, among))
            continue
        if among is not None:
            made.append(_chosen_of(name, kind, value or (), among, without))
            continue
        shown = without if default in (None, MISSING, ()) else written(kind, default)
        shown = "" if "left out" in kind.about else shown
        made.append(_shaped(name, kind, value, default=shown, needed=False))
    return made


def section_from(kinds: Mapping[str, Kind], sent: Mapping[str, Sequence[str]], what: str) -> dict[str, Any]:
    """The keys of a section as a form gives them; None for those that it leaves empty.

    `what` names the section in what is said of a value that its key does not take.
    """
    found: dict[str, Any] = {}
    for name, kind in kinds.items():
        texts = [text.strip() for text in sent.get(PREFIX + name, ()) if text.strip()]
        found[name] = _read(what, name, kind, texts) if texts else None
        if isinstance(kind, Limits) and not texts:
            found[name] = _limits_from(what, name, kind, sent) or None
    return found


def _limits_from(what: str, name: str, kind: Limits, sent: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """The limits that the rows of a form say; a row without a name or a number is none."""
    rows = zip(sent.get(PREFIX + name + OF, ()), sent.get(PREFIX + name + AT, ()), strict=False)
    scale = _in_percent(kind)
    try:
        return {each: round(float(bound) / scale, 10) for each, bound in rows if each and bound.strip()}
    except ValueError:
        raise BadParameter(f"{what}: {name} must be {kind.wants()}.") from None


def _in_percent(kind: Limits) -> float:
    """What a limit is multiplied by where it is shown: shares are shown in percent."""
    return 100 if kind.at_most == 1 else 1


def _field(
    method: Method, parameter: Parameter, value: Any, columns: Mapping[str, ColumnSpec]
) -> dict[str, Any]:
    made = _shaped(
        parameter.name, parameter.kind, value, default=_default(parameter), needed=parameter.required
    )
    if isinstance(parameter.kind, ColumnsKind):
        made["columns"] = _choices(method, parameter, value, columns)
    return made


def _shaped(name: str, kind: Kind, value: Any, *, default: str, needed: bool) -> dict[str, Any]:
    """One field as plain data."""
    shape = next((shape for of, shape in FIELDS.items() if type(kind) is of), None) or next(
        (shape for of, shape in FIELDS.items() if isinstance(kind, of)), "text"
    )
    made: dict[str, Any] = {
        "name": name,
        "field": PREFIX + name,
        "about": kind.about,
        "wants": kind.wants(),
        "needed": needed,
        "shape": shape,
        "value": "" if value is None else written(kind, value),
        "default": default,
        "first": True,
    }
    if isinstance(kind, Whole | Real):
        made |= _range(kind)
    if isinstance(kind, Choice):
        made["among"] = list(kind.among)
    return made


def _chosen_of(
    name: str, kind: Kind, value: Sequence[str], among: Mapping[str, str], without: str
) -> dict[str, Any]:
    """A list as a field in which its members are chosen."""
    columns = [
        {
            "name": each,
            "shown": among.get(each, each),
            "chosen": each in value,
            "role": "",
            "scale": "",
            "fits": True,
            "usual": False,
        }
        for each in dict.fromkeys((*among, *value))
    ]
    made = _shaped(name, kind, None, default=without, needed=False)
    return {**made, "shape": "columns", "columns": columns, "about": kind.about.split(";")[0]}


def _limited_of(
    name: str, kind: Limits, value: Mapping[str, float], among: Mapping[str, str]
) -> dict[str, Any]:
    """A table of limits as rows, each with what is limited and its bound, and two rows for further ones."""
    names = dict.fromkeys((*among, *value))
    rows = [*((each, f"{_in_percent(kind) * bound:g}") for each, bound in value.items()), ("", ""), ("", "")]
    made = _shaped(name, kind, None, default="", needed=False)
    return {
        **made,
        "shape": "bounds",
        "rows": [{"of": each, "at": bound} for each, bound in rows],
        "among": [{"name": each, "shown": among.get(each, each)} for each in names],
        "most": _in_percent(kind) if kind.at_most is not None else None,
        "unit": "%" if _in_percent(kind) != 1 else "",
    }


def _default(parameter: Parameter) -> str:
    """What is taken where nothing is given, in words."""
    if parameter.required:
        return ""
    if isinstance(parameter.default, Selector):
        return parameter.default.words
    if parameter.default is None:
        return "left out"
    return written(parameter.kind, parameter.default).replace("\n", ", ")


def _range(kind: Whole | Real) -> dict[str, Any]:
    """The bounds of a number as a form knows them, and the range that a search tries for a slider."""
    low, high = kind.at_least, kind.at_most
    if isinstance(kind, Real):
        low, high = (kind.above if low is None else low), (kind.below if high is None else high)
    usual = kind.usual
    step: str | float = 1 if isinstance(kind, Whole) else "any"
    slide = None
    if usual is not None:
        fine = (
            1 if isinstance(kind, Whole) else 10 ** math.floor(math.log10(max(usual[1] - usual[0], 1e-9)) - 1)
        )
        slide = {"low": usual[0], "high": usual[1], "step": fine}
    return {"low": low, "high": high, "step": step, "slide": slide}


def _choices(
    method: Method, parameter: Parameter, value: Any, columns: Mapping[str, ColumnSpec]
) -> list[dict[str, Any]]:
    """The columns that can be named: those that are published, and whether the method takes their scale."""
    chosen = set(value or ())
    usual = parameter.default.roles if isinstance(parameter.default, Selector) else ()
    return [
        {
            "name": name,
            "shown": name,
            "chosen": name in chosen,
            "role": str(each.role),
            "scale": str(each.scale or ""),
            "fits": each.scale is None or each.scale in method.scales,
            "usual": each.role in usual and (each.scale is None or each.scale in method.scales),
        }
        for name, each in columns.items()
        if each.role not in IDENTIFYING
    ]


def written(kind: Kind, value: Any) -> str:
    """A value as its field holds it; a tab or a space is spelt out, as nobody could see it."""
    if value in SPELT_OUT.values():
        return next(word for word, sign in SPELT_OUT.items() if sign == value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return tomlkit.dumps(dict(value)).strip()
    if isinstance(kind, Groups):
        return "\n".join(", ".join(group) for group in value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(str(each) for each in value)
    return str(value)


def call_from(method: Method, sent: Mapping[str, Sequence[str]]) -> MethodCall:
    """The call that a form describes; `sent` are the values of its fields. What is left empty keeps its default.

    Raises UnknownParameter for a field of a parameter that the method has not.
    """
    parameters: dict[str, Any] = {}
    for field, values in sent.items():
        if not field.startswith(PREFIX):
            continue
        parameter = method.parameter(field.removeprefix(PREFIX))
        texts = [text.strip() for text in values if text.strip()]
        if texts:
            parameters[parameter.name] = _read(method.name, parameter.name, parameter.kind, texts)
    return MethodCall.of(method.kind, method.name, parameters)


def _read(what: str, name: str, kind: Kind, texts: list[str]) -> Any:
    text = texts[0]
    wrong = BadParameter(f"{what}: {name} must be {kind.wants()}.")
    try:
        if isinstance(kind, Whole):
            return int(text)
        if isinstance(kind, Real):
            return float(text)
        if isinstance(kind, Numbers):
            return [float(each) for each in _listed(text)]
        if isinstance(kind, PairsOrFile) and "=" not in text:
            return text
        if isinstance(kind, TABLES):
            return tomllib.loads(text.replace("\r\n", "\n"))
    except ValueError:
        raise wrong from None
    if isinstance(kind, Flag):
        return _flag(text, wrong)
    if isinstance(kind, ColumnsKind):
        return texts
    if isinstance(kind, Groups):
        return [_listed(line) for line in text.splitlines() if line.strip()]
    if isinstance(kind, Words):
        return [each for text in texts for each in _listed(text)]
    return SPELT_OUT.get(text, text) if isinstance(kind, Word) else text


def _flag(text: str, wrong: BadParameter) -> bool:
    if text not in ("yes", "no"):
        raise wrong
    return text == "yes"


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.replace("\n", ",").split(",") if each.strip()]
