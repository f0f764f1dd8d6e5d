"""The levels of one column, for each way of making them: names, and the text of each value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from math import floor

from discreet.bands import BELOW, FROM_ON, write_band, write_period, write_run
from discreet.mask.hierarchies import free_label

Levels = list[tuple[str, list[str]]]
MOST_BANDS = 20
"""So many bands the lowest level of numbers has at most, where no widths are asked for."""
EXACT_WHOLES = 2**53
"""Below this every whole number is a float64."""
DIGITS = Context(prec=800)
NEXT_WIDTH = {1: 2, 2: 10, 5: 10}
BETWEEN = " .-/"
SEPARATOR_LENGTHS = {"nuts": (4, 3, 2), "isco": (3, 2, 1)}
"""How many characters of these codes each level keeps."""


def number_levels(
    values: Sequence[str], widths: Sequence[Decimal], bottom: Decimal | None, top: Decimal | None
) -> Levels:
    """Bands of these widths that begin at multiples of them, open below `bottom` and from `top` on."""
    with localcontext(DIGITS):
        numbers = [Decimal(value) for value in values]
        return [
            (f"bands of {_written(width)}", [_band(number, width, bottom, top) for number in numbers])
            for width in widths
        ]


def round_widths(numbers: Sequence[Decimal]) -> list[Decimal]:
    """Widths of one, two or five times a power of ten, each a multiple of the one before, up to the whole range."""
    low, high = min(numbers), max(numbers)
    with localcontext(DIGITS):
        rough = (high - low) / MOST_BANDS
        if not rough:
            return []
        # Bands of one whole number each would join nothing.
        if all(number == number.to_integral_value() for number in numbers):
            rough = max(rough, Decimal(2))
        power = rough.adjusted()
        step = next(each for each in (1, 2, 5, 10) if Decimal(each).scaleb(power) >= rough)
        step, power = (1, power + 1) if step == 10 else (step, power)
        widths = []
        while Decimal(step).scaleb(power) < high - low:
            widths.append(Decimal(step).scaleb(power))
            following = NEXT_WIDTH[step]
            step, power = (1, power + 1) if following == 10 else (following, power)
    return widths


def period_levels(
    values: Sequence[str], periods: Sequence[str], bottom: date | None, top: date | None
) -> Levels:
    """The periods that hold the day of each value, open before the day `bottom` and from `top` on."""
    days = [date.fromisoformat(value[:10]) for value in values]

    def text(day: date, period: str) -> str:
        if bottom is not None and day < bottom:
            return f"{BELOW}{bottom.isoformat()}"
        return f"{FROM_ON}{top.isoformat()}" if top is not None and day >= top else write_period(day, period)

    return [(f"{period}s", [text(day, period) for day in days]) for period in periods]


def prefix_levels(values: Sequence[str], lengths: Sequence[int], fill: str) -> Levels:
    """So many first characters of each value, then the fill; shorter values stay."""
    return [
        (
            f"first {length} characters" if length > 1 else "first character",
            [value if len(value) <= length else value[:length].rstrip(BETWEEN) + fill for value in values],
        )
        for length in lengths
    ]


def frequency_levels(records: Mapping[str, int], shares: Sequence[float]) -> Levels:
    """The values of fewer records than these shares joined; two or more of them, else the level is left out."""
    total = sum(records.values())
    made: Levels = []
    for share in shares:
        rare = {value for value, count in records.items() if count < share * total}
        label = free_label(f"(rarer than {100 * share:.10g}%)", records)
        if len(rare) > 1:
            name = f"rarer than {100 * share:.10g}% joined"
            made.append((name, [label if value in rare else value for value in records]))
    return made


def neighbour_levels(order: Sequence[str], sizes: Sequence[int]) -> Levels:
    """Runs of so many neighbours in an order, counted from its first."""
    return [
        (
            f"{size} neighbours",
            [
                write_run(
                    order[place // size * size], order[min(place // size * size + size, len(order)) - 1]
                )
                for place in range(len(order))
            ],
        )
        for size in sizes
    ]


def _band(number: Decimal, width: Decimal, bottom: Decimal | None, top: Decimal | None) -> str:
    if bottom is not None and number < bottom:
        return f"{BELOW}{_written(bottom)}"
    if top is not None and number >= top:
        return f"{FROM_ON}{_written(top)}"
    low = floor(Fraction(number) / Fraction(width)) * width
    high = low + width
    low = low if bottom is None else max(low, bottom)
    high = high if top is None else min(high, top)
    # Beyond this a number may lie on the other side of an edge than its float64.
    beyond = max(abs(low), abs(high)) >= EXACT_WHOLES
    return write_band(_written(low), _written(high), closed=beyond)


def _written(number: Decimal) -> str:
    """The number without an exponent or needless zeros."""
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text
