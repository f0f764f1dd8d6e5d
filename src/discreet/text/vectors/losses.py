"""Loss of a masked matrix: within groups against between them, weights, sparsity and distances."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from discreet import seeds
from discreet.errors import NotComputable
from discreet.results import Loss
from discreet.table import FloatArray, IntArray
from discreet.text.vectors.attacks import published_documents
from discreet.text.vectors.linking import products
from discreet.text.vectors.matrix import unit_rows
from discreet.text.vectors.meanings import Meanings
from discreet.text.vectors.published import VectorPair
from discreet.text.vectors.semantic_documents import semantic_aggregate, semantic_distance
from discreet.text.vectors.semantic_microaggregate import semantic_documents

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_COMPARED = 2000
"""Of more documents than these a sample is taken for the distances between every two."""
BINS = 20
NOTHING = 1e-9
"""Distances that add up to less are what rounding makes of equal rows."""
SEED = 20131
LOST = "the share of what tells documents apart that is gone: documents not published count wholly"
IL = "how far documents are from their published rows, as a share of all distances: SSE / (SSE + SSA)"
SPARSITY = "how much the share of cells without a weight changed"
WEIGHTS = "how much the mean weight of a term in a document changed, as a share of what it was"
DISTANCES = "the share of pairs of documents that are at another distance, in twentieths, than they were"


class Spread(NamedTuple):
    """Sums of distances: of rows to the centre of their group, and of centres, by size, to the centre of all."""

    sse: float
    ssa: float

    @property
    def il(self) -> float:
        whole = self.sse + self.ssa
        return self.sse / whole if whole > NOTHING else 0.0


def spherical_spread(rows: csr_array, centres: csr_array, groups: IntArray) -> Spread:
    """SSE and SSA by the cosine distance; the centre of all is the sum of the rows brought to length one."""
    units = unit_rows(centres)
    own = np.asarray(rows.multiply(units[groups]).sum(axis=1)).ravel()
    total = np.asarray(rows.sum(axis=0)).ravel()
    whole = total / (float(np.linalg.norm(total)) or 1.0)
    apart = np.maximum(0.0, 1.0 - units @ whole)
    sizes = np.bincount(groups, minlength=centres.shape[0])
    return Spread(float(np.maximum(0.0, 1.0 - own).sum()), float((sizes * apart).sum()))


def euclidean_spread(rows: csr_array, centres: csr_array, groups: IntArray) -> Spread:
    """SSE and SSA by squared Euclidean distances; the centre of all is the mean of the rows."""
    away = rows - centres[groups]
    whole = np.asarray(rows.mean(axis=0)).ravel()
    inner = np.asarray(centres.multiply(centres).sum(axis=1)).ravel() - 2 * (centres @ whole) + whole @ whole
    sizes = np.bincount(groups, minlength=centres.shape[0])
    return Spread(float(away.multiply(away).sum()), float((sizes * np.maximum(0.0, inner)).sum()))


def semantic_spread(pair: VectorPair) -> Spread:
    """SSE and SSA by the distance of meanings; the centre of all is what stands for all documents."""
    from discreet.ontology.readers import wordnet

    meanings = Meanings(wordnet())
    documents = semantic_documents(meanings, pair.original.take(pair.origin))
    shown = published_documents(meanings, pair, pair.firsts)
    whole = semantic_aggregate(meanings, documents)
    sse = sum(
        semantic_distance(meanings, each, shown[int(group)])
        for each, group in zip(documents, pair.groups, strict=True)
    )
    ssa = sum(
        int(size) * semantic_distance(meanings, centre, whole)
        for centre, size in zip(shown, pair.sizes, strict=True)
    )
    return Spread(sse, ssa)


def spread_of(pair: VectorPair) -> Spread:
    """SSE and SSA by the distance that the masking used."""
    if pair.is_semantic:
        return semantic_spread(pair)
    centres = pair.shown[pair.firsts]
    if pair.parameters.get("centre") == "euclidean":
        return euclidean_spread(pair.known, centres, pair.groups)
    return spherical_spread(pair.known, centres, pair.groups)


def il(pair: VectorPair) -> Loss:
    """The information loss SSE / (SSE + SSA) of the documents that are published."""
    spread = spread_of(pair)
    details = {"sse": spread.sse, "ssa": spread.ssa}
    return Loss(name="il", loss=spread.il, meaning=IL, left_out=pair.left_out, details=details)


def lost(pair: VectorPair) -> Loss:
    """The headline loss: the information loss, documents that are not published counting as lost."""
    share = spread_of(pair).il
    total = max(1, len(pair.original))
    gone = pair.left_out / total
    return Loss(
        name="lost",
        loss=gone + (1 - gone) * share,
        meaning=LOST,
        details={"published_documents": share, "documents_not_published": pair.left_out},
    )


def sparsity(pair: VectorPair) -> Loss:
    """How much fuller the matrix became."""
    before = 1 - pair.known.nnz / max(1, math.prod(pair.known.shape))
    shown = pair.published.weights
    after = 1 - shown.nnz / max(1, math.prod(shown.shape))
    details = {
        "before": before,
        "after": after,
        "terms_a_row_before": pair.known.nnz / max(1, len(pair.origin)),
        "terms_a_row_after": shown.nnz / max(1, len(pair.origin)),
    }
    return Loss(name="sparsity", loss=float(abs(before - after)), meaning=SPARSITY, details=details)


def weights(pair: VectorPair) -> Loss:
    """How much the mean weight changed."""
    if not pair.known.nnz or not pair.published.weights.nnz:
        raise NotComputable("weights: no document has a weight.")
    before, after = float(pair.known.data.mean()), float(pair.published.weights.data.mean())
    return Loss(
        name="weights",
        loss=min(1.0, abs(after - before) / before),
        meaning=WEIGHTS,
        details={"before": before, "after": after},
    )


def distances(pair: VectorPair) -> Loss:
    """How far the histogram of distances between every two documents moved."""
    before, after = distance_histograms(pair)
    moved = np.abs(before / max(1, before.sum()) - after / max(1, after.sum())).sum() / 2
    details = {"before": before.tolist(), "after": after.tolist(), "bins": BINS}
    return Loss(name="distances", loss=float(moved), meaning=DISTANCES, details=details)


def distance_histograms(pair: VectorPair) -> tuple[IntArray, IntArray]:
    """How many pairs of documents are at which cosine distance, before and after, in equal bins from 0 to 1."""
    count = len(pair.origin)
    if count < 2:
        raise NotComputable("distances: there are no two documents.")
    some = np.arange(count)
    if count > MOST_COMPARED:
        some = np.sort(seeds.generator(SEED).choice(count, MOST_COMPARED, replace=False))
    _, firsts, sizes = np.unique(pair.groups[some], return_index=True, return_counts=True)
    shown = unit_rows(pair.published.weights[some[firsts]])
    every = np.ones(len(some), dtype=np.int64)
    return _histogram(pair.known[some], every), _histogram(shown, sizes.astype(np.int64))


def _histogram(rows: csr_array, sizes: IntArray) -> IntArray:
    """The counts of pairs by distance; each row stands for as many equal ones as `sizes` tells."""
    found = np.zeros(BINS)
    found[0] = float((sizes * (sizes - 1) // 2).sum())
    for some, near in products(rows, rows):
        first = np.arange(some.start, some.stop)
        pairs = np.arange(rows.shape[0])[None, :] > first[:, None]
        many = (sizes[first][:, None] * sizes[None, :])[pairs].astype(np.float64)
        apart: FloatArray = np.clip(1.0 - near[pairs], 0.0, 1.0)
        # What rounding makes of equal rows stays in the first bin.
        apart = np.where(apart < 1e-9, 0.0, apart)
        found += np.histogram(apart, bins=BINS, range=(0.0, 1.0), weights=many)[0]
    return found.astype(np.int64)
