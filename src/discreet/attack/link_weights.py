"""Linkage by sampling weights: they follow from the design, and where few people share one it is as good as a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, NamedTuple

import numpy as np

from discreet import registry
from discreet.attack.link import owners
from discreet.attack.only_column import only_column
from discreet.attack.records import Both, records_of, sampled
from discreet.attack.records_in_parts import StoredBoth, refuse_truth, stored_columns, stored_records
from discreet.dataset import Dataset
from discreet.errors import DoesNotApply, NotComputable
from discreet.in_parts import room_of
from discreet.parameters import KEYS, WEIGHT, Known, Real, Weighing, Whole
from discreet.progress import SILENT, Progress
from discreet.rare_weights import FEW_SHARE, NEARLY_UNIQUE, rare_share
from discreet.results import Risk, wilson
from discreet.table import FloatArray, IntArray, Role, Table

MEANING = (
    "the share of published records that are linked to the right person by somebody who knows the sampling weight, "
    "which follows from how the sample was drawn, together with the quasi-identifiers"
)
PAIRS_AT_ONCE = 1 << 21
MOST_IN_A_GROUP = 2000
"""Of more records with the same weight than these one is picked by the weight alone."""


def link_weights_in_parts(
    original: Dataset,
    masked: Dataset,
    *,
    keys: Sequence[str],
    weight: Sequence[str],
    few: int,
    rare: float,
    truth: IntArray | None,
    progress: Progress,
) -> Risk:
    """What `link_weights` finds of the people looked for among all records of a dataset in parts."""
    room = room_of(masked)
    refuse_truth("link_weights", truth, None)
    column = only_column(weight, "weight", "link_weights")
    published = masked.whole([column, *masked.having(Role.HOUSEHOLD)])
    share = _checked_share(rare_share(published.frame[column], published.households(), few), few, rare)
    mine, theirs = (table.numbers([column])[:, 0] for table in (original.whole([column]), published))
    judged = room.people[~np.isnan(mine[room.people])]
    stored = stored_records(stored_columns(original, masked, sorted(keys)), room)
    persons = None if room.persons is None else room.persons.rows(slice(None))
    everybody = np.arange(len(masked))
    found = _linked(stored, mine, theirs, everybody, judged, persons, share, progress)
    of = sampled(len(judged), int((~np.isnan(mine)).sum()))
    assert found.records is not None
    chance = np.where(np.isnan(mine[room.people]), 0.0, found.records[room.people])
    return replace(found, records=chance, details={**found.details, **of})


@registry.attack(
    family="weights",
    title="Linking by the sampling weight",
    unit=registry.SHARE_OF_RECORDS,
    splits=registry.Split.QUERIES,
    by_parts=link_weights_in_parts,
    counts_for=registry.CountsFor("identity", quick=True),
    scales=registry.EVERY_SCALE,
    missing="as in link; a person whose weight is missing is no attempt",
    meaning=MEANING,
    cites=(
        "de Waal and Willenborg, Statistical disclosure control and sampling weights, Journal of Official Statistics "
        "13(4), 1997",
        "Willenborg and de Waal, Elements of Statistical Disclosure Control, Springer, 2001",
    ),
    example={"rare": 0.0},
)
def link_weights(
    original: Table,
    masked: Table,
    *,
    keys: Known = KEYS,
    weight: Weighing = WEIGHT,
    few: Annotated[
        int, Whole(at_least=2, about="a weight that fewer people (or households) than these share is rare")
    ] = FEW_SHARE,
    rare: Annotated[
        float,
        Real(
            at_least=0,
            at_most=1,
            about="the share of records with a rare weight from which on weights are a key",
        ),
    ] = NEARLY_UNIQUE,
    truth: IntArray | None = None,
    progress: Progress = SILENT,
) -> Risk:
    """How many records are linked by their sampling weight together with the keys, where weights are nearly unique.

    Each person is looked for among the published records with the nearest weight, which is the same one where weights
    are published as they are; of these the nearest in the keys is taken, as `link` does it. A record among t as near
    ones counts 1/t. Weights are nearly unique where at least half of the records have one that fewer than ten people
    share, the people of one household counting as one. Where they are not, they tell no more than a stratum does, and
    nothing is computed: round weights, or publish classes of them, to get there.

    That sampling weights can disclose is the subject of de Waal and Willenborg (1997); the chance is 1/t, as in
    `link`.

    >>> print(dc.attack.link_weights(table, release.table, keys=["sex", "education"]))
    link_weights: 92.8% of 400 attempts (95% interval 89.8%-94.9%; guessing 0.2%)
    """
    column = only_column(weight, "weight", "link_weights")
    owner = owners("link_weights", original, masked, truth)
    share = _checked_share(rare_share(masked.frame[column], masked.households(), few), few, rare)
    mine, theirs = (table.numbers([column])[:, 0] for table in (original, masked))
    judged = np.flatnonzero((owner >= 0) & ~np.isnan(mine[np.maximum(owner, 0)]))
    both = records_of(original, masked, sorted(keys), owner)
    return _linked(both, mine, theirs, owner, judged, masked.persons(), share, progress)


def _checked_share(share: float, few: int, rare: float) -> float:
    """The share of records with a rare weight; DoesNotApply where it is so small that weights are no key."""
    if share < rare:
        raise DoesNotApply(
            f"link_weights: {share:.0%} of the published records have a weight that fewer than {few} people share, "
            f"less than the {rare:.0%} from which on weights say who somebody is."
        )
    return share


def _linked(
    both: Both | StoredBoth,
    mine: FloatArray,
    theirs: FloatArray,
    owner: IntArray,
    judged: IntArray,
    persons: IntArray | None,
    share: float,
    progress: Progress,
) -> Risk:
    """What linking by the weights, known and published, finds of the published records that are judged."""
    if len(judged) == 0 or np.isnan(theirs).all():
        raise NotComputable(
            "link_weights: nobody's weight is both known and published, so nobody is found by it."
        )
    groups = _Groups.of(theirs)
    chance = np.zeros(len(owner))
    for some in _blocks(groups, mine[owner[judged]]):
        progress(int(some[0]), len(judged), "link_weights")
        rows = judged[some]
        chance[rows] = _chances(both, groups, mine, owner, rows, persons)
    expected = float(chance.sum())
    return Risk(
        name="link_weights",
        risk=expected / len(judged),
        meaning=MEANING,
        reidentifies=True,
        records=chance,
        interval=wilson(expected, len(judged)),
        baseline=1.0 / len(owner),
        attempts=len(judged),
        details={
            "expected": expected,
            "rare": share,
            "unchanged": float((mine[owner[judged]] == theirs[judged]).mean()),
        },
    )


class _Groups(NamedTuple):
    """Published records by their weight: the different weights, and the records with each."""

    weights: FloatArray
    order: IntArray
    begins: IntArray

    @classmethod
    def of(cls, weights: FloatArray) -> _Groups:
        order = np.argsort(weights, kind="stable")[: int((~np.isnan(weights)).sum())]
        different, begins = np.unique(weights[order], return_index=True)
        return cls(different, order, np.append(begins, len(order)))

    def nearest(self, weights: FloatArray) -> tuple[IntArray, IntArray]:
        """The first and the last published record, in `order`, with the weight nearest to each."""
        above = np.minimum(np.searchsorted(self.weights, weights), len(self.weights) - 1)
        below = np.maximum(above - 1, 0)
        up, down = np.abs(self.weights[above] - weights), np.abs(weights - self.weights[below])
        # A weight as far from the one below as from the one above is looked for in both.
        first, last = np.where(down <= up, below, above), np.where(up <= down, above, below)
        return self.begins[first], self.begins[last + 1]


def _blocks(groups: _Groups, weights: FloatArray) -> Iterator[IntArray]:
    """Numbers of people in pieces of so many pairs."""
    begin, end = groups.nearest(weights)
    pairs = np.where(end - begin > MOST_IN_A_GROUP, 1, end - begin)
    piece = np.cumsum(pairs) // PAIRS_AT_ONCE
    edges = np.flatnonzero(np.diff(piece)) + 1
    yield from np.split(np.arange(len(weights)), edges)


def _chances(
    both: Both | StoredBoth,
    groups: _Groups,
    mine: FloatArray,
    owner: IntArray,
    rows: IntArray,
    persons: IntArray | None,
) -> FloatArray:
    """The chance of each of these published records, whose people look among the records with their weight."""
    begin, end = groups.nearest(mine[owner[rows]])
    size = end - begin
    many = size > MOST_IN_A_GROUP
    size = np.where(many, 0, size)
    asker = np.repeat(np.arange(len(rows)), size)
    within = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
    target = groups.order[np.repeat(begin, size) + within]
    apart = both.apart(owner[rows][asker], target)
    least = np.full(len(rows), np.inf)
    np.minimum.at(least, asker, apart)
    near = np.zeros(len(asker), dtype=bool)
    if len(asker):
        near = apart <= both.limits(least)[asker]
    right = owner[target] == owner[rows][asker]
    if persons is not None:
        right |= persons[target] == persons[rows][asker]
    hits = np.bincount(asker[near & right], minlength=len(rows))
    ties = np.bincount(asker[near], minlength=len(rows))
    alone = 1.0 / np.maximum(1, end - begin)
    found: FloatArray = np.where(many, alone, hits / np.maximum(1, ties))
    return found
