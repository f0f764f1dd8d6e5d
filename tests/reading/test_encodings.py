"""Texts in other encodings: recognised where that is certain, refused with a guess where it is not."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadFile
from discreet.reading import encodings
from discreet.reading.encodings import first_not_utf8, likely_encoding, to_utf8

TEXT = "name,town\nAna,Reus\nBru,Vic\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_sixteen_bits_a_letter_are_recognised_with_and_without_a_mark(encoding: str) -> None:
    plain = TEXT.encode(encoding)
    assert to_utf8(plain, None, "f") == (TEXT.encode(), encoding)
    mark = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}[encoding]
    content, told = to_utf8(mark + plain, None, "f")
    assert content == TEXT.encode()
    assert told.startswith("utf-16")
    # A byte is missing at the end.
    with pytest.raises(BadFile, match="f, line 3: not utf-16"):
        to_utf8(plain[:-1], None, "f")


def test_few_zeros_make_no_text_of_sixteen_bits() -> None:
    for content in (b"a\x00", b"ab\x00c" * 20, b"\x00\x00" * 10, b"", b"a\x00b"):
        assert to_utf8(content, None, "f") == (content, "utf-8")
    assert to_utf8(b"a\x00b\x00", None, "f") == (b"ab", "utf-16-le")


def test_utf8_is_taken_with_and_without_its_mark() -> None:
    marked = codecs.BOM_UTF8 + "Reus és".encode()
    assert to_utf8(marked, None, "f")[0] == "Reus és".encode()
    assert to_utf8(marked, "utf-8", "f") == ("Reus és".encode(), "utf-8")
    assert to_utf8(b"Reus", None, "f") == (b"Reus", "utf-8")
    assert to_utf8(b"Reus", "ascii", "f") == (b"Reus", "ascii")


def test_what_is_not_in_the_encoding_is_told_by_its_line() -> None:
    wrong = b"one\ntwo\nthr\xe9e\n"
    for encoding in ("utf-8", "ascii"):
        with pytest.raises(BadFile, match=f"f, line 3: not {encoding} text, as it should be"):
            to_utf8(wrong, encoding, "f")
    with pytest.raises(
        BadFile, match=r"f, line 3: the text is not UTF-8\. It may be cp1252: if so, say encoding ="
    ):
        to_utf8(wrong, None, "f")
    assert to_utf8(wrong, "guess", "f") == ("one\ntwo\nthrée\n".encode(), "cp1252")
    assert to_utf8(wrong, "latin-1", "f") == ("one\ntwo\nthrée\n".encode(), "iso8859-1")
    assert to_utf8(b"fine", "guess", "f") == (b"fine", "utf-8")


@given(st.text(max_size=30), st.integers(0, 40), st.integers(1, 7))
def test_the_first_wrong_byte_is_found_however_the_text_is_cut(text: str, place: int, chunk: int) -> None:
    right = text.encode("utf-8", "ignore")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(encodings, "CHUNK", chunk)
        assert first_not_utf8(right) is None
        # 0xff stands nowhere in UTF-8; what stands before it is cut at a letter.
        before = right[:place].decode("utf-8", "ignore").encode()
        assert first_not_utf8(before + b"\xff" + right) == len(before)


def test_a_guess_looks_at_the_line_that_does_not_fit() -> None:
    content = b"plain\n" * 5 + "Müller und Söhne, Köln\n".encode("cp1252") * 3
    assert likely_encoding(content, 31) == "cp1252"
