"""How many confidential values are guessed right from classes of published records, and by guessing alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from discreet.attack.guesses import GivenAway, chance_of_category, chance_of_number
from discreet.attack.nearest_classes import Lookups
from discreet.attack.points import Scaling
from discreet.comparing import AxisColumn, CategoryColumn, compare_column
from discreet.errors import NotComputable
from discreet.parameters import Real
from discreet.results import Risk, wilson
from discreet.table import BoolArray, FloatArray, IntArray, Table

ABOUT_MISSING = (
    "a missing true value is no attempt; a missing published one gives nothing away; a class without any leaves the "
    "guess from the whole file"
)
Tolerance = Annotated[
    float,
    Real(
        above=0,
        usual=(0.01, 0.5),
        about="numbers: how near a guess must come, in standard deviations of the original",
    ),
]


class _Guessed(NamedTuple):
    """What was learned of one column: chance and chance by guessing for each person, and who has a true value."""

    chance: FloatArray
    guessing: FloatArray
    tried: BoolArray

    def share(self, chance: FloatArray) -> float:
        """The share of the attempts that a chance gets right."""
        return float(chance[self.tried].mean())


def attribute_disclosure(
    name: str,
    meaning: str,
    original: Table,
    masked: Table,
    columns: Sequence[str],
    tolerance: float,
    owner: IntArray,
    label: IntArray,
    lookups: Lookups,
) -> Risk:
    """What is learned of the columns by those who look each person up in the classes of `lookups`."""
    paired = np.flatnonzero(owner >= 0)
    if len(paired) == 0:
        raise NotComputable(
            f"{name}: no published record belongs to anybody, so no guess can be right or wrong."
        )
    found = {
        column: _guessed(original, masked, column, tolerance, owner, label, lookups) for column in columns
    }
    tried = np.column_stack([each.tried for each in found.values()])
    attempts = int(tried.sum())
    if attempts == 0:
        raise NotComputable(f"{name}: no confidential value is known, so there is none to guess.")
    chance = np.column_stack([each.chance for each in found.values()])
    right = float(chance[tried].sum())
    guessing = float(np.column_stack([each.guessing for each in found.values()])[tried].sum()) / attempts
    records = np.zeros(len(masked))
    records[paired] = np.where(tried, chance, 0.0).sum(axis=1) / np.maximum(1, tried.sum(axis=1))
    risk = right / attempts
    return Risk(
        name=name,
        risk=risk,
        meaning=meaning,
        records=records,
        interval=wilson(right, attempts),
        baseline=guessing,
        attempts=attempts,
        columns={column: each.share(each.chance) for column, each in found.items() if each.tried.any()},
        details={
            "tolerance": tolerance,
            "advantage": (risk - guessing) / (1 - guessing) if guessing < 1 else 0.0,
            "guessing_by_column": {
                column: each.share(each.guessing) for column, each in found.items() if each.tried.any()
            },
        },
    )


def _guessed(
    original: Table,
    masked: Table,
    column: str,
    tolerance: float,
    owner: IntArray,
    label: IntArray,
    lookups: Lookups,
) -> _Guessed:
    """What the classes looked up, and the whole file, tell each person's intruder about a column.

    A published band stands for its middle. A general category gives away one of those under it, each as likely.
    """
    people = owner[owner >= 0]
    nothing, nowhere = np.zeros(len(masked), dtype=np.int64), np.zeros_like(people)
    compared = compare_column(original, masked, column, owner)
    if isinstance(compared, AxisColumn) and not compared.steps:
        tight = compared.tightened()
        middle = tight.low / 2 + tight.high / 2
        values, published, varies = _zscores(tight.known, middle)
        true = values[people]
        reach = tolerance * varies
        chance = chance_of_number(published, label, lookups.label, true[lookups.person], reach)
        guessing = chance_of_number(published, nothing, nowhere, true, reach)
        return _Guessed(lookups.expected(chance, len(people)), guessing, ~np.isnan(true))
    known, shown, given = _as_codes(compared)
    true_codes = known[people]
    chance = chance_of_category(shown, label, lookups.label, true_codes[lookups.person], given)
    guessing = chance_of_category(shown, nothing, nowhere, true_codes, given)
    return _Guessed(lookups.expected(chance, len(people)), guessing, true_codes != 0)


def _as_codes(column: AxisColumn | CategoryColumn) -> tuple[IntArray, IntArray, GivenAway]:
    """Known and published codes from 1, 0 where blank, and what published codes give away."""
    if isinstance(column, CategoryColumn):
        return column.known + 1, column.published + 1, GivenAway(column.levels, column.holds)
    wide = column.low < column.high
    runs, place = np.unique(np.column_stack([column.low, column.high])[wide], axis=0, return_inverse=True)
    levels = np.arange(column.steps)
    holds = (runs[:, :1] <= levels) & (levels <= runs[:, 1:])
    known = np.where(np.isnan(column.known), 0.0, column.known + 1).astype(np.int64)
    published = np.where(np.isnan(column.low) | wide, 0.0, column.low + 1).astype(np.int64)
    published[wide] = column.steps + 1 + place.reshape(-1)
    return known, published, GivenAway(column.steps, holds)


def _zscores(true: FloatArray, published: FloatArray) -> tuple[FloatArray, FloatArray, bool]:
    """Both columns in standard deviations of the true one, from a value in its middle; and whether it varies at all."""
    way = Scaling.of(true)
    known = true[~np.isnan(true)]
    # What is too far away to be told in standard deviations is infinitely far, and near to nothing.
    with np.errstate(over="ignore"):
        left, right = (way.from_pivot(each) / way.spread for each in (true, published))
    return left, right, bool(len(known)) and bool(known.min() < known.max())
