"""How many people have a record that could be alike, where a missing value can be anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from discreet._kernels.counting.classes import class_sizes
from discreet._kernels.counting.distinct import distinct_rows
from discreet.coding import MISSING
from discreet.table import IntArray

PAIRS_AT_ONCE = 1 << 22


class _Block(NamedTuple):
    """Distinct rows with the same cells missing, and the people who have each: rows and persons by pairs."""

    rows: IntArray
    holder: IntArray
    person: IntArray


def possible_people(codes: IntArray, persons: IntArray) -> IntArray:
    """For each record how many people have a record that could be alike, its own person included.

    Somebody with several such records counts once. Records are compared by their pattern of missing cells, two patterns
    at a time; what takes time and is cut into pieces is the list of people for each different record.
    """
    distinct = distinct_rows(np.ascontiguousarray(codes))
    rows = codes[distinct.firsts]
    patterns = distinct_rows(np.ascontiguousarray((rows != MISSING).astype(np.int64))).labels
    pairs = np.unique(np.column_stack([distinct.labels, persons]), axis=0)
    blocks = []
    for each in range(int(patterns.max(initial=-1)) + 1):
        mine = np.flatnonzero(patterns == each)
        held = patterns[pairs[:, 0]] == each
        blocks.append(_Block(mine, np.searchsorted(mine, pairs[held, 0]), pairs[held, 1]))
    found = np.zeros(len(rows), dtype=np.int64)
    for block in blocks:
        for some in _pieces(rows, block, blocks):
            found[block.rows[some]] = _people(rows, block.rows[some], blocks)
    return found[distinct.labels]


def _pieces(rows: IntArray, block: _Block, blocks: list[_Block]) -> Iterator[IntArray]:
    """The rows of a block in pieces whose lists of people stay within bounds."""
    lengths = np.zeros(len(block.rows), dtype=np.int64)
    for other in blocks:
        group, groups = _alike(rows, block.rows, other.rows)
        lengths += np.bincount(groups[other.holder], minlength=_count(group, groups))[group]
    piece = np.cumsum(lengths) // PAIRS_AT_ONCE
    for each in np.unique(piece):
        yield np.flatnonzero(piece == each)


def _people(rows: IntArray, mine: IntArray, blocks: list[_Block]) -> IntArray:
    """For each of my rows the number of different people behind all rows that could be alike."""
    people, named = [], []
    for other in blocks:
        group, groups = _alike(rows, mine, other.rows)
        home = groups[other.holder]
        order = np.argsort(home, kind="stable")
        begins = np.searchsorted(home[order], np.arange(_count(group, groups) + 1))
        lengths = np.diff(begins)[group]
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        people.append(np.repeat(np.arange(len(mine)), lengths))
        named.append(other.person[order[np.repeat(begins[group], lengths) + within]])
    pairs = np.column_stack([np.concatenate(people), np.concatenate(named)])
    first = np.unique(class_sizes(pairs).label, return_index=True)[1]
    return np.bincount(pairs[first, 0], minlength=len(mine)).astype(np.int64)


def _alike(rows: IntArray, mine: IntArray, theirs: IntArray) -> tuple[IntArray, IntArray]:
    """Numbers of groups, equal where my rows and theirs agree in all the columns that both have."""
    both = (rows[mine[0]] != MISSING) & (rows[theirs[0]] != MISSING)
    shown = np.vstack([rows[np.ix_(mine, both)], rows[np.ix_(theirs, both)]])
    label = class_sizes(np.ascontiguousarray(shown)).label
    return label[: len(mine)], label[len(mine) :]


def _count(group: IntArray, groups: IntArray) -> int:
    return int(max(group.max(initial=-1), groups.max(initial=-1))) + 1
