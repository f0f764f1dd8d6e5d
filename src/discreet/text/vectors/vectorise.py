"""From documents to a document-term matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from discreet.errors import BadParameter, Unreachable
from discreet.ontology.readers.wndb import version
from discreet.ontology.readers.wordnet_home import wordnet_folder
from discreet.progress import SILENT, Progress
from discreet.text.document import Corpus
from discreet.text.vectors.matrix import DocumentTermMatrix, sparse, unit_rows
from discreet.text.vectors.words import Words, terms_by

if TYPE_CHECKING:
    from scipy.sparse import csr_array

EVERY = 500
"""Progress is told for every so many documents."""


def vectorise(
    corpus: Corpus,
    *,
    classes: Sequence[str] | None = None,
    split: Sequence[str] | None = None,
    stop: str = "english",
    stem: str | None = None,
    wordnet: Literal["words", "nouns"] | None = None,
    least: int = 2,
    most_terms: int | None = None,
    terms_each: int | None = None,
    progress: Progress = SILENT,
) -> DocumentTermMatrix:
    """The document-term matrix of a corpus: weights tf * log(|D| / df), rows of length one.

    Words are runs of two letters or more, in lower case. `stop` names the list of stop words ("english", "none"),
    `stem` the language of a Snowball stemmer. With `wordnet`, what WordNet does not know as a word or as a noun is left
    out, which removes most names. Terms in fewer than `least` documents are left out; of the others the `most_terms` of
    highest total weight are kept, and in each document its `terms_each` of highest weight. A term that is in every
    document weighs nothing and is left out. A document with no word left is a row of zeros.

    Raises BadParameter, and Unreachable where no term is left at all.

    >>> vectorise(Corpus.of(["red wine", "red beer", "white wine"]), stop="none").vocabulary
    ('red', 'wine')
    """
    for name, bound in (("least", least), ("most_terms", most_terms), ("terms_each", terms_each)):
        if bound is not None and bound < 1:
            raise BadParameter(f"vectorise: {name} must be a whole number of at least 1; got {bound}.")
    counts, vocabulary = _counted(corpus, terms_by(stop=stop, stem=stem, wordnet=wordnet), progress)
    held = np.bincount(counts.indices, minlength=len(vocabulary))
    weights = _tf_idf(counts, held)
    columns = _chosen(weights, held, least, most_terms)
    if not len(columns):
        raise Unreachable(
            f"none of the {len(vocabulary):,} words of {len(corpus):,} documents is a term: each is in fewer than "
            f"{least} documents or in all of them. Give more documents, or lower the least number of documents."
        )
    chosen = sparse(weights[:, columns])
    if terms_each is not None:
        chosen = _heaviest(chosen, terms_each)
    matrix = DocumentTermMatrix(
        weights=unit_rows(chosen),
        vocabulary=tuple(vocabulary[int(column)] for column in columns),
        documents=tuple(each.name for each in corpus),
        classes=None if classes is None else tuple(classes),
        split=None if split is None else tuple(split),
        built={
            "method": "vectorise",
            "stop": stop,
            "stem": stem,
            "wordnet": None if wordnet is None else f"{wordnet} of {version(wordnet_folder())}",
            "least": least,
            "most_terms": most_terms,
            "terms_each": terms_each,
        },
        name=corpus.name,
    )
    return _without_unused(matrix)


def _counted(corpus: Corpus, terms: Words, progress: Progress) -> tuple[csr_array, list[str]]:
    """How often each word is in each document, and the words in alphabetical order."""
    from scipy.sparse import csr_array

    numbers: dict[str, int] = {}
    columns: list[int] = []
    starts = [0]
    for place, document in enumerate(corpus):
        if place % EVERY == 0:
            progress(place, len(corpus), "words")
        columns += [numbers.setdefault(term, len(numbers)) for term in terms(document.text)]
        starts.append(len(columns))
    progress(len(corpus), len(corpus), "words")
    vocabulary = sorted(numbers)
    order = np.empty(len(numbers), dtype=np.int64)
    order[[numbers[word] for word in vocabulary]] = np.arange(len(vocabulary))
    places = order[np.array(columns, dtype=np.int64)] if columns else np.empty(0, dtype=np.int64)
    shape = (len(corpus), len(vocabulary))
    return sparse(csr_array((np.ones(len(places)), places, starts), shape=shape)), vocabulary


def _tf_idf(counts: csr_array, held: Any) -> csr_array:
    """tf * log(|D| / df)."""
    from scipy.sparse import csr_array

    rarity = np.log(counts.shape[0] / np.maximum(held, 1))
    return csr_array(
        (counts.data * rarity[counts.indices], counts.indices, counts.indptr), shape=counts.shape
    )


def _chosen(weights: csr_array, held: Any, least: int, most_terms: int | None) -> Any:
    """The columns of terms in enough documents and not in all, of highest total weight, in alphabetical order."""
    columns = np.flatnonzero((held >= least) & (held < weights.shape[0]))
    if most_terms is None or len(columns) <= most_terms:
        return columns
    total = np.asarray(weights.sum(axis=0)).ravel()[columns]
    return np.sort(columns[np.argsort(-total, kind="stable")[:most_terms]])


def _heaviest(rows: csr_array, many: int) -> csr_array:
    """Each row with its heaviest weights only, equal ones by alphabet."""
    kept = np.zeros(len(rows.data), dtype=np.bool_)
    for start, end in zip(rows.indptr[:-1], rows.indptr[1:], strict=True):
        kept[start + np.argsort(-rows.data[start:end], kind="stable")[:many]] = True
    shorter = rows.copy()
    shorter.data = np.where(kept, rows.data, 0.0)
    return sparse(shorter)


def _without_unused(matrix: DocumentTermMatrix) -> DocumentTermMatrix:
    """The matrix without terms that no document has any more."""
    used = matrix.document_counts > 0
    return matrix if used.all() else matrix.with_terms(used)
