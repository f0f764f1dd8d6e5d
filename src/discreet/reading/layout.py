"""Where in a text or a sheet the names of the columns stand, between titles and units, and where notes follow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from discreet.project import ReadOptions
from discreet.reading.content import Content, unpacked
from discreet.reading.dialect import DELIMITERS, SAMPLE, find_delimiter, records_of
from discreet.reading.encodings import to_utf8
from discreet.reading.excel import sheets_of
from discreet.reading.header import MARKS, is_value

MOST_TITLES, MOST_UNITS = 20, 2
FEWEST_RECORDS = 3
LONGEST_UNIT = 20
UNIT = re.compile(
    r"[\[(].{1,20}[\])]|[^\W\d_]{1,5}\.?(?:\s?[/^·*]\s?[^\W_]{1,6}\d?)*|[€$£¥%‰°#µ].{0,12}|.{0,6}[€$£¥%²³]"
)
MOST_NOTES, LAST = 20, 40
NOTE = re.compile(
    r"(?:sources?|quellen?|fuentes?|fonti?|fonts?|bron|notes?|notas?|noten?|remarks?|anmerkungen?|hinweise?|remarques?"
    r"|footnotes?|fußnoten?|observaciones|avvertenze|comments?)\b.*[:\s]|[*†©]|\(?\d\)\s",
    re.IGNORECASE,
)
"""How notes begin: with the word for a source or a note, or with a mark that a heading refers to."""
Rows = Sequence[Sequence[str]]


def laid_out(content: Content, kind: str, options: ReadOptions) -> ReadOptions:
    """The options with what a look at the first rows tells, where nothing is said of it."""
    if kind == "csv":
        with_encoding = options if options.encoding else replace(options, encoding="guess")
        return _text_laid_out(content, with_encoding)
    return _book_laid_out(content, options) if kind == "excel" else options


def _text_laid_out(content: Content, options: ReadOptions) -> ReadOptions:
    text, _ = to_utf8(unpacked(content.raw, content.path.name), options.encoding, content.path.name)
    if b"\n" not in text:
        text = text.replace(b"\r", b"\n")
    if not _is_open(options):
        return options
    best, most = options, 0
    for delimiter in [options.delimiter] if options.delimiter else DELIMITERS:
        rows = records_of(text, delimiter, blank=True)
        titles, units = layout_of(rows)
        width = len(rows[titles]) if rows[titles:] else 0
        if (
            (titles or units)
            and width > max(1, most)
            and "\n" not in "".join(map("".join, rows[: titles + 1]))
        ):
            best, most = replace(options, header_row=titles + 1, unit_rows=units), width
        elif width > most:
            best, most = options, width
    return replace(best, note_rows=_notes_of_text(text, best))


def _notes_of_text(text: bytes, options: ReadOptions) -> int:
    """How many lines of notes stand below the records of a text."""
    head = text.split(b"\n", options.header_row - 1)[-1]
    delimiter = options.delimiter or find_delimiter(head)
    names = records_of(head, delimiter)
    lines = text.rstrip(b"\r\n")[-SAMPLE:].decode("utf-8", errors="ignore").splitlines()[-LAST:]
    rows = [next(iter(records_of(line.encode(), delimiter)), [""]) for line in lines]
    return notes_below(rows, len(names[0]) if names else 0)


def _book_laid_out(content: Content, options: ReadOptions) -> ReadOptions:
    sheets = sheets_of(content.raw, content.path.name)
    if options.sheet is not None:
        sheets = [each for each in sheets if each.name == options.sheet]
    if not sheets:
        return options
    # The first of those that hold most.
    sheet = max(sheets, key=lambda each: each.cells)
    options = replace(options, sheet=sheet.name)
    if not _is_open(options):
        return options
    titles, units = layout_of(sheet.first)
    width = max(sum(cell.strip() != "" for cell in row) for row in sheet.first)
    return replace(options, header_row=titles + 1, unit_rows=units, note_rows=notes_below(sheet.last, width))


def _is_open(options: ReadOptions) -> bool:
    """Whether nothing is said of where the names stand."""
    return options.header is None and options.header_row == 1 and not (options.unit_rows or options.note_rows)


def layout_of(rows: Rows) -> tuple[int, int]:
    """How many rows of titles stand above the names of the columns, and how many rows of units below.

    The names are the first row that is as wide as the records are and holds only words; a row of titles holds fewer.

    >>> rows = [["Table 1", ""], ["", ""], ["town", "income"], ["", "EUR"], ["Vic", "1"], ["Olot", "2"], ["Vic", "3"]]
    >>> layout_of(rows)
    (2, 1)
    """
    filled = [sum(cell.strip() != "" for cell in row) for row in rows]
    widths = Counter(count for count in filled if count > 1)
    if not widths or max(widths.values()) < FEWEST_RECORDS:
        return 0, 0
    width = max(count for count, often in widths.items() if often >= max(2, max(widths.values()) / 10))
    for place, row in enumerate(rows[: MOST_TITLES + 1]):
        if filled[place] >= width:
            if place and not _are_names(row):
                return 0, 0
            return place, _units_below(row, rows[place + 1 :])
    return 0, 0


def notes_below(rows: Rows, width: int) -> int:
    """How many of the last rows hold notes: a sentence of its own below a blank row, or one that begins as notes do.

    A record cut short, or one of which little is known, is none.

    >>> notes_below([["Vic", "31"], ["Reus", "45"], ["", ""], ["Source: own survey", ""]], 2)
    2
    """
    count = 0
    for place, row in enumerate(reversed(rows), start=1):
        said = [cell.strip() for cell in row if cell.strip()]
        # In a text a note may hold the sign between cells.
        several = len(said) > 1 and (len(row) == width or not NOTE.match(said[0]))
        if width < 2 or several or (said and row[0].strip() != said[0]):
            break
        above = rows[-place - 1] if place < len(rows) else ["above"]
        if not said:
            # A blank row belongs to the notes below it.
            count = place if count == place - 1 and count else count
        elif not is_value(said[0]) and (NOTE.match(said[0]) or not any(map(str.strip, above))):
            count = place
        else:
            break
    return count if count <= MOST_NOTES else 0


def _are_names(row: Sequence[str]) -> bool:
    names = [cell.strip() for cell in row if cell.strip()]
    return len(set(names)) == len(names) and not any(is_value(name) for name in names)


def _units_below(names: Sequence[str], rows: Rows) -> int:
    """How many rows below the names hold units: words above columns of numbers, and no number at all."""
    for count in range(MOST_UNITS, 0, -1):
        below = rows[count:]
        if len(below) >= FEWEST_RECORDS and all(_is_units(row, names, below) for row in rows[:count]):
            return count
    return 0


def _is_units(row: Sequence[str], names: Sequence[str], below: Rows) -> bool:
    """Whether every cell above numbers is a unit or empty, one is a unit, and no cell recurs below."""
    if not _are_names(names):
        return False
    units = 0
    for place, cell in enumerate(map(str.strip, row)):
        values = [each[place].strip() for each in below if place < len(each) and each[place].strip()]
        if not cell:
            continue
        if is_value(cell) or cell in values or len(cell) > LONGEST_UNIT:
            return False
        numbers = bool(values) and sum(is_value(each) for each in values) > 0.8 * len(values)
        if numbers and (cell.lower() in MARKS or not UNIT.fullmatch(cell)):
            return False
        units += numbers
    return units > 0
