"""The methods: plain functions and declared facts about them.

A mask, an attack or a loss is a function with a decorator. The decorator reads the parameters from the
signature, checks every call against them, and keeps the facts that the command line, the reference pages,
the conformance tests and the search are made from.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    ParamSpec,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from discreet import seeds
from discreet.errors import (
    BadParameter,
    BadTable,
    DoesNotApply,
    NotComputable,
    UnknownMethod,
    UnknownParameter,
    WrongScale,
    did_you_mean,
    listed,
)
from discreet.parameters import ColumnsKind, Kind, Parameter, Selector
from discreet.promises import Promise
from discreet.results import Loss, Masked, Risk, plain
from discreet.table import NAMES_PEOPLE, Role, Scale, Table, a_role

P = ParamSpec("P")
R = TypeVar("R")
Family = Literal["mask", "attack", "loss"]

NUMERIC = frozenset({Scale.NUMERIC})
ORDERED = frozenset({Scale.NUMERIC, Scale.ORDINAL})
CATEGORIES = frozenset({Scale.ORDINAL, Scale.NOMINAL})
ANY_SCALE = frozenset({Scale.NUMERIC, Scale.ORDINAL, Scale.NOMINAL})
EVERY_SCALE = frozenset(Scale)
"""Of attacks, which compare free text as they compare categories."""

TABLES = ("table", "original", "masked")
NOT_IN_PLANS = frozenset({"seed", "progress", "truth", "training", "manifest", "population"})
"""Arguments that a caller hands over and no plan or project file holds."""


class Guarantee(NamedTuple):
    """A property that a mask promises of the published file, in words, and the promise by which it is checked there.

    `when` holds parameters that it takes, for a property that the defaults alone do not give.
    """

    says: str
    promise: type[Promise]
    when: Mapping[str, Any] = MappingProxyType({})

    def __str__(self) -> str:
        return self.says


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """The declared facts of one mask, attack or loss."""

    kind: Family
    name: str
    family: str
    summary: str
    meaning: str
    scales: frozenset[Scale]
    missing: str
    guarantees: tuple[Guarantee, ...]
    by_design: tuple[str, ...]
    cites: tuple[str, ...]
    keeps_rows: bool
    example: Mapping[str, Any]
    cost: Literal["cheap", "dear"]
    tables: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    extras: frozenset[str]
    function: Callable[..., Any]
    across_scales: bool = False
    gone_is_lost: bool = False

    @property
    def random(self) -> bool:
        """Whether the method draws random numbers, and so takes a seed."""
        return "seed" in self.extras

    def parameter(self, name: str) -> Parameter:
        for each in self.parameters:
            if each.name == name:
                return each
        known = [each.name for each in self.parameters]
        raise UnknownParameter(f"{self.name} has no parameter '{name}'.{did_you_mean(name, known)}")

    def fits(self, table: Table) -> str:
        """Why the method cannot be used on this table with its defaults; empty when it can."""
        for each in self.parameters:
            if each.required:
                return f"needs {each.name}"
            if isinstance(each.default, Selector) and not each.default.chosen(table, self.scales):
                return f"no {each.default.words}"
        return ""

    def check(self, name: str, value: object) -> object:
        """The value, when the parameter may have it."""
        declared = self.parameter(name)
        if value is None and declared.optional:
            return None
        if not declared.kind.accepts(value):
            raise BadParameter(f"{self.name}: {name} must be {declared.kind.wants()}; got {_shown(value)}.")
        return value

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "name": self.name,
            "family": self.family,
            "summary": self.summary,
            "meaning": self.meaning,
            "scales": sorted(str(scale) for scale in self.scales),
            "missing": self.missing,
            "guarantees": [each.says for each in self.guarantees],
            "by_design": list(self.by_design),
            "cites": list(self.cites),
            "random": self.random,
            "example": plain(self.example),
            "parameters": [each.to_dict() for each in self.parameters],
        }


_METHODS: dict[tuple[str, str], Method] = {}
_HOMES: dict[Family, str] = {"mask": "discreet.mask", "attack": "discreet.attack", "loss": "discreet.loss"}


def find(kind: Family, name: str) -> Method:
    """The method of this name; the family's files are imported when first asked for."""
    importlib.import_module(_HOMES[kind])
    if (kind, name) not in _METHODS:
        known = [each.name for each in methods(kind)]
        raise UnknownMethod(f"there is no {kind} method '{name}'.{did_you_mean(name, known)}")
    return _METHODS[kind, name]


def methods(kind: Family) -> list[Method]:
    """All methods of a kind, by name."""
    importlib.import_module(_HOMES[kind])
    return sorted((each for (of, _), each in _METHODS.items() if of == kind), key=lambda each: each.name)


def mask(
    *,
    family: str,
    scales: frozenset[Scale],
    missing: str,
    guarantees: tuple[Guarantee, ...] = (),
    by_design: tuple[str, ...] = (),
    cites: tuple[str, ...] = (),
    keeps_rows: bool = True,
    example: Mapping[str, Any] | None = None,
) -> Callable[[Callable[P, Masked]], Callable[P, Masked]]:
    """Registers a masking function; its results carry the method's name and parameters.

    `guarantees` are the properties that are checked on the published file. `by_design` tells of others that follow from
    how the method works and that no file shows, such as what is kept in expectation.
    `example` holds parameters that run on the census of `discreet demo`, for a method whose defaults alone do not.
    """
    facts = _Facts(
        family, "", scales, missing, guarantees, by_design, cites, keeps_rows, "cheap", example or {}
    )
    return _register("mask", facts)


def attack(
    *,
    family: str,
    scales: frozenset[Scale],
    missing: str,
    meaning: str,
    cites: tuple[str, ...] = (),
    cost: Literal["cheap", "dear"] = "cheap",
    example: Mapping[str, Any] | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Registers an attack; `meaning` says in plain words what its number means to a steward.

    A dear attack runs when it is asked for by name; cheap ones run in every assessment they fit. Columns chosen by role
    are those of the known table, on scales the attack takes, that are published in whatever form: numbers as bands,
    categories as more general ones. An attack that names people and leaves out a key that is known and published says
    so in `left_out`.
    """
    facts = _Facts(family, meaning, scales, missing, (), (), cites, True, cost, example or {}, True)
    return _register("attack", facts)


def loss(
    *,
    family: str,
    scales: frozenset[Scale],
    missing: str,
    meaning: str,
    cites: tuple[str, ...] = (),
    cost: Literal["cheap", "dear"] = "cheap",
    example: Mapping[str, Any] | None = None,
    across_scales: bool = False,
    gone_is_lost: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Registers a measure of loss; `meaning` says in plain words what its number means to a steward.

    Columns chosen by role are those that both tables have on scales the measure takes; the others are named in the
    details, and a loss counts them in `left_out`. A column of numbers in one table and of categories in the other is
    left out too, unless the measure works `across_scales`. Named columns that do not fit are errors. A
    measure with `gone_is_lost` gets every column of the original, and itself sees which the masked table still has.
    """
    facts = _Facts(
        family,
        meaning,
        scales,
        missing,
        (),
        (),
        cites,
        True,
        cost,
        example or {},
        across_scales,
        gone_is_lost,
    )
    return _register("loss", facts)


class _Facts(NamedTuple):
    """What a decorator is told."""

    family: str
    meaning: str
    scales: frozenset[Scale]
    missing: str
    guarantees: tuple[Guarantee, ...]
    by_design: tuple[str, ...]
    cites: tuple[str, ...]
    keeps_rows: bool
    cost: Literal["cheap", "dear"]
    example: Mapping[str, Any]
    across_scales: bool = False
    gone_is_lost: bool = False


def _register(kind: Family, facts: _Facts) -> Callable[[Callable[P, R]], Callable[P, R]]:
    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        method = Method(
            kind=kind,
            name=function.__name__,
            summary=(function.__doc__ or "").strip().split("\n")[0],
            tables=tuple(name for name in signature.parameters if name in TABLES),
            parameters=_declared(function, signature),
            extras=frozenset(signature.parameters) & NOT_IN_PLANS,
            function=function,
            **facts._asdict(),
        )

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            values, left_out = _bound(method, signature, args, kwargs)
            by_role = isinstance(kwargs.get("keys", _default(signature, "keys")), Selector)
            result = cast(Callable[..., R], function)(**values)
            if isinstance(result, Loss) and not method.gone_is_lost:
                result = cast(R, _with_blanks(result, method, values))
            if isinstance(result, Loss) and left_out:
                return cast(R, _without(result, left_out))
            if isinstance(result, Risk):
                return cast(R, _with_keys_left_out(method, result, values, left_out, by_role=by_role))
            if isinstance(result, Masked):
                used = {**values, **result.parameters}
                told = {each.name: each.kind.plain(used[each.name]) for each in method.parameters}
                return cast(R, replace(result, method=method.name, parameters=plain(told)))
            return result

        _METHODS[kind, method.name] = replace(method, function=checked)
        return checked

    return decorate


def _with_blanks(result: Loss, method: Method, values: Mapping[str, Any]) -> Loss:
    """The loss that says how many cells of its columns the masking blanked, where it did.

    Many measures compute with the values that are left, and say nothing of how few these are.
    """
    tables = [values[name].frame for name in method.tables]
    named = {
        name
        for each in method.parameters
        if isinstance(each.kind, ColumnsKind)
        for name in values[each.name] or ()
    }
    blanked = 0
    for name in sorted(named):
        before, after = (frame[name].null_count() / max(1, frame.height) for frame in tables)
        blanked += round(max(0.0, after - before) * tables[1].height)
    return replace(result, details={**result.details, "cells_blanked": blanked}) if blanked else result


def _without(result: Loss, left_out: tuple[str, ...]) -> Loss:
    """The result that says which columns it does not speak of."""
    details = {**result.details, "columns_left_out": list(left_out)}
    return replace(result, left_out=result.left_out + len(left_out), details=details)


def _with_keys_left_out(
    method: Method, result: Risk, values: Mapping[str, Any], left_out: tuple[str, ...], *, by_role: bool
) -> Risk:
    """The result that says which published columns it does not speak of, and which are not published at all.

    Whoever names people knows all keys of the known table; keys that the caller named are the caller's choice.
    """
    known, masked = values[method.tables[0]], values[method.tables[-1]]
    gone = [name for name in left_out if name not in masked.names]
    unused = [name for name in left_out if name in masked.names]
    if result.names_people and by_role:
        used = set(values["keys"])
        unused = [name for name in known.keys if name in masked.names and name not in used]
    details = {**result.details, "columns_not_published": gone} if gone else result.details
    return replace(result, left_out=(*result.left_out, *unused), details=details)


def _declared(function: Callable[..., Any], signature: inspect.Signature) -> tuple[Parameter, ...]:
    hints = get_type_hints(function, include_extras=True)
    found = []
    for name, each in signature.parameters.items():
        if name in TABLES or name in NOT_IN_PLANS:
            continue
        if name == "method":
            raise TypeError(
                f"{function.__name__}: 'method' names the step in a plan; call the parameter 'variant'"
            )
        kind, optional = _kind_of(hints[name])
        if kind is None:
            raise TypeError(f"{function.__name__}: parameter '{name}' does not declare its kind")
        required = each.default is inspect.Parameter.empty
        found.append(
            Parameter(
                name=name,
                kind=kind,
                default=None if required else each.default,
                required=required,
                optional=optional,
            )
        )
    return tuple(found)


def _default(signature: inspect.Signature, name: str) -> object:
    """The default of a parameter; None where there is no such one."""
    return signature.parameters[name].default if name in signature.parameters else None


def _kind_of(hint: Any) -> tuple[Kind | None, bool]:
    """The declared kind inside a type hint, and whether None is allowed too."""
    if get_origin(hint) is Annotated:
        inner = next((each for each in get_args(hint)[1:] if isinstance(each, Kind)), None)
        return inner, type(None) in get_args(get_args(hint)[0])
    for part in get_args(hint):
        kind, _ = _kind_of(part)
        if kind is not None:
            return kind, type(None) in get_args(hint)
    return None, False


def _bound(
    method: Method, signature: inspect.Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The arguments by name with defaults filled in, every one checked, and the columns that do not fit the default."""
    for name in kwargs:
        if name not in signature.parameters:
            method.parameter(name)
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    values = dict(bound.arguments)
    tables = [values[name] for name in method.tables]
    for name, table in zip(method.tables, tables, strict=True):
        if not isinstance(table, Table):
            raise BadTable(f"{method.name}: {name} must be a Table; make one with Table.of or read.")
    left_out: tuple[str, ...] = ()
    for each in method.parameters:
        checked = method.check(each.name, values[each.name])
        if isinstance(each.kind, ColumnsKind) and checked is not None:
            given = cast(tuple[str, ...], checked)
            checked = chosen = _columns(method, given, tables)
            if isinstance(given, Selector):
                wanted = given.chosen(tables[0], method.scales)
                left_out += tuple(name for name in wanted if name not in chosen)
        values[each.name] = checked
    if "seed" in values:
        values["seed"] = seeds.check(values["seed"])
    return values, tuple(dict.fromkeys(left_out))


def _columns(method: Method, given: tuple[str, ...], tables: list[Table]) -> tuple[str, ...]:
    """The columns asked for, present in every table and of a scale the method has a meaning for."""
    first = tables[0]
    if isinstance(given, Selector):
        chosen = given.chosen(first, method.scales)
        if not chosen:
            raise BadTable(
                f"{method.name}: table '{first.name}' has no {given.words.removeprefix('all ')}. Name the columns, or "
                "give them a role."
            )
        if method.kind != "mask" and not method.gone_is_lost:
            chosen = _in_both(method, given, chosen, tables)
    else:
        chosen = tuple(given)
        twice = sorted({name for name in chosen if chosen.count(name) > 1})
        if twice:
            raise BadParameter(f"{method.name}: {listed(twice)} named more than once.")
    for table in tables[:1] if method.kind == "attack" or method.gone_is_lost else tables:
        for name in chosen:
            _check_use(method, table[name])
    for table in () if method.gone_is_lost else tables[1:]:
        for name in chosen:
            table[name]
    if method.kind == "mask":
        first.check_range(chosen)
    elif not method.across_scales:
        _check_scales(method, chosen, tables)
    return chosen


def _in_both(
    method: Method, given: Selector, chosen: tuple[str, ...], tables: list[Table]
) -> tuple[str, ...]:
    """Those of the columns that can be compared: the masking dropped none of them or changed what they are."""
    kept = tuple(
        name
        for name in chosen
        if all(name in table.names for table in tables)
        and (method.kind == "attack" or all(table[name].scale in method.scales for table in tables))
        and (method.across_scales or len(_kinds(name, tables)) == 1)
    )
    if not kept:
        kind = given.words.removeprefix("all ")
        missing = all(name not in tables[-1].names for name in chosen)
        raise (
            DoesNotApply if missing and given.roles in ((Role.PERSON,), (Role.HOUSEHOLD,)) else NotComputable
        )(
            f"{method.name}: the masked table has none of the {len(chosen)} {kind} on a scale that can be "
            "compared with the original."
        )
    return kept


def _kinds(name: str, tables: list[Table]) -> set[bool]:
    return {table[name].scale == Scale.NUMERIC for table in tables}


def _check_scales(method: Method, columns: tuple[str, ...], tables: list[Table]) -> None:
    for name in columns:
        if len(_kinds(name, tables)) > 1:
            raise WrongScale(
                f"{method.name}: column '{name}' is {tables[0][name].scale} in the original and "
                f"{tables[1][name].scale} in the masked table, so its values cannot be compared."
            )


def _check_use(method: Method, column: Any) -> None:
    if column.scale not in method.scales:
        wanted = ", ".join(sorted(str(scale) for scale in method.scales))
        raise WrongScale(
            f"{method.name}: column '{column.name}' is {column.scale}; the method has a meaning for {wanted} columns."
        )
    if method.kind == "mask" and column.role in NAMES_PEOPLE:
        raise BadTable(
            f"{method.name}: column '{column.name}' is {a_role(column.role)}. Identifiers and numbers of people are "
            "dropped from a release; give it another role to mask it."
        )


def _shown(value: object) -> str:
    """A parameter's value as an error may show it: short, and whole only when it is a plain one."""
    if isinstance(value, int | float | bool) or value is None:
        return repr(value)
    if isinstance(value, str):
        return repr(value) if len(value) <= 40 else f"a text of {len(value)} characters"
    return f"a {type(value).__name__}"
