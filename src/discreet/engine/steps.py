"""What a step did to a dataset, put together from what it did to its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

import polars as pl

from discreet.dataset import DataFile, Dataset, Shelf
from discreet.errors import NotSplit
from discreet.guarantees import AtMostRecords, Compared, Guarantee, SameMeans, Within
from discreet.method import Method, Split
from discreet.method_call import MethodCall
from discreet.parameters import ColumnsKind, Selector
from discreet.results import Masked, plain
from discreet.table import Column, Described, Role, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class PartDone:
    """What a step did to one part: the file of its new columns, and what is to be told of it.

    Columns that were masked one by one lie on `shelves` of their own.
    """

    files: tuple[DataFile, ...] = ()
    shelves: tuple[Shelf, ...] = ()
    columns: tuple[Column, ...]
    types: Mapping[str, pl.DataType]
    facts: Mapping[str, Any]
    guarantees: tuple[Guarantee, ...]
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of a plan on a dataset: its method, the columns it masks, and those it must see to do so."""

    call: MethodCall
    columns: tuple[str, ...]
    seen: tuple[str, ...]
    seed: int = field(repr=False)

    @property
    def method(self) -> Method:
        return self.call.method

    @property
    def given(self) -> dict[str, Any]:
        """All parameters, with the defaults of those that the plan does not name."""
        defaults = {each.name: each.default for each in self.method.parameters}
        return {**defaults, **self.call.parameters, "columns": self.columns}

    @property
    def by_columns(self) -> bool:
        """Whether the step masks each column by itself."""
        when = self.method.by_columns
        return when is not None and all(self.given[name] == value for name, value in when.items())

    def run(self, table: Table, **extras: Any) -> Masked:
        """What the method does to some records, given those of the extras that it takes."""
        given = {"seed": self.seed, **extras}
        taken = {name: value for name, value in given.items() if name in self.method.extras}
        parameters = {**self.call.parameters, "columns": list(self.columns)}
        done: Masked = self.method.function(table, **parameters, **taken)
        return done


def step_on(call: MethodCall, described: Described, seed: int) -> Step:
    """The step with the columns that it masks and sees in a dataset."""
    chosen: dict[str, tuple[str, ...]] = {}
    for each in call.method.parameters:
        if isinstance(each.kind, ColumnsKind):
            given = call.parameters.get(each.name, each.default)
            chosen[each.name] = (
                given.chosen(described, call.method.scales)
                if isinstance(given, Selector)
                else tuple(given or ())
            )
    columns = chosen.pop("columns", ())
    for name in columns:
        described[name]
    others = [name for names in chosen.values() for name in names]
    if "confidential" in chosen and not chosen["confidential"] and {"l", "t"} & set(call.parameters):
        others += described.having(Role.CONFIDENTIAL)
    known = [name for role in (Role.WEIGHT, Role.PERSON, Role.HOUSEHOLD) for name in described.having(role)]
    seen = dict.fromkeys((*columns, *others, *known))
    return Step(call=call, columns=columns, seen=tuple(seen), seed=seed)


def refuse_what_is_not_split(step: Step, described: Described) -> None:
    """Raises NotSplit for what a dataset in parts cannot be masked with, and says what to use instead."""
    method = step.method
    if not method.in_parts:
        raise NotSplit(
            f"{method.name} needs the whole table at once, and a dataset is masked in parts. Use instead: "
            f"{method.instead}."
        )
    for each in method.whole_only:
        given = step.given[each.parameter]
        default = method.parameter(each.parameter).default
        if given == each.value if each.value is not None else given != default:
            raise NotSplit(
                f"{method.name}: {each.parameter}={given!r} needs the whole table at once, and a dataset is masked in "
                f"parts. Use instead: {each.instead}."
            )
    if not step.by_columns and method.splits in (Split.BLOCKS, Split.COUNTS):
        _refuse_households(described, step)


def _refuse_households(described: Described, step: Step) -> None:
    """Raises NotSplit where what one member of a household tells of another may lie in a different part."""
    if described.having(Role.HOUSEHOLD):
        raise NotSplit(
            f"{step.call.name}: members of one household may be in different parts of a dataset, where what one tells "
            "of another is not seen. Read the table into memory (discreet.read) where it fits."
        )


def refuse_repeated_persons(dataset: Dataset, step: Step) -> None:
    """Raises NotSplit where classes would have to count people who have several records in different parts."""
    for name in dataset.having(Role.PERSON):
        found = dataset.whole([name]).frame[name].drop_nulls()
        if found.n_unique() < len(found):
            raise NotSplit(
                f"{step.call.name}: several records of one person may be in different parts of a dataset, and counts "
                "of combinations do not tell whose they are. Use microaggregate or mondrian, whose blocks count "
                "people, or read the table into memory (discreet.read) where it fits."
            )


def put_together(step: Step, parts: Sequence[PartDone]) -> PartDone:
    """What the step did to all parts."""
    first = parts[0]
    types = {
        name: reduce(_wider, (each.types[name] for each in parts if each.types[name] != pl.Null))
        for name in first.types
    }
    return PartDone(
        files=tuple(file for each in parts for file in each.files),
        columns=tuple(map(_column_of_all, zip(*(each.columns for each in parts), strict=True))),
        types=types,
        facts=reduce(_added, (each.facts for each in parts)),
        guarantees=_joined([each.guarantees for each in parts]),
        parameters=first.parameters,
    )


def _column_of_all(parts: Sequence[Column]) -> Column:
    """The description of a column in all parts: each part knows the labels of the codes in it alone."""
    labels = {code: label for each in parts for code, label in each.value_labels.items()}
    return replace(parts[0], value_labels=labels)


def done_to(table: Masked, columns: Sequence[str], files: tuple[DataFile, ...] = ()) -> PartDone:
    """What a method did to some records, without what grows with them."""
    return PartDone(
        files=files,
        columns=tuple(table.table[name] for name in columns),
        types={name: table.table.frame[name].dtype for name in columns},
        facts=_countable(plain({name: fact for name, fact in table.facts.items() if name != "labels"})),
        guarantees=tuple(light(each) for each in table.guarantees),
        parameters=table.parameters,
    )


ABOUT_ALL = ("bins",)
"""Facts that are the same for every part, and do not add up."""


def _countable(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that parts add up to: numbers, alone or by name."""
    kept: dict[str, Any] = {}
    for name, fact in facts.items():
        if isinstance(fact, int | float) and not isinstance(fact, bool):
            kept[name] = fact
        elif isinstance(fact, Mapping) and (inner := _countable(fact)):
            kept[name] = inner
    return kept


def light(guarantee: Guarantee) -> Guarantee:
    """The guarantee without the table that it is compared with: the dataset is compared with another way."""
    return replace(guarantee, before=None) if isinstance(guarantee, Compared) else guarantee


def _wider(one: pl.DataType, other: pl.DataType) -> pl.DataType:
    """The type that holds the values of both: whole numbers in one part may have become others in the next."""
    if one == other:
        return one
    if one.is_integer() and other.is_integer():
        return pl.Int64()
    return pl.Float64() if one.is_numeric() and other.is_numeric() else pl.String()


def _added(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    added: dict[str, Any] = {}
    for name in dict.fromkeys((*one, *other)):
        pair = [each[name] for each in (one, other) if name in each]
        if len(pair) == 1 or name in ABOUT_ALL:
            added[name] = pair[0]
        else:
            added[name] = _added(*pair) if isinstance(pair[0], Mapping) else pair[0] + pair[1]
    return added


def _joined(parts: Sequence[tuple[Guarantee, ...]]) -> tuple[Guarantee, ...]:
    """What is guaranteed of all parts together: what each of them guarantees, bounds as wide as the widest."""
    joined = parts[0]
    for part in parts[1:]:
        own = {_key(each): each for each in part}
        joined = tuple(_of_both(each, own[_key(each)]) for each in joined if _key(each) in own)
    return joined


def _key(guarantee: Guarantee) -> tuple[str, tuple[str, ...]]:
    return type(guarantee).__name__, () if isinstance(guarantee, SameMeans) else guarantee.columns


def _of_both(one: Guarantee, other: Guarantee) -> Guarantee:
    if isinstance(one, Within) and isinstance(other, Within):
        low = None if one.low is None or other.low is None else min(one.low, other.low)
        high = None if one.high is None or other.high is None else max(one.high, other.high)
        return replace(one, low=low, high=high)
    if isinstance(one, AtMostRecords) and isinstance(other, AtMostRecords):
        return replace(one, most=one.most + other.most)
    if isinstance(one, SameMeans):
        return replace(one, columns=tuple(name for name in one.columns if name in other.columns))
    return one
