"""Writing a corpus as files: changed parts in their places, nothing else of the originals, and looked through after."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path, PurePosixPath

from discreet.errors import BadParameter
from discreet.progress import SILENT, Progress
from discreet.text.document import PART_BREAK, Corpus, Document, PartKind
from discreet.text.documents.opened import Keep, Saved
from discreet.text.reading import EVERY, open_again
from discreet.text.scanning.leaks import check_leaks, check_strays
from discreet.text.scanning.matching import Matcher
from discreet.writing.atomic import new_folder

NAME = "document"
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A file that was written: its name in the folder, and why its format is another where it is.

    `original` is the name of the document, which can name people and is for the private half alone.
    """

    name: str
    note: str = ""
    original: str = field(repr=False, default="")


def write_documents(
    corpus: Corpus,
    folder: str | Path,
    *,
    keep: Collection[PartKind | str] = (),
    keep_pictures: bool = False,
    keep_names: bool = False,
    protected: Iterable[str] = (),
    ordinary: Collection[str] = (),
    left: Collection[str] = (),
    force: bool = False,
    progress: Progress = SILENT,
) -> tuple[Written, ...]:
    """The files, one for each document, written into a folder that is new or empty; all of them or none.

    Each has the format of its original where that can be written (see `documents.formats`), with the new text of its
    parts. Comments, deleted and hidden text and properties are left out; `keep` names kinds that stay, where the format
    can hold them. Pictures are left out unless `keep_pictures`. Files are named document-001 and so on, because the
    name of a file can name somebody; `keep_names` keeps theirs.

    What was written is unpacked and looked through for each of `protected` as `leaks` does, before the folder takes its
    name. Single words that are `left` in some documents are looked for in the others. Raises GuaranteeBroken where one
    is found; Mismatch where an original changed since it was read.
    """
    choice = Keep.of(keep, pictures=keep_pictures)
    strings = frozenset(protected)
    matcher = Matcher(strings, ordinary)
    width = max(3, len(str(len(corpus))))
    numbered = _numbered(width, matcher)
    files: list[Written] = []
    taken: set[str] = set()
    with new_folder(folder, force=force) as temporary:
        for number, document in enumerate(corpus, start=1):
            if number % EVERY == 1:
                progress(number - 1, len(corpus), "documents")
            saved = _saved(document, choice)
            stem = _stem(document.name) if keep_names else next(numbered)
            name = _free(stem, saved.ending, taken)
            place = temporary / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(saved.content)
            files.append(Written(name=name, note=saved.note, original=document.name))
        progress(len(corpus), len(corpus), "documents")
        check_leaks(temporary, strings, ordinary=ordinary)
        held = {each.name: each for each in corpus}
        check_strays(temporary, left, {each.name: _held(held[each.original], choice, left) for each in files})
    return tuple(files)


def _held(document: Document, keep: Keep, words: Collection[str]) -> set[str]:
    """Which of these words stand in what is written of a document, as they are written or in capitals."""
    shown = {
        word for part in document.parts if not keep.leaves_out(part.kind) for word in WORD.findall(part.text)
    }
    return {each for each in words if each in shown or each.upper() in shown}


def _saved(document: Document, keep: Keep) -> Saved:
    """The new file of a document."""
    opened = open_again(document)
    if opened is None:
        shown = (each.text for each in document.parts if not keep.leaves_out(each.kind))
        return Saved(PART_BREAK.join(shown).encode("utf-8", "replace"), ".txt")
    for part in document.parts:
        number = part.place.partition(" ")[0]
        if not number.isdecimal() or int(number) >= len(opened.slots):
            raise BadParameter(
                f"{document.name}: a part does not say where it stands, as those that were read do."
            )
        slot = opened.slots[int(number)]
        if slot.text != part.text:
            slot.put(part.text)
    return opened.save(keep)


def _stem(name: str) -> str:
    """The path of a document without its ending, below the folder whatever it says."""
    place = PurePosixPath(name)
    if place.is_absolute() or ".." in place.parts or not place.name:
        raise BadParameter("the name of a document must be a path below the corpus, to be kept.")
    return place.with_suffix("").as_posix() if place.suffix else place.as_posix()


def _numbered(width: int, protected: Matcher) -> Iterator[str]:
    """Names by numbers, without those that are protected themselves, as "Document 12" can be."""
    for number in count(1):
        name = f"{NAME}-{number:0{width}}"
        if not protected.count(name):
            yield name


def _free(stem: str, ending: str, taken: set[str]) -> str:
    """A name that no other file has, in no mixture of capitals."""
    name, number = f"{stem}{ending}", 1
    while name.lower() in taken:
        number += 1
        name = f"{stem}-{number}{ending}"
    taken.add(name.lower())
    return name
