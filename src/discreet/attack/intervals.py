"""Interval disclosure: whether a masked value gives away a narrow range for the true one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.pairs import truth_of
from discreet.parameters import NUMERIC_KEYS, Known
from discreet.results import Risk, wilson
from discreet.table import BoolArray, FloatArray, IntArray, Table

MEANING = (
    "the share of values for which a narrow interval around the published value, 1 to 10 percent of the ranks to each "
    "side, still holds the true one"
)
WIDTHS = range(1, 11)


@registry.attack(
    family="intervals",
    scales=registry.NUMERIC,
    missing="left out: a value that is missing in either table is no attempt",
    meaning=MEANING,
    cites=("Domingo-Ferrer and Torra, in Confidentiality, Disclosure and Data Access, North-Holland, 2001",),
)
def interval_disclosure(
    original: Table,
    masked: Table,
    *,
    keys: Known = NUMERIC_KEYS,
    truth: IntArray | None = None,
) -> Risk:
    """How often the rank interval around a masked value holds the original one, on average over ten widths."""
    owner = truth_of(original, masked, truth)
    paired = owner >= 0
    known = original.numbers(keys)[owner[paired]]
    published = masked.numbers(keys)
    inside = np.zeros(known.shape)
    for place in range(len(keys)):
        column = published[:, place]
        inside[:, place] = _share_of_widths(known[:, place], column[paired], column[~np.isnan(column)])
    tried = ~(np.isnan(known) | np.isnan(published[paired]))
    attempts = int(tried.sum())
    if attempts == 0:
        raise NotComputable(
            "interval_disclosure: no value is present in both tables, so no interval can be tried."
        )
    inside[~tried] = 0.0
    records = np.zeros(len(masked))
    records[paired] = inside.sum(axis=1) / np.maximum(1, tried.sum(axis=1))
    return Risk(
        name="interval_disclosure",
        risk=float(inside.sum() / attempts),
        meaning=MEANING,
        records=records,
        interval=wilson(float(inside.sum()), attempts),
        baseline=_by_chance(),
        attempts=attempts,
        columns=_by_column(keys, inside, tried),
        details={"half_widths_percent": list(WIDTHS)},
    )


def _share_of_widths(known: FloatArray, published: FloatArray, column: FloatArray) -> FloatArray:
    """For each value the share of the ten rank intervals around its masked value that hold it."""
    ordered = np.sort(column)
    size = len(ordered)
    if size == 0:
        return np.zeros(len(known))
    low = np.searchsorted(ordered, published, side="left")
    high = np.searchsorted(ordered, published, side="right") - 1
    held = np.zeros(len(known))
    for width in WIDTHS:
        reach = int(width * size / 100)
        floor = ordered[np.clip(low - reach, 0, size - 1)]
        ceiling = ordered[np.clip(high + reach, 0, size - 1)]
        held += _between(known, floor, ceiling)
    return held / len(WIDTHS)


def _between(values: FloatArray, floor: FloatArray, ceiling: FloatArray) -> BoolArray:
    return (values >= floor) & (values <= ceiling)


def _by_chance() -> float:
    """What guessing any record's value gives: intervals of 2 to 20 percent of the ranks hold 11 percent on average."""
    return float(np.mean([2 * width / 100 for width in WIDTHS]))


def _by_column(keys: Sequence[str], inside: FloatArray, tried: BoolArray) -> dict[str, float]:
    totals = tried.sum(axis=0)
    return {
        name: float(inside[:, place].sum() / totals[place])
        for place, name in enumerate(keys)
        if totals[place]
    }
