"""PDF: the text of its pages, and every string in its objects that somebody wrote.

What is written is set anew from the text (see pdf_pages.py): nothing of the old file is in it, least of all text
under a black box.
"""

from __future__ import annotations

import contextlib
import io
import logging
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pypdf
import pypdfium2 as pdfium
from pypdf.errors import PyPdfError
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, StreamObject, TextStringObject

from discreet.text.document import PartKind
from discreet.text.documents.opened import Keep, Opened, Opening, Saved
from discreet.text.documents.slots import LETTER, Slot, held

HYPHEN = re.compile("[\ufffe\x02]\r?\n?")
"""How the library marks a word that goes on in the next line."""
UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f]")
MOST_UNREADABLE = 0.2
SCAN = 0.5
"""The share of a page that a picture covers where the page is taken for a scan."""
KEYS = {
    "/URI": PartKind.LINK,
    "/Alt": PartKind.ALT_TEXT,
    "/ActualText": PartKind.ALT_TEXT,
    "/V": PartKind.BODY,
    **dict.fromkeys(("/Contents", "/RC", "/Subj"), PartKind.COMMENT),
    **dict.fromkeys(
        [
        "/Title", "/Author", "/Subject", "/Keywords", "/Creator", "/Producer", "/Company", "/Manager", "/T",
        "/TU", "/TM", "/DV", "/E", "/F", "/UF", "/Desc", "/JS", "/Name", "/Reason", "/Location",
        "/ContactInfo", "/NM", "/CA", "/Lang", "/P",
    ],
        PartKind.PROPERTY,
    ),
}  # fmt: skip
"""Where words stand in the objects of a file."""
PROBLEMS = (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError)
MOST_DEPTH = 40


def open_pdf(raw: bytes, opening: Opening) -> Opened:
    """A PDF as parts: one for each page, and those of its objects."""
    unread: Counter[str] = Counter()
    try:
        with _quiet():
            reader = pypdf.PdfReader(io.BytesIO(raw), strict=False)
            if reader.is_encrypted:
                raise opening.broken("it is locked by a password", "Save it anew without one.")
            slots = [*_pages(raw, opening, unread), *_objects(reader, unread)]
    except PROBLEMS:
        raise opening.broken("it is damaged: its objects cannot be read") from None

    def save(keep: Keep) -> Saved:
        from discreet.text.documents.pdf_pages import written

        return written([each.text for each in slots if each.kind is PartKind.BODY])

    return Opened(
        slots=[each for each in slots if LETTER.search(each.text)], save=save, not_looked_into=unread
    )


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What the library would log can hold words of the file."""
    logger = logging.getLogger("pypdf")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _pages(raw: bytes, opening: Opening, unread: Counter[str]) -> list[Slot]:
    """The text layer, page by page. Raises BadFile for a scan, and for text that is no characters."""
    try:
        document = pdfium.PdfDocument(raw)
    except pdfium.PdfiumError:
        raise opening.broken("it is damaged or locked by a password: it cannot be read") from None
    slots: list[Slot] = []
    scans: list[int] = []
    try:
        for number in range(len(document)):
            try:
                text, pictures, covered = _page(document[number])
            except pdfium.PdfiumError:
                raise opening.broken(f"page {number + 1} is damaged and cannot be read") from None
            unread["pictures"] += pictures
            if not text.strip() and pictures and covered > SCAN:
                scans.append(number + 1)
            slots.append(held(PartKind.BODY, text))
    finally:
        document.close()
    _check(slots, scans, opening)
    return slots


def _check(slots: list[Slot], scans: list[int], opening: Opening) -> None:
    text = "".join(each.text for each in slots)
    if scans or not text.strip():
        which = f"page {scans[0]} is" if scans and text.strip() else "it is"
        raise opening.broken(
            f"{which} a scan or a drawing without a text layer",
            "Run text recognition on it first, or leave it out (ignore).",
        )
    if len(UNREADABLE.findall(text)) > MOST_UNREADABLE * len(text):
        raise opening.broken(
            "its text layer does not say which characters it shows",
            "Run text recognition on it first, or leave it out (ignore).",
        )


def _page(page: Any) -> tuple[str, int, float]:
    """The text of a page, how many pictures it holds, and the largest share of it that one of them covers."""
    try:
        layer = page.get_textpage()
        try:
            text: str = layer.get_text_range() if layer.count_chars() > 0 else ""
        finally:
            layer.close()
        width, height = page.get_size()
        pictures, covered = 0, 0.0
        for each in page.get_objects(filter=[pdfium.raw.FPDF_PAGEOBJ_IMAGE]):
            pictures += 1
            left, bottom, right, top = each.get_bounds()
            covered = max(covered, abs((right - left) * (top - bottom)) / max(width * height, 1.0))
        return HYPHEN.sub("", text).replace("\r\n", "\n").replace("\r", "\n"), pictures, covered
    finally:
        page.close()


def _objects(reader: Any, unread: Counter[str]) -> Iterator[Slot]:
    """The words in the objects of a file: properties, bookmarks, annotations, forms, descriptions, names."""
    seen: set[tuple[PartKind, str]] = set()
    numbers = {(number, generation) for generation, table in reader.xref.items() for number in table}
    numbers |= {(number, 0) for number in reader.xref_objStm}
    for number, generation in sorted(numbers):
        found = reader.get_object(IndirectObject(number, generation, reader))
        if isinstance(found, DictionaryObject):
            unread["attached files"] += found.get("/Type") == "/EmbeddedFile"
            if found.get("/Type") == "/Metadata" and isinstance(found, StreamObject):
                text = found.get_data().decode("utf-8", "replace")
                for each in re.findall(r">([^<>]*\w[^<>]*)<", text):
                    seen.add((PartKind.PROPERTY, each.strip()))
        seen.update(_strings(found, 0))
    trailer = reader.trailer.get("/Info")
    if isinstance(trailer, DictionaryObject):
        seen.update(_strings(trailer, 0))
    for kind, text in sorted(seen):
        yield held(kind, text)


def _strings(value: Any, depth: int) -> Iterator[tuple[PartKind, str]]:
    """The words in an object and in what it holds directly; what it refers to is an object of its own."""
    if depth > MOST_DEPTH:
        return
    if isinstance(value, DictionaryObject):
        for key in value:
            inner = value.raw_get(key)
            if isinstance(inner, TextStringObject) and key in KEYS:
                yield KEYS[key], str(inner)
            elif isinstance(inner, DictionaryObject | ArrayObject):
                yield from _strings(inner, depth + 1)
            elif isinstance(inner, TextStringObject):
                yield PartKind.HIDDEN, str(inner)
    elif isinstance(value, ArrayObject):
        for inner in list.__iter__(value):
            if isinstance(inner, TextStringObject):
                yield PartKind.HIDDEN, str(inner)
            elif isinstance(inner, DictionaryObject | ArrayObject):
                yield from _strings(inner, depth + 1)
    elif isinstance(value, TextStringObject):
        yield PartKind.HIDDEN, str(value)
