"""Text of any encoding as UTF-8 bytes."""

from __future__ import annotations

import codecs

from discreet.errors import BadFile

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
USUAL = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257",
    "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr", "koi8_r",
]  # fmt: skip
ALIKE = ("cp1250", "cp1254", "cp1257")
"""Encodings that hold the western letters at the same places as cp1252, and are rarer."""
SAMPLE = 64_000
CHUNK = 1 << 20


def to_utf8(content: bytes, encoding: str | None, name: str, *, above: int = 0) -> tuple[bytes, str]:
    """The text as UTF-8 without a byte order mark, and the encoding that it was in.

    Without an encoding given, byte order marks and UTF-8 are recognised. Any other text is refused with the
    likeliest encoding named, because a wrong guess spoils every name in it silently; `encoding="guess"`
    takes that guess. Raises BadFile with the line of the first byte that does not fit; `above` are lines of the file
    that stand before this content.
    """
    if encoding is None or encoding == "guess":
        for mark, of in BYTE_ORDER_MARKS:
            if content.startswith(mark):
                encoding = of
                break
        else:
            return _unmarked(content, encoding == "guess", name, above)
    plain = codecs.lookup(encoding).name
    if plain in ("utf-8", "utf-8-sig", "ascii"):
        content = content.removeprefix(codecs.BOM_UTF8)
        wrong = first_not_utf8(content)
        if wrong is not None:
            raise BadFile(f"{_at(content, wrong, name, above)}: not {plain} text, as it should be.")
        return content, plain
    try:
        return content.decode(plain).removeprefix("\ufeff").encode("utf-8"), plain
    except UnicodeDecodeError as problem:
        raise BadFile(
            f"{_at(content, problem.start, name, above)}: not {plain} text, as it should be."
        ) from None


def _unmarked(content: bytes, guess: bool, name: str, above: int) -> tuple[bytes, str]:
    sixteen = _utf16_without_mark(content[:SAMPLE])
    if sixteen:
        return to_utf8(content, sixteen, name, above=above)
    wrong = first_not_utf8(content)
    if wrong is None:
        return content, "utf-8"
    likely = likely_encoding(content, wrong)
    if guess and likely:
        return to_utf8(content, likely, name, above=above)
    hint = f' It may be {likely}: if so, say encoding = "{likely}".' if likely else " Say its encoding."
    raise BadFile(f"{_at(content, wrong, name, above)}: the text is not UTF-8.{hint}")


def first_not_utf8(content: bytes) -> int | None:
    """The place of the first byte that is not UTF-8; None where all of it is."""
    if content.isascii():
        return None
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(content), CHUNK):
        kept = len(decoder.getstate()[0])
        try:
            decoder.decode(content[start : start + CHUNK], final=start + CHUNK >= len(content))
        except UnicodeDecodeError as problem:
            return start - kept + problem.start
    return None


def likely_encoding(content: bytes, wrong: int) -> str | None:
    """The likeliest encoding of a text that is not UTF-8 from the place `wrong` on; None where none fits."""
    from charset_normalizer import from_bytes

    start = content.rfind(b"\n", 0, wrong) + 1
    sample = content[start : start + SAMPLE]
    best = from_bytes(sample, cp_isolation=USUAL).best()
    found = None if best is None else best.encoding
    if found in (None, *ALIKE) and _decodes(content, "cp1252"):
        return "cp1252"
    return found


def _utf16_without_mark(head: bytes) -> str | None:
    """UTF-16 text of mostly western letters shows as a zero in every second byte."""
    if len(head) < 4 or len(head) % 2:
        head = head[: len(head) // 2 * 2]
    half = len(head) // 2
    if half < 2 or b"\x00" not in head:
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > 0.7 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.7 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


def _decodes(content: bytes, encoding: str) -> bool:
    try:
        content[:CHUNK].decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _at(content: bytes, place: int, name: str, above: int) -> str:
    line = content.count(b"\n", 0, place) + 1 + above
    return f"{name}, line {line}"
