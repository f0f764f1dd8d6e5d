"""Linking with a learned weighting: what words of which rarity tell, learned from documents that the intruder knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet import seeds
from discreet.errors import NotComputable
from discreet.results import Risk
from discreet.table import FloatArray, IntArray
from discreet.text.vectors.linking import SEED, TIE, linked, products, some_words, tried
from discreet.text.vectors.matrix import unit_rows
from discreet.text.vectors.published import VectorPair

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LEARNED = (
    "the share of documents whose published row is told by a weighting of words that the intruder learned from the "
    "other half of the documents, whose rows it knows"
)
BUCKETS = 8
CANDIDATES = 20
FEWEST = 10
"""Fewer documents than these leave nothing to learn from."""


def link_learned(pair: VectorPair, *, words: int | None = None, name: str = "link_learned") -> Risk:
    """How many documents are linked by a weighting learned from known pairs of a document and its published row.

    Terms are put into eight classes by how many published rows have them. Of each document and each of the twenty
    published rows that are nearest by the cosine, the intruder sees what each class adds to the cosine, and how many
    terms of the class both have. A logistic regression on the pairs of one half says which row is the right one in the
    other half, and the other way round.
    """
    rows = tried(pair)
    if len(rows) < FEWEST or len(pair.sizes) < 2:
        raise NotComputable(
            f"{name}: a weighting is learned from {FEWEST} documents or more with two different rows; there are "
            f"{len(rows)} with {len(pair.sizes)}."
        )
    known = pair.known[rows]
    if words is not None:
        known = unit_rows(some_words(known, words))
    near = _nearest(known, pair.centres)
    features = _features(known, pair.centres, near, _buckets(pair))
    right = near == pair.groups[rows][:, None]
    half = seeds.generator(SEED, 2).permutation(len(rows)) % 2 == 0
    chances = np.empty(len(rows))
    for learns in (half, ~half):
        scores = _scores(features[learns], right[learns], features[~learns])
        chances[~learns] = _chances(scores, near[~learns], right[~learns], pair.sizes)
    told = {"known_pairs": int(half.sum()), "candidates": near.shape[1]}
    return linked(
        pair, name, LEARNED, rows, chances, told | ({} if words is None else {"words_known": words})
    )


def _nearest(known: csr_array, centres: csr_array) -> IntArray:
    """The classes of equal rows that are nearest to each document by the cosine, the nearest first."""
    many = min(CANDIDATES, centres.shape[0])
    found = np.empty((known.shape[0], many), dtype=np.int64)
    for some, near in products(known, centres):
        found[some] = np.argsort(-near, axis=1, kind="stable")[:, :many]
    return found


def _buckets(pair: VectorPair) -> IntArray:
    """The class of each term by how many published rows have it, classes of about as many weights each."""
    held = np.bincount(pair.shown.indices, minlength=pair.shown.shape[1])
    order = np.argsort(held, kind="stable")
    share = np.cumsum(held[order]) / max(1, int(held.sum()))
    buckets = np.empty(len(held), dtype=np.int64)
    buckets[order] = np.minimum((share * BUCKETS).astype(np.int64), BUCKETS - 1)
    return buckets


def _features(known: csr_array, centres: csr_array, near: IntArray, buckets: IntArray) -> FloatArray:
    """Of each document and candidate what each class of terms adds to the cosine, and how many terms both have."""
    found = np.zeros((*near.shape, 2 * BUCKETS))
    for place in range(near.shape[1]):
        both = known.multiply(centres[near[:, place]]).tocsr()
        rows = np.repeat(np.arange(known.shape[0]), np.diff(both.indptr))
        cell = rows * BUCKETS + buckets[both.indices]
        size = known.shape[0] * BUCKETS
        found[:, place, :BUCKETS] = np.bincount(cell, both.data, size).reshape(-1, BUCKETS)
        found[:, place, BUCKETS:] = np.bincount(cell, minlength=size).reshape(-1, BUCKETS)
    found[:, :, BUCKETS:] /= np.maximum(1, np.diff(known.indptr))[:, None, None]
    return found


def _scores(learned: FloatArray, right: NDArray[np.bool_], asked: FloatArray) -> FloatArray:
    """How sure the weighting is of each candidate; the cosine where there is nothing right or wrong to learn from."""
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    examples, truth = learned.reshape(-1, learned.shape[2]), right.ravel()
    if truth.all() or not truth.any():
        return np.asarray(asked[:, :, :BUCKETS].sum(axis=2))
    spread = examples.std(axis=0)
    spread[spread == 0] = 1.0
    model = LogisticRegression(C=10.0, class_weight="balanced", max_iter=1000)
    with threadpool_limits(limits=1):
        model.fit(examples / spread, truth)
    weights = np.asarray(model.coef_).ravel() / spread
    return np.asarray(asked @ weights)


def _chances(scores: FloatArray, near: IntArray, right: NDArray[np.bool_], sizes: IntArray) -> FloatArray:
    best = scores.max(axis=1, keepdims=True)
    among = scores >= best - TIE * np.maximum(1.0, np.abs(best))
    held = (among * sizes[near]).sum(axis=1)
    return np.where((among & right).any(axis=1), 1.0 / held, 0.0)
