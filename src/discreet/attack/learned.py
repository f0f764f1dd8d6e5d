"""The worst case of linkage: the intruder's distance is the one that re-identifies the most records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from discreet import registry
from discreet.attack.points import compared_columns, points_of
from discreet.errors import NotComputable, WrongScale
from discreet.pairs import truth_of
from discreet.parameters import ORDERED_KEYS, Choice, Flag, Known, Real, Whole
from discreet.progress import SILENT, Progress
from discreet.results import Risk, wilson
from discreet.seeds import Seed, generator
from discreet.table import BoolArray, FloatArray, IntArray, Table

if TYPE_CHECKING:
    from discreet.attack.learning.learn import Learned

MEANING = (
    "the share of published records that an intruder re-identifies who knows the true values of the quasi-identifiers "
    "and compares records by the distance that works best on this very file: no distance of this kind does better, or "
    "the bound says how much better it might do"
)
MEANING_PAIRS = (
    "the share of published records that an intruder re-identifies who knows which published record belongs to some "
    "people, learns the best distance from those pairs and uses it on everybody else"
)
CITES = (
    "Abril, Navarro-Arribas and Torra, Improving record linkage with supervised learning for disclosure risk "
    "assessment, Information Fusion 13, 2012",
    "Abril, Torra and Navarro-Arribas, Supervised learning using a symmetric bilinear form for record linkage, "
    "Information Fusion 26, 2015",
)
MISSING = "a missing value counts as the mean of its column"
MOST_LISTED = 1024

DistanceName = Annotated[
    str,
    Choice(
        among=("weighted", "owa", "choquet", "bilinear", "bilinear_free"),
        about="what is learned: a weight per column, per rank of the differences, per set of columns, per pair",
    ),
]
Metric = Annotated[
    bool, Flag(about="only metrics: positive weights, a submodular measure, a semi-definite matrix")
]
Additivity = Annotated[
    int | None,
    Whole(at_least=1, at_most=16, about="the largest set of columns with a value of its own (choquet)"),
]
Seconds = Annotated[float, Real(above=0.0, about="how long to look for more and for a proof")]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorstCase(Risk):
    """What the best distance of its kind re-identifies, and what is proven about better ones.

    `found` records are re-identified under `parameters`; no parameters re-identify more than `bound`, and the two are
    equal when `optimal`. `interval` goes from what is found to what is not excluded, so that a search cut short shows
    wherever a risk is shown. `columns` holds the share of each column in the distance: protect the largest more.
    """

    found: int
    bound: int
    optimal: bool
    seconds: float
    parameters: FloatArray = field(repr=False)
    learned: Learned = field(repr=False)

    def __str__(self) -> str:
        known = "proven to be the most" if self.optimal else f"at most {self.bound / self.attempts:.1%}"
        return f"{self.name}: {self.risk:.1%} of {self.attempts} records ({known})"


@registry.attack(
    family="linkage", scales=registry.ORDERED, missing=MISSING, meaning=MEANING, cites=CITES, cost="dear"
)
def learned(
    original: Table,
    masked: Table,
    *,
    keys: Known = ORDERED_KEYS,
    distance: DistanceName = "weighted",
    metric: Metric = False,
    additivity: Additivity = None,
    seconds: Seconds = 60.0,
    truth: IntArray | None = None,
    seed: Seed = 0,
    progress: Progress = SILENT,
) -> WorstCase:
    """How many records the best distance of a kind links to their own masked record, each strictly nearest.

    Every original looks for the nearest masked record; a tie is no success. The search is exact: when it ends in time
    the result is `optimal`; else `risk` is what was found and `bound` what cannot be exceeded. Shares are of the masked
    records that have an original; those of nobody are rivals only. Numbers and ranks are standardised, each table by
    its own mean and standard deviation. The seed of an attack is no secret.
    """
    from discreet.attack.learning.learn import learn_points

    left, right, rows = _aligned(original, masked, keys, truth)
    result = learn_points(
        left,
        right,
        distance=distance,
        metric=metric,
        additivity=additivity,
        seconds=seconds,
        seed=seed,
        progress=progress,
    )
    records = np.zeros(len(masked))
    records[rows[: len(left)]] = result.records
    return WorstCase(
        name="learned",
        risk=result.found / len(left),
        meaning=MEANING,
        names_people=True,
        records=records,
        interval=result.interval or (result.found / len(left), result.bound / len(left)),
        proven=result.interval is None,
        baseline=1.0 / len(masked),
        attempts=len(left),
        columns=_columns(result, keys),
        details=_details(result, keys),
        found=result.found,
        bound=result.bound,
        optimal=result.optimal,
        seconds=result.seconds,
        parameters=result.parameters,
        learned=result,
    )


@registry.attack(
    family="linkage",
    scales=registry.ORDERED,
    missing=MISSING,
    meaning=MEANING_PAIRS,
    cites=CITES,
    cost="dear",
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
    """
    from discreet.attack.learning.holdout import hold_out_points

    left, right, rows = _aligned(original, masked, keys, truth)
    known = _known_pairs(rows[: len(left)], share, training, generator(seed, 1))
    result = hold_out_points(
        left,
        right,
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
    records[rows[: len(left)][~known]] = result.records
    tried = int((~known).sum())
    return Risk(
        name="learned_from_pairs",
        risk=result.test,
        meaning=MEANING_PAIRS,
        names_people=True,
        records=records,
        interval=wilson(float(result.records.sum()), tried),
        baseline=1.0 / tried,
        attempts=tried,
        columns=_columns(result.learned, keys),
        details={"known_pairs": int(known.sum()), **result.rates(), **_details(result.learned, keys)},
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


def _aligned(
    original: Table, masked: Table, keys: Sequence[str], truth: IntArray | None
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Originals with a masked record, the masked records in the same order and those of nobody after them.

    The third array holds the rows of the masked table in that order.
    """
    owner = truth_of(original, masked, truth)
    paired = np.flatnonzero(owner >= 0)
    if len(paired) == 0 or len(masked) < 2:
        raise NotComputable(
            "learned linkage needs at least two masked records, one of them with a true original."
        )
    if len(np.unique(owner[paired])) < len(paired):
        raise NotComputable(
            "learned linkage: several masked records come from one original, so that no link is the only right one."
        )
    known, published = points_of(compared_columns(original, masked, keys, owner))
    if known.shape[1] != len(keys):
        raise WrongScale(
            "learned linkage: what is published of a key has no order. Leave it out of the keys."
        )
    rows = np.concatenate([paired, np.flatnonzero(owner < 0)])
    return np.ascontiguousarray(known[owner[paired]]), np.ascontiguousarray(published[rows]), rows


def _columns(result: Learned, keys: Sequence[str]) -> dict[str, float]:
    from discreet.attack.learning.keys import key_columns

    return dict(key_columns(result, keys).columns)


def _details(result: Learned, keys: Sequence[str]) -> dict[str, Any]:
    small = result.parameters.size <= MOST_LISTED
    return {
        "distance": result.distance,
        "metric": result.metric,
        "additivity": result.additivity,
        "found": result.found,
        "bound": result.bound,
        "optimal": result.optimal,
        "seconds": round(result.seconds, 3),
        "learned_from": result.learned_from,
        "keys": list(keys),
        **({"parameters": result.parameters.tolist()} if small else {}),
    }
