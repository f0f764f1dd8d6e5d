"""A published matrix beside its original: which row stands for which document, and which rows are equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Mismatch
from discreet.table import IntArray
from discreet.text.vectors.groups import MaskedMatrix
from discreet.text.vectors.matrix import DocumentTermMatrix, sparse, unit_rows

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PublishedMatrix:
    """What whoever received a release of vectors has: rows of weights, the terms, and classes where there are such."""

    weights: csr_array = field(repr=False)
    vocabulary: tuple[str, ...] = field(repr=False)
    classes: tuple[str, ...] | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"<published matrix: {self.weights.shape[0]:,} rows, {len(self.vocabulary):,} terms>"

    @classmethod
    def of(cls, masked: MaskedMatrix, order: IntArray | None = None) -> PublishedMatrix:
        """The rows of a masked matrix in the order given, or in that of the original."""
        rows = np.arange(len(masked)) if order is None else order
        classes = masked.classes
        return cls(
            weights=masked.centres[masked.groups[rows]],
            vocabulary=masked.vocabulary,
            classes=None if classes is None else tuple(classes[int(row)] for row in rows),
        )

    def equal_rows(self) -> IntArray:
        """The number of the class of equal rows that each row is in; classes are numbered as they first occur.

        Rows are equal when they have the same bytes of columns and weights, and the same published class.
        """
        rows, seen = self.weights, dict[tuple[bytes, bytes, str], int]()
        classes = self.classes
        numbers = np.empty(rows.shape[0], dtype=np.int64)
        for row in range(rows.shape[0]):
            part = slice(rows.indptr[row], rows.indptr[row + 1])
            key = (
                rows.indices[part].astype(np.int64).tobytes(),
                rows.data[part].tobytes(),
                "" if classes is None else classes[row],
            )
            numbers[row] = seen.setdefault(key, len(seen))
        return numbers


class VectorPair:
    """The original matrix and what was published of it. `origin[i]` is the document that published row i stands for.

    `method` and `parameters` are those of the masking, as the manifest tells them.
    """

    def __init__(
        self,
        original: DocumentTermMatrix,
        published: PublishedMatrix,
        origin: IntArray,
        *,
        method: str = "microaggregate",
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        if len(origin) != published.weights.shape[0] or (
            len(origin) and not 0 <= int(origin.min()) <= int(origin.max()) < len(original)
        ):
            raise Mismatch(
                "the published rows are not those of this original: the private half tells of other documents. Give "
                "the matrix that was masked."
            )
        self.original, self.published, self.origin = original, published, origin
        self.method, self.parameters = method, dict(parameters or {})

    @classmethod
    def of(cls, original: DocumentTermMatrix, masked: MaskedMatrix) -> VectorPair:
        """The pair of a matrix and its masked form."""
        return cls(
            original,
            PublishedMatrix.of(masked),
            masked.rows,
            method=masked.method,
            parameters=masked.parameters,
        )

    @property
    def is_semantic(self) -> bool:
        """Whether concepts are published in the place of words."""
        return self.method == "semantic_microaggregate"

    @property
    def left_out(self) -> int:
        """How many documents are not published."""
        return len(self.original) - len(self.origin)

    @cached_property
    def groups(self) -> IntArray:
        """The class of equal rows that each published row is in."""
        return self.published.equal_rows()

    @cached_property
    def sizes(self) -> IntArray:
        """How many published rows are equal, class by class."""
        return np.bincount(self.groups).astype(np.int64)

    @cached_property
    def firsts(self) -> IntArray:
        """The first published row of each class of equal rows."""
        return np.unique(self.groups, return_index=True)[1].astype(np.int64)

    @cached_property
    def known(self) -> csr_array:
        """What the original tells of each published row: its weights, in the columns of the original."""
        return self.original.weights[self.origin]

    @cached_property
    def shown(self) -> csr_array:
        """The published rows in the columns of the original; terms that it does not have are left out."""
        return in_columns(self.published.weights, self.published.vocabulary, self.original.vocabulary)

    @cached_property
    def centres(self) -> csr_array:
        """One published row for each class of equal ones, of length one, in the columns of the original."""
        return unit_rows(self.shown[self.firsts])


def in_columns(rows: csr_array, own: tuple[str, ...], wanted: tuple[str, ...]) -> csr_array:
    """The rows with their weights in the columns of another vocabulary; terms that it does not have are left out."""
    from scipy.sparse import csr_array

    place = {word: number for number, word in enumerate(wanted)}
    columns = np.array([place.get(word, -1) for word in own], dtype=np.int64)
    every = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    new = columns[rows.indices] if len(columns) else np.empty(0, dtype=np.int64)
    kept: NDArray[np.bool_] = new >= 0
    return sparse(csr_array((rows.data[kept], (every[kept], new[kept])), shape=(rows.shape[0], len(wanted))))
