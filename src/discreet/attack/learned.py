"""The worst case of linkage: the intruder's distance is the one that re-identifies the most records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, get_args

from discreet import registry
from discreet.attack.learned_linkage import (
    ABOUT_MISSING,
    CITES,
    Additivity,
    AlignedPairs,
    DistanceName,
    Metric,
    Seconds,
    aligned_pairs,
    column_shares,
    learned_details,
    parameter_details,
)
from discreet.attack.link import Direction, link
from discreet.parameters import ORDERED_KEYS, Known
from discreet.progress import SILENT, Progress
from discreet.results import Risk
from discreet.seeds import Seed
from discreet.table import FloatArray, IntArray, Table

if TYPE_CHECKING:
    from discreet.attack.learning.learn import Learned

MEANING = (
    "the share of published records that an intruder expects to link to the right person who knows the true values of "
    "the quasi-identifiers and compares records by the distance that was found to work best on this very file, a "
    "record that is one of t equally near ones counting 1/t; what is proven about better distances of this kind is "
    "told beside it"
)


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
        return f"{self.name}: {self.risk:.1%} of {self.attempts} records ({self.interval_text})"


@registry.attack(
    family="linkage",
    title="Linking by the worst distance that can be learnt",
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

    The problem is that of Abril, Navarro-Arribas and Torra (2012): minimise the sum of K_i in {0, 1} subject to
    d(a_i, b_j) - d(a_i, b_i) + C K_i > 0 for all i and j != i.

    >>> print(dc.attack.learned(table, release.table, keys=["age", "education"]))
    learned: 53.2% of 400 records (proven to be the most)
    """
    from discreet.attack.learning.both_ways import learn_both_ways
    from discreet.attack.learning.families import Family

    family = Family(distance, metric, additivity)
    aligned = aligned_pairs(original, masked, keys, truth)
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
    strongest = replace(both.learned, parameters=best.parameters)
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
        columns=column_shares(strongest, keys),
        details={
            "expected": best.expected,
            "most": most,
            "direction": best.direction,
            **learned_details(both.learned, keys),
            **parameter_details(best.parameters),
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
    aligned: AlignedPairs,
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
