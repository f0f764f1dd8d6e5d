"""The headline loss: how much is lost of all that analysts had, in one number for every scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from discreet import registry
from discreet.comparing import ComparedColumn, StoredColumn
from discreet.dataset import Dataset
from discreet.errors import NotComputable, NotSplit
from discreet.in_parts import room_of
from discreet.loss.compared import loss_of
from discreet.loss.lost_cells import cell_loss, semantics_of
from discreet.loss.lost_columns import lost_columns
from discreet.loss.lost_statistics import (
    LostStatistics,
    lost_statistics,
    lost_statistics_in_parts,
    weights_of,
)
from discreet.matches import true_matches
from discreet.parameters import ANALYSED, Compared
from discreet.results import FROM_NOBODY, Loss
from discreet.table import IntArray, Role, Scale, Table

MEANING = (
    "how much of the file is lost, in percent: the mean of how far single values moved and how far statistics moved; 0 "
    "is unchanged, 100 is that nothing is left; what is blank or left out is lost"
)


def lost_in_parts(
    original: Dataset, masked: Dataset, *, columns: Sequence[str], truth: IntArray | None
) -> Loss:
    """What `lost` finds of a dataset in parts, of which two columns are held at a time."""
    if truth is not None:
        raise NotSplit("lost: truth does not work on a dataset in parts. Leave it out.")
    room, owner = room_of(masked), np.arange(len(masked))
    found: list[StoredColumn] = []
    cells: dict[str, float] = {}
    unread: list[str] = []
    for name in columns:
        tables = original.whole([name]), _published(original, masked, name)
        compared = lost_columns(*tables, [name], owner)
        own, not_read = _cells(*tables, compared, owner)
        cells |= own
        unread += not_read
        found.append(StoredColumn.of(compared[0], room))
    weights = tuple(
        weights_of(each.whole(each.having(Role.WEIGHT) or each.names[:1])) for each in (original, masked)
    )
    importance = [original[name].importance for name in columns]
    statistics = lost_statistics_in_parts(found, importance, (weights[0], weights[1]))
    return _loss(original, masked, columns, owner, cells, unread, statistics)


def _published(original: Dataset, masked: Dataset, name: str) -> Table:
    """What was published of a column; one that is gone is one of blanks."""
    if name in masked.names:
        return masked.whole([name])
    blanks = pl.repeat(None, len(masked), dtype=original.types[name], eager=True).alias(name)
    return Table(name=masked.name, columns=(original[name],), frame=blanks.to_frame(), home=original.home)


@registry.loss(
    family="overall",
    title="Use that is lost",
    unit=registry.PERCENT,
    splits=registry.Split.SUMS,
    by_parts=lost_in_parts,
    scales=registry.ANY_SCALE,
    missing="a blank where the original has a value is lost, and a value where it has none is made up: both count as "
    "wholly lost; cells that are blank in both tables do not count; statistics are weighted by the sampling weights of "
    "each table that has them, cells count alike",
    meaning=MEANING,
    cites=(
        "Mateo-Sanz, Domingo-Ferrer and Sebé, Data Mining and Knowledge Discovery 11(2), 2005 (statistics)",
        "Xu, Wang, Pei, Wang, Shi and Fu, Knowledge Discovery and Data Mining, 2006 (general categories)",
    ),
    across_scales=True,
    gone_is_lost=True,
)
def lost(
    original: Table, masked: Table, *, columns: Compared = ANALYSED, truth: IntArray | None = None
) -> Loss:
    """The share of the file that is lost, in percent: the mean of `cells` and `statistics`, which the details hold.

    `cells` is how far single values moved, from 0 to 1 each, on average over the cells of a column, then over the
    columns. A number counts by its distance in spans of the middle nine tenths of the column; a band by the middle of
    the distances to the nearest and to the farthest value in it; an ordered category by its steps; a category by its
    distance in the column's ontology, or 1; a general category by how many others it holds. A blank, a column or a
    record that was left out, and a value that was made up count 1.

    `statistics` is how far means, variances, deciles and frequencies of the columns, and associations of pairs of
    columns moved: how sure somebody could be of the change with a sample of a thousand records, and at least the share
    of the values that are no longer there. It is the mean of two halves, the columns and the pairs.

    All columns count but identifiers, persons, households, weights and free text. They count alike, or by the
    `importance` that the original says they have: a column by its own, a pair by the product of both.

    Why it is defined so, and after whom, stands in docs/decisions/headline-loss.md.

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> print(dc.loss.lost(table, masked))
    lost: 8.776
    """
    owner = true_matches(original, masked, truth)
    found = lost_columns(original, masked, columns, owner)
    cells, unread = _cells(original, masked, found, owner)
    statistics = lost_statistics(original, masked, found)
    return _loss(original, masked, columns, owner, cells, unread, statistics)


def _loss(
    original: Table | Dataset,
    masked: Table | Dataset,
    columns: Sequence[str],
    owner: IntArray,
    cells: Mapping[str, float],
    unread: Sequence[str],
    statistics: LostStatistics,
) -> Loss:
    """The headline loss from what single cells and statistics lost."""
    if not cells:
        raise NotComputable("lost: no column has a value in either table, so there is nothing to lose.")
    importance = [original[name].importance for name in cells]
    parts = {
        "cells": float(np.average(list(cells.values()), weights=importance)),
        "statistics": statistics.loss,
    }
    percentages = {name: 100 * each for name, each in parts.items() if each is not None}
    return loss_of(
        "lost",
        float(np.mean(list(percentages.values()))),
        MEANING,
        columns={name: 100 * each for name, each in cells.items()},
        left_out=len(columns) - len(cells) + statistics.undefined,
        details={
            **percentages,
            **_details(original, masked, columns, owner, statistics),
            **({"ontologies_not_read": list(unread)} if unread else {}),
        },
    )


def _cells(
    original: Table, masked: Table, columns: Sequence[ComparedColumn], owner: IntArray
) -> tuple[dict[str, float], list[str]]:
    """The loss of each column's cells, and the columns whose ontology could not be read and was not used."""
    found, unread = {}, []
    for column in columns:
        meaning = semantics_of(original, masked, column)
        own = cell_loss(column, owner, meaning.apart)
        if own is not None:
            found[column.name] = own
        if meaning.unread:
            unread.append(column.name)
    return found, unread


def _details(
    original: Table | Dataset,
    masked: Table | Dataset,
    columns: Sequence[str],
    owner: IntArray,
    statistics: LostStatistics,
) -> dict[str, object]:
    by_column = zip(columns, statistics.by_column.tolist(), strict=True)
    texts = [each.name for each in original.columns if each.scale == Scale.TEXT]
    return {
        **{kind: 100 * each for kind, each in statistics.by_kind.items()},
        "statistics_by_column": {name: 100 * each for name, each in by_column if not np.isnan(each)},
        "columns_gone": [name for name in columns if name not in masked.names],
        "free_text_not_measured": texts,
        "records": len(original),
        "records_left_out": len(original) - len(np.unique(owner[owner != FROM_NOBODY])),
        "records_from_nobody": int((owner == FROM_NOBODY).sum()),
    }
