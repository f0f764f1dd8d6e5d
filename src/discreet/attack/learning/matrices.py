"""Symmetric matrices as vectors, and the cones they may lie in."""

from __future__ import annotations

import functools
import math

import numpy as np

from discreet._kernels.learned import forms as kernel
from discreet.attack.learning.clock import OutOfTime, parts
from discreet.attack.learning.cones import FAR, Cone
from discreet.table import FloatArray, IntArray

DEFINITE = 1e-9
"""Eigenvalues above this, for a matrix of size 1, are above zero beyond rounding, and so are the forms of all pairs."""


@functools.cache
def corners(columns: int) -> tuple[IntArray, IntArray]:
    """The rows and columns of the upper triangle, in the order in which a matrix becomes a vector."""
    rows, others = np.triu_indices(columns)
    return rows, others


def to_vector(matrix: FloatArray) -> FloatArray:
    """The upper triangle of a symmetric matrix, row by row."""
    return np.ascontiguousarray(matrix[corners(len(matrix))])


def to_matrix(theta: FloatArray, columns: int) -> FloatArray:
    """The symmetric matrix of its upper triangle."""
    matrix = np.zeros((columns, columns))
    rows, others = corners(columns)
    matrix[rows, others] = theta
    matrix[others, rows] = theta
    return matrix


def products(differences: FloatArray) -> FloatArray:
    """The products whose sum with `to_vector(S)` is x' S x: off-diagonal ones are doubled."""
    rows, columns = corners(differences.shape[1])
    double = np.where(rows == columns, 1.0, 2.0)
    return differences[:, rows] * differences[:, columns] * double


def nearest_definite(matrix: FloatArray) -> FloatArray:
    """The positive semi-definite matrix nearest to a symmetric one in the Frobenius norm (Higham 1988)."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    fixed = (vectors * np.maximum(values, 0.0)) @ vectors.T
    return np.asarray((fixed + fixed.T) / 2)


class NonNegativePairs(Cone):
    """Matrices that give no pair of the data a distance below zero; this is less than semi-definite."""

    def __init__(self, left: FloatArray, right: FloatArray) -> None:
        columns = left.shape[1]
        super().__init__(columns * (columns + 1) // 2)
        self.left, self.right = left, right
        self.columns = columns

    def violated(self, theta: FloatArray, until: float = math.inf, most: int = 20) -> FloatArray:
        """The lowest pairs below zero, kept for later line searches too."""
        lowest, partner = self._lowest(theta, until)
        broken = np.flatnonzero(lowest < -1e-10 * np.abs(theta).max())
        broken = broken[np.argsort(lowest[broken], kind="stable")][:most]
        rows = products(self.left[broken] - self.right[partner[broken]])
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
        self.rows = np.vstack([self.rows, rows])
        return rows

    def mend(self, theta: FloatArray, until: float = math.inf) -> FloatArray:
        """Theta with the least multiple of the identity that lifts every pair to zero or above.

        Where there is no time to look at all pairs, with the least that makes the matrix definite: no pair is below
        zero then.
        """
        largest = float(np.abs(theta).max())
        try:
            short = float(self._lowest(theta, until)[0].min())
        except OutOfTime:
            # So far above zero that the lifted matrix, which is larger, is seen to be definite without another look.
            short = self._least_eigenvalue(theta) - 2 * DEFINITE * self.columns * (self.columns + 2) * largest
        if short >= 0.0:
            return theta
        return theta + (1e-14 * largest - short) * to_vector(np.eye(self.columns))

    def _lowest(self, theta: FloatArray, until: float) -> tuple[FloatArray, IntArray]:
        """For each record the lowest form over squared length to a row, 0 where none is below zero, and that row."""
        lowest, partner = np.zeros(len(self.left)), np.zeros(len(self.left), dtype=np.int64)
        if self._least_eigenvalue(theta) > DEFINITE * self.columns * float(np.abs(theta).max()):
            return lowest, partner
        matrix = to_matrix(theta, self.columns).ravel()
        for part in parts(len(self.left), len(self.right), until):
            lowest[part], partner[part] = kernel.lowest_pairs(self.left[part], self.right, matrix)
        return lowest, partner

    def _least_eigenvalue(self, theta: FloatArray) -> float:
        return float(np.linalg.eigvalsh(to_matrix(theta, self.columns))[0])


class Definite(Cone):
    """Positive semi-definite matrices, cut out by the inequalities z' S z >= 0 of the eigenvectors found so far."""

    def __init__(self, columns: int) -> None:
        super().__init__(columns * (columns + 1) // 2)
        self.columns = columns

    def violated(self, theta: FloatArray, until: float = math.inf) -> FloatArray:
        values, vectors = np.linalg.eigh(to_matrix(theta, self.columns))
        broken = values < -1e-10 * np.abs(theta).max()
        return products(vectors[:, broken].T)

    def reach(self, theta: FloatArray, direction: FloatArray) -> tuple[float, float]:
        values, vectors = np.linalg.eigh(to_matrix(theta, self.columns))
        floor = 1e-12 * max(float(values[-1]), 1e-300)
        root = vectors / np.sqrt(np.maximum(values, floor))
        rates = np.linalg.eigvalsh(root.T @ to_matrix(direction, self.columns) @ root)
        low = -1.0 / rates[-1] if rates[-1] > 1 / FAR else -FAR
        high = -1.0 / rates[0] if rates[0] < -1 / FAR else FAR
        return float(low), float(high)

    def mend(self, theta: FloatArray, until: float = math.inf) -> FloatArray:
        return to_vector(nearest_definite(to_matrix(theta, self.columns)))
