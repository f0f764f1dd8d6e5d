"""Interval disclosure: whether a masked value gives away a narrow range for the true one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np

from discreet import registry
from discreet.attack.points import centre_and_spread
from discreet.comparing import AxisColumn, compare_column
from discreet.dataset import Dataset
from discreet.errors import NotComputable, NotSplit
from discreet.in_parts import room_of
from discreet.matches import true_matches
from discreet.parameters import NUMERIC_KEYS, Choice, Known
from discreet.results import Risk, wilson
from discreet.table import BoolArray, FloatArray, IntArray, Table

MEANING = (
    "the share of values for which a narrow interval around the published value, 1 to 10 percent of the ranks (or of "
    "the standard deviation) to each side, still holds the true one"
)
WIDTHS = range(1, 11)
SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


def interval_disclosure_in_parts(
    original: Dataset, masked: Dataset, *, keys: Sequence[str], variant: str, truth: IntArray | None
) -> Risk:
    """The same of a dataset in parts, one column held at a time."""
    if truth is not None:
        raise NotSplit("interval_disclosure: truth does not work on a dataset in parts. Leave it out.")
    people, everybody = room_of(masked).people, np.arange(len(masked))
    found, held, tried = [], [], []
    for name in keys:
        column = _of_column(original.whole([name]), masked.whole([name]), name, everybody, variant)
        held.append(column.held[people])
        tried.append(column.tried[people])
        found.append(column._replace(held=column.held.astype(np.int8)))
    return _risk(keys, found, _shares(held, tried), variant)


@registry.attack(
    family="intervals",
    title="Interval disclosure",
    unit=registry.SHARE_OF_VALUES,
    splits=registry.Split.RANGES,
    by_parts=interval_disclosure_in_parts,
    scales=registry.NUMERIC,
    missing="left out: a value that is missing in either table is no attempt",
    meaning=MEANING,
    cites=(
        "Domingo-Ferrer and Torra, in Confidentiality, Disclosure and Data Access, North-Holland, 2001",
        "Mateo-Sanz, Sebé and Domingo-Ferrer, LNCS 3050, 2004 (intervals in standard deviations)",
    ),
)
def interval_disclosure(
    original: Table,
    masked: Table,
    *,
    keys: Known = NUMERIC_KEYS,
    variant: Annotated[
        str,
        Choice(
            among=("rank", "deviation"),
            about="whether widths are percents of the ranks, or of the original standard deviation",
        ),
    ] = "rank",
    truth: IntArray | None = None,
) -> Risk:
    """How often the interval around a masked value holds the original one, on average over ten widths.

    `baseline` is how often the interval around somebody else's masked value does, for all pairs of records.

    The interval of width p reaches p percent of the ranks, or of the standard deviation, to each side, for p = 1 to
    10: ID of Domingo-Ferrer and Torra (2001), and in standard deviations that of Mateo-Sanz, Sebé and
    Domingo-Ferrer (2004).

    >>> print(dc.attack.interval_disclosure(table, release.table))
    interval_disclosure: 100.0% of 1510 attempts (95% interval 99.7%-100.0%; guessing 19.7%)
    """
    owner = true_matches(original, masked, truth)
    rows = np.flatnonzero(owner >= 0)
    found = [_of_column(original, masked, name, owner, variant) for name in keys]
    of_each = _shares([each.held for each in found], [each.tried for each in found])
    records = np.zeros(len(masked))
    records[rows] = of_each
    return _risk(keys, found, records, variant)


class _Column(NamedTuple):
    """How many of the ten intervals hold each known value, which pairs were tried, and what guessing adds up to."""

    held: IntArray
    tried: BoolArray
    guessed: float

    @property
    def inside(self) -> float:
        """How many known values intervals held, on average over the widths."""
        return int(self.held.sum()) / len(WIDTHS)


def _of_column(original: Table, masked: Table, name: str, owner: IntArray, variant: str) -> _Column:
    paired = owner >= 0
    values, published = _values(original, masked, name, owner)
    known, own = values[owner[paired]], published[paired]
    tried = ~(np.isnan(known) | np.isnan(own))
    column = np.sort(published[~np.isnan(published)])
    inside, share = (
        _held_by_rank(known[tried], own[tried], column)
        if variant == "rank"
        else _held_by_deviation(known[tried], own[tried], column, _spread(values))
    )
    held = np.zeros(len(known), dtype=np.int64)
    held[tried] = inside
    return _Column(held, tried, share)


def _shares(held: Sequence[IntArray], tried: Sequence[BoolArray]) -> FloatArray:
    """For each pair the share of the intervals that hold, over its columns and all widths."""
    total = np.sum(held, axis=0) / len(WIDTHS)
    shares: FloatArray = total / np.maximum(1, np.sum(tried, axis=0))
    return shares


def _risk(keys: Sequence[str], found: Sequence[_Column], records: FloatArray, variant: str) -> Risk:
    """What the columns come to together."""
    attempts = sum(int(each.tried.sum()) for each in found)
    if attempts == 0:
        raise NotComputable(
            "interval_disclosure: no value is present in both tables, so no interval can be tried."
        )
    inside = sum(each.inside for each in found)
    return Risk(
        name="interval_disclosure",
        risk=inside / attempts,
        meaning=MEANING,
        records=records,
        interval=wilson(inside, attempts),
        baseline=sum(each.guessed for each in found) / (attempts * len(WIDTHS)),
        attempts=attempts,
        columns={
            name: each.inside / int(each.tried.sum())
            for name, each in zip(keys, found, strict=True)
            if each.tried.any()
        },
        details={"half_widths_percent": list(WIDTHS), "variant": variant},
    )


def _values(original: Table, masked: Table, name: str, owner: IntArray) -> tuple[FloatArray, FloatArray]:
    """The known and the published numbers; a published band stands for the middle of the known values in it."""
    column = compare_column(original, masked, name, owner)
    if not isinstance(column, AxisColumn):
        raise NotComputable(f"interval_disclosure: what is published of column '{name}' is no number.")
    tight = column.tightened()
    return tight.known, tight.low / 2 + tight.high / 2


def _held_by_rank(known: FloatArray, own: FloatArray, column: FloatArray) -> tuple[IntArray, float]:
    """How many of the intervals around its own masked value hold each known one, and the share of all intervals, added.

    An interval reaches from so many places before the first of the equal values to as many after the last; `column`
    is sorted. Comparing places instead of values needs no further search for each width.
    """
    last = len(column) - 1
    begin, end = (np.searchsorted(column, column, side=side) for side in SIDES)
    own_begin, own_end = (np.searchsorted(column, own, side=side) for side in SIDES)
    before, upto = (np.searchsorted(column, known, side=side) for side in SIDES)
    held, guessed = np.zeros(len(known), dtype=np.int64), 0
    for width in WIDTHS:
        ranks = int(width * len(column) / 100)
        floor, ceiling = np.maximum(own_begin - ranks, 0), np.minimum(own_end - 1 + ranks, last)
        held += (floor < upto) & (before <= ceiling)
        # Intervals begin at a value that is not above the known one, or end at one that is below it.
        begun = np.where(upto == 0, 0, end[np.clip(upto + ranks - 1, 0, last)])
        ended = np.where(before <= ranks, 0, begin[np.clip(before - ranks, 0, last)])
        ended = np.where(before > last, len(column), ended)
        guessed += int((begun - ended).sum())
    return held, guessed / max(1, len(column))


def _held_by_deviation(
    known: FloatArray, own: FloatArray, column: FloatArray, spread: float
) -> tuple[IntArray, float]:
    """The same for intervals that reach so many percent of the spread to each side."""
    held, guessed, ordered = np.zeros(len(known), dtype=np.int64), 0, np.sort(known)
    for width in WIDTHS:
        reach = width / 100 * spread
        held += (known >= own - reach) & (known <= own + reach)
        begun = np.searchsorted(column - reach, ordered, side="right")
        ended = np.searchsorted(column + reach, ordered, side="left")
        guessed += int((begun - ended).sum())
    return held, guessed / max(1, len(column))


def _spread(values: FloatArray) -> float:
    """The standard deviation, zero for a column that does not vary."""
    present = values[~np.isnan(values)]
    varies = len(present) > 0 and bool(present.min() < present.max())
    return centre_and_spread(values)[1] if varies else 0.0
