"""Leaks: protected strings that are still in files that were written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from discreet.errors import GuaranteeBroken
from discreet.text.scanning.matching import Matcher
from discreet.text.scanning.matching import shown as shown_as_read
from discreet.text.scanning.matching import words as whole_words
from discreet.text.scanning.unpacking import texts

MOST_SAID = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """Protected strings in one kind of part of a file: how often, and not which."""

    file: str
    part: str
    count: int

    def __str__(self) -> str:
        return f"{self.file}, {self.part}: {self.count}"


def leaks(
    folder: str | Path, protected: Iterable[str], *, ordinary: Collection[str] = ()
) -> tuple[Leak, ...]:
    """Where protected strings are in the files of a folder, after unpacking whatever they are packed in.

    A string is found as whole words, whatever its capitals, line breaks, hyphens, runs, entities, codings and
    characters that do not show. One word that is among `ordinary` (lower-case words of the language that are names
    too, such as "bush"), or that has fewer than three characters, is found only as it is written or in capitals. Names
    of files are looked through too. Nothing of how the files were written is relied on.
    """
    strings = set(protected)
    if not strings:
        return ()
    matcher = Matcher(strings, ordinary)
    root = Path(folder)
    found: list[Leak] = []
    for number, file in enumerate(sorted(each for each in root.rglob("*") if each.is_file()), start=1):
        name = file.relative_to(root).as_posix()
        counts: Counter[str] = Counter({"name of the file": matcher.count(name)})
        for part, text in texts(file.read_bytes(), name):
            if text:
                counts[part] += matcher.count(text)
        shown = f"file {number}" if counts["name of the file"] else name
        found += [Leak(file=shown, part=part, count=count) for part, count in counts.items() if count]
    return tuple(found)


NOT_READ = ("source", "objects", "readable bytes")
"""How files are coded, which no reader sees: words such as Page stand there in every PDF."""


def strays(
    folder: str | Path, words: Collection[str], allowed: Mapping[str, Collection[str]]
) -> tuple[Leak, ...]:
    """Where single words stand, as they are written or in capitals, in files that are not allowed to hold them.

    `allowed` are the words that each file, by its name in the folder, may hold. What readers can see is looked through,
    and names of files; not how a file is coded.
    """
    root = Path(folder)
    meant = {way: each for each in words for way in (each.upper(), each)}
    found: list[Leak] = []
    for number, file in enumerate(sorted(each for each in root.rglob("*") if each.is_file()), start=1):
        name = file.relative_to(root).as_posix()
        wanted = {way for way, each in meant.items() if each not in allowed.get(name, ())}
        counts: Counter[str] = Counter({"name of the file": _times(name, wanted)})
        if wanted:
            for part, text in texts(file.read_bytes(), name):
                if not part.endswith(NOT_READ) and not (part.endswith("text") and TAGGED.search(text)):
                    counts[part] += _times(text, wanted)
        shown = f"file {number}" if counts["name of the file"] else name
        found += [Leak(file=shown, part=part, count=count) for part, count in counts.items() if count]
    return tuple(found)


TAGGED = re.compile(r"<[^<>]+>")
"""What is looked through again without its tags."""


def _times(text: str, wanted: Collection[str]) -> int:
    """How often words of these stand in a text as whole words."""
    return sum(each in wanted for each in whole_words(shown_as_read(text)).split()) if wanted else 0


def check_leaks(folder: str | Path, protected: Iterable[str], *, ordinary: Collection[str] = ()) -> None:
    """Raises GuaranteeBroken where a protected string is in a file of the folder; it says where, and not what."""
    _refuse(leaks(folder, protected, ordinary=ordinary))


def check_strays(folder: str | Path, words: Collection[str], allowed: Mapping[str, Collection[str]]) -> None:
    """Raises GuaranteeBroken where a word stands in a file that may not hold it; it says where, and not which."""
    _refuse(strays(folder, words, allowed) if words else ())


def _refuse(found: Sequence[Leak]) -> None:
    if found:
        said = "; ".join(str(each) for each in found[:MOST_SAID])
        more = f"; and {len(found) - MOST_SAID} more" if len(found) > MOST_SAID else ""
        raise GuaranteeBroken(
            f"protected strings are still in what was written, so it is not kept: {said}{more}. Mark them there, or "
            "say that they are not protected."
        )
