"""The compatible set: all published records that can stand for a person, where a release says only true things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from discreet import registry
from discreet._kernels.nearest.cells import Cells, Costs
from discreet.attack.link import judged_records, owners
from discreet.attack.points import columns_as_sets
from discreet.attack.records import (
    Both,
    NearestMatches,
    as_cells,
    nearest_records,
    people_tried,
    same_person,
    sampled,
)
from discreet.attack.records_in_parts import (
    KeyColumn,
    StoredBoth,
    among,
    nearest_in_parts,
    refuse_pairs,
    stored_cells,
    stored_columns,
)
from discreet.comparing import AxisColumn, ComparedColumn
from discreet.dataset import Dataset
from discreet.errors import DoesNotApply
from discreet.in_parts import room_of
from discreet.parameters import KEYS, Known
from discreet.progress import SILENT, Progress, part
from discreet.results import Risk, wilson
from discreet.stored import Workroom
from discreet.table import BoolArray, FloatArray, IntArray, Table

MEANING = (
    "the share of published records that an intruder who knows the true values of the quasi-identifiers links to the "
    "right person by picking one of all records that can stand for the person: equal values, bands and general "
    "categories that hold them, and blanks"
)


NOBODY_STANDS = (
    "compatible: no published record can stand for its person, because values were changed and not only made coarser. "
    "What nearest records give away is told by link."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompatibleSets(Risk):
    """`candidates[i]` is how many published records can stand for the person of record i, 0 where its own cannot.

    `certain` people have one that is theirs.
    """

    certain: int
    candidates: IntArray = field(repr=False)


def compatible_in_parts(
    original: Dataset, masked: Dataset, *, keys: Sequence[str], truth: IntArray | None, progress: Progress
) -> CompatibleSets:
    """What `compatible` finds of the people looked for among all records of a dataset in parts."""
    room = room_of(masked)
    refuse_pairs("compatible", masked, truth, None)
    names = sorted(keys)
    columns = stored_columns(original, masked, names, as_sets=True)
    stored = room.once(("possible", *names), lambda: _stored_possible(columns, room))
    starts = range(0, len(masked), room.part_records)
    standing = Standing(stored=stored, part_records=room.part_records)
    stands = np.concatenate(list(room.each(standing, starts, part(progress, 0, 2, "compare"), "compare")))
    if not stands.any():
        raise DoesNotApply(NOBODY_STANDS)
    tried = stored.tried(room.people, len(masked))
    rows = tried[stands[tried]]
    found = NearestMatches(np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64))
    if len(rows):
        found, _ = nearest_in_parts(stored, rows, len(masked), room, part(progress, 1, 2, "link"))
    chance, candidates = np.zeros(len(tried)), np.zeros(len(tried), dtype=np.int64)
    places = np.searchsorted(tried, rows)
    chance[places], candidates[places] = found.chance, found.ties
    sets = _sets(chance, candidates, places, len(masked), sampled(len(tried), len(masked)))
    return replace(sets, records=among(room.people, tried, chance))


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Which published records of one part can stand for their own people."""

    stored: StoredBoth
    part_records: int

    def __call__(self, first: int) -> BoolArray:
        some = slice(first, first + self.part_records)
        both = self.stored.both(self.stored.queries.rows(some), self.stored.targets.rows(some))
        places = np.arange(len(both.targets.low if isinstance(both.targets, Cells) else both.targets))
        return np.asarray(both.apart(places, places) == 0)


@registry.attack(
    family="linkage",
    title="Picking one of the records that fit",
    unit=registry.SHARE_OF_RECORDS,
    splits=registry.Split.QUERIES,
    by_parts=compatible_in_parts,
    counts_for=registry.CountsFor("identity", needed=True, quick=True),
    scales=registry.EVERY_SCALE,
    missing="a published blank can stand for anything; a known blank for a blank alone, unless values are published "
    "for known blanks in that column: then it is not known, and anything can be behind it",
    meaning=MEANING,
    cites=("Samarati and Sweeney, Technical Report SRI-CSL-98-04, 1998",),
)
def compatible(
    original: Table,
    masked: Table,
    *,
    keys: Known = KEYS,
    truth: IntArray | None = None,
    progress: Progress = SILENT,
) -> CompatibleSets:
    """How many people are found by picking one of the published records that can stand for them.

    A person for whom n records can stand, the own one among them, has a chance of 1/n; whoever has several of them has
    as many chances. People whose own record cannot stand for them, because a value was changed, are not found this
    way: they count as failed. Making a release coarser never raises this risk. It needs no manifest.

    The chance 1/n is that of k-anonymity (Samarati and Sweeney 1998) with the records that fit a known person in
    place of a class.

    >>> print(dc.attack.compatible(table, release.table, keys=["sex", "education", "age"]))
    compatible: 68.8% of 400 attempts (95% interval 64.1%-73.1%; guessing 0.2%)
    """
    owner = owners("compatible", original, masked, truth)
    judged = judged_records("compatible", owner, None)
    both = possible(columns_as_sets(original, masked, sorted(keys), owner), owner)
    published = np.flatnonzero(judged)
    stands = both.apart(owner[published], published) == 0
    if not stands.any():
        raise DoesNotApply(NOBODY_STANDS)
    tried = people_tried(published, both.most_queries)
    rows = tried[np.isin(tried, published[stands])]
    owned = same_person(rows, masked.persons())
    found = nearest_records(both.only(owner[rows]), rows, progress, owned)
    chance, candidates = np.zeros(len(masked)), np.zeros(len(masked), dtype=np.int64)
    chance[rows], candidates[rows] = found.chance, found.ties
    sets = _sets(
        chance[tried],
        candidates[tried],
        np.searchsorted(tried, rows),
        len(masked),
        sampled(len(tried), len(published)),
    )
    chance[np.setdiff1d(published, tried)] = np.nan
    return replace(sets, records=chance, candidates=candidates)


def _sets(
    chance: FloatArray, candidates: IntArray, stand: IntArray, looked_at: int, of: Mapping[str, int]
) -> CompatibleSets:
    """What the chances of those tried come to; `stand` are the places of those whose own record can stand for them."""
    expected, attempts = float(chance.sum()), len(chance)
    certain = int((chance == 1).sum())
    own = candidates[stand]
    return CompatibleSets(
        name="compatible",
        risk=expected / attempts,
        meaning=MEANING,
        reidentifies=True,
        records=chance,
        interval=wilson(expected, attempts),
        baseline=1.0 / looked_at,
        attempts=attempts,
        failed=attempts - len(stand),
        details={
            "expected": expected,
            "certain": certain,
            "median_candidates": float(np.median(own)) if len(own) else 0.0,
            "smallest": int(own.min(initial=looked_at)),
            **of,
        },
        certain=certain,
        candidates=candidates,
    )


def possible(columns: Sequence[ComparedColumn], owner: IntArray) -> Both:
    """Both files as cells at no distance where a published record can stand for a known one.

    Blanks cost nothing. A column that says whether a known cell is blank is added where that rules records out.
    """
    both = as_cells(columns, as_known=True)
    known, published = both.queries, both.targets
    assert isinstance(known, Cells)
    assert isinstance(published, Cells)
    assert both.costs is not None
    marks = [_blank_marks(each, owner) for each in columns]
    marked = [each for each in marks if each is not None]
    ours = np.column_stack([known.codes, *(one.astype(np.int64) for one, _ in marked)])
    theirs = np.column_stack([published.codes, *(2 * other.astype(np.int64) for _, other in marked)])
    return replace(
        both,
        queries=known._replace(codes=ours),
        targets=published._replace(codes=theirs),
        costs=_with_marks(both.costs, len(marked)),
        slack=0.0,
    )


def _with_marks(costs: Costs, marked: int) -> Costs:
    """The costs with blanks for nothing, and with so many further columns of marks.

    Code 0 of a mark is a value and 1 a blank; a published blank, code 2, can stand for both.
    """
    holds = np.ones((2, 1), dtype=bool)
    return costs._replace(
        blank=np.zeros_like(costs.blank),
        blank_code=np.zeros(len(costs.blank_code) + marked),
        unlike=np.ones(len(costs.unlike) + marked),
        holds=(*costs.holds, *(holds for _ in range(marked))),
    )


def _stored_possible(columns: Sequence[KeyColumn], room: Workroom) -> StoredBoth:
    """What `possible` makes of columns in files."""
    stored = stored_cells(columns, room, as_known=True)
    assert stored.costs is not None
    ours, theirs = list(stored.queries.codes), list(stored.targets.codes)
    marked = 0
    for each in columns:
        column = each.whole()
        records = len(column.low if isinstance(column, AxisColumn) else column.published)
        marks = _blank_marks(column, np.arange(records))
        if marks is not None:
            marked += 1
            ours.append(room.stored(marks[0].astype(np.int8)))
            theirs.append(room.stored(2 * marks[1].astype(np.int8)))
    return replace(
        stored,
        queries=stored.queries._replace(codes=tuple(ours)),
        targets=stored.targets._replace(codes=tuple(theirs)),
        costs=_with_marks(stored.costs, marked),
        slack=0.0,
    )


def _blank_marks(column: ComparedColumn, owner: IntArray) -> tuple[BoolArray, BoolArray] | None:
    """Which known and which published cells are blank; None where a known blank says nothing.

    So it is where values are published for people whose cell is blank: the intruder does not know them, or they were
    made up.
    """
    if isinstance(column, AxisColumn):
        known, published = np.isnan(column.known), np.isnan(column.low)
        everything = np.isneginf(column.low) & np.isposinf(column.high)
    else:
        known, published = column.known < 0, column.published < 0
        everything = np.zeros(len(published), dtype=bool)
    rows = np.flatnonzero(owner >= 0)
    unknown = known[owner[rows]] & ~published[rows] & ~everything[rows]
    return None if not known.any() or unknown.any() else (known, published | everything)
