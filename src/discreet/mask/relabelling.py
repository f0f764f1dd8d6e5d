"""Levels of a column under other names, some of them joined."""

from __future__ import annotations

import dataclasses

import polars as pl

from discreet.guarantees import Guarantee, OnlyLevels
from discreet.table import Scale, Table


def relabelled(
    table: Table, name: str, labels: dict[str, str], scale: Scale, order: tuple[str, ...]
) -> tuple[Table, int, Guarantee]:
    """The table with levels of one column renamed, how many cells that changed, and what may be in it now."""
    # An order that lacks a value of the column is told here, before anything is guaranteed of its levels.
    table.codes(name)
    old = table.frame[name].cast(pl.String)
    new = old.replace(labels)
    described = dataclasses.replace(
        table[name], scale=scale, order=order if scale == Scale.ORDINAL else (), value_labels={}
    )
    changed = int((old.is_not_null() & old.is_in(list(labels))).sum())
    return table.with_values({name: new}, [described]), changed, OnlyLevels(columns=(name,), levels=order)
