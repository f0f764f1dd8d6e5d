"""Building the hierarchy of a column from its values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from pathlib import Path

import polars as pl

from discreet.bands import PERIODS
from discreet.coding import labels_of
from discreet.errors import BadParameter, BadValues, WrongScale, did_you_mean
from discreet.hierarchies.levels import (
    SEPARATOR_LENGTHS,
    Levels,
    frequency_levels,
    neighbour_levels,
    number_levels,
    period_levels,
    prefix_levels,
    round_widths,
)
from discreet.hierarchies.value_hierarchy import ValueHierarchy
from discreet.mask.hierarchies import hierarchies_of
from discreet.ontology.columns import Interpretation
from discreet.ontology.readers.icd import CODE, category_and_chapter
from discreet.table import Scale, Table

Step = float | str
WAYS = ("widths", "periods", "prefix", "icd", "nuts", "isco", "frequency", "neighbours", "ontology")
CODES = ("icd", "nuts", "isco")
"""Ways whose levels are the same whatever values occur."""
USUAL_PERIODS = ("month", "quarter", "year", "decade")
USUAL_SHARES = (0.01, 0.05)
NUTS = re.compile(
    "(?:AL|AT|BA|BE|BG|CH|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IS|IT|LI|LT|LU|LV|ME|MK|MT|NL|NO|PL|PT|RO|RS|SE|SI|SK|TR|UK|XK)"
    "[0-9A-Z]{2,3}"
)
"""Regions of Europe of the second and third level, by the countries that have them."""
FEWEST_IN_A_CODE = 3
"""Texts of one length with figures in them are taken for codes from so many characters on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is asked for, and the distinct values with their records, as texts."""

    table: Table
    column: str
    records: Mapping[str, int]
    steps: tuple[Step, ...]
    bottom: Step | None
    top: Step | None
    ontology: str | None

    @property
    def values(self) -> list[str]:
        return list(self.records)

    @property
    def series(self) -> pl.Series:
        return self.table.frame[self.column]


def hierarchy(
    table: Table,
    column: str,
    *,
    by: str | None = None,
    steps: Sequence[Step] | None = None,
    bottom: Step | None = None,
    top: Step | None = None,
    ontology: str | None = None,
) -> ValueHierarchy:
    """The hierarchy of a column: its values, and what each becomes from level to level, up to one text for all.

    `by` says how values are joined, and `steps` what each level is; both follow from the column when left out:

    - `widths`: numbers in bands of round widths, each a multiple of the one before, such as 5, 10, 20
    - `periods`: days by month, quarter, year and decade
    - `prefix`: codes by how many first characters are kept, such as 4, 3, 2; `nuts` and `isco` know their own
    - `icd`: codes by category and chapter
    - `frequency`: categories of less than a share of the records joined, such as 0.01, 0.05
    - `neighbours`: ordered categories in runs, such as of 2 and 4
    - `ontology`: categories as the ontology of the column, or the one given, has them

    Numbers below `bottom` and from `top` on, or days, share an open band at each level above the values. Each level is
    a coarsening of the one before, and every value of the column is in it. Raises WrongScale where the column cannot be
    joined in this way, BadParameter for steps that are not nested, BadValues for values that no file can hold.

    >>> ages = dc.hierarchy(table, "age", steps=[10, 20], top=80)
    >>> sorted(set(ages.mapping(2).values()))[:3]
    ['>= 80', '[0, 20)', '[20, 40)']
    """
    described = table[column]
    if by is not None and by not in WAYS:
        raise BadParameter(f"hierarchy: by must be one of {', '.join(WAYS)}.{did_you_mean(by, WAYS)}")
    asked = _Asked(
        table=table,
        column=described.name,
        records=_counted(table, column),
        steps=tuple(steps or ()),
        bottom=bottom,
        top=top,
        ontology=ontology,
    )
    if not asked.records:
        raise BadValues(f"column '{column}' has no values to join.")
    way = by or _usual_way(asked)
    if way not in ("widths", "periods") and (bottom is not None or top is not None):
        raise BadParameter(
            f"hierarchy: bottom and top are for numbers and days; '{column}' is joined by {way}."
        )
    if ontology is not None and way != "ontology":
        raise BadParameter(f"hierarchy: an ontology is given, but '{column}' is to be joined by {way}.")
    levels = BUILDERS[way](asked)
    return ValueHierarchy.of(
        column, asked.records, levels if asked.steps or way in CODES else _that_join(levels, asked.values)
    )


def _that_join(levels: Levels, values: list[str]) -> Levels:
    """The levels that join more than the one below them does, and not all values."""
    kept: Levels = []
    for name, texts in levels:
        if 1 < len(set(texts)) < len(set(kept[-1][1] if kept else values)):
            kept.append((name, texts))
    return kept


def _counted(table: Table, column: str) -> dict[str, int]:
    """Each value as text, in the order of the values, with its records."""
    series = table.frame[column].alias("value")
    texts = pl.DataFrame({"value": series, "text": labels_of(series)}).drop_nulls()
    if series.dtype.is_float() and not bool(texts["value"].is_finite().all()):
        raise BadValues(f"column '{column}' has infinite values. Make them missing, or cap them.")
    counted = texts.group_by("text").agg(pl.col("value").min(), pl.len().alias("records"))
    found = dict(counted.sort("value", "text").select("text", "records").iter_rows())
    order = table[column].order
    return {value: found.get(value, 0) for value in order} if order else found


def _usual_way(asked: _Asked) -> str:
    """How the values of a column are joined where nothing is said."""
    described, values = asked.table[asked.column], asked.values
    if asked.ontology is not None or (described.ontology and described.scale != Scale.NUMERIC):
        return "ontology"
    if asked.series.dtype in (pl.Date, pl.Datetime):
        return "periods"
    if described.scale == Scale.NUMERIC:
        return "widths"
    if described.scale == Scale.ORDINAL:
        return "neighbours"
    if all(NUTS.fullmatch(value) for value in values):
        return "nuts"
    if all(CODE.match(value) and value[0].isalpha() for value in values):
        return "icd"
    lengths = {len(value) for value in values}
    codes = all(any(sign.isdigit() for sign in value) for value in values)
    return "prefix" if codes and len(lengths) == 1 and min(lengths) >= FEWEST_IN_A_CODE else "frequency"


def _by_widths(asked: _Asked) -> Levels:
    if not asked.series.dtype.is_numeric():
        raise _unfit(asked, "widths", "numbers")
    bottom, top = (
        None if end is None else _number(end, "bottom and top") for end in (asked.bottom, asked.top)
    )
    _check_ends(bottom, top)
    widths = [_number(step, "steps") for step in asked.steps]
    if any(width <= 0 for width in widths) or any(
        wide % narrow or wide == narrow for narrow, wide in pairwise(widths)
    ):
        raise BadParameter(
            "hierarchy: widths must be above 0, each a multiple of the one before, such as 5,10,20."
        )
    inner = [
        number
        for number in map(Decimal, asked.values)
        if (bottom is None or number >= bottom) and (top is None or number < top)
    ]
    return number_levels(asked.values, widths or (round_widths(inner) if inner else []), bottom, top)


def _by_periods(asked: _Asked) -> Levels:
    if asked.series.dtype not in (pl.Date, pl.Datetime):
        raise _unfit(asked, "periods", "days")
    periods = [str(step) for step in asked.steps] or list(USUAL_PERIODS)
    places = [PERIODS.index(each) if each in PERIODS else -1 for each in periods]
    if -1 in places or any(one >= other for one, other in pairwise(places)):
        raise BadParameter(f"hierarchy: periods must be some of {', '.join(PERIODS)}, in this order.")
    if not bool(asked.series.drop_nulls().dt.year().is_between(1, 9999).all()):
        raise BadValues(f"column '{asked.column}' has days outside the years 1 to 9999.")
    bottom, top = (None if end is None else _day(end) for end in (asked.bottom, asked.top))
    _check_ends(bottom, top)
    return period_levels(asked.values, periods, bottom, top)


def _by_prefix(asked: _Asked) -> Levels:
    longest = max(map(len, asked.values))
    lengths = _falling(asked) or list(range(min(longest, 6) - 1, 0, -1))
    return prefix_levels(asked.values, lengths, "*")


def _by_nuts(asked: _Asked) -> Levels:
    return prefix_levels(asked.values, _falling(asked) or SEPARATOR_LENGTHS["nuts"], "")


def _by_isco(asked: _Asked) -> Levels:
    return prefix_levels(asked.values, _falling(asked) or SEPARATOR_LENGTHS["isco"], "")


def _by_icd(asked: _Asked) -> Levels:
    _check_no_steps(asked, "icd")
    if not any(CODE.match(value) for value in asked.values):
        raise _unfit(asked, "icd", "codes such as E11.9")
    found = category_and_chapter(asked.values)
    return [
        ("categories", [category for category, _ in found]),
        ("chapters", [chapter for _, chapter in found]),
    ]


def _by_frequency(asked: _Asked) -> Levels:
    shares = [float(_number(step, "steps")) for step in asked.steps] or list(USUAL_SHARES)
    if not all(0 < share < 1 for share in shares) or sorted(set(shares)) != shares:
        raise BadParameter(
            "hierarchy: shares must rise between 0 and 1, such as 0.01,0.05: rarer values are joined."
        )
    return frequency_levels(asked.records, shares)


def _by_neighbours(asked: _Asked) -> Levels:
    if asked.table[asked.column].scale == Scale.NOMINAL:
        raise _unfit(asked, "neighbours", "an order")
    sizes = [int(step) for step in _wholes(asked)]
    if any(size < 2 for size in sizes) or any(
        wide % narrow or wide == narrow for narrow, wide in pairwise(sizes)
    ):
        raise BadParameter(
            "hierarchy: runs must be of 2 or more, each a multiple of the one before, such as 2,4."
        )
    doubled = [2**power for power in range(1, 20) if 2**power < len(asked.values)]
    return neighbour_levels(asked.values, sizes or doubled)


def _by_ontology(asked: _Asked) -> Levels:
    _check_no_steps(asked, "ontology")
    if asked.ontology is None and not asked.table[asked.column].ontology:
        raise BadParameter(f"hierarchy: column '{asked.column}' has no ontology; name one with ontology.")
    given = None if asked.ontology is None else {asked.column: asked.ontology}
    tree = hierarchies_of(asked.table, [asked.column], Interpretation(ontology=given, measured=False))[0]
    assert tree.space is not None
    place = {value: number for number, value in enumerate(tree.space.values)}
    return [
        (f"concepts, level {level}", [str(tree.labels[nodes[place[value]]]) for value in asked.values])
        for level, nodes in enumerate(tree.levels()[1:].tolist(), start=1)
    ]


BUILDERS: Mapping[str, Callable[[_Asked], Levels]] = {
    "widths": _by_widths,
    "periods": _by_periods,
    "prefix": _by_prefix,
    "icd": _by_icd,
    "nuts": _by_nuts,
    "isco": _by_isco,
    "frequency": _by_frequency,
    "neighbours": _by_neighbours,
    "ontology": _by_ontology,
}


def _falling(asked: _Asked) -> list[int]:
    """How many characters are kept, falling from level to level."""
    lengths = _wholes(asked)
    if any(length < 1 for length in lengths) or sorted(set(lengths), reverse=True) != lengths:
        raise BadParameter(
            "hierarchy: numbers of kept characters must fall from level to level, such as 4,3,2."
        )
    return lengths


def _wholes(asked: _Asked) -> list[int]:
    numbers = [_number(step, "steps") for step in asked.steps]
    if any(number != number.to_integral_value() for number in numbers):
        raise BadParameter("hierarchy: steps must be whole numbers here.")
    return [int(number) for number in numbers]


def _number(step: Step, what: str) -> Decimal:
    try:
        number = Decimal(str(step))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise BadParameter(f"hierarchy: {what} must be numbers here.")
    return number


def _day(end: Step) -> date:
    """The first day of a period, such as 1930 or 1930-07, or a day."""
    text = str(end)
    with_day = {4: "-01-01", 7: "-01"}.get(len(text), "")
    try:
        return date.fromisoformat(text + with_day)
    except ValueError:
        raise BadParameter(
            "hierarchy: bottom and top of days are written as 1930, 1930-07 or 1930-07-01."
        ) from None


def _check_ends(bottom: Decimal | date | None, top: Decimal | date | None) -> None:
    if bottom is not None and top is not None and not bottom < top:  # type: ignore[operator]
        raise BadParameter("hierarchy: bottom must be below top.")


def _check_no_steps(asked: _Asked, way: str) -> None:
    if asked.steps:
        raise BadParameter(f"hierarchy: steps cannot be given for {way}, which has its own.")


def _unfit(asked: _Asked, way: str, needed: str) -> WrongScale:
    others = ", ".join(each for each in WAYS if each != way)
    return WrongScale(
        f"hierarchy: {way} needs {needed}, which column '{asked.column}' does not have. Others: {others}."
    )


def hierarchy_from(path: str | Path, table: Table, column: str) -> ValueHierarchy:
    """The hierarchy in a file of levels, checked against a column: each of its values must have a row.

    Raises BadFile for a file that is no hierarchy, BadValues where values of the column are missing in it.
    """
    return ValueHierarchy.read(path, column=table[column].name, records=_counted(table, column))
