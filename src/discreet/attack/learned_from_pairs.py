"""Linkage by a distance that was learned from people whose published record the intruder knows."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from discreet import registry
from discreet.attack.learned_linkage import (
    ABOUT_MISSING,
    CITES,
    Additivity,
    DistanceName,
    Metric,
    Seconds,
    aligned_pairs,
    column_shares,
    learned_details,
)
from discreet.errors import NotComputable
from discreet.parameters import ORDERED_KEYS, Known, Real
from discreet.progress import SILENT, Progress
from discreet.results import Risk, wilson
from discreet.seeds import Seed, generator
from discreet.table import BoolArray, IntArray, Table

MEANING = (
    "the share of published records that an intruder re-identifies who knows which published record belongs to some "
    "people, learns the best distance from those pairs and uses it on everybody else"
)


@registry.attack(
    family="linkage",
    title="Linking as learnt from known pairs",
    unit=registry.SHARE_OF_RECORDS,
    splits=registry.Split.WHOLE,
    instead="link, on all people or on a sample of them",
    counts_for=registry.CountsFor("identity"),
    scales=registry.ORDERED,
    missing=ABOUT_MISSING,
    meaning=MEANING,
    cites=CITES,
    cost="expensive",
)
def learned_from_pairs(
    original: Table,
    masked: Table,
    *,
    keys: Known = ORDERED_KEYS,
    share: Annotated[
        float, Real(above=0.0, below=1.0, about="the share of people whose masked record the intruder knows")
    ] = 0.2,
    distance: DistanceName = "weighted",
    metric: Metric = False,
    additivity: Additivity = None,
    seconds: Seconds = 60.0,
    truth: IntArray | None = None,
    training: IntArray | None = None,
    seed: Seed = 0,
    progress: Progress = SILENT,
) -> Risk:
    """How many of the other records a distance re-identifies that was learned from known pairs.

    `training` are the masked records whose originals the intruder knows; without it a share is drawn at random.
    Learning too well on known pairs costs on the others: `details` holds both, and what equal weights give on both.

    The distance solves the problem of `learned` on the known pairs alone (Abril, Navarro-Arribas and Torra 2012).

    >>> print(dc.attack.learned_from_pairs(table, release.table, keys=["age", "hours"]))
    learned_from_pairs: 40.6% of 320 attempts (95% interval 35.4%-46.1%; guessing 0.3%)
    """
    from discreet.attack.learning.holdout import hold_out_points

    aligned = aligned_pairs(original, masked, keys, truth)
    rows = aligned.rows[: aligned.pairs]
    known = _known_pairs(rows, share, training, generator(seed, 1))
    result = hold_out_points(
        np.ascontiguousarray(aligned.known[: aligned.pairs]),
        aligned.published,
        known=known,
        among_all=True,
        distance=distance,
        metric=metric,
        additivity=additivity,
        seconds=seconds,
        seed=seed,
        progress=progress,
    )
    records = np.zeros(len(masked))
    records[rows[~known]] = result.records
    tried = int((~known).sum())
    return Risk(
        name="learned_from_pairs",
        risk=result.test,
        meaning=MEANING,
        reidentifies=True,
        records=records,
        interval=wilson(float(result.records.sum()), tried),
        baseline=1.0 / tried,
        attempts=tried,
        columns=column_shares(result.learned, keys),
        details={"known_pairs": int(known.sum()), **result.rates(), **learned_details(result.learned, keys)},
    )


def _known_pairs(
    rows: IntArray, share: float, training: IntArray | None, random: np.random.Generator
) -> BoolArray:
    """Which of the pairs, by their masked rows, the intruder knows beforehand."""
    if training is not None and len(training):
        return np.isin(rows, training)
    known = np.zeros(len(rows), dtype=np.bool_)
    count = min(max(2, round(share * len(rows))), len(rows) - 2)
    if count < 2:
        raise NotComputable(
            f"learned_from_pairs needs at least 4 records with a true partner; found {len(rows)}."
        )
    known[random.choice(len(rows), count, replace=False)] = True
    return known
