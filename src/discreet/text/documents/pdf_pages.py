"""Pages set anew from text, in a font that has every letter of it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from discreet.text.documents.opened import Saved

SIZE, LEADING, MARGIN = 10, 13, 56
PLAIN = "Helvetica"
FONTS = ("Vera.ttf", "DejaVuSans.ttf")
"""The font that comes with the library that sets pages, and the one that most systems have."""
FOLDERS = (
    "/usr/share/fonts/truetype/dejavu",
    "/usr/share/fonts/dejavu",
    "/usr/share/fonts/TTF",
    "/Library/Fonts",
)
RIGHT_TO_LEFT = (("\u0590", "\u08ff"), ("\ufb1d", "\ufdff"), ("\ufe70", "\ufeff"))
SHAPED = (("\u0900", "\u109f"), ("\u1780", "\u17ff"))
"""Scripts whose letters change with their neighbours, which plain setting of pages does not know."""


def written(pages: Sequence[str]) -> Saved:
    """A PDF of these pages; a text file where no font at hand has all letters, or they run from right to left."""
    whole = "\n\n".join(pages)
    letters = {each for each in set(whole) if each.isprintable()}
    strange = any(low <= each <= high for each in letters for low, high in RIGHT_TO_LEFT + SHAPED)
    font = None if strange else _font(letters)
    if font is None:
        why = (
            "its letters run from right to left or join"
            if strange
            else "no font at hand has all of its letters"
        )
        return Saved(whole.encode("utf-8", "replace"), ".txt", f"written as text: {why}")
    return Saved(_set(pages, font), ".pdf")


def _font(letters: set[str]) -> str | None:
    try:
        "".join(letters).encode("cp1252")
    except UnicodeEncodeError:
        return next((name for name in FONTS if letters <= _letters_of(name)), None)
    return PLAIN


@cache
def _letters_of(name: str) -> frozenset[str]:
    """The letters that a font can show, once it is registered; none where it is not on this machine."""
    import reportlab
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    bundled = str(Path(reportlab.__file__).parent / "fonts")
    for folder in (bundled, *FOLDERS):
        place = Path(folder) / name
        if place.is_file():
            try:
                font = TTFont(name, str(place))
            except TTFError:
                continue
            pdfmetrics.registerFont(font)
            return frozenset(chr(each) for each in font.face.charToGlyph) | frozenset(" \u00a0\u00ad")
    return frozenset()


def _set(pages: Sequence[str], font: str) -> bytes:
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1, pageCompression=1)
    canvas.setAuthor("")
    canvas.setTitle("")
    width, height = A4
    lines_a_page = int((height - 2 * MARGIN) / LEADING)
    for page in pages:
        lines = list(_lines(page, font, width - 2 * MARGIN))
        for first in range(0, max(len(lines), 1), lines_a_page):
            _draw(canvas, lines[first : first + lines_a_page], font, height)
    canvas.save()
    return _without_metadata(out.getvalue())


def _without_metadata(content: bytes) -> bytes:
    """The same pages without properties and comments: those of the program that set them can be an original's too."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(content)))
    writer.metadata = None
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _draw(canvas: Any, lines: Sequence[str], font: str, height: float) -> None:
    text = canvas.beginText(MARGIN, height - MARGIN - SIZE)
    text.setFont(font, SIZE, LEADING)
    for each in lines:
        text.textLine(each)
    canvas.drawText(text)
    canvas.showPage()


def _lines(text: str, font: str, width: float) -> Iterator[str]:
    """The lines of a page, each as wide as the page at most; words too long for a line are cut."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    most = int(width / SIZE)
    for line in text.splitlines():
        plain = "".join(each if each.isprintable() else " " for each in line)
        if len(plain) <= most:
            yield plain
            continue
        current, used = "", 0.0
        for word in plain.split(" "):
            wide = stringWidth(f"{word} ", font, SIZE)
            if current and used + wide > width:
                yield current
                current, used = "", 0.0
            while wide > width:
                cut = most - 1
                yield word[:cut]
                word = word[cut:]
                wide = stringWidth(f"{word} ", font, SIZE)
            current = f"{current} {word}" if current else word
            used += wide
        yield current
