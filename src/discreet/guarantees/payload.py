"""Guarantees made again from what a manifest tells of them."""

from __future__ import annotations

from typing import Any

from discreet.errors import BadFile
from discreet.guarantees.classes import KAnonymous, KMatched, LDiverse, TClose
from discreet.guarantees.compared import (
    Intervals,
    NoOtherValues,
    SameMeans,
    SameOrder,
    SameTotals,
    SameValues,
    WithinRange,
)
from discreet.guarantees.guarantee import Guarantee
from discreet.guarantees.texts import NoMaskedNames
from discreet.guarantees.values import AtMostRecords, Multiples, OnlyLevels, RecordCount, Within
from discreet.shapes import list_of, record, text

GUARANTEES: dict[str, type[Guarantee]] = {
    each.__name__: each
    for each in (
        KAnonymous,
        KMatched,
        LDiverse,
        TClose,
        SameValues,
        NoOtherValues,
        WithinRange,
        SameOrder,
        SameMeans,
        Multiples,
        Within,
        OnlyLevels,
        Intervals,
        SameTotals,
        RecordCount,
        AtMostRecords,
        NoMaskedNames,
    )
}


def guarantee_of(payload: Any, where: str) -> Guarantee:
    """The guarantee that `to_dict` told; BadFile where it is none, or where its words are not those of its numbers."""
    if not isinstance(payload, dict) or payload.get("guarantee") not in tuple(GUARANTEES):
        raise BadFile(f"{where} is not a guarantee that this version of discreet knows.")
    kind = GUARANTEES[payload["guarantee"]]
    record({"guarantee": text, "columns": list_of(text), "says": text, **kind.shape}, kind.later)(
        payload, where
    )
    numbers = {name: payload[name] for name in ("columns", *kind.shape, *kind.later) if name in payload}
    made = kind(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in numbers.items()}
    )
    if made.says() != payload["says"]:
        raise BadFile(f"{where}: its words are not those of its numbers, so it was changed.")
    return made
