"""Loss for search: are the same documents found by the same words?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from discreet import seeds
from discreet.errors import DoesNotApply
from discreet.results import Loss
from discreet.table import FloatArray, IntArray
from discreet.text.vectors.linking import TIE, products
from discreet.text.vectors.matrix import unit_rows
from discreet.text.vectors.published import VectorPair

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LENGTHS = (1, 3, 5)
QUERIES = 50
FIRST = 20
SEED = 20132
MEANING = f"1 less the F1 of the first {FIRST} documents that queries of 1, 3 and 5 words find, after against before"
KINDS = ("most frequent", "least frequent", "random", "highest mean weight", "highest weight")


def queries(pair: VectorPair, *, many: int = QUERIES, first: int = FIRST) -> Loss:
    """How much the first documents that queries find have changed.

    Queries are made of the terms that the most and the fewest documents have, of random ones, of those of the highest
    mean weight in a document, and of those of the highest weight; `many` of each kind and length. Documents rank by the
    cosine with the query; those tied at the last place share it. A query that finds nothing before is left out.
    """
    if pair.is_semantic:
        raise DoesNotApply("queries: concepts are published, which words do not find.")
    columns: dict[str, float] = {}
    left_out = 0
    after = unit_rows(pair.shown)
    for kind in KINDS:
        ranked = ranked_terms(pair.known, kind)
        for length in LENGTHS:
            asked = query_rows(ranked, length, many, pair.known.shape[1])
            found = _f1(asked, pair.known, after, first)
            left_out += int(np.isnan(found).sum())
            if not np.isnan(found).all():
                columns[f"{length} {'term' if length == 1 else 'terms'}, {kind}"] = 1 - float(
                    np.nanmean(found)
                )
    return Loss(
        name="queries",
        loss=float(np.mean(list(columns.values()))) if columns else 0.0,
        meaning=MEANING,
        columns=columns,
        left_out=left_out,
        details={"queries": many, "first": first},
    )


def ranked_terms(rows: csr_array, kind: str) -> IntArray:
    """The terms that some document has, in the order in which a kind of queries takes them; ties by alphabet."""
    held = np.bincount(rows.indices, minlength=rows.shape[1])
    used = np.flatnonzero(held)
    total = np.bincount(rows.indices, weights=rows.data, minlength=rows.shape[1])
    largest = np.zeros(rows.shape[1])
    np.maximum.at(largest, rows.indices, rows.data)
    if kind == "random":
        return seeds.generator(SEED).permutation(used)
    worth = {
        "most frequent": held.astype(np.float64),
        "least frequent": -held.astype(np.float64),
        "highest mean weight": total / np.maximum(held, 1),
        "highest weight": largest,
    }[kind]
    return used[np.argsort(-worth[used], kind="stable")]


def query_rows(ranked: IntArray, length: int, many: int, terms: int) -> csr_array:
    """Queries of so many terms each, taken one after the other from a ranking, as rows of length one."""
    from scipy.sparse import csr_array

    count = min(many, len(ranked) // length)
    chosen = ranked[: count * length]
    rows = np.repeat(np.arange(count), length)
    weights = np.full(len(chosen), 1 / np.sqrt(length))
    return csr_array((weights, (rows, chosen)), shape=(count, terms))


def _f1(asked: csr_array, before: csr_array, after: csr_array, first: int) -> FloatArray:
    """The F1 of each query; NaN where it finds nothing before."""
    found = np.full(asked.shape[0], np.nan)
    for (some, old), (_, new) in zip(products(asked, before), products(asked, after), strict=True):
        wanted, got = places(old, first), places(new, first)
        both = np.minimum(wanted, got).sum(axis=1)
        with np.errstate(invalid="ignore"):
            scores = 2 * both / (wanted.sum(axis=1) + got.sum(axis=1))
        found[some] = np.where(wanted.any(axis=1), scores, np.nan)
    return found


def places(relevance: FloatArray, first: int) -> FloatArray:
    """How much of a place among the first each document has: 1, 0, or a share where it is tied at the last place."""
    cut = np.sort(relevance, axis=1)[:, ::-1][:, min(first, relevance.shape[1]) - 1][:, None]
    above = relevance > cut + TIE
    tied = (np.abs(relevance - cut) <= TIE) & (relevance > TIE)
    free = np.maximum(0, first - above.sum(axis=1, keepdims=True))
    share = np.minimum(1.0, free / np.maximum(1, tied.sum(axis=1, keepdims=True)))
    return np.asarray(np.where(above & (relevance > TIE), 1.0, np.where(tied, share, 0.0)))
