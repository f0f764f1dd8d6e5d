"""The document-term matrix: one row of weights for each document, one column for each term."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import BadParameter
from discreet.table import FloatArray, IntArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DocumentTermMatrix:
    """Weights of terms in documents. Rows are of length one, or of zeros where a document has no word left.

    `documents` are the names of the documents and `classes` their classes, where there are such; `split` tells which
    part of an experiment each belongs to ("train", "test"), where that is known. `built` says how the matrix was made.
    """

    weights: csr_array = field(repr=False)
    vocabulary: tuple[str, ...] = field(repr=False)
    documents: tuple[str, ...] = field(repr=False)
    classes: tuple[str, ...] | None = field(default=None, repr=False)
    split: tuple[str, ...] | None = field(default=None, repr=False)
    built: Mapping[str, Any] = field(default_factory=dict, repr=False)
    name: str = "corpus"

    def __post_init__(self) -> None:
        rows, columns = self.weights.shape
        lengths = [
            len(self.documents),
            *(len(each) for each in (self.classes, self.split) if each is not None),
        ]
        if columns != len(self.vocabulary) or any(length != rows for length in lengths):
            raise BadParameter(
                f"a matrix of {rows} rows and {columns} columns needs as many documents and terms, each with a class "
                "where classes are given."
            )

    @classmethod
    def of(
        cls,
        weights: Any,
        *,
        vocabulary: Sequence[str] | None = None,
        classes: Sequence[str] | None = None,
        name: str = "corpus",
    ) -> DocumentTermMatrix:
        """The matrix of weights that are not negative, its rows brought to length one.

        Terms and documents are numbered where they have no names. Raises BadParameter for weights that are negative or
        not finite.
        """
        rows = sparse(weights)
        if len(rows.data) and not (np.isfinite(rows.data).all() and float(rows.data.min()) >= 0):
            raise BadParameter("the weights of a document-term matrix must be finite and not negative.")
        terms = [f"term{each}" for each in range(1, rows.shape[1] + 1)] if vocabulary is None else vocabulary
        return cls(
            weights=unit_rows(rows),
            vocabulary=tuple(terms),
            documents=tuple(str(each) for each in range(1, rows.shape[0] + 1)),
            classes=None if classes is None else tuple(classes),
            name=name,
        )

    def __len__(self) -> int:
        return int(self.weights.shape[0])

    def __str__(self) -> str:
        return f"{len(self):,} documents, {len(self.vocabulary):,} terms, {self.terms_a_document:.1f} terms a document"

    def __repr__(self) -> str:
        return f"<document-term matrix: {self}>"

    @property
    def terms_a_document(self) -> float:
        """The mean number of terms with a weight."""
        return float(self.weights.nnz / max(1, len(self)))

    @property
    def document_counts(self) -> IntArray:
        """In how many documents each term occurs."""
        return np.bincount(self.weights.indices, minlength=len(self.vocabulary)).astype(np.int64)

    @property
    def without_words(self) -> NDArray[np.bool_]:
        """Which documents have no word left."""
        return np.asarray(np.diff(self.weights.indptr) == 0)

    def take(self, rows: Any) -> DocumentTermMatrix:
        """The matrix of these documents, in this order, with all its terms."""
        chosen = (
            np.flatnonzero(rows) if np.asarray(rows).dtype == np.bool_ else np.asarray(rows, dtype=np.int64)
        )
        return DocumentTermMatrix(
            weights=self.weights[chosen],
            vocabulary=self.vocabulary,
            documents=_taken(self.documents, chosen),
            classes=None if self.classes is None else _taken(self.classes, chosen),
            split=None if self.split is None else _taken(self.split, chosen),
            built=self.built,
            name=self.name,
        )

    def with_terms(self, columns: Any) -> DocumentTermMatrix:
        """The matrix of these terms only, its rows of length one again."""
        chosen = np.flatnonzero(columns) if np.asarray(columns).dtype == np.bool_ else np.asarray(columns)
        return DocumentTermMatrix(
            weights=unit_rows(sparse(self.weights[:, chosen])),
            vocabulary=_taken(self.vocabulary, chosen),
            documents=self.documents,
            classes=self.classes,
            split=self.split,
            built=self.built,
            name=self.name,
        )


def sparse(weights: Any) -> csr_array:
    """The weights as rows in compressed form, columns rising, without stored zeros."""
    from scipy.sparse import csr_array

    rows = csr_array(weights, dtype=np.float64)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    rows.sort_indices()
    return rows


def of_cells(
    weights: NDArray[Any], rows: NDArray[Any], columns: NDArray[Any], shape: tuple[int, int]
) -> csr_array:
    """The matrix of weights at these rows and columns; weights at the same place are added."""
    from scipy.sparse import coo_array

    return sparse(coo_array((weights, (rows, columns)), shape=shape))


def row_lengths(rows: csr_array) -> FloatArray:
    """The Euclidean length of each row."""
    return np.asarray(np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel()))


def unit_rows(rows: csr_array) -> csr_array:
    """The rows brought to length one; rows of zeros stay so."""
    from scipy.sparse import csr_array

    # A first division by the largest weight keeps the squares of very large and very small weights in range.
    counts = np.diff(rows.indptr)
    largest = np.zeros(rows.shape[0])
    np.maximum.at(largest, np.repeat(np.arange(rows.shape[0]), counts), rows.data)
    scaled = csr_array(
        (rows.data / np.repeat(np.where(largest > 0, largest, 1.0), counts), rows.indices, rows.indptr),
        shape=rows.shape,
    )
    lengths = row_lengths(scaled)
    data = scaled.data / np.repeat(np.where(lengths > 0, lengths, 1.0), counts)
    return csr_array((data, rows.indices, rows.indptr), shape=rows.shape)


def _taken(texts: tuple[str, ...], places: IntArray) -> tuple[str, ...]:
    return tuple(texts[int(place)] for place in places)
