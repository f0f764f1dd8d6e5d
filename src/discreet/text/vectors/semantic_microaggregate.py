"""Microaggregation of documents by what their nouns mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from discreet.errors import BadParameter, UnmappedValues
from discreet.ontology.graph import Ontology
from discreet.ontology.readers.wndb import version
from discreet.ontology.readers.wordnet_home import wordnet_folder
from discreet.progress import SILENT, Progress
from discreet.table import FloatArray, IntArray
from discreet.text.vectors.groups import MaskedMatrix, Prepared, masked_matrix, prepared
from discreet.text.vectors.matrix import DocumentTermMatrix, of_cells
from discreet.text.vectors.meanings import Meanings
from discreet.text.vectors.semantic_documents import (
    SemanticDocument,
    semantic_aggregate,
    semantic_distance,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_TERMS = 8_000
"""More terms than these take too much room: every two of them are compared."""


def semantic_microaggregate(
    matrix: DocumentTermMatrix,
    *,
    k: int,
    ontology: Ontology | None = None,
    publish_classes: bool = False,
    progress: Progress = SILENT,
) -> MaskedMatrix:
    """The matrix with each row replaced by the concepts that stand for its group, by MDAV over meanings.

    The distance of two words is the least Wu-Palmer dissimilarity of their senses in the `ontology`, by default the
    nouns of WordNet. The terms of a document take, by falling weight, the nearest free term of the other one; the
    distance of the documents is the mean of dissimilarity times mean weight, in the better direction. What stands for a
    group are the lowest concepts above the matched words, with their mean weights. It is for short rows: build the
    matrix with `wordnet="nouns"` and `terms_each=50` or 100.

    Every row of the result occurs at least k times. Every published concept stands above a word of at least k
    documents. Raises UnmappedValues where a term is no word of the ontology, Unreachable for fewer than k documents.

    Abril, Navarro-Arribas and Torra, CCIA 2013.
    """
    known = ontology
    if known is None:
        from discreet.ontology.readers import wordnet

        known = wordnet()
    given = prepared(
        matrix, k=k, rare="keep", publish_classes=publish_classes, method="semantic_microaggregate"
    )
    meanings = Meanings(known)
    documents = semantic_documents(meanings, given.matrix)
    groups, centres = _grouped(meanings, documents, given, k, progress)
    rows, vocabulary = _as_matrix(meanings, centres)
    return masked_matrix(
        given,
        groups,
        rows,
        vocabulary=vocabulary,
        method="semantic_microaggregate",
        parameters={
            "k": k,
            "ontology": f"WordNet {version(wordnet_folder())}" if ontology is None else known.name,
            "publish_classes": publish_classes,
        },
        publish_classes=publish_classes,
        without=len(matrix) - len(given.rows),
    )


def semantic_documents(meanings: Meanings, matrix: DocumentTermMatrix) -> list[SemanticDocument]:
    """The rows of a matrix as weighted words. Raises UnmappedValues where the ontology does not know a term."""
    if len(matrix.vocabulary) > MOST_TERMS:
        raise BadParameter(
            f"semantic_microaggregate: every two terms are compared, of which there can be {MOST_TERMS:,}; there are "
            f"{len(matrix.vocabulary):,}. Keep fewer terms of each document (terms_each)."
        )
    items = np.array([meanings.word(term) for term in matrix.vocabulary], dtype=np.int64)
    unknown = [term for term, item in zip(matrix.vocabulary, items, strict=True) if item < 0]
    if unknown:
        raise UnmappedValues(
            f"semantic_microaggregate: {len(unknown)} of {len(items)} terms are no words of {meanings.ontology.name}. "
            "Build the matrix of its nouns only (wordnet='nouns').",
            unknown,
        )
    rows = matrix.weights
    return [
        SemanticDocument(items[rows.indices[start:end]], rows.data[start:end])
        for start, end in zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
    ]


def _grouped(
    meanings: Meanings, documents: Sequence[SemanticDocument], given: Prepared, k: int, progress: Progress
) -> tuple[IntArray, list[SemanticDocument]]:
    """The group of each document and what stands for each group, block by block."""
    groups = np.empty(len(documents), dtype=np.int64)
    centres: list[SemanticDocument] = []
    for block in given.blocks:
        search = _Search(meanings, documents, block.tolist(), progress)
        for members in search.groups(k):
            groups[members] = len(centres)
            centres.append(semantic_aggregate(meanings, [documents[each] for each in members]))
    progress(len(documents), len(documents), "groups")
    return groups, centres


class _Search:
    """MDAV over documents that only a distance is known of."""

    def __init__(
        self,
        meanings: Meanings,
        documents: Sequence[SemanticDocument],
        left: list[int],
        progress: Progress,
    ) -> None:
        self.meanings, self.documents, self.left, self.progress = meanings, documents, left, progress
        self.total = len(left)

    def groups(self, k: int) -> list[list[int]]:
        """The members of each group, in order of creation; equal distances go to the document that comes first."""
        found: list[list[int]] = []
        while len(self.left) >= 2 * k:
            whole = semantic_aggregate(self.meanings, [self.documents[each] for each in self.left])
            first = self.left[int(np.argmax(self._distances(whole)))]
            several = len(self.left) >= 3 * k
            found.append(self._around(first, k))
            if several:
                second = self.left[int(np.argmax(self._distances(self.documents[first])))]
                found.append(self._around(second, k))
            self.progress(self.total - len(self.left), self.total, "groups")
        return [*found, self.left]

    def _around(self, row: int, k: int) -> list[int]:
        others = [each for each in self.left if each != row]
        self.left = others
        near = np.argsort(self._distances(self.documents[row]), kind="stable")[: k - 1]
        members = sorted([row, *(others[int(place)] for place in near)])
        self.left = [each for each in others if each not in members]
        return members

    def _distances(self, of: SemanticDocument) -> FloatArray:
        return np.array([semantic_distance(self.meanings, of, self.documents[each]) for each in self.left])


def _as_matrix(meanings: Meanings, centres: Sequence[SemanticDocument]) -> tuple[csr_array, tuple[str, ...]]:
    """The centres as rows of a matrix, and the words for its concepts; identifiers where several share a word."""
    ontology = meanings.ontology
    concepts = sorted({meanings.concept_of(int(item)) for centre in centres for item in centre.items})
    labels = [ontology.labels[concept] for concept in concepts]
    vocabulary = [
        label if labels.count(label) == 1 else ontology.identifiers[concept]
        for label, concept in zip(labels, concepts, strict=True)
    ]
    order = np.argsort(np.array(vocabulary, dtype=object), kind="stable")
    column = {concepts[int(place)]: new for new, place in enumerate(order)}
    places = [
        (row, column[meanings.concept_of(int(item))], float(weight))
        for row, centre in enumerate(centres)
        for item, weight in zip(*centre, strict=True)
    ]
    rows, columns, weights = zip(*places, strict=True)
    matrix = of_cells(np.array(weights), np.array(rows), np.array(columns), (len(centres), len(concepts)))
    return matrix, tuple(vocabulary[int(place)] for place in order)
