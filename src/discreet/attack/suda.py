"""Special uniques: records that few columns are enough to single out (SUDA)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from discreet import registry
from discreet._kernels.counting.suda import MOST_COLUMNS, SudaScores, minimal_uniques, suda_scores
from discreet.classes import classes_of
from discreet.coding import codes_of
from discreet.errors import BadParameter, NotComputable
from discreet.parameters import KEYS, Known, Real, Whole
from discreet.progress import SILENT, Progress
from discreet.results import Risk, wilson
from discreet.table import FloatArray, IntArray, Table

MEANING = (
    "the average chance that somebody who finds one record of the file to fit a person has found the right one, higher "
    "for records that few quasi-identifiers are enough to single out"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpecialUniques(Risk):
    """Records by how little singles them out.

    `scores` are the SUDA scores. `smallest` is the fewest columns that single a record out, 0 where no set that was
    searched does. `contributions` tells the part of each record's score that goes through each key; a minimal unique
    counts for all its columns, so the parts of a record add up to more than one.
    """

    scores: FloatArray = field(repr=False)
    smallest: IntArray = field(repr=False)
    contributions: FloatArray = field(repr=False)

    def __str__(self) -> str:
        deeper = self.details.get("alone_only_on_more_columns")
        return Risk.__str__(self) + (f"; {deeper} records are alone on more columns only" if deeper else "")


@registry.attack(
    family="uniqueness",
    title="Special uniques (SUDA)",
    unit=registry.AVERAGE_CHANCE,
    splits=registry.Split.COUNTS,
    scales=registry.EVERY_SCALE,
    missing="counts as a value of its own",
    meaning=MEANING,
    cites=(
        "Elliot, Manning and Ford, International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), "
        "2002",
        "Manning, Haglin and Keane, Data Mining and Knowledge Discovery 16(2), 2008",
        "Skinner and Elliot, Journal of the Royal Statistical Society B 64(4), 2002",
    ),
    cost="expensive",
)
def suda(
    masked: Table,
    *,
    keys: Known = KEYS,
    depth: Annotated[
        int | None,
        Whole(
            at_least=1,
            about="the most columns in a set that singles a record out; without it sets of every size are searched",
        ),
    ] = None,
    fraction: Annotated[
        float | None,
        Real(
            above=0,
            at_most=1,
            about="the share of the population in the file; from the weights where none is given",
        ),
    ] = None,
    progress: Progress = SILENT,
) -> SpecialUniques:
    """The SUDA score of each record, and the chance that a unique match with it is right (DIS-SUDA).

    A minimal sample unique is a set of keys that singles a record out while no part of it does. A record with many and
    small ones scores high. Sets of all sizes are searched, so that every record that is alone on the keys has a chance
    above 0; there are 2**n sets of n keys, and a `depth` stops the search at that many columns. The file as a whole has
    the chance of data intrusion simulation: U f / (U f + P (1 - f)) for U records alone, P records in pairs and the
    sampled fraction f. Records get their own chance from their scores, so that the average odds against a right match
    stay those of the file. Without weights and without a fraction the intruder is taken to know who is in the file:
    every unique match is right.

    Scores are those of Elliot, Manning and Ford (2002), the chance of the file is that of Skinner and Elliot
    (2002).

    >>> print(dc.attack.suda(release.table, keys=["sex", "education", "age"], fraction=0.1))
    suda: 9.5% of 400 attempts (95% interval 7.0%-12.8%; guessing 0.0%)
    """
    if len(masked) == 0:
        raise NotComputable("suda: the table has no records, so none is unique.")
    if len(keys) > MOST_COLUMNS:
        raise BadParameter(f"suda: at most {MOST_COLUMNS} keys can be searched; got {len(keys)}.")
    codes = np.ascontiguousarray(codes_of(masked, keys))
    deepest = len(keys) if depth is None else depth
    uniques = minimal_uniques(codes, deepest, progress=lambda done, total: progress(done, total, "suda"))
    scored = suda_scores(uniques, len(keys), deepest)
    sizes = classes_of(masked, keys).sizes
    share = _fraction(masked) if fraction is None else fraction
    file_level = intrusion(int((sizes == 1).sum()), int((sizes == 2).sum()), share)
    chance = shared_out(file_level, scored.score)
    return SpecialUniques(
        name="suda",
        risk=float(chance.mean()),
        meaning=MEANING,
        reidentifies=True,
        records=chance,
        interval=wilson(float(chance.sum()), len(masked)),
        baseline=share / len(masked),
        attempts=len(masked),
        columns=dict(zip(keys, _shares(scored), strict=True)),
        details={
            "depth": min(deepest, len(keys)),
            "fraction": share,
            "file_level": file_level,
            "special_uniques": int((scored.score > 0).sum()),
            "alone_only_on_more_columns": int(((sizes == 1) & (scored.score == 0)).sum()),
        },
        scores=scored.score,
        smallest=_smallest(uniques.indptr, np.bitwise_count(uniques.masks).astype(np.int64)),
        contributions=scored.by_column / np.maximum(scored.score, 1e-300)[:, None],
    )


def intrusion(alone: int, in_pairs: int, fraction: float) -> float:
    """The chance that a record alone in the file and found to fit a person is that person's (Skinner and Elliot)."""
    if alone == 0:
        return 0.0
    return alone * fraction / (alone * fraction + in_pairs * (1 - fraction))


def shared_out(file_level: float, scores: FloatArray) -> FloatArray:
    """The chance of each record with a score, with the average odds against it those of the file; 0 without a score."""
    scored = scores > 0
    chance = np.zeros(len(scores))
    if file_level <= 0 or not scored.any():
        return chance
    against = 1.0 / file_level - 1.0
    harmonic = 1.0 / (1.0 / scores[scored]).mean()
    chance[scored] = 1.0 / (1.0 + against * harmonic / scores[scored])
    return chance


def _shares(scored: SudaScores) -> list[float]:
    """The share of all scores that goes through each key; 0 where no record has a score."""
    total = float(scored.score.sum())
    return [float(part / total) if total else 0.0 for part in scored.by_column.sum(axis=0)]


def _fraction(table: Table) -> float:
    """The sampled share of the population by the weights; all of it where there are none."""
    weights = table.weights()
    return 1.0 if weights is None else float(min(1.0, len(table) / max(weights.sum(), 1.0)))


def _smallest(indptr: IntArray, sizes: IntArray) -> IntArray:
    """The size of each record's smallest minimal unique, 0 where it has none."""
    count = len(indptr) - 1
    record = np.repeat(np.arange(count), np.diff(indptr))
    least = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(least, record, sizes)
    return np.where(np.diff(indptr) > 0, least, 0)
