"""Files that cannot be read, or should not be: an error with a name that holds none of their words, and no crash."""

from __future__ import annotations

import base64
import io
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.documents.samples import SAMPLES

from discreet.errors import BadFile, BadParameter, DiscreetError
from discreet.reading.limits import VARIABLE
from discreet.text import Corpus, PartKind, read, write_documents
from discreet.text.documents.formats import ENDINGS, format_of_ending, open_bytes
from discreet.text.documents.opened import Keep, Opened, Opening

SECRET = "Zorblaxquine"


def refused(content: bytes, ending: str, *words: str) -> None:
    """The content is refused, with these words and none of its own."""
    format = format_of_ending(ending)
    assert format is not None
    with pytest.raises(BadFile) as problem:
        open_bytes(content, format, Opening(name=f"x{ending}"))
    said = str(problem.value)
    assert said.startswith(f"x{ending}")
    assert all(word in said for word in words), said
    assert SECRET not in said


def with_member(content: bytes, name: str, member: bytes) -> bytes:
    """An archive with one member replaced or added."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for each in old.namelist():
            if each != name:
                new.writestr(each, old.read(each))
        new.writestr(name, member)
    return out.getvalue()


@pytest.mark.parametrize("ending", sorted(ENDINGS))
@pytest.mark.parametrize("content", [b"", b" \n\t\n", b"\x00\x00\x00"])
def test_an_empty_file_is_named(ending: str, content: bytes) -> None:
    refused(content, ending, "empty")


@pytest.mark.parametrize("ending", sorted(ENDINGS))
def test_bytes_at_random_are_refused_whatever_the_ending(ending: str) -> None:
    refused(random.Random(5).randbytes(5000), ending)


@pytest.mark.parametrize("ending", [".txt", ".md", ".html", ".eml"])
@pytest.mark.parametrize("other", [".docx", ".pdf", ".rtf"])
def test_a_document_under_the_ending_of_a_text_is_named(ending: str, other: str) -> None:
    refused(SAMPLES[other][0]({"body": SECRET}), ending, "ending")


@pytest.mark.parametrize("ending", [".docx", ".odt", ".pdf", ".rtf"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_file_that_was_cut_off_is_refused(ending: str, share: float) -> None:
    whole = SAMPLES[ending][0]({"body": SECRET})
    if ending == ".pdf":
        whole = whole.replace(b"startxref", b"startxxxx")
    refused(whole[: int(share * len(whole))], ending)


@pytest.mark.parametrize(
    ("ending", "part"),
    [
        (".docx", "word/footnotes.xml"),
        (".docx", "docProps/core.xml"),
        (".odt", "styles.xml"),
        (".odt", "meta.xml"),
    ],
)
def test_a_part_that_cannot_be_read_is_named(ending: str, part: str) -> None:
    refused(with_member(SAMPLES[ending][0]({}), part, f"<a>{SECRET}".encode()), ending, part)


@pytest.mark.parametrize("ending", [".docx", ".odt"])
@pytest.mark.parametrize("code", ["utf-8", "utf-16"])
def test_entities_are_never_expanded_or_fetched(ending: str, code: str) -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "lol"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>'
    outside = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'
    part = {".docx": "word/document.xml", ".odt": "content.xml"}[ending]
    for each in (bomb, outside):
        refused(with_member(SAMPLES[ending][0]({}), part, each.encode(code)), ending, part, "entities")


def test_a_zip_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1000000")
    bomb = with_member(SAMPLES[".docx"][0]({}), "word/media/image9.png", b"\x00" * 30_000_000)
    refused(bomb, ".docx", VARIABLE)


def test_two_members_of_one_name_are_refused() -> None:
    out = io.BytesIO(SAMPLES[".docx"][0]({}))
    with zipfile.ZipFile(out, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("word/document.xml", f"<a>{SECRET}</a>")
    refused(out.getvalue(), ".docx", "two members")


@pytest.mark.parametrize("ending", [".docx", ".docm"])
def test_a_document_with_a_password_is_named(ending: str) -> None:
    refused(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, ending, "password")


def test_an_odt_with_a_password_is_named() -> None:
    locked = with_member(SAMPLES[".odt"][0]({}), "META-INF/manifest.xml", b"<m><encryption-data/></m>")
    refused(locked, ".odt", "password")


@pytest.mark.parametrize("password", ["", "secret"])
def test_an_encrypted_pdf_is_named(password: str) -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(SAMPLES[".pdf"][0]({"first page": SECRET})))
    writer.encrypt(password, "owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    refused(out.getvalue(), ".pdf", "password")


def scan(text_too: bool) -> bytes:
    from PIL import Image
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    if text_too:
        canvas.drawString(50, 700, f"A page of text about {SECRET}.")
        canvas.showPage()
    canvas.drawImage(ImageReader(Image.new("L", (60, 80), 200)), 0, 0, 600, 800)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_a_scan_without_a_text_layer_needs_text_recognition_first() -> None:
    refused(scan(text_too=False), ".pdf", "scan", "text recognition")


def test_a_scanned_page_among_others_is_named_by_its_number() -> None:
    refused(scan(text_too=True), ".pdf", "page 2", "scan")


def nested(depth: int) -> bytes:
    content = b"From: a@example.org\r\nSubject: x\r\n\r\n" + SECRET.encode()
    for number in range(depth):
        content = (
            (
                f"From: a@example.org\r\nContent-Type: multipart/mixed; boundary=b{number}\r\n\r\n--b{number}\r\n"
                f"Content-Type: message/rfc822\r\n\r\n"
            ).encode()
            + content
            + f"\r\n--b{number}--\r\n".encode()
        )
    return content


def test_messages_in_messages_are_read_to_a_depth_and_refused_beyond_it() -> None:
    mail = format_of_ending(".eml")
    assert mail is not None
    opened = open_bytes(nested(6), mail, Opening(name="x.eml"))
    assert any(SECRET in each.text for each in opened.slots)
    refused(nested(12), ".eml", "deep")
    refused(nested(400), ".eml")


@pytest.mark.parametrize(
    "content",
    [
        b"Just a text about " + SECRET.encode(),
        b"From: a@b.c\r\nContent-Type: multipart/mixed\r\n\r\n--x\r\n\r\n" + SECRET.encode(),
        b"From: a@b.c\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\nno boundary " + SECRET.encode(),
        b"From: a@b.c\r\nContent-Transfer-Encoding: base64\r\n\r\n!!! not base64 !!!",
        b"From: a@b.c\r\nContent-Type: application/pkcs7-mime\r\n\r\n" + SECRET.encode(),
        b"From: a@b.c\r\nContent-Type: text/plain; charset=klingon\r\n\r\n" + SECRET.encode(),
        b"From: a@b.c\r\nContent-Type: application/pdf\r\n\r\nno PDF " + SECRET.encode(),
        b"From: a@b.c\r\nContent-Type: application/pdf; name=x.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + base64.b64encode(b"%PDF-1.4 " + SECRET.encode()),
    ],
)
def test_a_broken_message_is_refused(content: bytes) -> None:
    refused(content, ".eml")


@pytest.mark.parametrize("content", [b"{\\rtf1 {unclosed", b"{\\rtf1 a}}"[:-2], b"{\\rtf1 end\\", b"rtf"])
def test_a_broken_rtf_is_refused(content: bytes) -> None:
    refused(content, ".rtf")


def test_text_in_two_encodings_is_refused_with_its_line(tmp_path: Path) -> None:
    refused(f"Größe\n{SECRET}\n".encode() + "Größe".encode("cp1252"), ".txt", "line 3", "cp1252")
    (tmp_path / "a.txt").write_bytes("Größe".encode("cp1252"))
    (tmp_path / "b.txt").write_bytes("Größe".encode("utf-16"))
    (tmp_path / "c.txt").write_bytes("Größe".encode())
    assert [each.text for each in read(tmp_path, encoding="guess")] == ["Größe"] * 3
    write_documents(read(tmp_path, encoding="guess"), tmp_path / "out")
    assert {each.read_text("utf-8") for each in (tmp_path / "out").iterdir()} == {"Größe"}


def test_a_text_in_an_encoding_that_was_given_is_written_in_utf8(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes("<p>Größe</p>".encode("cp850"))
    corpus = read(tmp_path / "a.html", encoding="cp850")
    assert corpus.documents[0].text == "Größe"
    write_documents(corpus, tmp_path / "out")
    assert "Größe" in (tmp_path / "out" / "document-001.html").read_text("utf-8")


HEBREW = "שלום דוד כהן, מה שלומך"
ARABIC = "مرحبا يا محمد"


@pytest.mark.parametrize("text", [HEBREW, ARABIC, "👩‍👧 e\u0301 \u202eabc\u202c"])
@pytest.mark.parametrize("ending", [".txt", ".md", ".html", ".docx", ".odt", ".rtf", ".eml"])
def test_text_from_right_to_left_comes_back_as_it_was(ending: str, text: str, tmp_path: Path) -> None:
    make, places = SAMPLES[ending]
    place = "text" if "text" in places else "body"
    if ending == ".rtf":
        text = "".join(each for each in text if ord(each) < 65536)
    (tmp_path / f"x{ending}").write_bytes(make({place: text}))
    write_documents(read(tmp_path / f"x{ending}"), tmp_path / "out")
    assert text in read(tmp_path / "out").documents[0].text


def test_a_pdf_that_no_font_can_set_is_written_as_text_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(SAMPLES[".pdf"][0]({}))
    (document,) = read(tmp_path / "x.pdf")
    from discreet.text.document import Replacement

    for word in (HEBREW, "田中"):
        changed = Corpus(documents=(document.replaced([Replacement(0, 3, word)]),))
        (written,) = write_documents(changed, tmp_path / f"out{len(word)}")
        assert written.name == "document-001.txt"
        assert written.note.startswith("written as text")
        assert word in (tmp_path / f"out{len(word)}" / written.name).read_text("utf-8")


def test_letters_beyond_western_ones_are_set_in_a_font_that_has_them(tmp_path: Path) -> None:
    from discreet.text.document import Replacement

    (tmp_path / "x.pdf").write_bytes(SAMPLES[".pdf"][0]({}))
    (document,) = read(tmp_path / "x.pdf")
    changed = Corpus(documents=(document.replaced([Replacement(0, 3, "Łódź")]),))
    (written,) = write_documents(changed, tmp_path / "out")
    assert "Łódź" in read(tmp_path / "out" / written.name).documents[0].text


def test_a_very_long_line_is_one_part(tmp_path: Path) -> None:
    line = b"abcdefghi " * 1_000_000
    (tmp_path / "x.txt").write_bytes(line)
    corpus = read(tmp_path / "x.txt")
    assert len(corpus.documents[0].parts) == 1
    write_documents(corpus, tmp_path / "out", protected=["nobody"])
    assert (tmp_path / "out" / "document-001.txt").read_bytes() == line


def test_a_page_that_is_nested_very_deeply_is_read_or_refused() -> None:
    page = format_of_ending(".html")
    assert page is not None
    opened = open_bytes(b"<div>" * 500 + SECRET.encode(), page, Opening(name="x.html"))
    assert any(SECRET in each.text for each in opened.slots)
    refused(b"<div>" * 100_000 + SECRET.encode(), ".html", "deeply")


def test_a_folder_with_files_of_no_known_format_names_their_endings(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / f"{SECRET}.xyz").write_text("text")
    with pytest.raises(BadFile, match=r"1 files of 2 .*'\.xyz'") as problem:
        read(tmp_path)
    assert SECRET not in str(problem.value)
    assert len(read(tmp_path, ignore=["*.xyz"])) == 1


@pytest.mark.parametrize("target", ["../other/secret.txt", "..", ".", "nowhere.txt", "link.txt"])
def test_links_that_lead_elsewhere_are_refused(target: str, tmp_path: Path) -> None:
    """What lies outside is not published, and what a link to a folder holds is not left out unsaid."""
    for name in ("folder", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "secret.txt").write_text(SECRET)
    (tmp_path / "folder" / "link.txt").symlink_to(target)
    with pytest.raises(BadFile, match="1 links that lead out of it") as problem:
        read(tmp_path / "folder")
    assert SECRET not in str(problem.value)
    assert len(read(tmp_path / "folder", ignore=["link.txt"])) == 1


def test_a_link_to_another_document_of_the_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "b.txt").symlink_to("a.txt")
    assert [each.text for each in read(tmp_path)] == ["text", "text"]


def test_a_place_without_documents_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no document"):
        read(tmp_path)
    with pytest.raises(BadFile, match="no file or folder"):
        read(tmp_path / "nothing")


def mutated(content: bytes, draw: Callable[..., Any]) -> bytes:
    out = bytearray(content)
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, len(out) - 1))
        out[place] = draw(st.integers(0, 255))
    return bytes(out)


def opened_or_refused(content: bytes, ending: str) -> Opened | None:
    """What a file opens as; None where it is refused with an error that names it."""
    format = format_of_ending(ending)
    assert format is not None
    try:
        return open_bytes(content, format, Opening(name="x"))
    except DiscreetError as problem:
        if not str(problem).startswith("x"):
            raise
        return None


@settings(max_examples=250)
@given(ending=st.sampled_from(sorted(SAMPLES)), data=st.data())
def test_a_damaged_file_gives_parts_or_an_error_with_a_name(ending: str, data: st.DataObject) -> None:
    opened = opened_or_refused(mutated(SAMPLES[ending][0]({}), data.draw), ending)
    if opened is not None:
        assert all(isinstance(each.text, str) for each in opened.slots)
        assert isinstance(opened.save(Keep()).content, bytes)


@settings(max_examples=150)
@given(body=st.text(st.sampled_from("{}\\*'u0123456789abv \n;par"), max_size=60))
def test_any_rtf_gives_parts_or_an_error_with_a_name(body: str) -> None:
    opened = opened_or_refused(f"{{\\rtf1 {body}}}".encode(), ".rtf")
    if opened is not None and any(each.kind is PartKind.BODY for each in opened.slots):
        again = opened_or_refused(opened.save(Keep()).content, ".rtf")
        assert again is not None
        shown = [each.text for each in opened.slots if each.kind is PartKind.BODY]
        assert [each.text for each in again.slots if each.kind is PartKind.BODY] == shown


def test_an_encoding_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    for name in ("klingon", "base64", "no\x00name"):
        with pytest.raises(BadParameter, match="encoding"):
            read(tmp_path, encoding=name)


@pytest.mark.parametrize("piece", ["![", "[](", "<a b=", "_a", "<!--", "`", "*", "[x]:", "<x@"])
def test_markup_without_an_end_is_read_in_time_that_grows_as_its_length(piece: str) -> None:
    text = piece * 20_000
    opened = opened_or_refused(f"{text} words".encode(), ".md")
    assert opened is not None
    saved = opened.save(Keep()).content.decode()
    assert len(saved) <= len(text) + len(" words")


def test_a_long_run_of_marks_inside_a_word_is_read() -> None:
    opened = opened_or_refused(b"a" + b"_" * 200_000 + b"a", ".md")
    assert opened is not None
    assert opened.save(Keep()).content == b"a" + b"_" * 200_000 + b"a"
