"""Plain linkage under given parameters: who is strictly nearest to their own masked row."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from discreet._kernels.learned import forms
from discreet._kernels.learned.ties import LEAF, nearest_ties
from discreet._kernels.nearest.link import link as nearest_of
from discreet._kernels.nearest.tie_loops import Nearest
from discreet.attack.learning.standard import BLUR, check_aligned, standardise
from discreet.errors import BadParameter, did_you_mean
from discreet.table import BoolArray, FloatArray, IntArray

MANY_PAIRS = 30_000_000
"""Above this a search tree finds the rivals of weighted linkage."""
LearnedDistance = Literal["weighted", "owa", "choquet", "bilinear", "bilinear_free"]
LEARNED_DISTANCES: tuple[str, ...] = get_args(LearnedDistance)
KERNELS = {
    "weighted": forms.WEIGHTED,
    "owa": forms.ORDERED,
    "choquet": forms.CHOQUET,
    "bilinear": forms.BILINEAR,
    "bilinear_free": forms.BILINEAR,
}


def relink(original: FloatArray, masked: FloatArray, *, distance: str, parameters: FloatArray) -> BoolArray:
    """Whether each record is strictly nearest to its own masked row, under a distance with given parameters.

    Both files are standardised, each by its own means and standard deviations. A record as near to another masked
    row as to its own is not re-identified, nor is one whose lead is within rounding: the own row has to be strictly
    nearer even if every difference of two values is off by 1e-12 standard deviations. `parameters` are weights
    (weighted, owa), a fuzzy measure of 2**d values (choquet) or a matrix (bilinear), as `learn` returns them.
    """
    check_aligned(original, masked)
    return relink_points(standardise(original), standardise(masked), distance, parameters)


def relink_points(left: FloatArray, right: FloatArray, distance: str, parameters: FloatArray) -> BoolArray:
    """As `relink`, for records that are on one scale already."""
    return np.asarray(_ties(left, right, distance, parameters) == 1)


def expected_links(left: FloatArray, right: FloatArray, distance: str, parameters: FloatArray) -> FloatArray:
    """The chance of each record to be linked to its own row: 1/t where that is one of t nearest ones, else 0.

    Row i of `right` is the own row of record i; further rows are rivals only. Rows that are as near to within rounding
    count as ties: what the intruder expects to get right, not the luck of one guess.
    """
    ties = _ties(left, right, distance, parameters)
    return np.asarray((ties > 0) / np.maximum(ties, 1))


def _ties(left: FloatArray, right: FloatArray, distance: str, parameters: FloatArray) -> IntArray:
    """Among how many nearest rows each record's own is, 0 where it is none of them."""
    if distance not in KERNELS:
        raise BadParameter(f"'{distance}' is no learned distance.{did_you_mean(distance, LEARNED_DISTANCES)}")
    columns = left.shape[1]
    shape = {"choquet": (1 << columns,), "weighted": (columns,), "owa": (columns,)}.get(
        distance, (columns,) * 2
    )
    if parameters.shape != shape:
        raise BadParameter(
            f"{distance} over {columns} columns has parameters of shape {shape}; got {parameters.shape}."
        )
    floors = _floors(distance, columns, parameters)
    order, lows, highs = _leaves(right, floors)
    flat = np.ascontiguousarray(parameters, dtype=np.float64).ravel()
    suspects = np.full(len(left), -1)
    if distance == "weighted" and len(left) * len(right) > MANY_PAIRS:
        suspects = nearest_by_tree(left, right, flat, np.arange(len(left))).first
    return nearest_ties(KERNELS[distance], left, right, flat, BLUR, order, lows, highs, floors, suspects)


def nearest_by_tree(left: FloatArray, right: FloatArray, weights: FloatArray, own: IntArray) -> Nearest:
    """The nearest masked row of each record under weights, by a tree over the columns scaled by their roots.

    `own` is the masked row of each record. To rounding this is the weighted distance: good for finding rivals, not for
    deciding a tie.
    """
    scale = np.sqrt(weights)
    return nearest_of(left * scale, right * scale, own)


def _floors(distance: str, columns: int, parameters: FloatArray) -> FloatArray:
    """How much of the squared difference in each column is in every distance, at the least."""
    if distance == "weighted":
        return np.ascontiguousarray(parameters, dtype=np.float64)
    if distance == "owa":
        return np.full(columns, float(parameters[0]))
    if distance == "choquet":
        return np.ascontiguousarray(parameters[[1 << (columns - 1 - k) for k in range(columns)]])
    return _bilinear_floors(parameters)


def _leaves(right: FloatArray, floors: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """The rows in leaves of rows that are near each other where it counts, and the corners of each leaf."""
    scale = np.sqrt(np.maximum(floors, 0.0))
    parts, leaves = [np.arange(len(right))], []
    while parts:
        part = parts.pop()
        if len(part) <= LEAF:
            leaves.append(part)
            continue
        column = int((np.ptp(right[part], axis=0) * scale).argmax())
        # Whole leaves on the left, so that only the last of all can be short.
        middle = LEAF * ((len(part) // LEAF + 1) // 2)
        sorted_part = part[np.argpartition(right[part, column], middle - 1)]
        parts += [sorted_part[middle:], sorted_part[:middle]]
    order = np.concatenate(leaves)
    starts = np.arange(0, len(right), LEAF)
    ordered = right[order]
    return order, np.minimum.reduceat(ordered, starts), np.maximum.reduceat(ordered, starts)


def _bilinear_floors(matrix: FloatArray) -> FloatArray:
    """x' S x >= x_k**2 / (S**-1)_kk for a positive definite S; nothing is known of the others."""
    values = np.linalg.eigvalsh(matrix)
    if values[0] <= 1e-9 * values[-1]:
        return np.zeros(len(matrix))
    return np.asarray(0.999 / np.diag(np.linalg.inv(matrix)), dtype=np.float64)
