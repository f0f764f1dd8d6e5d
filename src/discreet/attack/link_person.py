"""Linkage of people by all their records at once, where pseudonyms say which published records belong together."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_array

from discreet import registry
from discreet._kernels.counting.classes import Classes, class_sizes
from discreet.attack.link import owners
from discreet.attack.nearest_classes import nearest_classes
from discreet.attack.only_column import only_column
from discreet.attack.records import Both, nearest_records, records_of
from discreet.attack.together import Members, summed_distances
from discreet.classes import classes_of
from discreet.errors import DoesNotApply, NotComputable
from discreet.parameters import KEYS, PERSON, Known, Persons
from discreet.progress import SILENT, Progress
from discreet.results import Risk, wilson
from discreet.table import BoolArray, FloatArray, IntArray, Role, Table

MEANING = (
    "the share of people whose pseudonym is found by somebody who knows the quasi-identifiers of all their records and "
    "takes the pseudonym whose published records fit these best, all together"
)
PAIRS_AT_ONCE = 1 << 23
MOST_PAIRS = 100_000_000
"""Records times pseudonyms that fit them: beyond, the records that fit the fewest are looked at first, and no more."""
MOST_COMPARED = 30_000_000
"""Records that are as near to several classes, times all classes: beyond, the first of those classes is taken."""
CANDIDATES = 64
"""How many pseudonyms, and all as good, are tried for a person whose records none fits all."""
SCORE_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PersonLinks(Risk):
    """What linking by all records achieved: `people` is the chance of each known person, and `ties` among how many."""

    people: FloatArray = field(repr=False)
    ties: IntArray = field(repr=False)


@registry.attack(
    family="persons",
    title="Linking by all records of the person",
    unit=registry.SHARE_OF_PEOPLE,
    splits=registry.Split.QUERIES,
    counts_for=registry.CountsFor("identity", quick=True),
    scales=registry.EVERY_SCALE,
    missing="as in link; a record without a pseudonym is of a person of its own",
    meaning=MEANING,
    cites=(
        "Malin and Sweeney, How (not) to protect genomic data privacy in a distributed network, Journal of Biomedical "
        "Informatics 37(3), 2004",
        "de Montjoye, Hidalgo, Verleysen and Blondel, Unique in the crowd, Scientific Reports 3, 2013",
    ),
    example={"person": ["household"]},
)
def link_person(
    original: Table,
    masked: Table,
    *,
    keys: Known = KEYS,
    person: Persons = PERSON,
    truth: IntArray | None = None,
    progress: Progress = SILENT,
) -> PersonLinks:
    """How many people are found by all their records at once, through the pseudonym that these were published under.

    Each known record fits the published records nearest to it, all of them where several are as near. A pseudonym that
    all records of the person fit is taken. Where there is none, because values were changed, those that most records
    fit are tried (rare fits count more), and that whose records are nearest in sum is taken. Where as many records are
    published as are known, the number of records decides between pseudonyms as good. A person whose own pseudonym is
    among t as good ones counts 1/t, and `records` tells for each published record the chance of its person.

    Five people may share every single class of a file, and still nobody shares all classes of a person: k-anonymity of
    records says nothing about this. With `person` naming the column of households, whole households are looked for.

    The records of a person together give away more than each alone, as trails do (Malin and Sweeney 2004).

    >>> print(dc.attack.link_person(table, release.table, keys=["sex", "education", "age"], person=["household"]))
    link_person: 97.3% of 182 attempts (95% interval 93.7%-98.8%; guessing 0.5%)
    """
    column = only_column(person, "person", "link_person")
    return linked_together("link_person", original, masked, keys, column, truth, progress)


def linked_together(
    method: str,
    original: Table,
    masked: Table,
    keys: Sequence[str],
    column: str,
    truth: IntArray | None,
    progress: Progress,
) -> PersonLinks:
    """What linking achieves by all records at once that have the same value in a column."""
    owner = owners(method, original, masked, truth)
    known, shown = original.groups(column), masked.groups(column)
    if int(np.bincount(shown).max()) < 2:
        raise DoesNotApply(
            f"{method}: no value of '{column}' stands for several published records, so that nobody is linked by "
            "more than one; link tells what one record gives away."
        )
    own = _own(method, known, shown, owner)
    fits = _Fits.of(original, masked, sorted(keys), known, shown, owner, progress)
    chance, ties, exact = _found(fits, own, progress)
    judged = np.diff(own.indptr) > 0
    expected, attempts = float(chance[judged].sum()), int(judged.sum())
    return PersonLinks(
        name=method,
        risk=expected / attempts,
        meaning=MEANING,
        reidentifies=True,
        records=np.where(owner >= 0, chance[known[np.maximum(owner, 0)]], 0.0),
        interval=wilson(expected, attempts),
        baseline=1.0 / fits.pseudonyms,
        attempts=attempts,
        details={
            "expected": expected,
            "certain": int((chance[judged] == 1).sum()),
            "pseudonyms": fits.pseudonyms,
            "exact": exact,
        },
        people=chance,
        ties=ties,
    )


def _own(method: str, known: IntArray, shown: IntArray, owner: IntArray) -> csr_array:
    """The pseudonyms, by columns, that records of each known person, by rows, were published under."""
    paired = owner >= 0
    if not paired.any():
        raise NotComputable(
            f"{method}: no published record belongs to anybody known, so no link can be right."
        )
    pairs = np.unique(np.column_stack([known[owner[paired]], shown[paired]]), axis=0)
    shape = int(known.max()) + 1, int(shown.max()) + 1
    return csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=shape)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Fits:
    """Which published classes fit each known record, and how many records of each pseudonym a class holds.

    `known` is the person of each known record, `published` the class of each published one. `place` numbers a person's
    records that fit the same classes from 1: the second of them needs a second published record. `counted` says whether
    the number of records tells anything, `exact` whether all classes as near as the nearest are there.
    """

    both: Both
    persons: Members
    shown: Members
    known: IntArray
    published: IntArray
    classes: csr_array
    held: csr_array
    place: IntArray
    counted: bool
    exact: bool

    @property
    def pseudonyms(self) -> int:
        return len(self.shown.sizes)

    @classmethod
    def of(
        cls,
        original: Table,
        masked: Table,
        keys: Sequence[str],
        known: IntArray,
        shown: IntArray,
        owner: IntArray,
        progress: Progress,
    ) -> _Fits:
        label = classes_of(masked.without(masked.having(Role.PERSON)), keys)
        partner = np.full(len(original), -1, dtype=np.int64)
        partner[owner[owner >= 0]] = np.flatnonzero(owner >= 0)
        both = records_of(original, masked, keys, owner)
        total = int(label.label.max()) + 1
        fitting, exact = _fitting(both, label, partner, total, progress)
        held = csr_array(
            (np.ones(len(masked), np.int64), (label.label, shown)), shape=(total, int(shown.max()) + 1)
        )
        held.sum_duplicates()
        return cls(
            both=both,
            persons=Members.of(known),
            shown=Members.of(shown),
            known=known,
            published=label.label,
            classes=fitting,
            held=held,
            place=_places(known, fitting),
            counted=len(original) == len(masked),
            exact=exact,
        )


def _fitting(
    both: Both, classes: Classes, partner: IntArray, total: int, progress: Progress
) -> tuple[csr_array, bool]:
    """The classes, by columns, nearest to each known record, by rows: all, or the first where there are too many.

    Whether a record is as near to records of several classes shows in the number of these.
    """
    found = nearest_records(both, partner, progress)
    label = classes.label[found.nearest]
    unsure = np.flatnonzero(found.ties != classes.sizes[found.nearest])
    some = unsure[: MOST_COMPARED // total]
    record = np.setdiff1d(np.arange(len(label)), some)
    fits = label[record]
    if len(some):
        nobody = np.full(len(some), -1, dtype=np.int64)
        lookups = nearest_classes(both.only(some), classes, nobody, progress)
        record, fits = np.concatenate([record, some[lookups.person]]), np.concatenate([fits, lookups.label])
    shape = len(label), total
    return csr_array((np.ones(len(record), np.int64), (record, fits)), shape=shape), len(some) == len(unsure)


def _places(known: IntArray, fitting: csr_array) -> IntArray:
    """The number of each record among those of its person that fit the same classes, from 1."""
    numbers: dict[bytes, int] = {}
    pieces = itertools.pairwise(fitting.indptr)
    alike = [numbers.setdefault(fitting.indices[begin:end].tobytes(), len(numbers)) for begin, end in pieces]
    group = class_sizes(np.column_stack([known, np.array(alike, dtype=np.int64)])).label
    order = np.argsort(group, kind="stable")
    begins = np.searchsorted(group[order], np.arange(int(group.max()) + 1))
    place: IntArray = np.empty(len(known), dtype=np.int64)
    place[order] = np.arange(len(known)) - begins[group[order]] + 1
    return place


def _within_bounds(work: IntArray, known: IntArray) -> IntArray:
    """The records to look at, in their order: all, or the rarest of each person and as many others as there is room."""
    if int(work.sum()) <= MOST_PAIRS:
        return np.arange(len(work))
    order = np.lexsort((work, known))
    first = np.unique(known[order], return_index=True)[1]
    rest = np.setdiff1d(np.arange(len(work)), order[first])
    rest = rest[np.argsort(work[rest], kind="stable")]
    spent = int(work[order[first]].sum()) + np.cumsum(work[rest])
    return np.sort(np.concatenate([order[first], rest[spent <= MOST_PAIRS]]))


def _found(fits: _Fits, own: csr_array, progress: Progress) -> tuple[FloatArray, IntArray, bool]:
    """For each known person the chance to be found and among how many as good, and whether all was looked at."""
    people = own.shape[0]
    chance, ties = _with_the_same_classes(fits, own)
    open_records = np.flatnonzero(ties[fits.known] == 0)
    work = fits.classes[open_records] @ np.diff(fits.held.indptr)
    some = _within_bounds(work, fits.known[open_records])
    rows = open_records[some]
    order = np.argsort(fits.known[rows], kind="stable")
    for block in _blocks(rows[order], work[some][order], fits.known[rows[order]]):
        progress(int(fits.known[block[0]]), people, "link_person")
        who, at = np.unique(fits.known[block], return_inverse=True)
        points, most = _points(fits, block, at, len(who))
        best = _best(points, most, fits, who)
        hits = np.bincount(_rows(best), weights=_is_own(own, who, best), minlength=len(who))
        ties[who] = np.diff(best.indptr)
        chance[who] = hits / np.maximum(1, ties[who])
    return chance, ties, fits.exact and len(some) == len(open_records)


def _with_the_same_classes(fits: _Fits, own: csr_array) -> tuple[FloatArray, IntArray]:
    """Chance and ties of people whose records fit one class each, where a pseudonym has just these; 0 ties for others.

    No pseudonym fits better than one that has all their classes, each as often, and no other record.
    """
    people = own.shape[0]
    several = np.diff(fits.classes.indptr) != 1
    unsure = np.bincount(fits.known[several], minlength=people) > 0
    if not fits.counted or unsure.all():
        return np.zeros(people), np.zeros(people, dtype=np.int64)
    numbers: dict[bytes, int] = {}
    theirs = np.array(
        [numbers.setdefault(each, len(numbers)) for each in fits.shown.profiles(fits.published)]
    )
    single = np.zeros(len(fits.known), dtype=np.int64)
    single[~several] = fits.classes.indices[fits.classes.indptr[:-1][~several]]
    ours = np.array([numbers.get(each, -1) for each in fits.persons.profiles(single)])
    ours[unsure] = -1
    ties = np.append(np.bincount(theirs), 0)[ours]
    right = ours[_rows(own)] == theirs[own.indices]
    hits = np.bincount(_rows(own)[right], minlength=people)
    return hits / np.maximum(1, ties), ties


def _blocks(order: IntArray, work: IntArray, known: IntArray) -> Iterator[IntArray]:
    """The records in pieces of so many pairs, all records of a person in one."""
    if len(order) == 0:
        return
    last = np.flatnonzero(np.append(known[1:] != known[:-1], True))
    piece = np.cumsum(work)[last] // PAIRS_AT_ONCE
    ends = last[np.append(piece[1:] != piece[:-1], True)]
    start = 0
    for end in ends:
        yield order[start : end + 1]
        start = end + 1


def _points(fits: _Fits, rows: IntArray, at: IntArray, people: int) -> tuple[csr_array, FloatArray]:
    """The points of each pseudonym that fits a record of a person, rarer fits counting more, and the most there are."""
    reached = (fits.classes[rows] @ fits.held).tocsr()
    lengths = np.diff(reached.indptr)
    enough: BoolArray = reached.data >= np.repeat(fits.place[rows], lengths)
    record = np.repeat(np.arange(len(rows)), lengths)[enough]
    rivals = np.bincount(record, minlength=len(rows))
    worth = np.log((fits.pseudonyms + 1) / np.maximum(1, rivals))
    scores = csr_array((worth[record], (record, reached.indices[enough])), shape=(len(rows), fits.pseudonyms))
    together = csr_array((np.ones(len(rows)), (at, np.arange(len(rows)))), shape=(people, len(rows)))
    points: csr_array = (together @ scores).tocsr()
    return points, np.bincount(at, weights=worth, minlength=people).astype(np.float64)


def _best(points: csr_array, most: FloatArray, fits: _Fits, who: IntArray) -> csr_array:
    """Of each person's pseudonyms those that fit best; of these the nearest in number where that counts."""
    row = _rows(points)
    greatest = np.zeros(len(who))
    np.maximum.at(greatest, row, points.data)
    full = greatest >= most * (1.0 - SCORE_ROUNDING)
    limit = most * (1.0 - SCORE_ROUNDING)
    limit[~full] = _candidate_limit(points[~full])
    kept = _only(points, points.data >= limit[row])
    row = _rows(kept)
    tried = ~full[row]
    if tried.any():
        apart = np.zeros(len(row))
        apart[tried] = summed_distances(
            fits.both, fits.persons, fits.shown, who[row[tried]], kept.indices[tried].astype(np.int64)
        )
        kept = _least(kept, apart, (fits.both.slack * fits.persons.sizes[who]).astype(np.float64))
    if not fits.counted:
        return kept
    records = np.repeat(fits.persons.sizes[who], np.diff(kept.indptr))
    return _least(
        kept, np.abs(records - fits.shown.sizes[kept.indices]).astype(np.float64), np.zeros(len(who))
    )


def _candidate_limit(points: csr_array) -> FloatArray:
    """The points from which on a pseudonym is among the best few of each row; all that have as many are among them."""
    row = _rows(points)
    order = np.lexsort((-points.data, row))
    last = np.minimum(points.indptr[:-1] + CANDIDATES, points.indptr[1:]) - 1
    limit: FloatArray = np.where(np.diff(points.indptr) > 0, points.data[order][np.maximum(last, 0)], 0.0)
    return limit * (1.0 - SCORE_ROUNDING)


def _least(values: csr_array, apart: FloatArray, slack: FloatArray) -> csr_array:
    """The entries of each row that are least apart, to rounding."""
    row = _rows(values)
    least = np.full(values.shape[0], np.inf)
    np.minimum.at(least, row, apart)
    return _only(values, apart <= (least * (1.0 + SCORE_ROUNDING) + slack)[row])


def _only(values: csr_array, keep: BoolArray) -> csr_array:
    """The array with some of its entries."""
    count = np.bincount(_rows(values)[keep], minlength=values.shape[0])
    indptr = np.concatenate([[0], np.cumsum(count)])
    return csr_array((values.data[keep], values.indices[keep], indptr), shape=values.shape)


def _is_own(own: csr_array, who: IntArray, best: csr_array) -> FloatArray:
    """For each of the best pseudonyms whether it is the person's own."""
    pairs = np.repeat(who, np.diff(best.indptr)) * own.shape[1] + best.indices
    return np.isin(pairs, _rows(own) * own.shape[1] + own.indices).astype(np.float64)


def _rows(values: csr_array) -> IntArray:
    """The row of each entry."""
    return np.repeat(np.arange(values.shape[0]), np.diff(values.indptr))
