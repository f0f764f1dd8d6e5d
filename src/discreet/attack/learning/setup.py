"""From the name of a distance to the blocks of its linear inequalities."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from discreet._kernels.learned import forms as kernel
from discreet.attack.learning.blocks import Blocks, Shares
from discreet.attack.learning.clock import OutOfTime, parts
from discreet.attack.learning.forms import AdditiveChoquet, Bilinear, Choquet, Form, Weights
from discreet.attack.learning.matrices import nearest_definite, to_matrix, to_vector
from discreet.attack.learning.relink import LEARNED_DISTANCES
from discreet.attack.learning.standard import BLUR
from discreet.attack.whitening import whitening
from discreet.errors import BadParameter, did_you_mean
from discreet.table import BoolArray, FloatArray, IntArray

MOST_COLUMNS = 10
"""Above this a full fuzzy measure has too many values to learn."""
MOST_ADDITIVE_COLUMNS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A form, the points it works on, how weights become a start, and how theta becomes parameters and back."""

    form: Form
    left: FloatArray
    shares: Shares
    starts: Callable[[FloatArray], list[FloatArray]]
    parameters: Callable[[FloatArray], FloatArray]
    theta: Callable[[FloatArray], FloatArray]
    mirrored: Callable[[IntArray], BoolArray] | None = None
    """Which of some records have a rival that no parameters tell from their own row, where the form cannot say."""

    def blocks(self, records: IntArray | None = None, deadline: float = math.inf) -> Blocks:
        """The linkage of some records, or of all, as blocks; rivals that others beat are dropped if time allows."""
        blocks = Blocks(self.form, self.left, self.shares, records, deadline)
        if self.mirrored is not None:
            self._give_up_mirrored(blocks, deadline)
        return blocks

    def _give_up_mirrored(self, blocks: Blocks, deadline: float) -> None:
        """Marks the records that no parameters tell from a rival, as many as there is time to look at."""
        assert self.mirrored is not None
        try:
            for part in parts(blocks.size, len(self.shares.rows), deadline):
                blocks.lost[part] |= self.mirrored(blocks.records[part])
        except OutOfTime:
            return


def check_choice(distance: str, metric: bool, additivity: int | None, columns: int) -> None:
    """Raises when these do not name a distance that can be learned over so many columns."""
    if distance not in LEARNED_DISTANCES:
        raise BadParameter(f"'{distance}' is no learned distance.{did_you_mean(distance, LEARNED_DISTANCES)}")
    if distance == "bilinear_free" and metric:
        raise BadParameter("bilinear_free has no constraint, so it is no metric; use distance 'bilinear'.")
    if additivity is not None and distance != "choquet":
        raise BadParameter(f"additivity belongs to the distance 'choquet', not to '{distance}'.")
    if additivity is not None and not 1 <= additivity <= columns:
        raise BadParameter(
            f"additivity must be from 1 to the number of columns, {columns}; got {additivity}."
        )
    most = MOST_COLUMNS if additivity is None else MOST_ADDITIVE_COLUMNS
    if distance == "choquet" and columns > most:
        raise BadParameter(
            f"a fuzzy measure over {columns} columns is too large; at most {most} columns"
            + (", or give additivity=2." if additivity is None else ".")
        )


def set_up(
    left: FloatArray,
    right: FloatArray,
    distance: str,
    metric: bool,
    additivity: int | None,
    *,
    shared: bool = False,
) -> Setup:
    """The distance over these points, made ready to be learned; with `shared`, identical rows share a record."""
    columns = left.shape[1]
    check_choice(distance, metric, additivity, columns)
    shares = (Shares.of if shared else Shares.none)(right, len(left))
    if distance in ("bilinear", "bilinear_free"):
        return _bilinear(
            left, shares, "definite" if metric else "pairs" if distance == "bilinear" else "free"
        )
    form: Form
    if distance == "choquet" and additivity is not None:
        form = AdditiveChoquet(columns, additivity, metric)
    elif distance == "choquet":
        form = Choquet(columns, metric)
    else:
        form = Weights(columns, ordered=distance == "owa")
    return Setup(
        form=form, left=left, shares=shares, starts=form.starts, parameters=form.native, theta=form.theta
    )


def _bilinear(left: FloatArray, shares: Shares, kind: str) -> Setup:
    """The bilinear form, in the coordinates where the Mahalanobis distance is the identity.

    Bilinear forms stay bilinear there, and a search has no long narrow valleys to follow.
    """
    right, homes, copies = shares
    white = np.ascontiguousarray(whitening(left - right[homes], relative=True).T)
    back = np.linalg.inv(white)
    near, far = np.ascontiguousarray(left @ white.T), np.ascontiguousarray(right @ white.T)
    form = Bilinear.on(near, far, kind)

    def parameters(theta: FloatArray) -> FloatArray:
        matrix = white.T @ to_matrix(theta, left.shape[1]) @ white
        matrix = nearest_definite(matrix) if kind == "definite" else (matrix + matrix.T) / 2
        return np.asarray(matrix / np.abs(matrix).max())

    def theta(matrix: FloatArray) -> FloatArray:
        return to_vector(back.T @ matrix @ back)

    def starts(weights: FloatArray) -> list[FloatArray]:
        return [*form.starts(weights), theta(np.diag(weights))]

    def mirrored(records: IntArray) -> BoolArray:
        # By the points as they were: what is equal on paper is no longer so after whitening.
        return kernel.mirrored(left, right, records, BLUR, homes)

    return Setup(
        form=form,
        left=near,
        shares=Shares(far, homes, copies),
        starts=starts,
        parameters=parameters,
        theta=theta,
        mirrored=mirrored,
    )
