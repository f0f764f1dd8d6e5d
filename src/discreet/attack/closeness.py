"""t-closeness: how far the confidential values of a class are from those of the whole file."""

from __future__ import annotations

import numpy as np

from discreet import registry
from discreet.attack.diversity import Tally, counted
from discreet.classes import classes_of
from discreet.coding import codes_of
from discreet.errors import NotComputable
from discreet.parameters import CONFIDENTIAL, KEYS, Known, Learned
from discreet.results import Risk
from discreet.table import MISSING_CODE, FloatArray, IntArray, Scale, Table

MEANING = (
    "how much the class of the most exposed record tells about its confidential values: the earth mover's distance "
    "between the values of the class and those of the whole file, 0 where the class tells nothing and 1 at most (t)"
)


@registry.attack(
    family="models",
    scales=registry.EVERY_SCALE,
    missing="a missing key counts as a value of its own; a missing confidential value is left out",
    meaning=MEANING,
    cites=("Li, Li and Venkatasubramanian, Proceedings of ICDE, 2007",),
)
def t_closeness(masked: Table, *, keys: Known = KEYS, columns: Learned = CONFIDENTIAL) -> Risk:
    """The t that the table reaches: the largest distance between the values of a class and those of the file.

    Numbers and ordinal categories are moved along their order, where neighbouring values are 1/(m-1) apart for m
    different values; nominal categories are all at distance one from each other. With several columns each is looked at
    by itself and the largest counts. The baseline is a class like the whole file, which tells nothing. Set a ceiling on
    it: a small t is good.
    """
    if len(masked) == 0:
        raise NotComputable("t_closeness: the table has no records, so it has no class.")
    label = classes_of(masked, keys).label
    distance = np.zeros(len(masked))
    by_column: dict[str, float] = {}
    for name in columns:
        codes = _places(masked, name)
        if not codes.any():
            continue
        tally = counted(label, codes)
        moved = nominal_distance(tally) if masked[name].scale == Scale.NOMINAL else ordered_distance(tally)
        by_column[name] = float(moved.max())
        distance = np.maximum(distance, moved[label])
    if not by_column:
        raise NotComputable("t_closeness: the confidential columns hold no value, so nothing can be told.")
    most = float(distance.max())
    return Risk(
        name="t_closeness",
        risk=most,
        meaning=MEANING,
        records=distance,
        interval=(most, most),
        baseline=0.0,
        attempts=len(masked),
        columns=by_column,
        details={"t": most, "average": float(distance.mean())},
    )


def _places(table: Table, column: str) -> IntArray:
    """The place of each value in the order of its column, from 1, counting only values that occur; missing is 0."""
    described = table[column]
    if described.scale != Scale.ORDINAL or not described.order:
        return codes_of(table, [column])[:, 0]
    codes = table.codes(column)
    # The code of missing, appended, is the least of all and so gets place 0 even where nothing is missing.
    return np.unique(np.append(codes, MISSING_CODE), return_inverse=True)[1][:-1].astype(np.int64)


def nominal_distance(tally: Tally) -> FloatArray:
    """For each class the share of values to be exchanged to make it like the file; 0 where it has none."""
    overall = _overall(tally)
    share = tally.counts / tally.present[tally.classes]
    gained = np.maximum(0.0, share - overall[tally.values])
    return np.bincount(tally.classes, weights=gained, minlength=len(tally.present)).astype(np.float64)


def ordered_distance(tally: Tally) -> FloatArray:
    """For each class how far its values must be moved along their order to make it like the file; 0 without values.

    The distance is the area between the two cumulative shares over the places of all values. The share of a class is
    constant between two of its own values, so the area is summed from one to the next: the cost grows with the records,
    not with the classes times the values.
    """
    overall = np.cumsum(_overall(tally)[1:])
    places = len(overall)
    if places < 2:
        return np.zeros(len(tally.present))
    summed = np.concatenate([[0.0], np.cumsum(overall)])
    reached = np.cumsum(tally.counts)
    start = np.searchsorted(tally.classes, tally.classes, side="left")
    share = (reached - reached[start] + tally.counts[start]) / tally.present[tally.classes]
    last = np.append(tally.classes[1:] != tally.classes[:-1], True)
    following = np.where(last, places + 1, np.append(tally.values[1:], places + 1))
    area = _between(share, tally.values - 1, following - 1, overall, summed)
    opening = np.append(True, last[:-1])
    none = np.zeros(int(opening.sum()))
    before = _between(none, np.zeros(len(none), np.int64), tally.values[opening] - 1, overall, summed)
    area[opening] += before
    moved = np.bincount(tally.classes, weights=area, minlength=len(tally.present))
    return np.minimum(1.0, moved / (places - 1))


def _overall(tally: Tally) -> FloatArray:
    """The share of each code in the file; the code of missing has none."""
    counts = np.bincount(tally.values, weights=tally.counts)
    shares: FloatArray = counts / counts.sum()
    return shares


def _between(
    level: FloatArray, begin: IntArray, end: IntArray, cumulative: FloatArray, summed: FloatArray
) -> FloatArray:
    """The sum of |level - cumulative[i]| for i from begin to end - 1."""
    crossing = np.clip(np.searchsorted(cumulative, level, side="left"), begin, end)
    below = level * (crossing - begin) - (summed[crossing] - summed[begin])
    above = (summed[end] - summed[crossing]) - level * (end - crossing)
    return below + above
