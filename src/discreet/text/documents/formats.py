"""The formats of documents, in one table: how each is told, what opens it, and what is written instead."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from discreet.errors import NotInstalled
from discreet.text.documents.opened import Opened, Opening

ZIP = b"PK\x03\x04"
Opener = Callable[[bytes, Opening], Opened]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFormat:
    """One format: its endings, the bytes that it begins with, what opens it, and what a writer makes of it.

    `open` is named as `module:function` and looked up when a file needs it, so that libraries are loaded late.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    open: str
    written: str
    first_bytes: tuple[bytes, ...] = ()
    keeps: str = "nothing"


FORMATS = (
    DocumentFormat(
        name="text",
        title="plain text",
        endings=(".txt", ".text", ".log"),
        open="plain:open_plain",
        written=".txt, in UTF-8",
    ),
    DocumentFormat(
        name="markdown",
        title="Markdown",
        endings=(".md", ".markdown"),
        open="markdown:open_markdown",
        written=".md without front matter, comments, tags and pictures",
        keeps="comments, properties, hidden text, pictures",
    ),
    DocumentFormat(
        name="html",
        title="HTML",
        endings=(".html", ".htm", ".xhtml"),
        open="html:open_html",
        written=".html without scripts, styles, comments, hidden text, properties and pictures",
        keeps="comments, properties, hidden text, pictures",
    ),
    DocumentFormat(
        name="docx",
        title="Word",
        endings=(".docx", ".docm", ".dotx"),
        open="docx:open_docx",
        first_bytes=(ZIP, b"\xd0\xcf\x11\xe0"),
        written=".docx with its formatting; changes accepted, fields as they show",
        keeps="comments, hidden text, pictures",
    ),
    DocumentFormat(
        name="odt",
        title="OpenDocument text",
        endings=(".odt", ".ott"),
        open="odt:open_odt",
        first_bytes=(ZIP,),
        written=".odt with its formatting; changes accepted, fields as they show",
        keeps="comments, hidden text, pictures",
    ),
    DocumentFormat(
        name="rtf",
        title="RTF",
        endings=(".rtf",),
        open="rtf:open_rtf",
        first_bytes=(b"{\\rtf",),
        written=".rtf of plain paragraphs",
    ),
    DocumentFormat(
        name="mail",
        title="e-mail",
        endings=(".eml",),
        open="mail:open_mail",
        written=".eml with the fields that are shown, texts, and attachments that were read",
        keeps="pictures",
    ),
    DocumentFormat(
        name="pdf",
        title="PDF",
        endings=(".pdf",),
        open="pdf:open_pdf",
        first_bytes=(b"%PDF-",),
        written=".pdf set anew from the text, or .txt where no font has its letters",
    ),
)
ENDINGS = {ending: each for each in FORMATS for ending in each.endings}
OTHER = {
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\x1f\x8b": "a compressed file",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
}


def format_of_ending(ending: str) -> DocumentFormat | None:
    """The format with this ending; None where no format has it."""
    return ENDINGS.get(ending.lower())


def format_of(name: str) -> DocumentFormat | None:
    """The format of a file by the ending of its name."""
    return format_of_ending(PurePosixPath(name).suffix)


def open_bytes(raw: bytes, format: DocumentFormat, opening: Opening) -> Opened:
    """The content of a file, opened by its format. Raises BadFile where it is empty, damaged or of another format."""
    if not raw.strip(b" \t\r\n\x00"):
        raise opening.broken("it is empty", "Leave it out (ignore).")
    head = raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:16]
    if format.first_bytes and not head.startswith(format.first_bytes) and b"%PDF-" not in raw[:1024]:
        raise opening.broken(f"it does not begin as {format.title} does: it is damaged or of another format")
    if not format.first_bytes and (other := _other(head)):
        raise opening.broken(
            f"it is {other}, which the ending of its name does not say",
            "Give it the ending of its format, or leave it out (ignore).",
        )
    return _opener(format)(raw, opening)


def _other(head: bytes) -> str:
    """What a file is by its first bytes, where that is no text."""
    known = {mark: each.title for each in FORMATS for mark in each.first_bytes}
    found = next((title for mark, title in {**OTHER, **known}.items() if head.startswith(mark)), "")
    return "an archive or an office document" if head.startswith(ZIP) else found


def _opener(format: DocumentFormat) -> Opener:
    module, _, function = format.open.partition(":")
    try:
        opener: Opener = getattr(importlib.import_module(f"discreet.text.documents.{module}"), function)
    except ModuleNotFoundError as problem:
        raise NotInstalled(
            f"reading {format.title} needs {problem.name}, which is not installed. Run `pip install 'discreet[text]'`."
        ) from None
    return opener
