"""A collection of documents with their classes: a folder, a zip file or JSON lines."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from discreet.errors import BadFile
from discreet.reading.content import take, unpacked
from discreet.reading.encodings import to_utf8
from discreet.text.document import PART_BREAK, Corpus, Document, PartKind
from discreet.text.documents.formats import format_of, open_bytes
from discreet.text.documents.opened import Opening

SAMPLE = 8192
"""So many bytes are looked at to tell text from what is none."""
MOST_BYTES = 1 << 28
"""More bytes than a text file in a zip file may hold."""
SEEN = frozenset(
    {
        PartKind.BODY,
        PartKind.HEADING,
        PartKind.CELL,
        PartKind.FOOTNOTE,
        PartKind.ENDNOTE,
        PartKind.INSERTED,
        PartKind.TEXT_BOX,
    }
)
"""What is published of a document is made of these parts: not of properties, comments or what was deleted or hidden."""
JSON_LINES = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Documents, and their classes where every one of them has one.

    In a folder the class of a document is the first folder below it. `split` tells which part of an experiment each
    belongs to, where the file says so. `not_text` are the names of files that hold no text and were left out.
    """

    corpus: Corpus
    classes: tuple[str, ...] | None = field(default=None, repr=False)
    split: tuple[str, ...] | None = field(default=None, repr=False)
    not_text: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.corpus)


def read_collection(path: str | Path) -> Collection:
    """The documents of a folder or a zip file, of any format that is known, or of JSON lines.

    JSON lines are objects with "text", or "title" and "body"; "class" (or a single one of "topics") and "split" are
    taken where they are there. Of formats with comments, properties or hidden parts only the text itself is taken.
    Text is UTF-8, or in the encoding that it is likeliest in; files that hold no text, and hidden ones, are left out,
    the former being named. Raises BadFile where there is nothing to read, or a document is damaged.
    """
    place = Path(path)
    if place.is_dir():
        return _of_files(place.name or "corpus", _in_folder(place))
    content = take(place)
    if place.name.lower().endswith(JSON_LINES):
        return _of_lines(place, unpacked(content.raw, place.name))
    if zipfile.is_zipfile(place):
        return _of_files(place.stem, _in_zip(place))
    raise BadFile(
        f"{place.name} is neither a folder, nor a zip file, nor JSON lines (.jsonl, .jsonl.gz). Put the documents into "
        "a folder of text files."
    )


def _in_folder(place: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(place.rglob("*")):
        name = file.relative_to(place).as_posix()
        if file.is_file() and not _is_hidden(name):
            yield name, take(file).raw


def _in_zip(place: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(place) as packed:
            for each in sorted(packed.infolist(), key=lambda each: each.filename):
                if each.is_dir() or _is_hidden(each.filename):
                    continue
                if each.file_size > MOST_BYTES:
                    raise BadFile(f"{place.name} holds a file of more than {MOST_BYTES >> 20} mebibytes.")
                yield each.filename, packed.read(each)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError):
        raise BadFile(f"{place.name} is a damaged or locked zip file.") from None


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)


def _of_files(name: str, files: Iterable[tuple[str, bytes]]) -> Collection:
    documents: list[Document] = []
    not_text: list[str] = []
    for path, raw in files:
        text = _of_format(raw, path)
        if text is None:
            not_text.append(path)
        else:
            documents.append(Document.of(text, name=path))
    if not documents:
        raise BadFile(f"there is no text file in {name}; {len(not_text)} files hold no text.")
    corpus = Corpus(documents=tuple(documents), name=name)
    return Collection(corpus=corpus, classes=_folders(documents), not_text=tuple(not_text))


def _of_format(raw: bytes, name: str) -> str | None:
    """The text that a reader of the document sees; None where a file of no known format holds none."""
    format = format_of(name)
    if format is None or format.name == "text":
        return _text(raw, name)
    opened = open_bytes(raw, format, Opening(name=name, encoding="guess"))
    return PART_BREAK.join(slot.text for slot in opened.slots if slot.kind in SEEN)


def _text(raw: bytes, name: str) -> str | None:
    """The text of a file; None where it is none: bytes of zero, or of no encoding that is known."""
    try:
        utf8, _ = to_utf8(raw, "guess", name)
    except BadFile:
        return None
    return None if b"\0" in utf8[:SAMPLE] or b"\0" in raw[:4] else utf8.decode("utf-8")


def _folders(documents: list[Document]) -> tuple[str, ...] | None:
    """The class of each document by its folder; None where one lies in none.

    A folder that holds all of them, as in most zip files, is no class.
    """
    parts = [PurePosixPath(each.name).parts for each in documents]
    while all(len(each) > 2 for each in parts) and len({each[0] for each in parts}) == 1:
        parts = [each[1:] for each in parts]
    return tuple(each[0] for each in parts) if all(len(each) > 1 for each in parts) else None


def _of_lines(place: Path, content: bytes) -> Collection:
    """The documents of JSON lines. Those of several topics have no class."""
    documents, classes, parts = [], [], []
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            text = entry["text"] if "text" in entry else f"{entry.get('title', '')}\n{entry['body']}"
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadFile(
                f"{place.name}, line {number}: not an object with 'text', or with 'title' and 'body'."
            ) from None
        documents.append(Document.of(str(text), name=str(entry.get("name", entry.get("id", number)))))
        classes.append(_class(entry))
        parts.append(str(entry.get("split", "")))
    if not documents:
        raise BadFile(f"{place.name} holds no document.")
    return Collection(
        corpus=Corpus(documents=tuple(documents), name=place.name.split(".")[0]),
        classes=tuple(classes) if all(classes) else None,
        split=tuple(parts) if all(parts) else None,
    )


def _class(entry: dict[str, Any]) -> str:
    topics = entry.get("topics")
    if isinstance(topics, list) and len(topics) == 1:
        return str(topics[0])
    return str(entry.get("class", ""))
