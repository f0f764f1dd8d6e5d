"""The invented archive: the same every time, and everything that has to be hidden stands in its document."""

from __future__ import annotations

from pathlib import Path

from discreet.demo.archive import archive, write_archive


def test_the_archive_is_the_same_every_time() -> None:
    assert archive() == archive()


def test_what_has_to_be_hidden_stands_in_its_document() -> None:
    for document in archive():
        text = "\n".join((document.title, *document.paragraphs))
        inside = [each for each, _, _ in document.hidden if each in text]
        in_fields = {"e-mail", "person"}
        others = [kind for each, kind, _ in document.hidden if each not in text]
        assert inside, document.name
        assert set(others) <= in_fields, document.name


def test_files_of_six_formats_are_written_and_hold_their_names(tmp_path: Path) -> None:
    documents = write_archive(tmp_path)
    assert {Path(each.name).suffix for each in documents} == {".txt", ".md", ".eml", ".docx", ".pdf", ".html"}
    letter = next(each for each in documents if each.name.endswith(".txt"))
    assert letter.paragraphs[0] in (tmp_path / letter.name).read_text()
    assert (tmp_path / "minutes.docx").read_bytes().startswith(b"PK")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


def test_a_document_shows_no_name_of_itself() -> None:
    document = archive()[0]
    assert not any(each in repr(document) for each, _, _ in document.hidden)
