"""Columns that say whose a record is by what they decide of the others, whatever they are called.

One that is one to one with an identifier says the same. Where each value of a column stands with one sex or one day of
birth alone, over many values, it numbers people; where with one sampling weight, their households.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from discreet.inspection.guess import HOW_TO_PUBLISH, Proposed
from discreet.inspection.look import FEW, OWN
from discreet.inspection.names import BORN, says_something, whole_word, words_of
from discreet.table import IDENTIFYING, Role, Scale

MOST_ALIKE = 0.98
"""The share of the pairs of values that belong to each other in both directions, or of the values that decide."""
FEWEST_DECIDING, MOST_SHARING, BY_CHANCE = 30, 12, 0.7
"""So many values must decide, of so few records each, what two records share by chance less often than this."""


def with_deciding(frame: pl.DataFrame, columns: Sequence[Proposed]) -> list[Proposed]:
    """The columns, one of them as the number of people or of households where its values decide what these share.

    The column of most values is taken; nothing is where another one has the role.
    """
    taken = {each.role for each in columns}
    found = list(columns)
    for role, decided, what in (
        (Role.PERSON, [each.name for each in columns if whole_word(BORN, words_of(each.name))], "people"),
        (Role.HOUSEHOLD, [each.name for each in columns if each.role == Role.WEIGHT], "households"),
    ):
        if role in taken:
            continue
        deciding = [
            (each.distinct, place, name)
            for place, each in enumerate(found)
            if _may_number(frame, each)
            for name in decided
            if name != each.name and _decides(frame, each.name, name)
        ]
        if deciding:
            _, place, name = max(deciding)
            why = f"each value stands with one value of '{name}' alone: it numbers {what} who have several records"
            reasons = tuple(reason for reason in found[place].reasons if "safer role" not in reason)
            found[place] = replace(
                found[place], role=role, scale=Scale.NOMINAL, order=(), reasons=(*reasons, why)
            )
    return found


def _may_number(frame: pl.DataFrame, column: Proposed) -> bool:
    """Whether the column holds many whole numbers or texts that repeat, of which its name says nothing."""
    dtype = frame[column.name].dtype
    return (
        (dtype == pl.String or dtype.is_integer())
        and column.role in (Role.KEY, Role.IDENTIFIER)
        and not says_something(column.name)
        and FEWEST_DECIDING <= column.distinct <= OWN * frame.height
        and frame.height <= MOST_SHARING * column.distinct
    )


def _decides(frame: pl.DataFrame, one: str, other: str) -> bool:
    """Whether records that share a value of one column nearly all share that of the other, and not by chance."""
    both = frame.select(pl.col(one).alias("one"), pl.col(other).alias("other")).drop_nulls()
    groups = both.group_by("one").agg(pl.len().alias("size"), (pl.col("other").n_unique() == 1).alias("same"))
    shared = groups.filter(pl.col("size") > 1)
    if shared.height < FEWEST_DECIDING or float(shared["same"].mean() or 0) < MOST_ALIKE:  # type: ignore[arg-type]
        return False
    shares = both["other"].value_counts()["count"] / both.height
    return float((shares * shares).sum()) < BY_CHANCE


def with_dependent(frame: pl.DataFrame, columns: Sequence[Proposed]) -> list[Proposed]:
    """The columns, those as identifiers that are one to one with an identifier that repeats.

    Where an identifier stands once with each record, everything that differs is one to one with it, and tells nothing.
    """
    known = [
        each.name for each in columns if each.role in IDENTIFYING and FEW < each.distinct < OWN * frame.height
    ]
    return [_judged(frame, each, known) for each in columns]


def _judged(frame: pl.DataFrame, column: Proposed, known: Sequence[str]) -> Proposed:
    dtype = frame[column.name].dtype
    open_to_doubt = column.role == Role.KEY and not says_something(column.name)
    if not open_to_doubt or not (dtype == pl.String or dtype.is_integer()) or column.distinct <= FEW:
        return column
    like = next((name for name in known if _one_to_one(frame, column.name, name)), None)
    if like is None:
        return column
    why = f"each value belongs to one value of '{like}' and back, so that it names the same; {HOW_TO_PUBLISH}"
    reasons = tuple(reason for reason in column.reasons if "safer role" not in reason)
    return replace(column, role=Role.IDENTIFIER, scale=Scale.NOMINAL, order=(), reasons=(*reasons, why))


def _one_to_one(frame: pl.DataFrame, one: str, other: str) -> bool:
    """Whether nearly every value of each column stands with one value of the other."""
    pairs = frame.select(one, other).drop_nulls().unique()
    if pairs.height <= FEW:
        return False
    return min(pairs[one].n_unique(), pairs[other].n_unique()) >= MOST_ALIKE * pairs.height
