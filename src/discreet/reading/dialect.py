"""How a delimited text is written: what separates its fields, and what its decimal sign is."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter

DELIMITERS = (",", ";", "\t", "|")
SAMPLE = 64_000
WITH_COMMA = re.compile(r"\s*[-+]?\d+,(\d+)\s*")
WITH_POINT = re.compile(r"\s*[-+]?\d*\.\d+\s*")


def find_delimiter(text: bytes) -> str:
    """The delimiter that gives most records as many fields as the header has; a comma where there is none."""
    best, best_score = ",", (0.0, 0)
    for each in DELIMITERS:
        widths = [len(record) for record in _sample(text, each)]
        if not widths or widths[0] < 2:
            continue
        agree = sum(width == widths[0] for width in widths) / len(widths)
        score = (round(agree, 2), widths[0])
        if score > best_score:
            best, best_score = each, score
    return best


def find_decimal(text: bytes, delimiter: str) -> str:
    """The decimal sign: a comma only where numbers are plainly written so.

    Where every comma stands before exactly three digits it may as well group thousands, so that it is not taken for
    a decimal sign: the column then stays text, and the steward is asked.
    """
    if delimiter == ",":
        return "."
    after = Counter[int]()
    for record in _sample(text, delimiter)[1:]:
        for cell in record:
            if WITH_POINT.fullmatch(cell):
                return "."
            comma = WITH_COMMA.fullmatch(cell)
            if comma:
                after[len(comma.group(1))] += 1
    return "," if set(after) - {3} else "."


def _sample(text: bytes, delimiter: str) -> list[list[str]]:
    """The first records, without the last where it may have been cut."""
    head = text[:SAMPLE].decode("utf-8", errors="ignore")
    cut = len(text) > SAMPLE
    records: list[list[str]] = []
    try:
        records.extend(
            record for record in csv.reader(io.StringIO(head, newline=""), delimiter=delimiter) if record
        )
    except csv.Error:
        # A cell longer than the csv module allows, or a stray carriage return: what came before is enough.
        cut = False
    return records[:-1] if cut and len(records) > 1 else records
