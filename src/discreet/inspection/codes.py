"""Numbers that stand for a missing value: -9 where all else is positive, 999 far above all else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from discreet.inspection.marks import MISSING_LABELS

FEWEST = 10
"""In fewer records nothing stands out."""
SURE = frozenset({-7, -8, -9, -66, -77, -88, -97, -98, -99, -777, -888, -997, -998, -999, -9999, -99999})
"""Negative numbers that are used as codes; where nothing else is negative one record is enough."""
ALONE = -1.0
"""A code where it is the only negative number, repeats, and the others reach this: -1, 0, 1 is a scale."""
LARGE = 5
HIGH = ((9, 8, 7), (99, 98, 97, 88, 77), (999, 998, 997, 888, 777), (9999, 9998, 9997, 8888, 7777))
"""Codes that fill the width of a field with nines, and those used beside them."""
MOST = 0.5
"""A code that more records than this share have is the usual value, and no code."""
FAR, FEW_VALUES, OFTEN = 1.5, 8, 3


def labelled_codes(values: pl.Series, labels: Mapping[str, str]) -> tuple[str, ...]:
    """The numbers of a column whose labels say that the value is missing, such as "refused", as texts.

    None where there are no others, or more records have them than not.
    """
    present = values.drop_nulls()
    if not values.dtype.is_numeric() or present.is_empty():
        return ()
    said = [code for code, label in labels.items() if label.strip().casefold() in MISSING_LABELS]
    numbers = pl.Series(said).cast(pl.Float64, strict=False).drop_nulls()
    missing = present.cast(pl.Float64).is_in(numbers.to_list())
    if not missing.any() or int(missing.sum()) > MOST * present.len():
        return ()
    return tuple(f"{code:g}" for code in sorted(present.cast(pl.Float64).filter(missing).unique()))


def missing_codes(values: pl.Series, *, is_amount: bool) -> tuple[str, ...]:
    """The numbers of a column that stand out as codes for missing values, as texts.

    `is_amount` says that the column holds money or another amount, in which 999 and 9999 are tops rather than codes.
    """
    present = values.drop_nulls()
    if not values.dtype.is_numeric() or present.len() < FEWEST:
        return ()
    counted = present.value_counts(sort=False).sort(values.name)
    numbers, counts = counted[values.name].cast(pl.Float64).to_list(), counted["count"].to_list()
    often = dict(zip(numbers, counts, strict=True))
    found = _negative(often)
    if not is_amount:
        found += _high({number: count for number, count in often.items() if number not in found})
    if sum(often[code] for code in found) > MOST * present.len():
        return ()
    return tuple(f"{code:g}" for code in sorted(found))


def _negative(often: dict[float, int]) -> list[float]:
    """The negative codes, where nothing else is negative."""
    below = [number for number in often if number < 0]
    if below == [ALONE] and often[ALONE] > 1 and max(often) >= LARGE:
        return below
    small = {number for number in below if number not in SURE}
    # Beside -9 the others of its row are codes too: -1 refused, -2 unknown.
    if below and below != sorted(small) and small <= set(range(-6, 0)) and len(often) > len(below) + 1:
        return below
    return []


def _high(often: dict[float, int]) -> list[float]:
    """The codes of nines far above the other numbers, with those beside them."""
    for row in HIGH:
        codes = [code for code in row if code in often and often[code] > 1]
        rest = [number for number in often if number not in codes]
        if row[0] not in codes or not rest or max(rest) > row[0] or min(rest) < 0:
            continue
        if not _are_apart(codes, rest):
            codes, rest = [row[0]], [number for number in often if number != row[0]]
        if _are_apart(codes, rest) and _stand_out(codes, rest, often):
            return [float(code) for code in codes]
    return []


def _are_apart(codes: Sequence[float], rest: Sequence[float]) -> bool:
    return max(rest) < min(codes) - 1


def _stand_out(codes: Sequence[float], rest: Sequence[float], often: dict[float, int]) -> bool:
    """Whether the codes are far above the rest, or near it and much more frequent than the numbers below them."""
    top, code = max(rest), min(codes)
    if code < 10:
        # A scale of few steps: 1 to 5, and 9.
        return (
            len(rest) <= FEW_VALUES - 2
            and top <= FEW_VALUES - 2
            and often[code] >= often[top]
            and len(rest) > 1
        )
    if top > 0 and code >= FAR * top and len(rest) > 1:
        return True
    highest = sorted(rest)[-5:]
    usual = sum(often[number] for number in highest) / len(highest)
    return often[code] >= OFTEN * max(usual, 1) and often[code] >= 5 and code - top >= 3
