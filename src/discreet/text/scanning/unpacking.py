"""The texts in a file, whatever it is packed in: members of archives, joined runs, decoded parts, attributes.

Written apart from the readers and writers of documents, and more simply: it has to find everything, and may find it
twice.
"""

from __future__ import annotations

import base64
import binascii
import email
import email.policy
import html
import io
import quopri
import re
import zipfile
import zlib
from collections.abc import Iterator
from email.header import decode_header, make_header
from typing import NamedTuple
from urllib.parse import unquote

from discreet.errors import BadFile
from discreet.reading.limits import check_growth

MOST_DEPTH = 12
CHUNK = 1 << 20
BLOCK_ENDS = re.compile(
    r"</(?:\w+:)?(?:p|h|div|li|tr|td|th|title|h[1-6]|table|section|pre|option|head|caption|dt|dd|blockquote)\s*>"
    r"|<(?:\w+:)?(?:br|tab|cr|line-break|s|hr|p|div|td|th|li|tr|h[1-6])(?:\s[^<>]*)?/?>",
    re.I,
)
TAG = re.compile(r"<!--|-->|<!\[CDATA\[|\]\]>|<[/!?]?[A-Za-z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
VALUE = re.compile(r"""=\s*(?:"([^"]*)"|'([^']*)')""")
LONG_CODE = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
QUOTED = re.compile(rb"=[0-9A-F]{2}|=\r?\n")
STRING = re.compile(rb"[\x20-\x7e\xc0-\xff][\x20-\x7e\x80-\xff]{7,}")
WIDE = re.compile(rb"(?:[\x20-\x7e]\x00){4,}")
RTF = re.compile(
    r"\\u(-?\d+) ?(?:\\'[0-9a-fA-F]{2}|[^\\{}])?|\\'([0-9a-fA-F]{2})|\\(par|line|tab|cell|row|sect|page)\b ?"
    r"|\\[A-Za-z]+-?\d* ?|\\\*|[{}]|\r|\n"
)
ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|(.))", re.S)
HEXADECIMAL = re.compile(rb"(?<!<)<([0-9A-Fa-f\s]{6,})>(?!>)")
MARKDOWN = re.compile(r"[*`~\[\]]|(?<!\w)_+|_+(?!\w)")


class Found(NamedTuple):
    """A text in a file, and what it is there."""

    kind: str
    text: str


def texts(content: bytes, name: str, depth: int = 0) -> Iterator[Found]:
    """Every text in a file. Raises BadFile where something lies too deep in it, or grows beyond the limits."""
    if depth > MOST_DEPTH:
        raise BadFile(
            f"{name}: files lie in each other more than {MOST_DEPTH} deep, and nobody looked further."
        )
    if content.startswith(b"PK\x03\x04"):
        yield from _archive(content, name, depth)
    elif content.startswith(b"\x1f\x8b"):
        yield from texts(_inflated(content, name, len(content), bits=31), name.removesuffix(".gz"), depth + 1)
    elif content.startswith(b"%PDF-"):
        yield from _pdf(content, name)
    elif content.startswith(b"{\\rtf"):
        yield Found("text", _rtf(content.decode("latin-1")))
        yield Found("source", content.decode("latin-1"))
    elif name.lower().endswith(".eml"):
        yield from _mail(content, name, depth)
    else:
        text = _text(content)
        if text is None:
            yield from _strings(content)
        else:
            yield from _marked(text, name, depth)


def _text(content: bytes) -> str | None:
    """The text of bytes that are text; None for others."""
    for mark, code in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if content.startswith(mark):
            return content.decode(code, "replace")
    if b"\x00" in content[:CHUNK]:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _marked(text: str, name: str, depth: int) -> Iterator[Found]:
    """Text with or without tags: as it is, without them, and the values of attributes."""
    yield Found("text", text)
    if "<" in text and ">" in text:
        yield Found("text without tags", html.unescape(TAG.sub("", BLOCK_ENDS.sub("\n", text))))
        values = "\n".join(one or other for one, other in VALUE.findall(text))
        if values:
            yield Found("attributes", html.unescape(values))
    elif "&" in text:
        yield Found("text", html.unescape(text))
    if "%" in text:
        yield Found("links", unquote(html.unescape(text)))
    if name.lower().endswith((".md", ".markdown")):
        yield Found("text without marks", MARKDOWN.sub("", text))
    for code in LONG_CODE.findall(text):
        decoded = _from_base64(code)
        if decoded is not None:
            yield from texts(decoded, f"{name}, coded data", depth + 1)


def _from_base64(code: str) -> bytes | None:
    try:
        return base64.b64decode(code[: len(code) // 4 * 4], validate=True)
    except (binascii.Error, ValueError):
        return None


def _strings(content: bytes) -> Iterator[Found]:
    """Readable stretches of bytes that are no text."""
    for each in STRING.findall(content):
        yield Found("readable bytes", each.decode("utf-8", "replace"))
        if not each.isascii():
            yield Found("readable bytes", each.decode("cp1252", "replace"))
    for each in WIDE.findall(content):
        yield Found("readable bytes", each.decode("utf-16-le", "replace"))


def _archive(content: bytes, name: str, depth: int) -> Iterator[Found]:
    grown = 0
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield Found("comment of an archive", archive.comment.decode("latin-1"))
            for member in archive.infolist():
                yield Found("name of a member", member.filename)
                yield Found("comment of a member", member.comment.decode("latin-1"))
                pieces = []
                with archive.open(member) as packed:
                    while piece := packed.read(CHUNK):
                        grown += len(piece)
                        check_growth(name, len(content), grown)
                        pieces.append(piece)
                for each in texts(b"".join(pieces), member.filename, depth + 1):
                    yield Found(f"{member.filename.rpartition('.')[2]} member, {each.kind}", each.text)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError):
        raise BadFile(f"{name}: an archive was written that cannot be read.") from None


def _rtf(source: str) -> str:
    def shown(found: re.Match[str]) -> str:
        if found.group(1):
            return chr(int(found.group(1)) % 65536)
        if found.group(2):
            return bytes([int(found.group(2), 16)]).decode("cp1252", "replace")
        return "\n" if found.group(3) else ""

    plain = RTF.sub(shown, source)
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _pdf(content: bytes, name: str) -> Iterator[Found]:
    """The text of the pages, the properties, and every string that stands uncompressed."""
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError:
        raise BadFile(f"{name}: a PDF was written that cannot be read.") from None
    try:
        yield Found("properties", "\n".join(document.get_metadata_dict().values()))
        for number in range(len(document)):
            page = document[number]
            layer = page.get_textpage()
            text = layer.get_text_range() if layer.count_chars() > 0 else ""
            layer.close()
            page.close()
            yield Found("page", re.sub("[\ufffe\x02]\r?\n?", "", text))
    finally:
        document.close()
    for each in re.finditer(rb"stream\r?\n(.*?)endstream", content, re.S):
        yield from _stream(each.group(1), name, len(content))
    outside = re.sub(rb"stream\r?\n.*?endstream", b"", content, flags=re.S)
    yield from _objects(outside)


def _objects(content: bytes) -> Iterator[Found]:
    """The strings of objects, with their escapes and in hexadecimal digits decoded."""
    yield Found("objects", content.decode("latin-1"))
    plain = ESCAPE.sub(lambda found: bytes([int(found[1], 8) & 255]) if found[1] else found[2], content)
    coded = [bytes.fromhex(_even(each)) for each in HEXADECIMAL.findall(content)]
    for each in (plain, *coded):
        yield Found("objects", each.decode("latin-1"))
        if b"\xfe\xff" in each:
            for wide in each.split(b"\xfe\xff")[1:]:
                yield Found("objects", wide.decode("utf-16-be", "replace"))


def _even(digits: bytes) -> str:
    text = b"".join(digits.split()).decode("ascii")
    return text if len(text) % 2 == 0 else f"{text}0"


def _stream(packed: bytes, name: str, stored: int) -> Iterator[Found]:
    plain = packed.strip(b"\r\n")
    if plain.endswith(b"~>"):
        try:
            plain = base64.a85decode(plain if plain.startswith(b"<~") else b"<~" + plain, adobe=True)
        except ValueError:
            return
    try:
        content = _inflated(plain, name, stored)
    except BadFile:
        content = plain
    yield from _strings(content)
    yield from _objects(content)


def _inflated(packed: bytes, name: str, stored: int, bits: int = 15) -> bytes:
    """What compressed bytes hold. Raises BadFile where they are damaged, or grow beyond the limits."""
    machine = zlib.decompressobj(bits)
    pieces: list[bytes] = []
    grown = 0
    try:
        while not machine.eof and (piece := machine.decompress(packed, CHUNK)):
            grown += len(piece)
            check_growth(name, stored, grown)
            pieces.append(piece)
            packed = machine.unconsumed_tail
    except zlib.error:
        raise BadFile(f"{name}: compressed data was written that cannot be read.") from None
    return b"".join(pieces)


def _mail(content: bytes, name: str, depth: int) -> Iterator[Found]:
    mail = email.message_from_bytes(content, policy=email.policy.compat32)
    for part in mail.walk():
        for field, value in part.items():
            yield Found("field", f"{field}: {value}")
            try:
                yield Found("field", str(make_header(decode_header(str(value)))))
            except (LookupError, ValueError, email.errors.HeaderParseError):
                continue
        for around in (part.preamble, part.epilogue):
            yield Found("around the parts", around or "")
        if not part.is_multipart():
            inner = part.get_payload(decode=True)
            title = part.get_filename() or f"part.{part.get_content_subtype()}"
            for each in texts(inner if isinstance(inner, bytes) else b"", title, depth + 1):
                yield Found(f"part of a message, {each.kind}", each.text)
    if QUOTED.search(content):
        yield Found("quoted text", quopri.decodestring(content).decode("utf-8", "replace"))
    yield Found("source", content.decode("utf-8", "replace"))
