"""Columns that say the same as an identifier: each of their values belongs to one of it, whatever they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from discreet.inspection.guess import HOW_TO_PUBLISH, Proposed
from discreet.inspection.look import FEW, OWN
from discreet.inspection.names import says_something
from discreet.table import IDENTIFYING, Role, Scale

MOST_ALIKE = 0.98
"""The share of the pairs of values that belong to each other in both directions."""


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
