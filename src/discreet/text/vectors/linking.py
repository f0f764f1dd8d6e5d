"""Linking documents that an intruder knows to published rows: candidates by a product, ties counted, chances told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet import seeds
from discreet.results import Risk, wilson
from discreet.table import FloatArray, IntArray
from discreet.text.vectors.published import VectorPair

if TYPE_CHECKING:
    from scipy.sparse import csr_array

CELLS_AT_ONCE = 1 << 24
MOST_TRIED = 20_000
"""Of more documents than these a sample is looked for."""
TIE = 1e-9
"""Products that differ by less are the same to an intruder: rounding must not tell who is who."""
SEED = 20130


def tried(pair: VectorPair) -> IntArray:
    """The published rows whose documents are looked for: all of them, or a sample of many."""
    count = len(pair.origin)
    if count <= MOST_TRIED:
        return np.arange(count)
    return np.sort(seeds.generator(SEED, 0).choice(count, MOST_TRIED, replace=False))


def products(left: csr_array, right: csr_array) -> Iterator[tuple[slice, FloatArray]]:
    """The products of every row of `left` with every row of `right`, some rows at a time."""
    step = max(1, CELLS_AT_ONCE // max(1, right.shape[0]))
    turned = right.T.tocsr()
    for start in range(0, left.shape[0], step):
        some = slice(start, min(start + step, left.shape[0]))
        yield some, np.asarray((left[some] @ turned).todense())


def chances_of(pair: VectorPair, known: csr_array, centres: csr_array, rows: IntArray) -> FloatArray:
    """For each known document the chance that its published row is told by the greatest product.

    Of classes of equal rows that are equally near, each row is as likely; where nothing is shared with any of them,
    that is every row.
    """
    found = np.empty(known.shape[0])
    own = pair.groups[rows]
    for some, near in products(known, centres):
        found[some] = chance(near, own[some], pair.sizes)
    return found


def chance(near: FloatArray, own: IntArray, sizes: IntArray) -> FloatArray:
    """The chance of each row of nearness, where `own` is the class that is the right one."""
    best = near.max(axis=1, keepdims=True)
    among = near >= best - TIE * np.maximum(1.0, np.abs(best))
    held = among @ sizes
    return np.where(among[np.arange(len(own)), own], 1.0 / held, 0.0)


def linked(
    pair: VectorPair, name: str, meaning: str, rows: IntArray, chances: FloatArray, details: Mapping[str, Any]
) -> Risk:
    """The result of an attack that links documents, from the chance of each that was looked for."""
    records = np.full(len(pair.origin), np.nan)
    records[rows] = chances
    sampled = {"people_tried": len(rows)} if len(rows) < len(pair.origin) else {}
    group_found = chances * pair.sizes[pair.groups[rows]]
    return Risk(
        name=name,
        risk=float(chances.mean()) if len(chances) else 0.0,
        meaning=meaning,
        records=records,
        interval=wilson(float(chances.sum()), len(chances)),
        baseline=1.0 / max(1, len(pair.origin)),
        attempts=len(chances),
        reidentifies=True,
        details={"groups_found": float(group_found.mean()) if len(chances) else 0.0, **sampled, **details},
    )


def some_words(known: csr_array, many: int) -> csr_array:
    """The documents with as many of their terms as the intruder knows, drawn at random; all of shorter ones."""
    from scipy.sparse import csr_array

    draws = seeds.generator(SEED, 1).random(len(known.data))
    rows = np.repeat(np.arange(known.shape[0]), np.diff(known.indptr))
    order = np.lexsort((draws, rows))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - known.indptr[rows[order]]
    kept = place < many
    return csr_array((known.data[kept], (rows[kept], known.indices[kept])), shape=known.shape)
