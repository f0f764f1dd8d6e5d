"""Attribute disclosure: what is learned of a confidential value, also where nobody is re-identified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, NamedTuple

import numpy as np

from discreet import registry
from discreet.attack.guesses import GivenAway, chance_of_category, chance_of_number
from discreet.attack.link import owners
from discreet.attack.nearest_classes import Asked, nearest_classes
from discreet.attack.points import Scaling
from discreet.attack.records import people_tried, records_of, sampled
from discreet.classes import classes_of
from discreet.comparing import AxisColumn, CategoryColumn, compare_column
from discreet.errors import NotComputable
from discreet.pairs import truth_of
from discreet.parameters import CONFIDENTIAL, KEYS, Known, Learned, Real
from discreet.progress import SILENT, Progress
from discreet.results import Risk, wilson
from discreet.table import BoolArray, FloatArray, IntArray, Table

CLASS_MEANING = (
    "the share of confidential values that are guessed right, or within the tolerance, by somebody who knows which "
    "class of published records a person is in and takes the most frequent value there"
)
LINK_MEANING = (
    "the share of confidential values that are guessed right, or within the tolerance, by somebody who knows the "
    "quasi-identifiers of a person and takes the value of the nearest published records, be they the person's or not"
)
MISSING = (
    "a missing true value is no attempt; a missing published one gives nothing away; a class without any leaves the "
    "guess from the whole file"
)
MOST_COMPARED = 1e8
"""People times classes of published records: beyond, a sample of people is looked up."""
Tolerance = Annotated[
    float,
    Real(
        above=0,
        usual=(0.01, 0.5),
        about="numbers: how near a guess must come, in standard deviations of the original",
    ),
]


class _Learned(NamedTuple):
    """What was learned of one column: chance and chance by guessing for each person, and who has a true value."""

    chance: FloatArray
    guessing: FloatArray
    tried: BoolArray

    def share(self, chance: FloatArray) -> float:
        """The share of the attempts that a chance gets right."""
        return float(chance[self.tried].mean())


@registry.attack(
    family="attribute",
    scales=registry.EVERY_SCALE,
    missing=MISSING,
    meaning=CLASS_MEANING,
    cites=("Lambert, Journal of Official Statistics 9(2), 1993",),
)
def attribute_by_class(
    original: Table,
    masked: Table,
    *,
    keys: Known = KEYS,
    columns: Learned = CONFIDENTIAL,
    tolerance: Tolerance = 0.1,
    truth: IntArray | None = None,
) -> Risk:
    """How often the best guess from a person's own class of published records is right.

    The class is that of the person's published record: whoever knows how values were masked, or does not mind looking
    at all records of a class, gets that far without knowing which record it is. The baseline guesses from the whole
    file. Of numbers the guess is the middle of the interval, twice the tolerance wide, that holds most of a class.
    """
    owner = truth_of(original, masked, truth)
    label = classes_of(masked, keys).label
    asked = Asked.one_each(label[owner >= 0])
    return _risk(
        "attribute_by_class", CLASS_MEANING, original, masked, columns, tolerance, owner, label, asked
    )


@registry.attack(
    family="attribute",
    scales=registry.EVERY_SCALE,
    missing=MISSING,
    meaning=LINK_MEANING,
    cites=("Lambert, Journal of Official Statistics 9(2), 1993",),
)
def attribute_by_link(
    original: Table,
    masked: Table,
    *,
    keys: Known = KEYS,
    columns: Learned = CONFIDENTIAL,
    tolerance: Tolerance = 0.1,
    truth: IntArray | None = None,
    progress: Progress = SILENT,
) -> Risk:
    """How often the best guess from the published records nearest to a person is right.

    Everybody whom the intruder knows is linked to the nearest published record, as `link` does it from the original to
    the masked table; the guess is made from all published records with the same keys as that one. Where records with
    different keys are as near, the chance is the mean over all of them, not the luck of one. A wrong link can still
    give the right value away. The baseline guesses from the whole file.
    """
    everybody = owners("attribute_by_link", original, masked, truth)
    classes = classes_of(masked, keys)
    published = people_tried(
        np.flatnonzero(everybody >= 0), MOST_COMPARED / max(1, int(classes.label.max(initial=0)) + 1)
    )
    owner = np.full(len(masked), -1, dtype=np.int64)
    owner[published] = everybody[published]
    both = records_of(original, masked, sorted(keys), everybody).only(owner[published])
    asked = nearest_classes(both, classes, published, progress)
    found = _risk(
        "attribute_by_link", LINK_MEANING, original, masked, columns, tolerance, owner, classes.label, asked
    )
    judged = everybody >= 0
    if len(published) == judged.sum() or found.records is None:
        return found
    records = np.where(judged & (owner < 0), np.nan, found.records)
    # People were drawn, not cells: what is learned of one column goes with what is learned of the others.
    return replace(
        found,
        records=records,
        interval=wilson(found.risk * len(published), len(published)),
        details={**found.details, **sampled(len(published), int(judged.sum()))},
    )


def _risk(
    name: str,
    meaning: str,
    original: Table,
    masked: Table,
    columns: Sequence[str],
    tolerance: float,
    owner: IntArray,
    label: IntArray,
    asked: Asked,
) -> Risk:
    """What is learned of the columns by those who look each person up in the classes `asked`."""
    paired = np.flatnonzero(owner >= 0)
    if len(paired) == 0:
        raise NotComputable(
            f"{name}: no published record belongs to anybody, so no guess can be right or wrong."
        )
    found = {column: _learned(original, masked, column, tolerance, owner, label, asked) for column in columns}
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


def _learned(
    original: Table,
    masked: Table,
    column: str,
    tolerance: float,
    owner: IntArray,
    label: IntArray,
    asked: Asked,
) -> _Learned:
    """What the classes asked, and the whole file, tell each person's intruder about a column.

    A published band stands for its middle. A general category gives away one of those under it, each as likely.
    """
    people = owner[owner >= 0]
    nothing, nowhere = np.zeros(len(masked), dtype=np.int64), np.zeros_like(people)
    compared = compare_column(original, masked, column, owner)
    if isinstance(compared, AxisColumn) and not compared.steps:
        tight = compared.tightened()
        middle = tight.low / 2 + tight.high / 2
        values, published, varies = _in_spreads(tight.known, middle)
        true = values[people]
        reach = tolerance * varies
        chance = chance_of_number(published, label, asked.label, true[asked.person], reach)
        guessing = chance_of_number(published, nothing, nowhere, true, reach)
        return _Learned(asked.expected(chance, len(people)), guessing, ~np.isnan(true))
    known, shown, given = _as_codes(compared)
    true_codes = known[people]
    chance = chance_of_category(shown, label, asked.label, true_codes[asked.person], given)
    guessing = chance_of_category(shown, nothing, nowhere, true_codes, given)
    return _Learned(asked.expected(chance, len(people)), guessing, true_codes != 0)


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


def _in_spreads(true: FloatArray, published: FloatArray) -> tuple[FloatArray, FloatArray, bool]:
    """Both columns in standard deviations of the true one, from a value in its middle; and whether it varies at all."""
    way = Scaling.of(true)
    known = true[~np.isnan(true)]
    # What is too far away to be told in standard deviations is infinitely far, and near to nothing.
    with np.errstate(over="ignore"):
        left, right = (way.from_pivot(each) / way.spread for each in (true, published))
    return left, right, bool(len(known)) and bool(known.min() < known.max())
