"""Whatever stands anywhere in a document is read as a part, and is gone from every byte of the output once replaced."""

from __future__ import annotations

import email
import email.policy
import io
import re
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.documents.samples import PLACES, SAMPLES

from discreet.text import Corpus, Document, PartKind, leaks, read, write_documents
from discreet.text.document import Replacement
from discreet.text.documents.opened import LEFT_OUT

MARKER = "Zorblaxquine"
WITH_A_PICTURE = {
    (".md", "picture"),
    (".html", "picture"),
    (".html", "svg"),
    (".docx", "fallback"),
    (".docx", "alt text"),
    (".docx", "picture name"),
    (".odt", "alt text"),
    (".rtf", "field code"),
    (".rtf", "alt text"),
    (".pdf", "link target"),
}
"""Places that are not written because the picture, the copy or the link that they belong to is not."""


def replaced(document: Document, old: str, new: str) -> Document:
    return document.replaced(
        Replacement(found.start(), found.end(), new) for found in re.finditer(re.escape(old), document.text)
    )


def everything_in(content: bytes, name: str) -> Iterator[str]:
    """All text in a file, unpacked by hand."""
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.namelist():
                yield member
                yield from everything_in(archive.read(member), member)
    elif name.endswith(".eml"):
        message = email.message_from_bytes(content, policy=email.policy.default)
        for part in message.walk():
            yield str(part.items())
            if not part.is_multipart():
                yield from everything_in(part.get_payload(decode=True), part.get_filename() or "")  # type: ignore[arg-type]
    elif name.endswith(".pdf"):
        reader = pypdf.PdfReader(io.BytesIO(content))
        yield "\n".join(page.extract_text() for page in reader.pages)
        yield str(reader.metadata)
    elif name.endswith(".rtf"):
        yield re.sub(r"\\u(-?\d+)\?", lambda found: chr(int(found[1]) % 65536), content.decode("ascii"))
    text = content.decode("utf-8", "replace")
    yield text
    yield re.sub(r"<[^>]*>", "", unescape(text))
    yield text.replace("*", "")


def in_output(content: bytes, name: str, marker: str) -> bool:
    return any(marker in each for each in everything_in(content, name))


def only_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


@pytest.mark.parametrize(("ending", "place"), PLACES)
def test_what_stands_at_a_place_is_read_as_its_kind_of_part(ending: str, place: str, tmp_path: Path) -> None:
    make, kinds = SAMPLES[ending]
    (tmp_path / f"x{ending}").write_bytes(make({place: MARKER}))
    (document,) = read(tmp_path / f"x{ending}")
    assert kinds[place] in {part.kind for part in document.parts if MARKER in part.text}


@pytest.mark.parametrize(("ending", "place"), PLACES)
def test_what_is_left_out_is_not_written_and_what_is_kept_is_found_by_the_scan(
    ending: str, place: str, tmp_path: Path
) -> None:
    make, kinds = SAMPLES[ending]
    (tmp_path / f"x{ending}").write_bytes(make({place: MARKER}))
    write_documents(read(tmp_path / f"x{ending}"), tmp_path / "out")
    gone = kinds[place] in LEFT_OUT or (ending, place) in WITH_A_PICTURE
    file = only_file(tmp_path / "out")
    assert in_output(file.read_bytes(), file.name, MARKER) is not gone
    assert bool(leaks(tmp_path / "out", [MARKER])) is not gone


LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZäöüßéèñçøåÆ"
MORE = LETTERS + "αβγδΩжщъыЯ"


@settings(max_examples=250)
@given(where=st.sampled_from(PLACES), data=st.data())
def test_no_byte_of_the_output_holds_what_was_replaced(where: tuple[str, str], data: st.DataObject) -> None:
    ending, place = where
    marker = "Qz" + data.draw(st.text(LETTERS if ending == ".pdf" else MORE, min_size=5, max_size=12))
    make, _ = SAMPLES[ending]
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / f"x{ending}").write_bytes(make({place: marker}))
        (document,) = read(folder / f"x{ending}")
        assert marker in document.text
        changed = Corpus(documents=(replaced(document, marker, "Pers1"),))
        write_documents(changed, folder / "out", protected=[marker])
        file = only_file(folder / "out")
        assert not in_output(file.read_bytes(), file.name, marker)


@pytest.mark.parametrize("ending", SAMPLES)
def test_what_is_written_reads_back_as_the_text_that_was_shown(ending: str, tmp_path: Path) -> None:
    make, kinds = SAMPLES[ending]
    said = {place: f"Word{number}" for number, place in enumerate(kinds)}
    (tmp_path / f"x{ending}").write_bytes(make(said))
    before = read(tmp_path / f"x{ending}")
    write_documents(before, tmp_path / "out")
    after = read(only_file(tmp_path / "out"))
    kept = [
        word
        for place, word in said.items()
        if kinds[place] not in LEFT_OUT and (ending, place) not in WITH_A_PICTURE
    ]
    shown = re.findall(r"Word\d+\b", after.documents[0].text)
    assert set(shown) == set(kept)


@pytest.mark.parametrize("ending", SAMPLES)
def test_the_same_document_gives_the_same_bytes(ending: str, tmp_path: Path) -> None:
    (tmp_path / f"x{ending}").write_bytes(SAMPLES[ending][0]({}))
    corpus = read(tmp_path / f"x{ending}")
    write_documents(corpus, tmp_path / "one")
    write_documents(corpus, tmp_path / "two")
    assert only_file(tmp_path / "one").read_bytes() == only_file(tmp_path / "two").read_bytes()


@pytest.mark.parametrize("ending", [".docx", ".odt", ".html", ".md"])
@pytest.mark.parametrize("kind", [PartKind.COMMENT, PartKind.HIDDEN])
def test_a_steward_can_keep_comments_and_hidden_text(ending: str, kind: PartKind, tmp_path: Path) -> None:
    place = {PartKind.COMMENT: "comment", PartKind.HIDDEN: "tag" if ending == ".md" else "hidden"}[kind]
    (tmp_path / f"x{ending}").write_bytes(SAMPLES[ending][0]({place: MARKER}))
    (document,) = read(tmp_path / f"x{ending}")
    changed = Corpus(documents=(replaced(document, MARKER, "Pers1"),))
    write_documents(changed, tmp_path / "out", keep=[kind], protected=[MARKER])
    file = only_file(tmp_path / "out")
    assert in_output(file.read_bytes(), file.name, "Pers1")


@pytest.mark.parametrize("ending", [".docx", ".odt", ".eml"])
def test_pictures_are_named_and_left_out_unless_they_are_kept(ending: str, tmp_path: Path) -> None:
    (tmp_path / f"x{ending}").write_bytes(SAMPLES[ending][0]({}))
    corpus = read(tmp_path / f"x{ending}")
    assert any(each.startswith("pictures: ") for each in corpus.documents[0].not_looked_into)
    write_documents(corpus, tmp_path / "without")
    write_documents(corpus, tmp_path / "with", keep_pictures=True)
    without, kept = only_file(tmp_path / "without"), only_file(tmp_path / "with")
    assert not in_output(without.read_bytes(), without.name, "PNG")
    assert in_output(kept.read_bytes(), kept.name, "PNG")


def test_embedded_objects_are_named_as_not_looked_into(tmp_path: Path) -> None:
    (tmp_path / "x.docx").write_bytes(SAMPLES[".docx"][0]({}))
    (document,) = read(tmp_path / "x.docx")
    assert "embedded objects: 1" in document.not_looked_into
