"""Annotated documents: texts with the entities that people marked in them, as JSON lines.

Each line is one document: `id`, `text` and `entities`, each with `start_offset`, `end_offset`, `entity_type`,
`entity_id` and `identifier_type` (DIRECT, QUASI or NO_MASK), the form of the Text Anonymization Benchmark (Pilán and
others 2022). Several `annotator`s may have marked one document. Other fields are passed over.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from discreet.errors import BadFile
from discreet.reading.content import take, unpacked
from discreet.shapes import Check, list_of, maybe, one_of, record, text, whole
from discreet.text.document import Document
from discreet.text.entities.kinds import Kind
from discreet.text.span import Span
from discreet.writing.atomic import write_bytes


class Identifies(StrEnum):
    """Whether a mention tells alone who somebody is, together with others, or need not be hidden."""

    DIRECT = "DIRECT"
    QUASI = "QUASI"
    NO_MASK = "NO_MASK"


BENCHMARK_KINDS = {
    "PERSON": Kind.PERSON,
    "ORG": Kind.ORGANISATION,
    "LOC": Kind.PLACE,
    "CODE": Kind.CODE,
    "DATETIME": Kind.DATE,
    "QUANTITY": Kind.QUANTITY,
    "DEM": Kind.DEMOGRAPHIC,
    "MISC": Kind.OTHER,
}
"""The words of the benchmark for kinds of entities; a file may use these or the values of Kind."""


class Annotation(NamedTuple):
    """One marked mention: where it stands, of which entity, and whether it has to be hidden."""

    start: int
    end: int
    kind: Kind
    identifies: Identifies
    entity: str
    annotator: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedDocument:
    """A text and the mentions that were marked in it, in the order of the file."""

    name: str
    text: str = field(repr=False)
    annotations: tuple[Annotation, ...] = field(repr=False)

    @property
    def document(self) -> Document:
        """The text as a document of one part."""
        return Document.of(self.text, name=self.name)

    @classmethod
    def of(cls, document: Document, spans: Sequence[Span], *, identifies: Identifies) -> AnnotatedDocument:
        """The document with spans as annotations, one entity for each wording of a kind."""
        marked = tuple(
            Annotation(
                start=each.start,
                end=each.end,
                kind=Kind(each.kind),
                identifies=identifies,
                entity=f"{each.kind}: {document.text[each.start : each.end]}",
            )
            for each in spans
        )
        return cls(name=document.name, text=document.text, annotations=marked)


_ENTITY: Check = record(
    {
        "start_offset": whole(0),
        "end_offset": whole(1),
        "entity_type": one_of(*BENCHMARK_KINDS, *Kind),
        "entity_id": text,
        "identifier_type": one_of(*Identifies),
    },
    {"annotator": text, "span_text": maybe(text)},
    others=True,
)
_DOCUMENT: Check = record({"id": text, "text": text, "entities": list_of(_ENTITY)}, others=True)


def read_annotations(path: str | Path) -> tuple[AnnotatedDocument, ...]:
    """The annotated documents of a file of JSON lines, also when it is packed with gzip.

    Raises BadFile, with the line, where one is no annotated document, where a mention lies outside its text, or where
    its own wording (`span_text`) is not what stands there.
    """
    place = Path(path)
    return tuple(
        _document(line, f"{place.name}, line {number}")
        for number, line in enumerate(_lines(place), start=1)
        if line.strip()
    )


def write_annotations(
    path: str | Path, documents: Iterable[AnnotatedDocument], *, force: bool = False
) -> None:
    """Writes annotated documents as JSON lines, packed with gzip where the name ends in .gz; for the owner's eyes."""
    lines = "".join(json.dumps(_payload(each)) + "\n" for each in documents)
    content = lines.encode("ascii")
    packed = gzip.compress(content, mtime=0) if str(path).endswith(".gz") else content
    write_bytes(path, packed, force=force, private=True)


def _lines(path: Path) -> list[str]:
    content = take(path)
    try:
        return unpacked(content.raw, path.name).decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise BadFile(f"{path.name} cannot be read as JSON lines: it is not in UTF-8.") from None


def _document(line: str, where: str) -> AnnotatedDocument:
    try:
        payload: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise BadFile(f"{where} is no JSON.") from None
    _DOCUMENT(payload, where)
    marked = tuple(
        _annotation(each, payload["text"], f"{where}, entity {number}")
        for number, each in enumerate(payload["entities"], start=1)
    )
    return AnnotatedDocument(name=payload["id"], text=payload["text"], annotations=marked)


def _annotation(entity: dict[str, Any], text: str, where: str) -> Annotation:
    start, end = entity["start_offset"], entity["end_offset"]
    if not start < end <= len(text):
        raise BadFile(f"{where} does not lie within its text of {len(text)} characters.")
    if entity.get("span_text") not in (None, text[start:end]):
        raise BadFile(
            f"{where}: what stands at its offsets is not its span_text. Are they offsets in characters?"
        )
    kind = entity["entity_type"]
    return Annotation(
        start=start,
        end=end,
        kind=BENCHMARK_KINDS.get(kind) or Kind(kind),
        identifies=Identifies(entity["identifier_type"]),
        entity=entity["entity_id"],
        annotator=entity.get("annotator", ""),
    )


def _payload(document: AnnotatedDocument) -> dict[str, Any]:
    entities = [
        {
            "start_offset": each.start,
            "end_offset": each.end,
            "entity_type": str(each.kind),
            "entity_id": each.entity,
            "identifier_type": str(each.identifies),
            "annotator": each.annotator,
        }
        for each in document.annotations
    ]
    return {"id": document.name, "text": document.text, "entities": entities}
