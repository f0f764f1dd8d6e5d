"""Interval disclosure: whether a masked value gives away a narrow range for the true one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np

from discreet import registry
from discreet.attack.points import centre_and_spread
from discreet.comparing import AxisColumn, compare_column
from discreet.errors import NotComputable
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


@registry.attack(
    family="intervals",
    title="Interval disclosure",
    unit=registry.SHARE_OF_VALUES,
    splits=registry.Split.RANGES,
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
    paired = owner >= 0
    tried = np.zeros((int(paired.sum()), len(keys)), dtype=bool)
    inside = np.zeros(tried.shape)
    guessed = 0.0
    for place, name in enumerate(keys):
        values, published = _values(original, masked, name, owner)
        known, own = values[owner[paired]], published[paired]
        here = tried[:, place] = ~(np.isnan(known) | np.isnan(own))
        column = np.sort(published[~np.isnan(published)])
        held, share = (
            _held_by_rank(known[here], own[here], column)
            if variant == "rank"
            else _held_by_deviation(known[here], own[here], column, _spread(values))
        )
        inside[here, place] = held / len(WIDTHS)
        guessed += share
    attempts = int(tried.sum())
    if attempts == 0:
        raise NotComputable(
            "interval_disclosure: no value is present in both tables, so no interval can be tried."
        )
    records = np.zeros(len(masked))
    records[paired] = inside.sum(axis=1) / np.maximum(1, tried.sum(axis=1))
    return Risk(
        name="interval_disclosure",
        risk=float(inside.sum() / attempts),
        meaning=MEANING,
        records=records,
        interval=wilson(float(inside.sum()), attempts),
        baseline=guessed / (attempts * len(WIDTHS)),
        attempts=attempts,
        columns=_by_column(keys, inside, tried),
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


def _by_column(keys: Sequence[str], inside: FloatArray, tried: BoolArray) -> dict[str, float]:
    totals = tried.sum(axis=0)
    return {
        name: float(inside[:, place].sum() / totals[place])
        for place, name in enumerate(keys)
        if totals[place]
    }
