"""E-mail: fields, texts, pages, attachments by their own formats, and messages within messages.

What is written is a new message with the fields that a reader of mail sees, the texts, and the attachments that were
read, under other names. Pictures are left out unless they are kept, and so is what could not be looked into.
"""

from __future__ import annotations

import base64
import binascii
import email
import email.errors
import email.policy
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.header import Header, decode_header, make_header
from email.message import Message
from email.mime.application import MIMEApplication
from email.mime.base import MIMEBase
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from discreet.text.document import PartKind
from discreet.text.documents.html import open_html
from discreet.text.documents.opened import Keep, Opened, Opening, Saved
from discreet.text.documents.plain import is_encoding, open_plain
from discreet.text.documents.slots import LETTER, Slot, held

if TYPE_CHECKING:
    Mail = Message[str, str]
else:
    Mail = Message
SHOWN = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Subject", "Date")
KNOWN = {each.lower() for each in SHOWN} | {"message-id", "received", "mime-version", "return-path"}
BROKEN = (
    email.errors.NoBoundaryInMultipartDefect,
    email.errors.StartBoundaryNotFoundDefect,
    email.errors.MultipartInvariantViolationDefect,
)
LOCKED = ("application/pkcs7-mime", "application/x-pkcs7-mime", "multipart/encrypted")
SIGNED = re.compile(r"application/(?:x-)?(?:pgp-signature|pkcs7-signature|pgp-keys)")
ENDINGS = {
    "application/pdf": ".pdf",
    "application/rtf": ".rtf",
    "text/rtf": ".rtf",
    "text/markdown": ".md",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.oasis.opendocument.text": ".odt",
}
NEW_LINE = re.compile(r"[\r\n]+[ \t]*")
MOST_PARTS = 10_000


@dataclass(slots=True)
class _Leaf:
    """A part that is read by its own format, or a picture that can be kept as it is."""

    kind: str
    opened: Opened | None = None
    content: bytes = b""
    attached: bool = False


@dataclass(slots=True)
class _Many:
    """Parts together: mixed, alternative, related."""

    kind: str
    parts: list[_Node]


@dataclass(slots=True)
class _Message:
    """A message: the fields that are written, and what it holds."""

    fields: list[tuple[str, Slot]]
    inside: _Node | None


_Node = _Leaf | _Many | _Message


@dataclass(slots=True)
class _Reader:
    slots: list[Slot] = field(default_factory=list)
    unread: Counter[str] = field(default_factory=Counter)
    parts: int = 0

    def message(self, mail: Mail, opening: Opening) -> _Message:
        fields = []
        shown = {each.lower(): each for each in SHOWN}
        for name, value in mail.raw_items():
            kept = shown.get(name.lower())
            slot = held(PartKind.FIELD if kept else PartKind.PROPERTY, _field_text(str(value)))
            self.slots.append(slot)
            if kept:
                fields.append((kept, slot))
        return _Message(fields, self.part(mail, opening))

    def part(self, mail: Mail, opening: Opening) -> _Node | None:
        """What a part holds; None where it is not written."""
        self.parts += 1
        here = opening.inside(f"part {self.parts}") if self.parts > 1 else opening
        kind = mail.get_content_type()
        if self.parts > MOST_PARTS or any(isinstance(each, BROKEN) for each in mail.defects):
            raise here.broken("its parts cannot be told from each other: it is damaged")
        if kind in LOCKED:
            raise here.broken("it is encrypted", "Decrypt the message and save it anew.")
        if self.parts > 1:
            self._named(mail)
        if mail.is_multipart():
            return self._many(mail, kind, here)
        return self._leaf(mail, kind, here)

    def _named(self, mail: Mail) -> None:
        """Words about a part: its file name and description."""
        said = [
            mail.get_filename() or "",
            str(mail.get("Content-Description", "")),
            mail.get_param("name", ""),
        ]
        for each in {_field_text(str(each)) for each in said if isinstance(each, str) and each}:
            self.slots.append(held(PartKind.PROPERTY, each))

    def _many(self, mail: Mail, kind: str, opening: Opening) -> _Node:
        inner: list[Mail] = mail.get_payload()  # type: ignore[assignment]
        for around in (mail.preamble, mail.epilogue):
            self.slots.append(held(PartKind.HIDDEN, _unescaped(around or "")))
        parts: list[_Node | None]
        if kind.startswith("message/"):
            parts = [self.message(each, opening.inside("the message in it")) for each in inner]
        else:
            parts = [self.part(each, opening) for each in inner]
        kept = [each for each in parts if each is not None]
        if kind == "message/rfc822" and len(kept) == 1:
            return kept[0]
        subtype = kind.partition("/")[2] if kind.startswith("multipart/") else "mixed"
        return _Many(subtype if subtype in ("alternative", "related") else "mixed", kept)

    def _leaf(self, mail: Mail, kind: str, opening: Opening) -> _Node | None:
        content = _content(mail, opening)
        if not content.strip() or SIGNED.fullmatch(kind):
            return None
        if kind.startswith("image/"):
            self.unread["pictures"] += 1
            return _Leaf(kind, content=content)
        opened = _opened(mail, kind, content, opening)
        if opened is None:
            self.unread["attachments"] += 1
            return None
        self.slots += opened.slots
        self.unread.update(opened.not_looked_into)
        return _Leaf(kind, opened=opened, attached=_ending(mail, kind) != "")


def open_mail(raw: bytes, opening: Opening) -> Opened:
    """A message as parts."""
    try:
        mail: Mail = email.message_from_bytes(raw, policy=email.policy.compat32)
    except (RecursionError, ValueError, LookupError):
        raise opening.broken("it is damaged: its parts cannot be told from each other") from None
    if not KNOWN & {each.lower() for each in mail.keys()}:  # noqa: SIM118
        raise opening.broken("it is no e-mail message: it has none of the fields of one")
    reader = _Reader()
    try:
        message = reader.message(mail, opening)
    except RecursionError:
        raise opening.broken("its parts lie in each other too deeply") from None

    def save(keep: Keep) -> Saved:
        return Saved(_Writer(keep).message(message).as_bytes(policy=email.policy.compat32), ".eml")

    slots = [each for each in reader.slots if LETTER.search(each.text)]
    return Opened(slots=slots, save=save, not_looked_into=reader.unread)


def _unescaped(text: str) -> str:
    """Text whose bytes beyond ASCII the library has only kept, not read."""
    raw = text.encode("utf-8", "surrogateescape")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _field_text(value: str) -> str:
    """A field as a reader of mail shows it."""
    plain = _unescaped(NEW_LINE.sub(" ", value))
    try:
        return NEW_LINE.sub(" ", str(make_header(decode_header(plain))))
    except (LookupError, ValueError, email.errors.HeaderParseError):
        return plain


def _content(mail: Mail, opening: Opening) -> bytes:
    """The bytes of a part, decoded. Raises BadFile where they are not in the coding they are said to be in."""
    if str(mail.get("Content-Transfer-Encoding", "")).strip().lower() == "base64":
        text = "".join(str(mail.get_payload()).split())
        try:
            return base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            raise opening.broken("it is damaged: it is not base64 as it says") from None
    content = mail.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _ending(mail: Mail, kind: str) -> str:
    """The ending of an attachment's name, or that of its declared kind; none for the text of the message itself."""
    name = mail.get_filename() or ""
    return PurePosixPath(name.replace("\\", "/")).suffix.lower() or ENDINGS.get(kind, "")


def _opened(mail: Mail, kind: str, content: bytes, opening: Opening) -> Opened | None:
    from discreet.text.documents.formats import format_of_ending, open_bytes

    charset = mail.get_content_charset()
    told = Opening(name=opening.name, encoding=_known_charset(charset, opening), depth=opening.depth)
    ending = _ending(mail, kind)
    by_ending = format_of_ending(ending)
    if by_ending is not None and not (
        kind in ("text/plain", "text/html") and by_ending.name in ("text", "html")
    ):
        return open_bytes(content, by_ending, Opening(name=opening.name, depth=opening.depth))
    if kind in ("text/html", "application/xhtml+xml"):
        return open_html(content, told)
    return open_plain(content, told) if kind.startswith(("text/", "message/")) else None


def _known_charset(charset: str | None, opening: Opening) -> str | None:
    if charset is None or charset in ("us-ascii", "ascii", "default", "unknown-8bit"):
        return opening.encoding or "guess"
    if not is_encoding(charset):
        raise opening.broken("it is in an encoding that nobody knows")
    return charset


@dataclass(slots=True)
class _Writer:
    keep: Keep
    attached: int = 0
    multiparts: int = 0

    def message(self, message: _Message) -> Mail:
        mail = self._mime(message.inside) or MIMEText("", "plain", "utf-8")
        if isinstance(message.inside, _Message):
            mail = self._together("mixed", [mail])
        for name, slot in message.fields:
            text = NEW_LINE.sub(" ", slot.text)
            mail[name] = Header(text, None if text.isascii() else "utf-8", header_name=name).encode()
        return mail

    def _mime(self, node: _Node | None) -> Mail | None:
        if isinstance(node, _Message):
            return MIMEMessage(self.message(node))
        if isinstance(node, _Many):
            return self._together(node.kind, list(self._written(node.parts)))
        return None if node is None else self._leaf(node)

    def _written(self, nodes: list[_Node]) -> Iterator[Mail]:
        for node in nodes:
            mail = self._mime(node)
            if mail is not None:
                yield mail

    def _together(self, kind: str, parts: list[Mail]) -> Mail:
        self.multiparts += 1
        return MIMEMultipart(kind, boundary=f"=_parts_{self.multiparts}", _subparts=parts)

    def _leaf(self, leaf: _Leaf) -> Mail | None:
        if leaf.opened is None:
            if not self.keep.pictures:
                return None
            picture = MIMEBase(*leaf.kind.split("/", 1))
            picture.set_payload(base64.encodebytes(leaf.content).decode("ascii"))
            picture["Content-Transfer-Encoding"] = "base64"
            return picture
        saved = leaf.opened.save(self.keep)
        if not leaf.attached:
            kind = "html" if saved.ending == ".html" else "plain"
            return MIMEText(saved.content.decode("utf-8"), kind, "utf-8")
        self.attached += 1
        mail = MIMEApplication(saved.content)
        mail.add_header(
            "Content-Disposition", "attachment", filename=f"attachment-{self.attached}{saved.ending}"
        )
        return mail
