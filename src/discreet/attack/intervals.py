"""Interval disclosure: whether a masked value gives away a narrow range for the true one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy as np

from discreet import registry
from discreet.attack.points import centre_and_spread, numbers_of
from discreet.errors import NotComputable
from discreet.pairs import truth_of
from discreet.parameters import NUMERIC_KEYS, Choice, Known
from discreet.results import Risk, wilson
from discreet.table import BoolArray, FloatArray, IntArray, Table

Ends = Callable[[FloatArray], tuple[FloatArray, FloatArray]]
MEANING = (
    "the share of values for which a narrow interval around the published value, 1 to 10 percent of the ranks (or of "
    "the standard deviation) to each side, still holds the true one"
)
WIDTHS = range(1, 11)


@registry.attack(
    family="intervals",
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
    """
    owner = truth_of(original, masked, truth)
    paired = owner >= 0
    tried = np.zeros((int(paired.sum()), len(keys)), dtype=bool)
    inside, guessed = np.zeros(tried.shape), np.zeros(tried.shape)
    for place, name in enumerate(keys):
        values, published = numbers_of(original, name), numbers_of(masked, name)
        known, own = values[owner[paired]], published[paired]
        column = published[~np.isnan(published)]
        tried[:, place] = ~(np.isnan(known) | np.isnan(own))
        for width in WIDTHS:
            ends = _ends(values, column, variant, width)
            inside[:, place] += _between(known, *ends(own))
            guessed[:, place] += _share_between(known, *ends(column))
    attempts = int(tried.sum())
    if attempts == 0:
        raise NotComputable(
            "interval_disclosure: no value is present in both tables, so no interval can be tried."
        )
    inside = np.where(tried, inside, 0.0) / len(WIDTHS)
    records = np.zeros(len(masked))
    records[paired] = inside.sum(axis=1) / np.maximum(1, tried.sum(axis=1))
    return Risk(
        name="interval_disclosure",
        risk=float(inside.sum() / attempts),
        meaning=MEANING,
        records=records,
        interval=wilson(float(inside.sum()), attempts),
        baseline=float(guessed[tried].mean()) / len(WIDTHS),
        attempts=attempts,
        columns=_by_column(keys, inside, tried),
        details={"half_widths_percent": list(WIDTHS), "variant": variant},
    )


def _ends(values: FloatArray, column: FloatArray, variant: str, width: int) -> Ends:
    """The function from masked values to the lower and upper ends of their intervals."""
    if variant == "deviation":
        reach = width / 100 * (centre_and_spread(values)[1] if _varies(values) else 0.0)
        return lambda masked: (masked - reach, masked + reach)
    ordered = np.sort(column)
    last, ranks = len(ordered) - 1, int(width * len(ordered) / 100)

    def by_rank(masked: FloatArray) -> tuple[FloatArray, FloatArray]:
        if last < 0:
            return masked, masked
        low = np.searchsorted(ordered, masked, side="left") - ranks
        high = np.searchsorted(ordered, masked, side="right") - 1 + ranks
        return ordered[np.clip(low, 0, last)], ordered[np.clip(high, 0, last)]

    return by_rank


def _varies(values: FloatArray) -> bool:
    present = values[~np.isnan(values)]
    return len(present) > 0 and bool(present.min() < present.max())


def _between(values: FloatArray, floor: FloatArray, ceiling: FloatArray) -> BoolArray:
    return (values >= floor) & (values <= ceiling)


def _share_between(values: FloatArray, floors: FloatArray, ceilings: FloatArray) -> FloatArray:
    """For each value the share of all the intervals that hold it."""
    begun = np.searchsorted(np.sort(floors), values, side="right")
    ended = np.searchsorted(np.sort(ceilings), values, side="left")
    share: FloatArray = (begun - ended) / max(1, len(floors))
    return share


def _by_column(keys: Sequence[str], inside: FloatArray, tried: BoolArray) -> dict[str, float]:
    totals = tried.sum(axis=0)
    return {
        name: float(inside[:, place].sum() / totals[place])
        for place, name in enumerate(keys)
        if totals[place]
    }
