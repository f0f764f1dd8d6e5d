"""Hierarchies in CSV files: one row for each value from leaf to root, or one row for each link."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from discreet.errors import BadFile
from discreet.ontology.builder import VIRTUAL_ROOT, Builder
from discreet.ontology.readers.text import text_of

DELIMITERS = ";\t,"
BETWEEN_SYNONYMS = "|"
EVERYTHING = ("*", VIRTUAL_ROOT)
"""What the top of a hierarchy is called."""
COLUMNS = {"child", "parent", "label", "synonyms"}
OTHER_NAMES = {
    "id": "child",
    "code": "child",
    "parent_id": "parent",
    "parent_code": "parent",
    "name": "label",
}
"""What links are headed by in other files."""


def rows_of(path: Path) -> list[list[str]]:
    """The rows of a CSV file, empty lines included; the delimiter is the first of `;`, tab and `,` in the first row."""
    text = text_of(path)
    first = text.partition("\n")[0]
    delimiter = next((each for each in DELIMITERS if each in first), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        return [[cell.strip() for cell in row] for row in reader]
    except csv.Error as error:
        raise BadFile(f"'{path}', line {reader.line_num}: this is not CSV ({error}).") from error


def levels(path: Path) -> Builder:
    """A value generalisation hierarchy as ARX and anjana write it: in a row a value, then what it becomes.

    A value that stays the same from one level to the next is one concept; so is a text that several rows share.
    Empty cells are left out. The level of a text is the column in which it first stands in its row, the rightmost of
    these where rows differ.
    """
    result = Builder(name=path.stem)
    for row in rows_of(path):
        cells = [cell for cell in row if cell]
        for cell in cells:
            result.entry(cell)
            result.levels[cell] = max(result.levels.get(cell, 0), row.index(cell))
        result.links.extend((low, high) for low, high in pairwise(cells) if low != high)
    return result


def end_in_one(table: Sequence[Sequence[str]]) -> bool:
    """Whether the rows go up to one text by fewer and fewer others, as levels do and codes with their titles do not."""
    full = [row for row in table if any(row)]
    if not full or len({len(row) for row in full}) > 1 or len(full[0]) < 2:
        return False
    distinct = [len(set(column)) for column in zip(*full, strict=True)]
    if distinct[-1] > 1 or not full[0][-1]:
        return False
    top = full[0][-1]
    return top in EVERYTHING or set(top) == {"*"} or any(1 < count < distinct[0] for count in distinct[1:-1])


def edges(path: Path) -> Builder:
    """One row for each link: child, parent, and where headed so the child's label and its synonyms (parted by `|`).

    A row with an empty parent names a root. Raises BadFile, with the line, for a row that is too short or too long.
    """
    rows = rows_of(path)
    head = column_names(rows[0]) if rows else []
    columns = head or ["child", "parent"]
    result = Builder(name=path.stem)
    for line, row in enumerate(rows, start=1):
        if not row or (line == 1 and head):
            continue
        if len(row) != len(columns) or not row[columns.index("child")]:
            raise BadFile(f"'{path}', line {line}: expected {', '.join(columns)}; found {len(row)} columns.")
        link = dict(zip(columns, row, strict=True))
        entry = result.entry(link["child"])
        entry.label = link.get("label", "") or entry.label
        entry.words.update(
            (word.strip(), 1) for word in link.get("synonyms", "").split(BETWEEN_SYNONYMS) if word.strip()
        )
        if link["parent"]:
            result.links.append((link["child"], link["parent"]))
    return result


def column_names(head: list[str]) -> list[str]:
    """What the columns of a file of links are, when its first row names them; else nothing."""
    names = [OTHER_NAMES.get(cell.lower(), cell.lower()) for cell in head]
    named = len(set(names)) == len(names) and {"child", "parent"} <= set(names) <= COLUMNS
    return names if named else []
