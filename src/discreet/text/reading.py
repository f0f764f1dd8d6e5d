"""Reading files as a corpus: every part of every document, or an error that says which could not be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path, PurePath

from discreet.errors import BadFile, BadParameter, Mismatch, listed
from discreet.progress import SILENT, Progress
from discreet.reading.content import take
from discreet.table import Source
from discreet.text.document import Corpus, Document, Part
from discreet.text.documents.formats import ENDINGS, DocumentFormat, format_of, open_bytes
from discreet.text.documents.opened import Opened, Opening, counted
from discreet.text.documents.plain import is_encoding

EVERY = 50
"""After how many documents progress is told."""


def read(
    path: str | Path,
    *,
    encoding: str | None = None,
    ignore: Sequence[str] = (),
    progress: Progress = SILENT,
) -> Corpus:
    """The documents in a file or a folder, each with all of its parts.

    Of a folder, all files below it are read, but for those whose name begins with a dot and those that match a pattern
    of `ignore`, such as "*.jpg". Comments, deleted and hidden text and properties are parts too, so that whom they
    name is known; they are not written. `encoding` is that of texts without a mark that are not UTF-8; "guess" takes
    the likeliest for each file.

    Raises BadFile, which names the file and its part, where anything cannot be read: damaged, locked, a scan without a
    text layer, an ending that no format has. A corpus is read whole or not at all.
    """
    place = Path(path)
    if encoding not in (None, "guess") and not is_encoding(encoding or ""):
        raise BadParameter('read: encoding must be one that Python knows, such as "cp1252", or "guess".')
    files = _files(place, ignore)
    root = place if place.is_dir() else place.parent
    documents = []
    for done, file in enumerate(files):
        if done % EVERY == 0:
            progress(done, len(files), "documents")
        documents.append(_document(file, file.relative_to(root).as_posix(), encoding))
    progress(len(files), len(files), "documents")
    return Corpus(documents=tuple(documents), name=place.stem if place.is_file() else place.resolve().name)


def open_again(document: Document) -> Opened | None:
    """The file that a document was read from, opened anew; None for a document that is of no file.

    Raises Mismatch where the file is not the one that was read.
    """
    if document.source is None:
        return None
    place = Path(document.source.path)
    content = take(place)
    if content.digest != document.source.digest:
        raise Mismatch(f"{document.name} has changed since it was read. Read it again.")
    encoding = document.parts[0].place.partition(" ")[2] if document.parts else ""
    return open_bytes(
        content.raw, _format(document.name), Opening(name=document.name, encoding=encoding or None)
    )


def _document(file: Path, name: str, encoding: str | None) -> Document:
    content = take(file)
    opened = open_bytes(content.raw, _format(name), Opening(name=name, encoding=encoding))
    told = f" {encoding}" if encoding else ""
    parts = tuple(
        Part(kind=slot.kind, text=slot.text, place=f"{number}{told}")
        for number, slot in enumerate(opened.slots)
    )
    return Document(
        name=name,
        parts=parts,
        format=file.suffix[1:].lower(),
        source=Source(path=str(file.resolve()), digest=content.digest),
        not_looked_into=counted(opened.not_looked_into),
    )


def _format(name: str) -> DocumentFormat:
    found = format_of(name)
    if found is None:
        raise BadFile(f"{name}: no format of documents has this ending. Known: {_known()}.")
    return found


def _known() -> str:
    return " ".join(sorted(ENDINGS))


def _files(place: Path, ignore: Sequence[str]) -> list[Path]:
    """The files to read, in the order of their names. Raises BadFile where some are of no known format."""
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise BadFile(f"there is no file or folder {place}.")
    files = [each for each in sorted(place.rglob("*")) if _is_wanted(each.relative_to(place), ignore)]
    links = [each for each in files if each.is_symlink() and not _leads_inside(each, place)]
    if links:
        raise BadFile(
            f"{place} holds {len(links)} links that lead out of it, to a folder, or nowhere. Put what they lead to in "
            "their place, or leave them out (ignore)."
        )
    files = [each for each in files if each.is_file()]
    strange = Counter(each.suffix.lower() or "none" for each in files if format_of(each.name) is None)
    if strange:
        raise BadFile(
            f"{place} holds {strange.total()} files of {len(files)} whose endings no format of documents has: "
            f"{listed(sorted(strange))}. Leave them out (ignore), or convert them. Known: {_known()}."
        )
    if not files:
        raise BadFile(f"{place} holds no document. Known endings: {_known()}.")
    return files


def _is_wanted(name: PurePath, ignore: Sequence[str]) -> bool:
    """Whether a path below the folder is neither hidden nor left out."""
    seen = not any(part.startswith(".") for part in name.parts)
    return seen and not any(fnmatch(name.as_posix(), one) or fnmatch(name.name, one) for one in ignore)


def _leads_inside(link: Path, root: Path) -> bool:
    """Whether a link leads to a file of the folder it lies in."""
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):
        return False
    return target.is_file() and target.is_relative_to(root.resolve())
