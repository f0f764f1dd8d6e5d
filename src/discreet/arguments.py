"""The arguments of a call, checked against what the method declares."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Protocol, cast

from discreet import seeds
from discreet.dataset import Dataset
from discreet.errors import BadParameter, BadTable, DoesNotApply, NotComputable, WrongScale, listed
from discreet.households import filled_alike, filled_from_household
from discreet.in_parts import is_judged
from discreet.method import Method
from discreet.parameters import ColumnsKind, Selector
from discreet.table import IDENTIFYING, Column, IntArray, Role, Scale, Table, a_role
from discreet.table_like import table_like


def bound(
    method: Method, signature: inspect.Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The arguments by name with defaults filled in, every one checked, and the columns that do not fit the default."""
    for name in kwargs:
        if name not in signature.parameters:
            method.parameter(name)
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    values = dict(bound.arguments)
    if "masked" in method.tables and not isinstance(values["masked"], Table | Dataset):
        values |= _published(method, values)
    tables = [values[name] for name in method.tables]
    for name, table in zip(method.tables, tables, strict=True):
        if not isinstance(table, Table) and not is_judged(method, table):
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


class Published(Protocol):
    """What is needed of a release, which this module cannot import."""

    @property
    def table(self) -> Table: ...
    @property
    def truth(self) -> IntArray: ...
    @property
    def manifest(self) -> object: ...
    @property
    def persons(self) -> IntArray | None: ...
    def counted_table(self, original: Table) -> Table: ...
    def check_original(self, original: Table) -> None: ...


def _published(method: Method, values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that follow from a release, or from a frame, given as the masked table."""
    masked, original = values["masked"], values.get("original")
    if hasattr(type(masked), "counted_table"):
        return _of_release(method, masked, values)
    if not isinstance(original, Table):
        return {}
    try:
        return {"masked": table_like(masked, original, name="masked")}
    except TypeError:
        raise BadTable(f"{method.name}: masked must be a Table, a Release or a frame.") from None


def _of_release(method: Method, release: Published, values: Mapping[str, Any]) -> dict[str, Any]:
    """What an assessment would hand over: attacks see what an intruder reads, losses what is published."""
    original, table = values.get("original"), release.table
    filled: dict[str, Any] = {}
    if isinstance(original, Table):
        release.check_original(original)
    if method.kind == "attack":
        if isinstance(original, Table):
            table = release.counted_table(original)
        elif release.persons is not None:
            table = table.with_persons(release.persons)
        if isinstance(original, Table):
            original, table = filled_alike(original, table, table.keys)
            filled["original"] = original
        table = filled_from_household(table, table.keys)
    known = [name for name in ("truth", "manifest") if name in values and values[name] is None]
    return {"masked": table, **filled, **{name: getattr(release, name) for name in known}}


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


def _check_use(method: Method, column: Column) -> None:
    if column.scale not in method.scales:
        wanted = ", ".join(sorted(str(scale) for scale in method.scales))
        raise WrongScale(
            f"{method.name}: column '{column.name}' is {column.scale}; the method has a meaning for {wanted} columns."
        )
    if method.kind == "mask" and column.role in IDENTIFYING:
        raise BadTable(
            f"{method.name}: column '{column.name}' is {a_role(column.role)}. Identifiers and numbers of people are "
            "dropped from a release; give it another role to mask it."
        )
