"""What an intruder who knows some pairs gains on the others: learned on the known ones, tested on the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.attack.learning.learn import Learned, learn_points
from discreet.attack.learning.relink import relink_points
from discreet.attack.learning.standard import check_aligned, standardise
from discreet.errors import BadParameter
from discreet.progress import SILENT, Progress
from discreet.seeds import Seed
from discreet.table import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldOut:
    """What learned parameters re-identify where they were learned and elsewhere, as shares from 0 to 1.

    `train` and `test` are under the learned parameters, `plain_train` and `plain_test` under equal weights: an
    intruder who learns too well loses on the test. `records` says which test records were re-identified.
    """

    learned: Learned
    train: float
    test: float
    plain_train: float
    plain_test: float
    records: BoolArray

    def rates(self) -> dict[str, float]:
        """All four shares by name."""
        return {
            "train": self.train,
            "test": self.test,
            "equal_weights_train": self.plain_train,
            "equal_weights_test": self.plain_test,
        }

    def __str__(self) -> str:
        return (
            f"{self.learned.distance}: {self.train:.1%} of the known pairs, {self.test:.1%} of the others "
            f"(equal weights: {self.plain_train:.1%} and {self.plain_test:.1%})"
        )


def hold_out(
    original: FloatArray,
    masked: FloatArray,
    *,
    known: BoolArray,
    among_all: bool = False,
    distance: str = "weighted",
    metric: bool = False,
    additivity: int | None = None,
    seconds: float = 60.0,
    seed: Seed = None,
    progress: Progress = SILENT,
) -> HeldOut:
    """What an intruder re-identifies who knows the pairs marked in `known` and learns the distance from them.

    Learning compares each known record with the known masked rows, or with all masked rows if `among_all`. The test
    links the other records to the masked rows that belong to no known one. Both files are standardised as wholes.
    """
    check_aligned(original, masked)
    return hold_out_points(
        standardise(original),
        standardise(masked),
        known=known,
        among_all=among_all,
        distance=distance,
        metric=metric,
        additivity=additivity,
        seconds=seconds,
        seed=seed,
        progress=progress,
    )


def hold_out_points(
    left: FloatArray,
    right: FloatArray,
    *,
    known: BoolArray,
    among_all: bool,
    distance: str,
    metric: bool,
    additivity: int | None,
    seconds: float,
    seed: Seed,
    progress: Progress,
) -> HeldOut:
    """As `hold_out`, for records that are on one scale already."""
    if known.shape != (len(left),) or known.dtype != np.bool_:
        raise BadParameter("known must say true or false for each original record.")
    if known.sum() < 2 or (~known).sum() < 2:
        raise BadParameter(
            f"hold_out needs at least 2 known pairs and 2 others; got {known.sum()} of {len(known)} known."
        )
    strangers = right[len(left) :]
    own, theirs = right[: len(left)][known], right[: len(left)][~known]
    rivals = np.vstack([own, theirs, strangers]) if among_all else own
    learned = learn_points(
        np.ascontiguousarray(left[known]),
        np.ascontiguousarray(rivals),
        distance=distance,
        metric=metric,
        additivity=additivity,
        seconds=seconds,
        seed=seed,
        progress=progress,
    )
    test = np.ascontiguousarray(left[~known]), np.ascontiguousarray(np.vstack([theirs, strangers]))
    train = np.ascontiguousarray(left[known]), np.ascontiguousarray(rivals)
    records = relink_points(*test, distance, learned.parameters)
    equal = np.full(left.shape[1], 1 / left.shape[1])
    return HeldOut(
        learned=learned,
        train=float(learned.records.mean()),
        test=float(records.mean()),
        plain_train=float(relink_points(*train, "weighted", equal).mean()),
        plain_test=float(relink_points(*test, "weighted", equal).mean()),
        records=records,
    )
