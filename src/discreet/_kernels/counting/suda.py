"""Minimal sample uniques: the smallest sets of columns that single out a record (Elliot, Manning and Ford)."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.counting.grouping import group_sizes
from discreet._kernels.threads import Progress

MOST_COLUMNS = 62
MANY_CODES = 1_000_000
"""Above so many codes, over all sets of columns, compiling the grouping takes less time than it saves."""


class MinimalUniques(NamedTuple):
    """For each record the sets of columns on which it is a minimal sample unique.

    Those of record i are masks[indptr[i] : indptr[i + 1]], rising; bit j of a mask stands for column j.
    """

    indptr: Ints
    masks: Ints


class SudaScores(NamedTuple):
    """The SUDA score of each record [n], and the part of it due to each column [n, columns].

    A minimal unique counts for each of its columns, so the parts of a record sum to more than its score.
    """

    score: Floats
    by_column: Floats


def minimal_uniques(codes: Ints, deepest: int, *, progress: Progress | None = None) -> MinimalUniques:
    """The minimal sample uniques of at most `deepest` columns among integer codes [records, columns].

    A record is unique on a set of columns when no other record has the same codes there; the set is minimal when
    the record is unique on no smaller part of it. Column sets are visited depth first, in an order in which all
    parts of a set come before it: each visit groups only the records that the set above left in company, so a
    record that is singled out drops out of the whole branch. Memory grows with the records and the minimal uniques
    found. `progress(done, total)` counts the column sets whose last column is done.

    Raises ValueError for other kinds of codes, more than 62 columns, or a depth below 1.
    """
    if codes.ndim != 2 or codes.dtype != np.int64:
        raise ValueError(
            f"minimal_uniques takes int64 codes by records and columns; got {codes.dtype} {codes.ndim}-d"
        )
    if codes.shape[1] > MOST_COLUMNS or deepest < 1:
        raise ValueError(
            f"minimal_uniques takes at most {MOST_COLUMNS} columns and a depth of at least 1;"
            f" got {codes.shape[1]} columns and depth {deepest}"
        )
    count, width = codes.shape
    columns = [np.unique(codes[:, j], return_inverse=True)[1].astype(np.int64) for j in range(width)]
    found: dict[int, Ints] = {}
    covered = np.zeros(count, np.bool_)
    often = count << min(width, 2 * deepest) > MANY_CODES

    def visit(above: tuple[int, ...], records: Ints, labels: Ints, column: int) -> None:
        chosen = (column, *above)
        alone, records, labels = _refine(records, labels, columns[column], often)
        if len(alone):
            smaller = _parts_of(chosen, found)
            for singled_out in smaller:
                covered[singled_out] = True
            minimal = alone[~covered[alone]]
            for singled_out in smaller:
                covered[singled_out] = False
            if len(minimal):
                found[_mask(chosen)] = minimal
        if len(chosen) < deepest and len(records):
            for lower in range(column):
                visit(chosen, records, labels, lower)

    for column in range(width):
        visit((), np.arange(count), np.zeros(count, np.int64), column)
        if progress is not None:
            progress(column + 1, width)
    return _by_record(found, count)


def suda_scores(uniques: MinimalUniques, width: int, deepest: int) -> SudaScores:
    """The SUDA scores that follow from minimal uniques of at most `deepest` of `width` columns.

    A minimal unique of m columns scores the product of (width - i) for i from m to deepest - 1: the number of
    ways to reach it from above (Manning, Haglin and Keane). The scores of a record are summed. A record without a
    minimal unique scores 0.
    """
    last = min(deepest, width)
    of_size = np.array(
        [prod(range(width - last + 1, width - size + 1)) for size in range(width + 1)], np.float64
    )
    sizes = np.bitwise_count(uniques.masks)
    if len(sizes) and int(sizes.max()) > last:
        raise ValueError(f"minimal uniques of {int(sizes.max())} columns cannot be scored to depth {deepest}")
    points = of_size[sizes]
    count = len(uniques.indptr) - 1
    record = np.repeat(np.arange(count), np.diff(uniques.indptr))
    score = np.bincount(record, points, minlength=count).astype(np.float64)
    by_column = np.zeros((count, width))
    for j in range(width):
        holds = (uniques.masks >> j & 1).astype(np.bool_)
        by_column[:, j] = np.bincount(record[holds], points[holds], minlength=count)
    return SudaScores(score, by_column)


def _mask(columns: tuple[int, ...]) -> int:
    return sum(1 << column for column in columns)


def _parts_of(chosen: tuple[int, ...], found: dict[int, Ints]) -> list[Ints]:
    """The records singled out by each part of the chosen columns that singles somebody out."""
    whole = _mask(chosen)
    if 1 << len(chosen) > len(found):
        return [records for mask, records in found.items() if mask & whole == mask]
    some = []
    part = (whole - 1) & whole
    while part:
        if part in found:
            some.append(found[part])
        part = (part - 1) & whole
    return some


def _by_record(found: dict[int, Ints], count: int) -> MinimalUniques:
    masks = sorted(found)
    nobody = np.zeros(0, np.int64)
    records = np.concatenate([nobody, *(found[mask] for mask in masks)])
    sizes = np.bincount(records, minlength=count)
    all_masks = np.repeat(np.array(masks, np.int64), [len(found[mask]) for mask in masks])
    return MinimalUniques(
        np.concatenate([nobody, [0], np.cumsum(sizes)]), all_masks[np.argsort(records, kind="stable")]
    )


def _refine(records: Ints, labels: Ints, column: Ints, often: bool) -> tuple[Ints, Ints, Ints]:
    """Records alone in their group once the column splits it; the others, and their new labels."""
    if len(records) == 0:
        return records, records, labels
    keys = labels * (int(column.max()) + 1) + column[records]
    group, sizes = group_sizes(keys, often=often)
    single = sizes[group] == 1
    return records[single], records[~single], group[~single]
