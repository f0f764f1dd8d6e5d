"""Documents are written whole or not at all, under other names, from originals that are as they were read."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from tests.text.documents.samples import SAMPLES

import discreet as dc
from discreet.errors import BadParameter, GuaranteeBroken, Mismatch, WouldOverwrite
from discreet.text import Corpus, Document, Part, PartKind, read, write_documents
from discreet.text.document import Replacement


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "in"
    (place / "sub").mkdir(parents=True)
    (place / "Ann Lee.txt").write_text("Ann Lee wrote.")
    (place / "sub" / "b.md").write_text("# Ann Lee\n\nhello")
    (place / ".hidden.txt").write_text("not read")
    return place


def names(folder: Path) -> list[str]:
    return sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file())


def test_files_have_numbers_for_names_and_the_names_of_originals_are_told_apart(
    folder: Path, tmp_path: Path
) -> None:
    written = write_documents(dc.text.read(folder), tmp_path / "out")
    assert names(tmp_path / "out") == ["document-001.txt", "document-002.md"]
    assert [each.original for each in written] == ["Ann Lee.txt", "sub/b.md"]
    assert "Ann" not in repr(written)


def test_names_can_be_kept(folder: Path, tmp_path: Path) -> None:
    write_documents(read(folder), tmp_path / "out", keep_names=True)
    assert names(tmp_path / "out") == ["Ann Lee.txt", "sub/b.md"]


def test_two_documents_never_take_one_name(tmp_path: Path) -> None:
    documents = tuple(Document.of(text, name="a.txt") for text in ("one", "two"))
    write_documents(Corpus(documents=documents), tmp_path / "out", keep_names=True)
    assert names(tmp_path / "out") == ["a-2.txt", "a.txt"]


@pytest.mark.parametrize("name", ["../a.txt", "/a.txt", "a/../../b.txt"])
def test_a_name_never_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="below"):
        write_documents(Corpus(documents=(Document.of("x", name=name),)), tmp_path / "out", keep_names=True)
    assert list(tmp_path.iterdir()) == []


def test_a_protected_string_that_is_left_writes_nothing(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(GuaranteeBroken):
        write_documents(read(folder), tmp_path / "out", protected=["Ann Lee"])
    assert names(tmp_path) == names(tmp_path / "in") or not (tmp_path / "out").exists()
    assert not (tmp_path / "out").exists()


def test_a_kept_name_of_a_file_is_looked_through_too(folder: Path, tmp_path: Path) -> None:
    corpus = read(folder / "Ann Lee.txt")
    clean = Corpus(documents=(corpus.documents[0].replaced([Replacement(0, 7, "Pers1")]),))
    write_documents(clean, tmp_path / "out", protected=["Ann Lee"])
    with pytest.raises(GuaranteeBroken, match="name of the file") as problem:
        write_documents(clean, tmp_path / "named", protected=["Ann Lee"], keep_names=True)
    assert "Ann" not in str(problem.value)


def test_an_original_that_changed_since_is_an_error(folder: Path, tmp_path: Path) -> None:
    corpus = read(folder)
    (folder / "Ann Lee.txt").write_text("Something else.")
    with pytest.raises(Mismatch, match="changed since"):
        write_documents(corpus, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_that_holds_something_is_not_replaced(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(WouldOverwrite):
        write_documents(read(folder), folder)
    assert len(names(folder)) == 3


def test_reading_and_writing_leave_the_originals_alone(folder: Path, tmp_path: Path) -> None:
    before = {name: (folder / name).read_bytes() for name in names(folder)}
    write_documents(read(folder), tmp_path / "out")
    assert {name: (folder / name).read_bytes() for name in names(folder)} == before


def test_a_document_of_no_file_is_written_as_text_without_what_is_left_out(tmp_path: Path) -> None:
    parts = (
        Part(kind=PartKind.BODY, text="shown"),
        Part(kind=PartKind.COMMENT, text="not shown"),
        Part(kind=PartKind.FOOTNOTE, text="a note"),
    )
    write_documents(Corpus(documents=(Document(name="x", parts=parts),)), tmp_path / "out")
    assert (tmp_path / "out" / "document-001.txt").read_text() == "shown\n\na note"


@pytest.mark.parametrize("kind", ["body", "tracked deletion", "nonsense"])
def test_only_what_would_be_left_out_can_be_kept(kind: str, tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="keep takes"):
        write_documents(Corpus.of(["x"]), tmp_path / "out", keep=[kind])


def test_a_part_that_was_not_read_from_the_file_is_refused(folder: Path, tmp_path: Path) -> None:
    (document, *_) = read(folder)
    for place in ("", "99", "x"):
        odd = Document(
            name=document.name,
            parts=(Part(kind=PartKind.BODY, text="x", place=place),),
            source=document.source,
        )
        with pytest.raises(BadParameter, match="where it stands"):
            write_documents(Corpus(documents=(odd,)), tmp_path / "out")


def test_progress_is_told_to_its_end(folder: Path, tmp_path: Path) -> None:
    told: list[tuple[float, float]] = []
    corpus = read(folder, progress=lambda done, total, what: told.append((done, total)))
    assert told == [(0, 2), (2, 2)]
    told.clear()
    write_documents(corpus, tmp_path / "out", progress=lambda done, total, what: told.append((done, total)))
    assert told == [(0, 2), (2, 2)]


def test_python_docx_opens_what_was_written_with_its_formatting(tmp_path: Path) -> None:
    import docx

    made = docx.Document()
    made.core_properties.author = "Ann Lee"
    made.add_heading("Report", 1)
    paragraph = made.add_paragraph("Dear ")
    paragraph.add_run("Ann ").bold = True
    paragraph.add_run("Lee, ")
    paragraph.add_run("hello").italic = True
    made.add_table(1, 2).cell(0, 1).text = "of Ann Lee"
    made.sections[0].header.paragraphs[0].text = "To Ann Lee"
    made.save(str(tmp_path / "x.docx"))
    (document,) = read(tmp_path / "x.docx")
    starts = [place for place in range(len(document.text)) if document.text.startswith("Ann Lee", place)]
    clean = Corpus(documents=(document.replaced(Replacement(each, each + 7, "Pers1") for each in starts),))
    write_documents(clean, tmp_path / "out", protected=["Ann Lee"])
    again = docx.Document(io.BytesIO((tmp_path / "out" / "document-001.docx").read_bytes()))
    shown = next(each for each in again.paragraphs if each.text.startswith("Dear"))
    assert [(run.text, run.bold, run.italic) for run in shown.runs] == [
        ("Dear ", None, None),
        ("Pers1", True, None),
        (", ", None, None),
        ("hello", None, True),
    ]
    assert again.paragraphs[0].style is not None
    assert again.paragraphs[0].style.name == "Heading 1"
    assert again.tables[0].cell(0, 1).text == "of Pers1"
    assert again.sections[0].header.paragraphs[0].text == "To Pers1"


def test_odfpy_opens_what_was_written(tmp_path: Path) -> None:
    from odf import teletype
    from odf.opendocument import OpenDocumentText, load
    from odf.text import H, P

    made = OpenDocumentText()
    made.text.addElement(H(outlinelevel=1, text="Report"))
    made.text.addElement(P(text="Dear Ann Lee, hello"))
    made.save(str(tmp_path / "x.odt"))
    (document,) = read(tmp_path / "x.odt")
    start = document.text.index("Ann Lee")
    clean = Corpus(documents=(document.replaced([Replacement(start, start + 7, "Pers1")]),))
    write_documents(clean, tmp_path / "out", protected=["Ann Lee"])
    again = load(str(tmp_path / "out" / "document-001.odt"))
    assert [teletype.extractText(each) for each in again.getElementsByType(P)] == ["Dear Pers1, hello"]
    assert [teletype.extractText(each) for each in again.getElementsByType(H)] == ["Report"]


def test_kept_pictures_stay_in_place_under_other_names(tmp_path: Path) -> None:
    (tmp_path / "x.docx").write_bytes(SAMPLES[".docx"][0]({"picture name": "Ann Lee.png"}))
    (document,) = read(tmp_path / "x.docx")
    write_documents(
        Corpus(documents=(document,)), tmp_path / "out", keep_pictures=True, protected=["Ann Lee"]
    )
    import docx

    again = docx.Document(str(tmp_path / "out" / "document-001.docx"))
    targets = [each.target_ref for each in again.part.rels.values() if each.reltype.endswith("/image")]
    assert targets == ["media/picture1.png"]


def test_a_file_is_not_named_by_a_number_that_is_protected(tmp_path: Path) -> None:
    files = write_documents(Corpus.of(["one", "two"]), tmp_path / "out", protected=["Document 001"])
    assert [each.name for each in files] == ["document-002.txt", "document-003.txt"]
