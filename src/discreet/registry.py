"""The methods: plain functions, registered with what they declare of themselves.

A mask, an attack or a loss is a function in a file of its name. Its decorator reads the parameters from the signature,
checks every call against them, and keeps the facts (`discreet.method`) that everything else is made from.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Annotated, Any, ParamSpec, TypeVar, Unpack, cast, get_args, get_origin, get_type_hints

from discreet.arguments import bound
from discreet.errors import UnknownMethod, did_you_mean
from discreet.in_parts import has_dataset, on_dataset
from discreet.method import (
    AVERAGE_CHANCE,
    BITS,
    CHANCE,
    DISTANCE,
    FROM_0_TO_1,
    NATS,
    NUMBER,
    PERCENT,
    SHARE,
    SHARE_OF_PEOPLE,
    SHARE_OF_RECORDS,
    SHARE_OF_VALUES,
    SPREADS,
    CountsFor,
    DeclaredGuarantee,
    FactsOfAttack,
    FactsOfLoss,
    FactsOfMask,
    Family,
    InWords,
    Method,
    MethodFacts,
    Searched,
    Split,
    Tells,
    WholeOnly,
)
from discreet.parameters import ColumnsKind, Kind, Parameter, Selector
from discreet.results import Loss, Masked, Risk, plain
from discreet.signatures import readable, with_parameters
from discreet.table import Scale

__all__ = [
    "ANY_SCALE",
    "AVERAGE_CHANCE",
    "BITS",
    "CATEGORIES",
    "CHANCE",
    "DISTANCE",
    "EVERY_SCALE",
    "FROM_0_TO_1",
    "NATS",
    "NUMBER",
    "NUMERIC",
    "ORDERED",
    "PERCENT",
    "SHARE",
    "SHARE_OF_PEOPLE",
    "SHARE_OF_RECORDS",
    "SHARE_OF_VALUES",
    "SPREADS",
    "CountsFor",
    "DeclaredGuarantee",
    "Family",
    "InWords",
    "Method",
    "Searched",
    "Split",
    "Tells",
    "WholeOnly",
    "attack",
    "find",
    "loss",
    "mask",
    "methods",
]

P = ParamSpec("P")
R = TypeVar("R")

NUMERIC = frozenset({Scale.NUMERIC})
ORDERED = frozenset({Scale.NUMERIC, Scale.ORDINAL})
CATEGORIES = frozenset({Scale.ORDINAL, Scale.NOMINAL})
ANY_SCALE = frozenset({Scale.NUMERIC, Scale.ORDINAL, Scale.NOMINAL})
EVERY_SCALE = frozenset(Scale)
"""Of attacks, which compare free text as they compare categories."""

TABLES = ("table", "original", "masked")
NOT_IN_PLANS = frozenset(
    {
        "seed",
        "progress",
        "truth",
        "training",
        "manifest",
        "population",
        "all_records",
        "first_column",
        "times",
    }
)
"""Arguments that a caller hands over and no plan or project file holds."""

_METHODS: dict[tuple[str, str], Method] = {}
_ROOMS: dict[Family, str] = {"mask": "discreet.mask", "attack": "discreet.attack", "loss": "discreet.loss"}


def find(kind: Family, name: str) -> Method:
    """The method of this name; the family's files are imported when first asked for."""
    importlib.import_module(_ROOMS[kind])
    if (kind, name) not in _METHODS:
        known = [each.name for each in methods(kind)]
        suggestion = did_you_mean(name, known)
        raise UnknownMethod(f"there is no {kind} method '{name}'.{suggestion} `discreet methods` lists all.")
    return _METHODS[kind, name]


def methods(kind: Family) -> list[Method]:
    """All methods of a kind, by name."""
    importlib.import_module(_ROOMS[kind])
    return sorted((each for (of, _), each in _METHODS.items() if of == kind), key=lambda each: each.name)


def mask(**facts: Unpack[FactsOfMask]) -> Callable[[Callable[P, Masked]], Callable[P, Masked]]:
    """Registers a masking function; its results carry the method's name and parameters."""
    return _register("mask", MethodFacts(**facts))


def attack(**facts: Unpack[FactsOfAttack]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Registers an attack; `meaning` says in plain words what its number means to a steward.

    An expensive attack runs when it is asked for by name; cheap ones run in every assessment they fit. Columns chosen
    by role are those of the known table, on scales the attack takes, that are published in whatever form: numbers as
    bands, categories as more general ones. An attack that names people and leaves out a key that is known and published
    says so in `left_out`.
    """
    return _register("attack", MethodFacts(across_scales=True, **facts))


def loss(**facts: Unpack[FactsOfLoss]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Registers a measure of loss; `meaning` says in plain words what its number means to a steward.

    Columns chosen by role are those that both tables have on scales the measure takes; the others are named in the
    details, and a loss counts them in `left_out`. A column of numbers in one table and of categories in the other is
    left out too, unless the measure works `across_scales`. Named columns that do not fit are errors. A
    measure with `gone_is_lost` gets every column of the original, and itself sees which the masked table still has.
    """
    return _register("loss", MethodFacts(**facts))


def _register(kind: Family, facts: MethodFacts) -> Callable[[Callable[P, R]], Callable[P, R]]:
    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        hints = get_type_hints(function, include_extras=True)
        method = Method(
            kind=kind,
            name=function.__name__,
            summary=(function.__doc__ or "").strip().split("\n")[0],
            tables=tuple(name for name in signature.parameters if name in TABLES),
            parameters=_declared(function.__name__, signature, hints),
            extras=frozenset(signature.parameters) & NOT_IN_PLANS,
            function=function,
            **{each.name: getattr(facts, each.name) for each in fields(MethodFacts)},
        )

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            values, left_out = bound(method, signature, args, kwargs)
            by_role = isinstance(kwargs.get("keys", _default(signature, "keys")), Selector)
            run = cast(Callable[..., R], function)
            result = cast(R, on_dataset(method, run, values)) if has_dataset(values) else run(**values)
            if isinstance(result, Loss) and not method.gone_is_lost:
                result = cast(R, _with_blanks(result, method, values))
            if isinstance(result, Loss) and left_out:
                return cast(R, _without(result, left_out))
            if isinstance(result, Risk):
                return cast(R, _with_keys_left_out(method, result, values, left_out, by_role=by_role))
            if isinstance(result, Masked):
                used = {**values, **result.parameters}
                parameters = {each.name: each.kind.plain(used[each.name]) for each in method.parameters}
                return cast(R, replace(result, method=method.name, parameters=plain(parameters)))
            return result

        checked.__doc__ = with_parameters(function.__doc__, method.parameters)
        vars(checked)["__signature__"] = readable(signature, hints)
        _METHODS[kind, method.name] = replace(method, function=checked)
        return checked

    return decorate


def _with_blanks(result: Loss, method: Method, values: Mapping[str, Any]) -> Loss:
    """The loss that says how many cells of its columns the masking blanked, where it did.

    Many measures compute with the values that are left, and say nothing of how few these are.
    """
    tables = [values[name] for name in method.tables]
    named = {
        name
        for each in method.parameters
        if isinstance(each.kind, ColumnsKind)
        for name in values[each.name] or ()
    }
    blanked = 0
    for name in sorted(named):
        before, after = (each.null_count(name) / max(1, len(each)) for each in tables)
        blanked += round(max(0.0, after - before) * len(tables[1]))
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
    if result.reidentifies and by_role:
        used = set(values["keys"])
        unused = [name for name in known.keys if name in masked.names and name not in used]
    details = {**result.details, "columns_not_published": gone} if gone else result.details
    return replace(result, left_out=(*result.left_out, *unused), details=details)


def _declared(method: str, signature: inspect.Signature, hints: Mapping[str, Any]) -> tuple[Parameter, ...]:
    found = []
    for name, each in signature.parameters.items():
        if name in TABLES or name in NOT_IN_PLANS:
            continue
        if name == "method":
            raise TypeError(f"{method}: 'method' names the step in a plan; call the parameter 'variant'")
        kind, optional = _kind_of(hints[name])
        if kind is None:
            raise TypeError(f"{method}: parameter '{name}' does not declare its kind")
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
