"""RTF: read by its groups and control words (rtf_reader.py), written as plain paragraphs.

Of a file, paragraphs, headers, footers, notes, annotations, text boxes, fields, hidden and deleted text and the
information about it are read. What is written holds the shown text, headers, footers and notes, and no formatting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from discreet.text.document import PartKind
from discreet.text.documents.opened import Keep, Opened, Opening, Saved
from discreet.text.documents.rtf_reader import RtfReader
from discreet.text.documents.slots import LETTER, Slot, held

START = "{\\rtf1\\ansi\\ansicpg1252\\deff0\\uc1{\\fonttbl{\\f0 Times New Roman;}}\\pard\\plain\n"
SHOWN = {PartKind.BODY, PartKind.CELL, PartKind.HEADING, PartKind.INSERTED, PartKind.TEXT_BOX}


def open_rtf(raw: bytes, opening: Opening) -> Opened:
    """An RTF text as parts."""
    if not raw.startswith(b"{\\rtf"):
        raise opening.broken("it is no RTF: it does not begin as one")
    reader = RtfReader(opening)
    slots = [held(kind, text) for kind, text in reader.read(raw.decode("latin-1"))]
    read = [each for each in slots if LETTER.search(each.text)]
    if not read and not reader.unread:
        raise opening.broken("it holds no text", "Leave it out (ignore).")

    def save(keep: Keep) -> Saved:
        return Saved(_written(slots).encode("ascii"), ".rtf")

    return Opened(slots=read, save=save, not_looked_into=reader.unread)


def _written(slots: Iterable[Slot]) -> str:
    """Plain paragraphs; a note stands in the paragraph that it is about."""
    lines = [START]
    notes: list[str] = []
    for slot in slots:
        words = "".join(_escaped(slot.text))
        if slot.kind in (PartKind.FOOTNOTE, PartKind.ENDNOTE):
            alternative = "\\ftnalt" if slot.kind is PartKind.ENDNOTE else ""
            notes += [f"{{\\super\\chftn{{\\footnote{alternative} {words}}}}}"] if words else []
        elif slot.kind in (PartKind.HEADER, PartKind.FOOTER):
            lines.append(f"{{\\{slot.kind.value} {words}\\par}}\n" if words else "")
        elif slot.kind in SHOWN:
            lines.append(f"{words}{''.join(notes)}\\par\n")
            notes = []
    return "".join([*lines, *notes, "}"])


def _escaped(text: str) -> Iterator[str]:
    for character in text:
        if character in "\\{}":
            yield f"\\{character}"
        elif character == "\t":
            yield "\\tab "
        elif character == "\n":
            yield "\\line "
        elif " " <= character < "\x7f":
            yield character
        else:
            units = character.encode("utf-16-le", "replace")
            for low, high in zip(units[::2], units[1::2], strict=True):
                code = low + 256 * high
                yield f"\\u{code - 65536 if code > 32767 else code}?"
