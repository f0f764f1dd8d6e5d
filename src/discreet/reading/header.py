"""Whether the first row of a file holds names, or the first person.

A file without a row of names is read with the cells of its first record as names, and names are published. So names
that look like cells stop the reading, unless the steward says which it is. Some are like cells whatever the column
holds: numbers, dates, e-mail addresses, numbers of phones, and codes written as those of their column are. Others only
recur in their own column, which also happens under good names ("Other" below "Other"): they count unless as many
columns show that their names are none of their values, as numbers do under a word.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import polars as pl

from discreet.errors import NoHeader

NUMBER = re.compile(r"(?=.*\d)[\s\d.,+\-'’%€$£¥:/()]+|[-+]?\d+(?:[.,]\d+)?[eE][-+]?\d+")
"""Digits and what stands between them: numbers, dates, times, numbers of phones, amounts."""
YEAR = re.compile(r"(?:1[5-9]|2[01])\d\d")
DATE = re.compile(
    r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[T ].*)?|\d{1,2}[-. /]?[^\W\d_]{3,9}[-. ,/]{0,2}\d{2,4}"
    r"|[^\W\d_]{3,9} \d{1,2},? \d{4}"
)
BAND = re.compile(
    r"\d+(?:[.,]\d+)?\s*(?:-|–|to)\s*\d+(?:[.,]\d+)?|\d+\s*\+|[<>≤≥]=?\s*\d+|[\[(]\d+[,;] ?\d+[\])]"
)
OTHER = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+|https?://.+|www\..+|(?=.*\d)[0-9a-fA-F-]{16,}")
"""E-mail addresses, addresses of pages, and random identifiers."""
SERIES = {"year": YEAR, "date": DATE, "band": BAND}
"""What columns of a wide table are called that holds a measure for each year, day or age group."""
NUMBERED = re.compile(r"(\D*?)(\d+)")
MARKS = frozenset(
    {
        "na",
        "n/a",
        "#n/a",
        "nan",
        "nil",
        "null",
        "none",
        "missing",
        "unknown",
        "refused",
        "?",
        ".",
        "-",
        "--",
        "*",
    }
)
"""Words for a missing value: under numbers they are no names."""

SAMPLE = 500
FEWEST_NUMBERED = 3
SOME, MOST, NEARLY_ALL = 0.2, 0.5, 0.95
"""Shares of the values of a column that are written as its name is, are of its kind, or are all of one kind."""
LONGEST_STEP, LONGEST_RUN = 10, 5
SHOWN = 10


def check_header(where: str, frame: pl.DataFrame) -> None:
    """Raises NoHeader, with places and no name, where names of columns look like values."""
    found = places_of_values(frame)
    if not found:
        return
    shown = ", ".join(map(str, found[:SHOWN])) + (
        f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    )
    raise NoHeader(
        f"{where}: {len(found)} of {frame.width} column names look like values (column {shown}), as where the first "
        "row is a record. If it is, say so: --no-header, header = false under [read], or header=False. If these are "
        "names: --header, header = true, or header=True."
    )


def places_of_values(frame: pl.DataFrame) -> list[int]:
    """The places, from 1, of the columns whose names look like values; none where that is no reason for doubt."""
    names = [name.strip() for name in frame.columns]
    numbered = _numbered(names)
    series = _series(names, frame)
    like = [
        place
        for place, name in enumerate(names)
        if place not in series
        and (is_value(name) or (place not in numbered and _is_written_alike(name, frame.to_series(place))))
    ]
    recurring = [
        place
        for place, name in enumerate(names)
        if place not in like and _recurs(name, frame.to_series(place))
    ]
    if recurring:
        differing = sum(_differs(name, frame.to_series(place)) for place, name in enumerate(names))
        if differing:
            recurring = [place for place in recurring if not _only_marks(frame.to_series(place))]
        if len(recurring) <= differing and not like:
            return []
    return [place + 1 for place in sorted((*like, *recurring))]


def is_value(text: str) -> bool:
    """Whether the text is a number, a date, a band of numbers or an address, whatever column it stands in."""
    return any(pattern.fullmatch(text) for pattern in (NUMBER, DATE, BAND, OTHER))


def _series(names: Sequence[str], frame: pl.DataFrame) -> set[int]:
    """The places of years, days or bands that name the columns of a wide table beside at least one good name."""
    if all(is_value(name) for name in names):
        return set()
    kept: set[int] = set()
    for kind, pattern in SERIES.items():
        places = [place for place, name in enumerate(names) if pattern.fullmatch(name)]
        values = [_sample(frame.to_series(place)) for place in places]
        if _follow(kind, [names[place] for place in places]) and all(
            each and _share(each, pattern) < MOST for each in values
        ):
            kept.update(places)
    return kept


def _follow(kind: str, names: list[str]) -> bool:
    """Whether the names go on in steps, as those of a series do: even steps of years, bands that rise, three days."""
    if kind == "date":
        return len(names) >= FEWEST_NUMBERED
    first = [int(re.search(r"\d+", name)[0]) for name in names]  # type: ignore[index]
    steps = [after - before for before, after in pairwise(first)]
    if not steps or 0 in steps or len({step > 0 for step in steps}) > 1:
        return False
    return kind == "band" or (len(set(steps)) == 1 and abs(steps[0]) <= LONGEST_STEP)


def _numbered(names: Sequence[str]) -> set[int]:
    """The places of names that number columns, such as V1, V2 and V3."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place, name in enumerate(names):
        numbered = NUMBERED.fullmatch(name)
        if numbered and numbered[1]:
            found[numbered[1]].append((int(numbered[2]), place))
    kept: set[int] = set()
    for each in found.values():
        numbers = sorted(number for number, _ in each)
        if len(each) >= FEWEST_NUMBERED and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
            kept.update(place for _, place in each)
    return kept


def _is_written_alike(name: str, values: pl.Series) -> bool:
    """Whether a name with digits is written as many values of its column are: the same runs of letters and digits."""
    if values.dtype != pl.String or not any(letter.isdigit() for letter in name):
        return False
    texts, wanted = _sample(values), _shape(name)
    return sum(_shape(text) == wanted for text in texts) > SOME * len(texts)


def _shape(text: str) -> str:
    """How a text is written: runs of digits as 9, of letters as A or a (short ones by length), signs as they are."""
    short = re.sub(r"\d+", "9", text.strip())
    return re.sub(r"[^\W\d_]+", _run, short)


def _run(letters: re.Match[str]) -> str:
    return ("A" if letters[0].isupper() else "a") * min(len(letters[0]), LONGEST_RUN)


def _recurs(name: str, values: pl.Series) -> bool:
    if values.dtype.is_numeric() or values.dtype.is_temporal():
        return False
    return bool(values.cast(pl.String).is_in([name, values.name]).any())


def _only_marks(values: pl.Series) -> bool:
    """Whether a column holds one text and blanks, as one does that marks who chose the answer it is called by."""
    return values.null_count() > 0 and values.drop_nulls().n_unique() == 1


def _differs(name: str, values: pl.Series) -> bool:
    """Whether nearly all values are numbers, days or addresses while the name is neither that nor a missing one."""
    if is_value(name) or name.lower() in MARKS or values.null_count() == values.len():
        return False
    if values.dtype.is_numeric() or values.dtype.is_temporal():
        return True
    texts = _sample(values)
    return sum(is_value(text) for text in texts) > NEARLY_ALL * len(texts)


def _share(texts: Sequence[str], pattern: re.Pattern[str]) -> float:
    return sum(pattern.fullmatch(text) is not None for text in texts) / max(1, len(texts))


def _sample(values: pl.Series) -> list[str]:
    """The first values as texts."""
    return [text.strip() for text in values.drop_nulls().head(SAMPLE).cast(pl.String)]
