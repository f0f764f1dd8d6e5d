"""What a masking of vectors returns: rows that occur at least k times, and which document is in which group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import BadParameter, Unreachable
from discreet.table import IntArray
from discreet.text.vectors.matrix import DocumentTermMatrix, sparse

if TYPE_CHECKING:
    from scipy.sparse import csr_array

RARE = ("drop", "keep")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MaskedMatrix:
    """A k-anonymous matrix. Row i stands for document `rows[i]` of the original, and is equal within its group.

    `groups` is the group of each row, `centres` one row for each group. Documents that have no word left are in no
    group and are not published. `classes` are the classes to publish, None where they are not.
    """

    centres: csr_array = field(repr=False)
    groups: IntArray = field(repr=False)
    rows: IntArray = field(repr=False)
    vocabulary: tuple[str, ...] = field(repr=False)
    classes: tuple[str, ...] | None = field(default=None, repr=False)
    method: str = "microaggregate"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.groups)

    def __str__(self) -> str:
        sizes = self.group_sizes
        return (
            f"{self.method}: {len(self):,} documents in {len(sizes):,} groups of "
            f"{int(sizes.min(initial=len(self)))} to {int(sizes.max(initial=0))}"
        )

    def __repr__(self) -> str:
        return f"<{self}>"

    @property
    def weights(self) -> csr_array:
        """The masked row of each document."""
        return self.centres[self.groups]

    @property
    def group_sizes(self) -> IntArray:
        return np.bincount(self.groups, minlength=self.centres.shape[0]).astype(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prepared:
    """The documents that can be grouped, the terms that can be published, and blocks that no group goes across."""

    matrix: DocumentTermMatrix
    rows: IntArray
    blocks: tuple[IntArray, ...]
    rare_terms: int


def prepared(
    matrix: DocumentTermMatrix, *, k: int, rare: str, publish_classes: bool, method: str
) -> Prepared:
    """What is grouped: with `rare` "drop", terms in fewer than k documents are left out first.

    Where classes are published, each is a block of its own, so that a row with its class occurs k times too.
    Raises Unreachable where there are fewer than k documents with words, in all or in a class.
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 2:
        raise BadParameter(f"{method}: k must be a whole number of at least 2; got {k!r}.")
    if rare not in RARE:
        raise BadParameter(f"{method}: rare must be 'drop' or 'keep'; got '{rare}'.")
    seldom = matrix.document_counts < k
    kept = matrix.with_terms(~seldom) if rare == "drop" and seldom.any() else matrix
    rows = np.flatnonzero(~kept.without_words)
    if len(rows) < k:
        raise Unreachable(
            f"{method}: k={k} needs {k} documents with words; there are {len(rows)} of {len(matrix)}. Lower k, give "
            "more documents, or keep terms that few documents have (rare='keep'), which counts as a risk."
        )
    blocks = _blocks(kept.take(rows), publish_classes, k, method)
    return Prepared(
        matrix=kept.take(rows),
        rows=rows,
        blocks=blocks,
        rare_terms=int(seldom.sum()) if rare == "drop" else 0,
    )


def _blocks(matrix: DocumentTermMatrix, by_class: bool, k: int, method: str) -> tuple[IntArray, ...]:
    if not by_class:
        return (np.arange(len(matrix)),)
    if matrix.classes is None:
        raise BadParameter(f"{method}: the documents have no classes that could be published.")
    names, numbers = np.unique(np.array(matrix.classes, dtype=object), return_inverse=True)
    blocks = tuple(np.flatnonzero(numbers == place) for place in range(len(names)))
    small = sum(len(block) < k for block in blocks)
    if small:
        raise Unreachable(
            f"{method}: classes are published only where each has k={k} documents; {small} of {len(blocks)} have "
            "fewer. Leave the classes out, join small ones, or lower k."
        )
    return blocks


def masked_matrix(
    given: Prepared,
    groups: IntArray,
    centres: csr_array,
    *,
    vocabulary: tuple[str, ...],
    method: str,
    parameters: Mapping[str, Any],
    publish_classes: bool,
    without: int,
) -> MaskedMatrix:
    """The masked matrix, with its terms that no row has left out."""
    used: NDArray[np.bool_] = np.bincount(centres.indices, minlength=len(vocabulary)) > 0
    sizes = np.bincount(groups)
    return MaskedMatrix(
        centres=sparse(centres[:, np.flatnonzero(used)]),
        groups=groups,
        rows=given.rows,
        vocabulary=tuple(word for word, is_used in zip(vocabulary, used, strict=True) if is_used),
        classes=given.matrix.classes if publish_classes else None,
        method=method,
        parameters=parameters,
        facts={
            "groups": len(sizes),
            "smallest_group": int(sizes.min()),
            "largest_group": int(sizes.max()),
            "rare_terms_left_out": given.rare_terms,
            "documents_without_words": without,
        },
    )
