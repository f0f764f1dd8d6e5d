"""How a delimited text is written: what separates its fields, and what its decimal sign is."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter

import polars as pl

from discreet.dialect import Dialect
from discreet.project import ReadOptions

DELIMITERS = (",", ";", "\t", "|")
SAMPLE = 64_000
WITH_COMMA = re.compile(r"\s*[-+]?\d+,(\d+)\s*")
WITH_POINT = re.compile(r"\s*[-+]?\d*\.\d+\s*")


def find_delimiter(text: bytes) -> str:
    """The delimiter that gives most records as many fields as the header has; a comma where there is none."""
    best, best_score = ",", (0.0, 0)
    for each in DELIMITERS:
        widths = [len(record) for record in records_of(text, each)]
        if not widths or widths[0] < 2:
            continue
        agree = sum(width == widths[0] for width in widths) / len(widths)
        score = (round(agree, 2), widths[0])
        if score > best_score:
            best, best_score = each, score
    return best


def find_decimal(text: bytes, delimiter: str, *, named: bool) -> str:
    """The decimal sign: a comma only where numbers are plainly written so.

    Where every comma stands before exactly three digits it may as well group thousands, so that it is not taken for
    a decimal sign: the column then stays text, and the steward is asked. Where commas separate the cells, those inside
    quotation marks count.
    """
    after = Counter[int]()
    for record in records_of(text, delimiter)[int(named) :]:
        for cell in record:
            if WITH_POINT.fullmatch(cell):
                return "."
            comma = WITH_COMMA.fullmatch(cell)
            if comma:
                after[len(comma.group(1))] += 1
    return "," if set(after) - {3} else "."


def records_of(text: bytes, delimiter: str, *, blank: bool = False) -> list[list[str]]:
    """The first records, with blank lines if so, without the last where it may have been cut."""
    head = text[:SAMPLE].decode("utf-8", errors="ignore")
    cut = len(text) > SAMPLE
    records: list[list[str]] = []
    try:
        cells = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter)
        records.extend(record for record in cells if record or blank)
    except csv.Error:
        # A cell longer than the csv module allows, or a stray carriage return: what came before is enough.
        cut = False
    return records[:-1] if cut and len(records) > 1 else records


def dialect_of(
    text: bytes, delimiter: str, decimal: str, first: pl.DataFrame, frame: pl.DataFrame, options: ReadOptions
) -> Dialect:
    """How a text is written, as its first records show it; the encoding and the line ends are those of the file."""
    names_quoted, quoted = _quoted(text, delimiter, len(frame.columns))
    decimals = {
        each.name: count
        for each in frame
        if each.dtype.is_float() and each.name not in options.formats
        for count in [_decimals(_unmarked(first[each.name], options), decimal)]
        if count is not None
    }
    return Dialect(
        delimiter=delimiter,
        decimal=decimal,
        names_quoted=names_quoted,
        quoted=tuple(name for place, name in enumerate(frame.columns) if place in quoted),
        formats={name: form for name, form in options.formats.items() if name in frame.columns},
        decimals=decimals,
    )


def _unmarked(texts: pl.Series, options: ReadOptions) -> pl.Series:
    """The texts without those that the steward says are missing in their column."""
    return texts.filter(~texts.is_in(list(options.missing_in.get(texts.name, ()))))


def _decimals(texts: pl.Series, decimal: str) -> int | None:
    """How many decimals all the numbers have; None where some have others."""
    counts = (
        texts.drop_nulls()
        .str.extract(rf"{re.escape(decimal)}(\d+)\s*$")
        .str.len_chars()
        .fill_null(0)
        .unique()
    )
    return int(counts.item()) if len(counts) == 1 else None


def _quoted(text: bytes, delimiter: str, width: int) -> tuple[bool, set[int]]:
    """Whether all names stand in quotation marks, and the places of the columns whose cells all do, needed or not."""
    lines = [line for line in text[:SAMPLE].decode("utf-8", errors="ignore").split("\n")[:-1] if line.strip()]
    mark = re.escape(delimiter)
    cell = re.compile(rf'(?:^|{mark})("(?:[^"]|"")*"|[^{mark}"]*)(?={mark}|$)')
    records = [cell.findall(line.rstrip("\r")) for line in lines]
    records = [record for record in records if len(record) == width]
    if not records:
        return False, set()
    names, *rows = records
    quoted = set()
    for place in range(width):
        cells = [row[place] for row in rows if row[place]]
        marked = [each for each in cells if each.startswith('"') and len(each) >= len('""')]
        needless = [
            each for each in marked if len(each) > len('""') and not re.search(rf'[{mark}"]', each[1:-1])
        ]
        if needless and len(marked) == len(cells):
            quoted.add(place)
    return all(name.startswith('"') for name in names), quoted
