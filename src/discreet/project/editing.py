"""Changing the text of a project file: what is not changed stays as it stands, comments too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tomlkit
from tomlkit import TOMLDocument, items

from discreet.errors import BadParameter, UnknownColumn, did_you_mean


def with_column(text: str, name: str, changes: Mapping[str, Any]) -> str:
    """The text with other facts of one column; a fact that is None or empty is taken out.

    Raises UnknownColumn where the project does not describe the column.
    """
    document = tomlkit.parse(text)
    columns: Any = document.get("columns", {})
    if name not in columns:
        raise UnknownColumn(f"the project describes no column '{name}'.{did_you_mean(name, list(columns))}")
    for key, value in changes.items():
        if value in (None, "", []) or value == {}:
            columns[name].pop(key, None)
        else:
            columns[name][key] = value
    return tomlkit.dumps(document)


def with_section(text: str, name: str, changes: Mapping[str, Any]) -> str:
    """The text with other keys of one section; a key that is None or empty is taken out, and so is an empty section."""
    document = tomlkit.parse(text)
    there = name in document
    section: Any = document[name] if there else tomlkit.table()
    for key, value in changes.items():
        if value in (None, "", []) or value == {}:
            section.pop(key, None)
        else:
            section[key] = _inline(value) if isinstance(value, Mapping) else value
    if there and not len(section):
        document.pop(name)
    elif not there and len(section):
        document.append(name, section)
    return tomlkit.dumps(document)


def with_steps(text: str, steps: Sequence[Mapping[str, Any]]) -> str:
    """The text with these masking steps in the place of its own; a step that stays keeps its comments."""
    document = tomlkit.parse(text)
    kept = list(document.get("mask", []))
    made = tomlkit.aot()
    for step in steps:
        same = next((each for each in kept if _plain(each) == dict(step)), None)
        if same is not None:
            kept.remove(same)
        made.append(_table(step) if same is None else same)
    _put(document, "mask", made if steps else None)
    return tomlkit.dumps(document)


def with_limits(text: str, ceilings: Mapping[str, float], floors: Mapping[str, float]) -> str:
    """The text with these limits in the place of its own."""
    document = tomlkit.parse(text)
    assess = document.get("assess", tomlkit.table())
    for key, limits in (("ceilings", ceilings), ("floors", floors)):
        if limits:
            assess[key] = _inline(limits)
        else:
            assess.pop(key, None)
    _put(document, "assess", assess if len(assess) else None)
    return tomlkit.dumps(document)


def moved(steps: Sequence[Mapping[str, Any]], place: int, by: int) -> list[Mapping[str, Any]]:
    """The steps with the one at a place, counted from 0, moved so many places; it stops at either end."""
    if not 0 <= place < len(steps):
        raise BadParameter(f"the plan has {len(steps)} steps, and none with the number {place + 1}.")
    rest = [*steps[:place], *steps[place + 1 :]]
    target = min(max(place + by, 0), len(rest))
    return [*rest[:target], steps[place], *rest[target:]]


def _table(step: Mapping[str, Any]) -> items.Table:
    table = tomlkit.table()
    for key, value in step.items():
        table.add(key, _inline(value) if isinstance(value, Mapping) else value)
    return table


def _inline(values: Mapping[str, Any]) -> items.InlineTable:
    inline = tomlkit.inline_table()
    inline.update(values)
    return inline


def _put(document: TOMLDocument, key: str, value: Any) -> None:
    """Sets a section, or takes it out; one that is replaced is written where the document ends."""
    document.pop(key, None)
    if value is not None:
        document.append(key, value)


def _plain(item: Any) -> Any:
    return item.unwrap() if hasattr(item, "unwrap") else item
