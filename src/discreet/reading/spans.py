"""How many cells a sheet spans, from the first to the last that holds something, while its part is unpacked.

Sheets are held as whole rectangles, so few bytes can stand for any number of cells: by a place far away (.xlsx, .xlsb),
or by a cell and a row that are repeated (.ods).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any
from xml.parsers import expat

PLACE = re.compile(rb"""\br=["']([A-Z]{1,3})([0-9]{1,7})["']""")
OVERLAP = 32
"""More bytes than the place of a cell takes: what the end of a piece may cut."""
ROW, LAST_CELL = 0, 11
"""In binary sheets the kind of a record that begins a row, and the last of the kinds from 1 on that are cells."""
NUMBER = 4
"""Bytes of the number that such a record begins with."""
ODF_CELLS = ("table:table-cell", "table:covered-table-cell")


class Span(ABC):
    """What is known of the sheet so far."""

    cells: int = 0
    """How many cells the rectangle has."""

    @abstractmethod
    def feed(self, piece: bytes) -> None:
        """Takes the next bytes of the part."""


def span_of(part: str) -> Span:
    """The span of a sheet in the part of an archive with this name; parts that hold no sheet span nothing."""
    if part == "content.xml":
        return Repeated()
    if part.endswith(".bin") and "printerSettings" not in part and "vbaProject" not in part:
        return Records()
    return Places()


class Places(Span):
    """A sheet in XML, each of whose cells says where it stands (.xlsx)."""

    def __init__(self) -> None:
        self._row, self._column, self._tail = 0, 0, b""

    def feed(self, piece: bytes) -> None:
        places = PLACE.findall(self._tail + piece)
        self._tail = piece[-OVERLAP:]
        if places:
            self._row = max(self._row, max(int(row) for _, row in places))
            self._column = max(
                self._column, max(_column(letters) for letters in {each for each, _ in places})
            )
            self.cells = self._row * self._column


def _column(letters: bytes) -> int:
    """The number of a column: 1 for A, 27 for AA.

    >>> _column(b"XFD")
    16384
    """
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number


class Records(Span):
    """A sheet in binary records: a kind, a length, and as many bytes, of which rows and cells begin with a number."""

    def __init__(self) -> None:
        self._rows, self._columns, self._rest, self._skipped = 0, 0, b"", 0

    def feed(self, piece: bytes) -> None:
        data = self._rest + piece
        place = self._skipped
        while found := _record(data, place):
            kind, number, after = found
            if kind == ROW:
                self._rows = max(self._rows, number + 1)
            elif kind <= LAST_CELL:
                self._columns = max(self._columns, number + 1)
            place = after
        self._rest, self._skipped = data[place:], max(0, place - len(data))
        self.cells = self._rows * self._columns


def _record(data: bytes, place: int) -> tuple[int, int, int] | None:
    """The kind of the record, the number that it begins with, and where the next one begins; None where it is cut."""
    kind, length, shift = 0, 0, 0
    try:
        kind = data[place]
        place += 1
        if kind > 127:
            kind = kind & 127 | data[place] << 7
            place += 1
        more = True
        while more:
            length |= (data[place] & 127) << shift
            more = data[place] > 127 and shift < 21
            shift += 7
            place += 1
    except IndexError:
        return None
    if kind <= LAST_CELL and len(data) < place + min(length, NUMBER):
        return None
    return kind, int.from_bytes(data[place : place + min(length, NUMBER)], "little"), place + length


class Repeated(Span):
    """The sheets of an OpenDocument workbook, whose rows and cells say how often they are repeated."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._others = self._place = self._width = self._widest = self._rows = self._times = self._last = 0
        self._in_cell = False

    def feed(self, piece: bytes) -> None:
        try:
            self._parser.Parse(piece)
        except expat.ExpatError:
            raise ValueError("this part of the workbook is no XML") from None

    def _begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "table:table-row":
            self._times, self._place, self._width = _times(attributes, "table:number-rows-repeated"), 0, 0
        elif name in ODF_CELLS:
            self._place += _times(attributes, "table:number-columns-repeated")
            self._in_cell = True
            if any(each.startswith("office:") for each in attributes):
                self._width = self._place

    def _text(self, _: str) -> None:
        if self._in_cell:
            self._width = self._place

    def _end(self, name: str) -> None:
        if name in ODF_CELLS:
            self._in_cell = False
        elif name == "table:table-row":
            self._rows += self._times
            if self._width:
                self._last, self._widest = self._rows, max(self._widest, self._width)
                self.cells = self._others + self._last * self._widest
        elif name == "table:table":
            self._others, self._rows, self._last, self._widest = self.cells, 0, 0, 0


def _times(attributes: Mapping[str, Any], name: str) -> int:
    given = attributes.get(name, "1")
    return int(given) if given.isascii() and given.isdigit() else 1
