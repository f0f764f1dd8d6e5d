"""Annotated documents come back as they were written, and a bad file is named by its line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadFile, WouldOverwrite
from discreet.text.document import Document
from discreet.text.entities.annotations import (
    AnnotatedDocument,
    Annotation,
    Identifies,
    read_annotations,
    write_annotations,
)
from discreet.text.entities.kinds import Kind
from discreet.text.span import Span

TEXT = "Mr Novak lives in Vienna."
ENTITY = {
    "start_offset": 3,
    "end_offset": 8,
    "entity_type": "PERSON",
    "entity_id": "e1",
    "identifier_type": "DIRECT",
}


def line(**changes: Any) -> str:
    return json.dumps({"id": "one", "text": TEXT, "entities": [{**ENTITY, **changes}]})


@st.composite
def annotated(draw: st.DrawFn) -> AnnotatedDocument:
    text = draw(st.text(st.characters(), min_size=1, max_size=20))
    marked = []
    for number in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        kind, identifies = draw(st.sampled_from(Kind)), draw(st.sampled_from(Identifies))
        marked.append(
            Annotation(start, end, kind, identifies, f"e{number}", draw(st.sampled_from(["", "a2"])))
        )
    return AnnotatedDocument(name="any", text=text, annotations=tuple(marked))


@given(st.lists(annotated(), max_size=3), st.sampled_from(["a.jsonl", "a.jsonl.gz"]))
def test_annotated_documents_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, documents: list[AnnotatedDocument], name: str
) -> None:
    place = tmp_path_factory.mktemp("annotated") / name
    write_annotations(place, documents)
    assert read_annotations(place) == tuple(documents)


def test_the_words_of_the_benchmark_are_read(tmp_path: Path) -> None:
    place = tmp_path / "a.jsonl.gz"
    place.write_bytes(gzip.compress((line(span_text="Novak", edit_type="check") + "\n\n").encode()))
    (read,) = read_annotations(place)
    assert read.annotations == (Annotation(3, 8, Kind.PERSON, Identifies.DIRECT, "e1"),)
    assert read.document.text == TEXT
    assert TEXT not in repr(read)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "line 1 is no JSON"),
        (line(end_offset=99), "line 1, entity 1 does not lie within"),
        (line(start_offset=8), "line 1, entity 1 does not lie within"),
        (line(span_text="Nowak"), "not its span_text"),
        (line(entity_type="NAME"), "must be one of"),
        (line(identifier_type="MAYBE"), "must be one of"),
        ('{"id": "a", "text": "b"}', "lacks 'entities'"),
        ("[" * 100_000, "line 1 is no JSON"),
    ],
)
def test_a_bad_line_is_named_and_nothing_of_it_repeated(tmp_path: Path, content: str, says: str) -> None:
    place = tmp_path / "a.jsonl"
    place.write_text(content)
    with pytest.raises(BadFile, match=says) as raised:
        read_annotations(place)
    assert "Novak" not in str(raised.value)
    assert "Nowak" not in str(raised.value)


def test_files_that_are_no_text_or_not_there_are_named_errors(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="UTF-8"):
        read_annotations(tmp_path / "a.jsonl")
    with pytest.raises(BadFile):
        read_annotations(tmp_path / "none.jsonl")


def test_spans_become_annotations_of_one_entity_for_each_wording() -> None:
    document = Document.of("Novak and Novak", name="d")
    spans = [Span(0, 5, "person", "rule"), Span(10, 15, "person", "rule")]
    marked = AnnotatedDocument.of(document, spans, identifies=Identifies.QUASI)
    assert [(each.start, each.end) for each in marked.annotations] == [(0, 5), (10, 15)]
    assert len({each.entity for each in marked.annotations}) == 1


def test_nothing_is_written_over_without_being_asked(tmp_path: Path) -> None:
    write_annotations(tmp_path / "a.jsonl", [])
    with pytest.raises(WouldOverwrite):
        write_annotations(tmp_path / "a.jsonl", [])
    write_annotations(tmp_path / "a.jsonl", [], force=True)
