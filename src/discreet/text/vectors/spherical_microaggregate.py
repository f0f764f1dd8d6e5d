"""Microaggregation of document vectors by the cosine, and by the Euclidean distance as the comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from discreet._kernels.clustering.spherical_mdav import spherical_mdav
from discreet.errors import BadParameter
from discreet.progress import SILENT, Progress
from discreet.table import IntArray
from discreet.text.vectors.groups import MaskedMatrix, masked_matrix, prepared
from discreet.text.vectors.matrix import DocumentTermMatrix, of_cells, sparse, unit_rows

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Centre = Literal["spherical", "euclidean"]
CENTRES = ("spherical", "euclidean")


def microaggregate(
    matrix: DocumentTermMatrix,
    *,
    k: int,
    centre: Centre = "spherical",
    rare: str = "drop",
    publish_classes: bool = False,
    progress: Progress = SILENT,
) -> MaskedMatrix:
    """The matrix with each row replaced by the centre of its group, so that every row occurs at least k times.

    Groups are those of MDAV by the distance 1 - cosine, and have k to 2k-1 documents. The centre of a group is the sum
    of its rows brought to length one, which is the row of least total distance to them. With `centre="euclidean"` it is
    their mean, which is not of length one: between rows of length one the squared Euclidean distance is twice the
    cosine distance, so that both make the same groups.

    With `rare="drop"` terms in fewer than k documents are left out first: each would name the documents it is in. With
    "keep" they stay, and count as a risk. Documents with no word left are in no group. With `publish_classes` groups
    are made within the classes. Ties go to the document that comes first. Raises BadParameter, and Unreachable where
    there are fewer than k documents with words.

    The same matrix always gives the same groups. Every row of the result occurs at least k times. Every group has at
    most 2k-1 documents.

    Abril, Navarro-Arribas and Torra, Computers & Security 49, 2015; Domingo-Ferrer and Torra 2005 (MDAV).

    >>> matrix = DocumentTermMatrix.of([[2, 1, 0], [1, 2, 0], [0, 0, 1], [0, 1, 3]])
    >>> microaggregate(matrix, k=2).groups.tolist()
    [0, 0, 1, 1]
    """
    if centre not in CENTRES:
        raise BadParameter(f"microaggregate: centre must be 'spherical' or 'euclidean'; got '{centre}'.")
    given = prepared(matrix, k=k, rare=rare, publish_classes=publish_classes, method="microaggregate")
    groups = np.empty(len(given.rows), dtype=np.int64)
    first = done = 0
    for block in given.blocks:
        found = groups_of(given.matrix.weights[block], k, progress, done, len(groups))
        groups[block] = first + found
        first, done = first + int(found.max()) + 1, done + len(block)
    sums = group_sums(given.matrix.weights, groups)
    return masked_matrix(
        given,
        groups,
        unit_rows(sums) if centre == "spherical" else _means(sums, groups),
        vocabulary=given.matrix.vocabulary,
        method="microaggregate",
        parameters={"k": k, "centre": centre, "rare": rare, "publish_classes": publish_classes},
        publish_classes=publish_classes,
        without=len(matrix) - len(given.rows),
    )


def groups_of(
    rows: csr_array, k: int, progress: Progress = SILENT, done: int = 0, total: int | None = None
) -> IntArray:
    """The group of each row by MDAV with the cosine distance."""
    all_rows = rows.shape[0] if total is None else total
    return spherical_mdav(
        rows.indptr.astype(np.int64),
        rows.indices.astype(np.int32),
        np.ascontiguousarray(rows.data),
        int(rows.shape[1]),
        k,
        lambda some, _: progress(done + some, all_rows, "groups"),
    )


def group_sums(rows: csr_array, groups: IntArray) -> csr_array:
    """The sum of the rows of each group."""
    every = np.arange(len(groups))
    members = of_cells(np.ones(len(groups)), groups, every, (int(groups.max(initial=-1)) + 1, len(groups)))
    return sparse(members @ rows)


def _means(sums: csr_array, groups: IntArray) -> csr_array:
    """The mean row of each group."""
    means = sums.copy()
    means.data = sums.data / np.repeat(np.bincount(groups), np.diff(sums.indptr))
    return means
