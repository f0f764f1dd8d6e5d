"""Attacks and measures on datasets: which there are, and how those work that see keys as classes of equal records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from discreet._kernels.counting.classes import class_sizes
from discreet.dataset import Dataset
from discreet.errors import NotSplit
from discreet.households import codes_filled_from_household
from discreet.method import Method
from discreet.parameters import ColumnsKind
from discreet.results import Loss, Risk, as_kept
from discreet.stored import Stored, Workroom
from discreet.table import Column, IntArray, Role, Scale, Table

CLASS = "(class)"
"""The name of the column that says which records are equal in all keys."""


def has_dataset(values: Mapping[str, object]) -> bool:
    """Whether any argument of a call is a dataset."""
    return any(isinstance(each, Dataset) for each in values.values())


def is_judged(method: Method, table: object) -> bool:
    """Whether an argument is a dataset that is judged; NotSplit where it is one that is not."""
    if not isinstance(table, Dataset):
        return False
    if table.room is None and method.kind == "mask":
        raise _whole_alone(method, "")
    if table.room is None:
        raise NotSplit(f"{method.name} works on a dataset as a part of an assessment: use assess.")
    return True


def on_dataset(method: Method, function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """What a method finds on datasets that are judged, with what it finds of single records for the people alone.

    What does not work in parts is computed on the columns that it needs, where these are small enough for memory.
    """
    try:
        return _in_parts(method, function, values)
    except NotSplit as reason:
        tables = _whole_columns(method, values)
        if tables is None:
            raise
        refused = reason
    found = function(**{**values, **tables})
    if isinstance(found, Risk):
        return for_people(found, room_of(values["masked"]).people)
    assert isinstance(found, Loss), refused
    return found


def _whole_alone(method: Method, of: str) -> NotSplit:
    instead = method.instead or "Read the table (discreet.read) where it fits in memory."
    return NotSplit(f"{method.name} does not work on a dataset in parts{of}. {instead}")


def _in_parts(method: Method, function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """What a method finds in parts; NotSplit where it cannot work so."""
    masked: Dataset = values["masked"]
    if method.by_parts is not None:
        return method.by_parts(**values)
    if method.in_portions:
        return function(**values)
    if not method.in_parts:
        raise _whole_alone(method, f" of more than {room_of(masked).whole_cells:,} cells")
    if values.get("missing", "a value") != "a value":
        raise NotSplit(
            f"{method.name}: missing='{values['missing']}' does not work on a dataset in parts. Use missing='a value'."
        )
    room = room_of(masked)
    wanted = [name for role in ("columns", "weight", "household") for name in values.get(role, ())]
    given = {**values, "keys": [CLASS], "masked": with_classes(masked, values["keys"], wanted)}
    if "original" in values:
        given["original"] = values["original"].whole(wanted)
    return for_people(function(**given), room.people)


def _whole_columns(method: Method, values: Mapping[str, Any]) -> dict[str, Any] | None:
    """The tables with the columns that a method needs, in memory, and the pairs; None where they are too large."""
    named = {
        name
        for each in method.parameters
        if isinstance(each.kind, ColumnsKind)
        for name in values[each.name] or ()
    }
    needed = {name: _needed(values[name], named) for name in method.tables}
    room = room_of(values["masked"])
    if sum(len(columns) for columns in needed.values()) * len(values["masked"]) > room.whole_cells:
        return None
    found: dict[str, Any] = {name: values[name].whole(columns) for name, columns in needed.items()}
    if method.kind == "attack" and room.persons is not None:
        found["masked"] = found["masked"].with_persons(room.persons.rows(slice(None)))
    if "truth" in values and values["truth"] is None:
        found["truth"] = np.arange(len(values["masked"]))
    return found


def _needed(side: Dataset, named: set[str]) -> list[str]:
    """The columns named, and those that say whose records there are and for how many they stand."""
    roles = (Role.PERSON, Role.HOUSEHOLD, Role.WEIGHT, Role.STRATUM)
    also = {name for role in roles for name in side.having(role)}
    return [name for name in side.names if name in named | also]


def room_of(dataset: Dataset) -> Workroom:
    """Where a dataset is judged."""
    assert dataset.room is not None
    return dataset.room


def holding(side: Table | Dataset, name: str) -> Table:
    """A table that holds a column: the table itself, or that column of a dataset in memory."""
    return side if isinstance(side, Table) else side.whole([name])


def with_classes(dataset: Dataset, keys: Sequence[str], columns: Sequence[str]) -> Table:
    """A few columns of all records, with a quasi-identifier in place of the keys that is equal where all of them are.

    Where the original tells persons, the table does too, so that classes count people.
    """
    room = room_of(dataset)
    label = pl.Series(CLASS, classes_in(dataset, keys).rows(slice(None)))
    few = dataset.whole(columns) if columns else Table(name=dataset.name, columns=(), frame=pl.DataFrame())
    table = replace(
        few,
        columns=(*few.columns, Column(name=CLASS, role=Role.KEY, scale=Scale.NOMINAL)),
        frame=few.frame.with_columns(label) if columns else pl.DataFrame([label]),
    )
    return table if room.persons is None else table.with_persons(room.persons.rows(slice(None)))


def classes_in(dataset: Dataset, keys: Sequence[str]) -> Stored:
    """For each record the number of its class: records equal in all keys, missing being a value.

    One key is held at a time, so that memory does not grow with their number.
    """
    room = room_of(dataset)

    def made() -> Stored:
        label = np.zeros(len(dataset), dtype=np.int64)
        for name in keys:
            label = class_sizes(np.column_stack([label, _codes(dataset, name)])).label
        return room.stored(label)

    return room.once(("classes", dataset.shelves, *sorted(keys)), made)


def _codes(dataset: Dataset, name: str) -> IntArray:
    """The codes of one key, with what other members of a published household tell in place of blanks."""
    households = [each for each in dataset.having(Role.HOUSEHOLD) if each != name]
    return codes_filled_from_household(dataset.whole([name, *households]), [name])[:, 0]


def for_people(risk: Risk, people: IntArray) -> Risk:
    """The risk with what it says of single records for these alone."""
    kept = as_kept(risk)
    assert isinstance(kept, Risk)
    return replace(kept, records=None if kept.records is None else kept.records[people])
