"""A vector space search engine: tf-idf weights, cosine of query and document, terms joined by OR."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from discreet.errors import BadParameter
from discreet.progress import SILENT, Progress
from discreet.table import FloatArray
from discreet.text.words import terms


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Index:
    """The inverted index of documents: for each term the documents that hold it, with weights that sum to unit rows.

    `weights` has a row for each term and a column for each document, so that a query reads the postings of its own
    terms alone.
    """

    weights: sparse.csr_array = field(repr=False)
    rows: Mapping[str, int] = field(repr=False)
    idf: FloatArray = field(repr=False)

    @classmethod
    def of(cls, texts: Iterable[str], *, progress: Progress = SILENT) -> Index:
        """The index of texts, one for each document."""
        rows: dict[str, int] = {}
        term_of, document_of, count_of = [], [], []
        documents = 0
        for documents, text in enumerate(texts, start=1):
            counts = Counter(terms(text))
            for term, count in counts.items():
                term_of.append(rows.setdefault(term, len(rows)))
                document_of.append(documents - 1)
                count_of.append(count)
            progress(documents, documents + 1, "indexing")
        counted = sparse.csr_array(
            (np.array(count_of, dtype=np.float64), (term_of, document_of)), shape=(len(rows), documents)
        )
        idf = np.log(documents / np.maximum(1, np.diff(counted.indptr)))
        weights = sparse.csr_array(sparse.diags_array(idf) @ counted)
        norms = np.sqrt(np.asarray(weights.multiply(weights).sum(axis=0)).ravel())
        scales = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)
        return cls(weights=sparse.csr_array(weights @ sparse.diags_array(scales)), rows=rows, idf=idf)

    def relevance(self, query: str) -> FloatArray:
        """The cosine of the query with each document, from 0 to 1; 0 for those that hold none of its terms.

        Terms that no document holds, and terms that all of them hold, weigh nothing (idf = log(|D| / df)). Raises
        BadParameter for a query of stop words alone.
        """
        asked = Counter(terms(query))
        if not asked:
            raise BadParameter("a query needs a word that is no stop word.")
        known = {self.rows[term]: count for term, count in asked.items() if term in self.rows}
        found = np.zeros(self.weights.shape[1])
        if not known:
            return found
        places = np.array(list(known))
        weights = np.array(list(known.values())) * self.idf[places]
        norm = float(np.sqrt((weights**2).sum()))
        if norm == 0:
            return found
        return np.asarray(self.weights[places].T @ (weights / norm)).ravel()


def largest_drop(relevance: FloatArray) -> float:
    """The threshold of relevance in the middle of the largest drop in the sorted relevances of what was returned.

    A single document, or several of the same relevance, are all relevant: the threshold is then theirs. Infinity where
    nothing was returned.
    """
    returned = np.sort(relevance[relevance > 0])[::-1]
    if len(returned) == 0:
        return float("inf")
    drops = returned[:-1] - returned[1:]
    if len(drops) == 0 or drops.max() == 0:
        return float(returned[-1])
    place = int(drops.argmax())
    return float((returned[place] + returned[place + 1]) / 2)
