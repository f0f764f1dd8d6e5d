"""Loss of contingency tables: how far counts from the masked table are from the true ones."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations as subsets
from math import comb
from typing import Annotated

import numpy as np

from discreet import registry
from discreet.errors import BadParameter, NotComputable
from discreet.loss.coded import coded, combinations, combinations_of, counts
from discreet.loss.compared import loss_of
from discreet.parameters import CATEGORY_KEYS, Compared, Whole
from discreet.results import Loss
from discreet.table import FloatArray, IntArray, Table

MOST_TABLES = 5000
MEANING = (
    "how much of the counts in tables made from the published file is in the wrong cell, on average over tables: 0 is "
    "unchanged, 1 is that no record is where it was"
)


@registry.loss(
    family="tables",
    title="Tables of counts",
    unit=registry.FROM_0_TO_1,
    splits=registry.Split.COUNTS,
    in_portions=True,
    scales=registry.CATEGORIES,
    missing="a category of its own; counts are weighted by the sampling weights of each table that has them",
    meaning=MEANING,
    cites=("Domingo-Ferrer and Torra, in Confidentiality, Disclosure and Data Access, North-Holland, 2001",),
)
def contingency(
    original: Table,
    masked: Table,
    *,
    columns: Compared = CATEGORY_KEYS,
    dimension: Annotated[int, Whole(at_least=1, at_most=6, about="how many columns a table has at most")] = 2,
) -> Loss:
    """The differences between the cells of contingency tables, as a share of the counts, averaged over the tables.

    There is a table for every choice of up to `dimension` of the columns. The share of a table is the sum of the
    absolute differences of its cells over the sum of both tables' counts. The details hold the sum of the differences
    over all tables (CTBIL), and for each number of columns the sum and the average share. Each column's figure is the
    average share of the tables it is in.

    CTBIL of Domingo-Ferrer and Torra (2001): the sum over cells of |n - n'|.

    >>> masked = dc.mask.pram(table, columns=["sex"], theta=0.2, seed=1).table
    >>> print(dc.loss.contingency(table, masked))
    contingency: 0.03014
    """
    wanted = sum(comb(len(columns), size) for size in range(1, dimension + 1))
    if wanted > MOST_TABLES:
        raise BadParameter(
            f"contingency: {len(columns)} columns have {wanted} tables of up to {dimension} columns; at most "
            f"{MOST_TABLES} are counted. Name fewer columns or lower dimension."
        )
    weights = original.weights(), masked.weights()
    in_memory = isinstance(original, Table) and isinstance(masked, Table)
    codes = {name: coded(original, masked, name) for name in columns} if in_memory else {}
    differences: dict[int, list[float]] = defaultdict(list)
    shares: dict[int, list[float]] = defaultdict(list)
    by_column: dict[str, list[float]] = {name: [] for name in columns}
    for size in range(1, min(dimension, len(columns)) + 1):
        for chosen in subsets(columns, size):
            found = (
                combinations([codes[name] for name in chosen])
                if in_memory
                else combinations_of(original, masked, chosen)
            )
            difference, share = _compared(*found, weights)
            differences[size].append(difference)
            shares[size].append(share)
            for name in chosen:
                by_column[name].append(share)
    every = [each for size in shares.values() for each in size]
    return loss_of(
        "contingency",
        float(np.mean(every)),
        MEANING,
        columns={name: float(np.mean(each)) for name, each in by_column.items()},
        details={
            "tables": len(every),
            "differences": float(sum(sum(each) for each in differences.values())),
            "by_dimension": {
                size: {"differences": float(sum(differences[size])), "share": float(np.mean(shares[size]))}
                for size in shares
            },
        },
    )


def _compared(
    left: IntArray, right: IntArray, number: int, weights: tuple[FloatArray | None, FloatArray | None]
) -> tuple[float, float]:
    """The sum of the absolute differences of the cells of one table, and its share of the counts."""
    old, new = counts(left, number, weights[0]), counts(right, number, weights[1])
    total = float(old.sum() + new.sum())
    if total <= 0:
        raise NotComputable("contingency: no record has a count in either table.")
    # CTBIL sums |n - n'| over the cells, Domingo-Ferrer and Torra 2001.
    difference = float(np.abs(old - new).sum())
    return difference, difference / total
