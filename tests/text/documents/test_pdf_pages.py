"""PDF files are set anew, and tell nothing of who or what set them."""

from __future__ import annotations

import io

from pypdf import PdfReader

from discreet.text.documents.pdf_pages import _set


def test_pages_hold_their_text_and_no_properties() -> None:
    content = _set(["First page.", "Second page."], "Helvetica")
    reader = PdfReader(io.BytesIO(content))
    assert [page.extract_text().strip() for page in reader.pages] == ["First page.", "Second page."]
    assert not reader.metadata
    assert b"reportlab" not in content.lower()
    assert b"pypdf" not in content.lower()


def test_the_same_pages_are_the_same_bytes() -> None:
    assert _set(["A page."], "Helvetica") == _set(["A page."], "Helvetica")
