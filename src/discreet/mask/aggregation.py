"""Values replaced by the centres of groups of records, each group among those with values in the same columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from discreet.guarantees import Guarantee, KAnonymous, SameMeans
from discreet.mask.centres import centres
from discreet.mask.coordinates import averaged, scaled, with_coordinates
from discreet.mask.missing import strata
from discreet.mask.people import Distances, joined_for_people
from discreet.registry import DeclaredGuarantee
from discreet.requirement import Holdings
from discreet.results import Masked
from discreet.table import FloatArray, IntArray, Scale, Table

GUARANTEES = (
    DeclaredGuarantee(
        "every combination of the columns that are masked together is shared by at least k records, or k people where "
        "they are known",
        KAnonymous,
    ),
    DeclaredGuarantee("the means of numeric columns are kept where no further cell is suppressed", SameMeans),
    DeclaredGuarantee(
        "when weighted, the weighted means of numeric columns are kept instead",
        SameMeans,
        when={"weighted": True},
    ),
)
"""What holds of columns that were aggregated together."""
Grouping = Callable[[IntArray, IntArray], IntArray]
"""From some rows, and the columns in which they have values, to the group of each row, counted from 0."""


def aggregated(
    values: FloatArray,
    scales: Sequence[Scale],
    people: Holdings,
    group: Grouping,
    weights: FloatArray | None,
) -> tuple[FloatArray, IntArray]:
    """The values replaced by the centres of their groups, and the group of each record.

    Centres count records by their weights where given. Groups with too few people join the nearest.
    """
    fresh = np.full_like(values, np.nan)
    label = np.zeros(len(values), dtype=np.int64)
    found = 0
    for stratum in strata(np.isnan(values), people):
        rows, present = stratum.rows, stratum.present
        own = np.zeros(len(rows), dtype=np.int64)
        if len(present):
            kinds = [scales[place] for place in present]
            formed = group(rows, present)
            near = partial(_distances, values[np.ix_(rows, present)], formed, kinds)
            own = joined_for_people(formed, rows, people, near)
            counted = None if weights is None else weights[rows]
            fresh[np.ix_(rows, present)] = centres(values[np.ix_(rows, present)], own, kinds, counted)
        label[rows] = own + found
        found += int(own.max()) + 1
    return fresh, label


def _distances(values: FloatArray, label: IntArray, scales: Sequence[Scale]) -> Distances:
    """The squared distances between the centres of groups, columns counting alike."""
    points, apart = scaled(values, scales, standardise=True)
    first = np.unique(label, return_index=True)[1]
    middle = centres(points, label, scales)[first]
    nominal = apart > 0

    def distances(group: int) -> FloatArray:
        numbers = (middle[:, ~nominal] - middle[group, ~nominal]) ** 2
        unlike = (middle[:, nominal] != middle[group, nominal]) * apart[nominal]
        total: FloatArray = numbers.sum(axis=1) + unlike.sum(axis=1)
        return total

    return distances


def in_groups(
    table: Table,
    columns: Sequence[str],
    points: FloatArray,
    *,
    labels: Mapping[str, IntArray],
    suppressed: int,
    weighted: bool,
    guarantees: Iterable[Guarantee],
    called: str,
) -> Masked:
    """The table with the centres of groups in its columns; means are kept where no cell was suppressed.

    `labels` says for each set of columns in which group every record is, and `called` what the groups are called.
    """
    means = () if suppressed else averaged(table, columns)
    kept = (SameMeans(columns=means, before=table, weighted=weighted),) if means else ()
    facts = {
        called: sum(int(label.max()) + 1 for label in labels.values()),
        "suppressed_cells": suppressed,
        "labels": labels,
    }
    masked = with_coordinates(table, columns, points)
    return Masked(table=masked, facts=facts, guarantees=(*guarantees, *kept))
