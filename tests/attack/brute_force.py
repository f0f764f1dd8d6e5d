"""What published cells can stand for and how far they are from known ones, cell by cell in plain Python.

Written from the definition alone, to compare the attacks with. Numbers come as numbers, ordered categories as their
places and published bands as pairs of their ends; categories come as texts. None is a blank.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isinf, log, sqrt
from statistics import median
from typing import Any

Number = float | None
Category = str | None
Ends = tuple[float, float] | None
Apart = list[list[float]]


def stands_for(
    known: Sequence[Category], published: Sequence[Category], truth: Sequence[int]
) -> dict[str, set[str]]:
    """The known categories that each published label can stand for.

    A label that nobody known has stands for those it was published for, and for those of whom a blank was published. A
    category stands for itself; one that others became, which are nowhere published as themselves, for these too.
    """
    pairs = [(known[owner], label) for owner, label in zip(truth, published, strict=True) if owner >= 0]
    kept = {one for one, label in pairs if one == label}
    meant = {}
    for label in {each for each in published if each is not None}:
        became = {one for one, other in pairs if other == label and one is not None}
        if label not in known:
            meant[label] = became | {one for one, other in pairs if other is None and one is not None}
        elif became - kept - {label}:
            meant[label] = became | {label}
        else:
            meant[label] = {label}
    return meant


def read_costs(known: Sequence[Category], published: Sequence[Category], truth: Sequence[int]) -> Apart:
    """The costs of categories read as all that they stand for, or by their names where agreement tells more then."""
    meant = stands_for(known, published, truth)
    by_name = {label: {label} if label in known else held for label, held in meant.items()}
    pairs = [(known[owner], label) for owner, label in zip(truth, published, strict=True) if owner >= 0]

    def tells(reading: dict[str, set[str]]) -> float:
        def share(of: Sequence[tuple[Category, Category]]) -> Fraction:
            agree = [one is None if label is None else one in reading[label] for one, label in of]
            return Fraction(sum(agree), len(agree))

        own = share(pairs)
        every = share([(one, label) for one in known for _, label in pairs])
        parts = ((own, every), (1 - own, 1 - every))
        return sum(float(one) * log(one / other) for one, other in parts if one)

    more = bool(pairs) and by_name != meant and tells(by_name) > tells(meant) * (1 + 2**-20)
    return category_costs(known, published, by_name if more else meant)


def category_costs(
    known: Sequence[Category], published: Sequence[Category], meant: dict[str, set[str]]
) -> Apart:
    """What each known and each published category cost beside each other: 0 or 1, or the mean where one is blank."""
    unlike = [
        float(one not in meant[label])
        for one in known
        for label in published
        if one is not None and label is not None
    ]
    blank = (sum(unlike) / len(unlike) if unlike else 0.0) or 1.0
    return [
        [
            blank * ((one is None) != (label is None))
            if one is None or label is None
            else float(one not in meant[label])
            for label in published
        ]
        for one in known
    ]


def tightened(known: Sequence[Number], published: Sequence[Ends]) -> list[Ends]:
    """The bands cut down to the known values in them; an open end of one without any is its other end."""
    values = sorted({each for each in known if each is not None})
    found: list[Ends] = []
    for ends in published:
        if ends is None or ends[0] == ends[1] or not values:
            found.append(ends)
            continue
        low, high = ends
        inside = [each for each in values if low <= each <= high]
        if inside:
            low, high = inside[0], inside[-1]
        found.append((high if isinf(low) else low, low if isinf(high) else high))
    return found


def scaled(
    known: Sequence[Number], published: Sequence[Ends], truth: Sequence[int] = ()
) -> tuple[list[Number], list[Ends]]:
    """Both columns in standard deviations from the mean.

    Published numbers go by their own mean and deviation, but by those of the known ones where there is a band, where
    all of them are known ones, and where that leaves the middle one of the gaps to the true values smaller.
    """
    cut = tightened(known, published)
    there = [each for each in cut if each is not None]
    moved = all(low == high for low, high in there) and any(low not in known for low, _ in there)
    ours = _moments([each for each in known if each is not None])
    theirs = _moments([low for low, _ in there]) if moved else ours

    def score(value: float, way: tuple[Fraction, float]) -> float:
        return float(Fraction(value) - way[0]) / way[1]

    pairs = [
        (known[owner], ends[0])
        for owner, ends in zip(truth, cut, strict=False)
        if owner >= 0 and ends is not None
    ]
    gaps = [
        [abs(score(one, ours) - score(low, way)) for one, low in pairs if one is not None]
        for way in (ours, theirs)
    ]
    if gaps[0] and median(gaps[0]) < median(gaps[1]) * (1 - 2.0**-20):
        theirs = ours
    return (
        [None if each is None else score(each, ours) for each in known],
        [None if each is None else (score(each[0], theirs), score(each[1], theirs)) for each in cut],
    )


def number_costs(
    known: Sequence[Number], published: Sequence[Ends], power: int, truth: Sequence[int] = ()
) -> Apart:
    """The gaps of known numbers from published bands in standard deviations, to the power of 1 or 2.

    Where one of two is blank it is the mean over all pairs of a known number and the middle of a published band, or 1
    where that is 0.
    """
    ours, theirs = scaled(known, published, truth)
    gaps = [
        abs(one - (ends[0] / 2 + ends[1] / 2)) ** power
        for one in ours
        for ends in theirs
        if one is not None and ends is not None
    ]
    blank = (sum(gaps) / len(gaps) if gaps else 0.0) or 1.0
    return [
        [
            blank * ((one is None) != (ends is None))
            if one is None or ends is None
            else max(0.0, ends[0] - one, one - ends[1]) ** power
            for ends in theirs
        ]
        for one in ours
    ]


def plain(values: Sequence[Number]) -> list[Ends]:
    """Published numbers as bands that hold nothing else."""
    return [None if each is None else (each, each) for each in values]


def summed(parts: Sequence[Apart], weights: Sequence[float]) -> Any:
    """The weighted sum of what the columns cost."""
    rows, columns = len(parts[0]), len(parts[0][0])
    return [
        [sum(w * part[i][j] for w, part in zip(weights, parts, strict=True)) for j in range(columns)]
        for i in range(rows)
    ]


def shared(chance: Sequence[float], rows: Sequence[Any], judged: Sequence[bool]) -> list[float]:
    """The chances of the judged records, each the mean over those whose published row is the same."""
    found = []
    for row, counts in zip(rows, judged, strict=True):
        twins = [one for one, other, too in zip(chance, rows, judged, strict=True) if too and other == row]
        found.append(sum(twins) / len(twins) if counts else 0.0)
    return found


def _moments(values: Sequence[float]) -> tuple[Fraction, float]:
    """The mean and the standard deviation by exact fractions, up to the root; a deviation of 0 counts as 1."""
    exact = [Fraction(each) for each in values]
    if not exact:
        return Fraction(0), 1.0
    middle = sum(exact) / len(exact)
    return Fraction(middle), sqrt(sum((each - middle) ** 2 for each in exact) / len(exact)) or 1.0
