"""Documents as weighted meanings: how far two are apart, and what stands for several of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from discreet.table import FloatArray, IntArray
from discreet.text.vectors.meanings import Meanings


class SemanticDocument(NamedTuple):
    """Items of a `Meanings`, and the weight of each."""

    items: IntArray
    weights: FloatArray


class Matching(NamedTuple):
    """For the terms of one document by falling weight the places in both, and the mean of what the pairs differ by."""

    ours: IntArray
    theirs: IntArray
    distance: float


def semantic_distance(meanings: Meanings, first: SemanticDocument, second: SemanticDocument) -> float:
    """The distance of two documents: the smaller of both directions."""
    return matched(meanings, first, second)[0].distance


def matched(
    meanings: Meanings, first: SemanticDocument, second: SemanticDocument
) -> tuple[Matching, SemanticDocument, SemanticDocument]:
    """The better matching of two documents, and the documents in the order that it goes."""
    apart = meanings.dissimilarities(first.items.tolist(), second.items.tolist())
    there = _one_way(apart, first.weights, second.weights)
    back = _one_way(apart.T, second.weights, first.weights)
    if back.distance < there.distance:
        return back, second, first
    return there, first, second


def _one_way(apart: FloatArray, ours: FloatArray, theirs: FloatArray) -> Matching:
    """Each term, by falling weight, takes the nearest free one of the other document.

    Of equally near ones it takes the lightest, which adds the least, then the first. A term that finds none free counts
    as wholly unlike nothing: by half its weight.
    """
    free = np.ones(len(theirs), dtype=np.bool_)
    pairs: list[tuple[int, int]] = []
    total = 0.0
    order = np.argsort(-ours, kind="stable")
    for place in order:
        if not free.any():
            total += float(ours[place]) / 2
            continue
        row = np.where(free, apart[place], np.inf)
        near = np.flatnonzero(row == row.min())
        chosen = int(near[np.argmin(theirs[near])])
        free[chosen] = False
        pairs.append((int(place), chosen))
        total += float(row[chosen]) * float(ours[place] + theirs[chosen]) / 2
    mine, others = zip(*pairs, strict=True) if pairs else ((), ())
    return Matching(
        np.array(mine, dtype=np.int64), np.array(others, dtype=np.int64), total / max(1, len(ours))
    )


def semantic_aggregate(meanings: Meanings, documents: Sequence[SemanticDocument]) -> SemanticDocument:
    """What stands for the documents: two at a time, each matched pair becomes the lowest concept above both.

    Its weight is the mean of theirs; pairs that become the same concept are joined, their weights added. Terms without
    a partner are left out, so that every concept of the result stands above a word of each document.
    """
    held = documents[0]
    if len(documents) == 1:
        return _joined([meanings.above(int(item), int(item)) for item in held.items], held.weights)
    for other in documents[1:]:
        pairs, first, second = matched(meanings, held, other)
        items = [
            meanings.above(int(first.items[ours]), int(second.items[theirs]))
            for ours, theirs in zip(pairs.ours, pairs.theirs, strict=True)
        ]
        held = _joined(items, (first.weights[pairs.ours] + second.weights[pairs.theirs]) / 2)
    return held


def _joined(items: Sequence[int], weights: FloatArray) -> SemanticDocument:
    """The document with each item once, the heaviest first."""
    together: dict[int, float] = {}
    for item, weight in zip(items, weights, strict=True):
        together[item] = together.get(item, 0.0) + float(weight)
    return SemanticDocument(
        np.fromiter(together.keys(), dtype=np.int64, count=len(together)),
        np.fromiter(together.values(), dtype=np.float64, count=len(together)),
    )
