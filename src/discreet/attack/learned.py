"""The worst case of linkage: the intruder's distance is the one that re-identifies the most records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_args

import numpy as np

from discreet import registry
from discreet._kernels.counting.distinct import distinct_rows
from discreet.attack.link import Direction, link
from discreet.attack.points import compared_columns, points_of
from discreet.errors import NotComputable, WrongScale
from discreet.matches import true_matches
from discreet.parameters import ORDERED_KEYS, Choice, Flag, Known, Real, Whole
from discreet.progress import SILENT, Progress
from discreet.results import Risk, wilson
from discreet.seeds import Seed, generator
from discreet.table import BoolArray, FloatArray, IntArray, Table

if TYPE_CHECKING:
    from discreet.attack.learning.learn import Learned

MEANING = (
    "the share of published records that an intruder expects to link to the right person who knows the true values of "
    "the quasi-identifiers and compares records by the distance that was found to work best on this very file, a "
    "record that is one of t equally near ones counting 1/t; what is proven about better distances of this kind is "
    "told beside it"
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
    """What the best distance of its kind links, and what is proven about better ones.

    `risk` is in the currency of `link`: a record that is one of t nearest ones counts 1/t, so that `expected` records
    are linked under `parameters` in the `direction` that gives more; no distance of the kind links more than `most` in
    either. `interval` goes from the one to the other, as shares, so that a search cut short shows wherever a risk is
    shown. `columns` holds the share of each column in the distance: protect the largest more.

    `found`, `bound` and `optimal` are of the problem as published: originals look for masked records, and a tie is no
    success. `found` records are re-identified so under the parameters in `learned`, no parameters re-identify more
    than `bound`, and the two are equal when `optimal`.
    """

    expected: float
    most: float
    direction: Direction
    found: int
    bound: int
    optimal: bool
    seconds: float
    parameters: FloatArray = field(repr=False)
    learned: Learned = field(repr=False)

    def __str__(self) -> str:
        return f"{self.name}: {self.risk:.1%} of {self.attempts} records ({self.interval_said})"


@registry.attack(
    family="linkage",
    title="Linking by the worst distance that can be learnt",
    unit=registry.SHARE_OF_RECORDS,
    splits=registry.Split.WHOLE,
    instead="link, on all people or on a sample of them",
    counts_for=registry.CountsFor("identity"),
    scales=registry.ORDERED,
    missing=MISSING,
    meaning=MEANING,
    cites=CITES,
    cost="expensive",
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
    """How many records the best distance of a kind is expected to link to their own original.

    As in `link`, a record that is one of t nearest ones counts 1/t. Both directions are looked at, and the larger
    share is told; it is never below that of plain linkage with the same keys. The search is exact: where it ends in
    time, the share found is often proven to be the most; else the interval ends at what cannot be exceeded. Identical
    published rows have the same chance in `records`, their mean. Shares are of the masked records that have an
    original; those of nobody are rivals only. Numbers and ranks are standardised, each table by its own mean and
    standard deviation. The seed of an attack is no secret.
    """
    from discreet.attack.learning.both_ways import learn_both_ways
    from discreet.attack.learning.families import Family

    family = Family(distance, metric, additivity)
    aligned = _aligned(original, masked, keys, truth)
    both = learn_both_ways(
        aligned.known, aligned.published, aligned.pairs, family, seconds=seconds, seed=seed, progress=progress
    )
    ways = [
        _Way("original to masked", both.forth.parameters, both.forth.chances),
        _Way("masked to original", both.back.parameters, both.back.chances),
        *_plain_ways(original, masked, keys, truth, aligned, family.equal(len(keys))),
    ]
    best = max(ways, key=lambda way: way.expected)
    most, end = both.most(best.expected), both.limit(best.expected)
    told = replace(both.learned, parameters=best.parameters)
    return WorstCase(
        name="learned",
        risk=best.expected / aligned.pairs,
        meaning=MEANING,
        reidentifies=True,
        records=aligned.shared_out(best.chances),
        interval=(best.expected / aligned.pairs, end / aligned.pairs),
        proven=both.proven,
        baseline=1.0 / (len(masked) if best.direction == "original to masked" else len(original)),
        attempts=aligned.pairs,
        columns=_columns(told, keys),
        details={
            "expected": best.expected,
            "most": most,
            "direction": best.direction,
            **_details(both.learned, keys),
            **_listed(best.parameters),
        },
        expected=best.expected,
        most=most,
        direction=best.direction,
        found=both.learned.found,
        bound=both.learned.bound,
        optimal=both.learned.optimal,
        seconds=both.learned.seconds,
        parameters=best.parameters,
        learned=both.learned,
    )


class _Way(NamedTuple):
    """One way of linking: its direction and distance, and the chance of each record that has an original."""

    direction: Direction
    parameters: FloatArray
    chances: FloatArray

    @property
    def expected(self) -> float:
        return float(self.chances.sum())


def _plain_ways(
    original: Table,
    masked: Table,
    keys: Sequence[str],
    truth: IntArray | None,
    aligned: Aligned,
    equal: FloatArray,
) -> list[_Way]:
    """What plain linkage achieves in both directions: the least that a worst case can be."""
    ways = []
    for direction in get_args(Direction):
        for distance in ("auto", "euclidean"):
            links = link(original, masked, keys=keys, distance=distance, direction=direction, truth=truth)
            assert links.records is not None
            ways.append(_Way(direction, equal, links.records[aligned.rows[: aligned.pairs]]))
            if links.details["distance"] == "euclidean":
                break
    return ways


@registry.attack(
    family="linkage",
    title="Linking as learnt from known pairs",
    unit=registry.SHARE_OF_RECORDS,
    splits=registry.Split.WHOLE,
    instead="link, on all people or on a sample of them",
    counts_for=registry.CountsFor("identity"),
    scales=registry.ORDERED,
    missing=MISSING,
    meaning=MEANING_PAIRS,
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
    """
    from discreet.attack.learning.holdout import hold_out_points

    aligned = _aligned(original, masked, keys, truth)
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
        meaning=MEANING_PAIRS,
        reidentifies=True,
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aligned:
    """Both tables as points: in the first `pairs` places the true pairs, after them the records without a partner.

    `rows` holds the row of the masked table that each published point is.
    """

    known: FloatArray
    published: FloatArray
    pairs: int
    rows: IntArray

    def shared_out(self, chances: FloatArray) -> FloatArray:
        """The chances of the pairs by the rows of the masked table; identical published rows share theirs evenly."""
        labels = distinct_rows(self.published[: self.pairs]).labels
        means = np.bincount(labels, chances) / np.bincount(labels)
        records = np.zeros(len(self.rows))
        records[self.rows[: self.pairs]] = means[labels]
        return records


def _aligned(original: Table, masked: Table, keys: Sequence[str], truth: IntArray | None) -> Aligned:
    """The true pairs in the same places, records without a partner after them."""
    owner = true_matches(original, masked, truth)
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
    people = np.concatenate([owner[paired], np.setdiff1d(np.arange(len(original)), owner[paired])])
    return Aligned(
        known=np.ascontiguousarray(known[people]),
        published=np.ascontiguousarray(published[rows]),
        pairs=len(paired),
        rows=rows,
    )


def _columns(result: Learned, keys: Sequence[str]) -> dict[str, float]:
    from discreet.attack.learning.keys import key_columns

    return dict(key_columns(result, keys).columns)


def _details(result: Learned, keys: Sequence[str]) -> dict[str, Any]:
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
        **_listed(result.parameters),
    }


def _listed(parameters: FloatArray) -> dict[str, Any]:
    """The parameters as plain data, unless there are very many."""
    return {"parameters": parameters.tolist()} if parameters.size <= MOST_LISTED else {}
