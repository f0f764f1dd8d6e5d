"""WordNet from its own files (WNDB): nouns and verbs, is-a links, glosses and words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources.abc import Traversable
from typing import Literal

from discreet.errors import BadFile
from discreet.ontology.builder import Builder

PartOfSpeech = Literal["noun", "verb"]
LETTERS: dict[PartOfSpeech, str] = {"noun": "n", "verb": "v"}
KIND_OF = "@"
INSTANCE_OF = "@i"
EVERY_PART = ("noun", "verb", "adj", "adv")
VERSION = re.compile(r"WordNet (?P<number>[0-9.]+[0-9]) Copyright")
RANKS_EACH = 1000
"""More senses than any word has: those of the second part of speech rank after the first."""


def sources(folder: Traversable, parts: Sequence[PartOfSpeech]) -> list[Traversable]:
    """The files that hold these parts of speech, in the order they are read.

    The data file may be split in two (`data.noun1` and `data.noun2`), as some distributions have it.
    """
    found = []
    for part in parts:
        whole = folder / f"data.{part}"
        halves = [folder / f"data.{part}1", folder / f"data.{part}2"]
        data = [whole] if whole.is_file() else halves
        for path in [*data, folder / f"index.{part}"]:
            if not path.is_file():
                raise BadFile(f"'{folder}' is not a WordNet folder: it has no file '{path.name}'.")
            found.append(path)
    return found


def version(folder: Traversable) -> str:
    """The version of WordNet that its files tell, such as "3.0"; "unknown" where they tell none."""
    for name in ("index.noun", "index.verb"):
        path = folder / name
        found = (
            VERSION.search(path.read_bytes()[:4096].decode("utf-8", "replace")) if path.is_file() else None
        )
        if found:
            return found["number"]
    return "unknown"


def single_words(folder: Traversable, parts: Sequence[str] = EVERY_PART) -> frozenset[str]:
    """The single words of these parts of speech, in lower case, as far as the folder has an index of them."""
    found: set[str] = set()
    for part in parts:
        path = folder / f"index.{part}"
        if path.is_file():
            found.update(line.partition(" ")[0] for _, line in _lines([path]))
    return frozenset(word for word in found if word.isalpha())


def builder(folder: Traversable, parts: Sequence[PartOfSpeech], *, instances: bool = True) -> Builder:
    """The concepts of a WordNet folder: one for each synset, named as in "worker.n.01".

    Hypernyms, and with `instances` those of single things, are is-a links. A word's senses rank as in the index.
    """
    result = Builder(name="wordnet " + " and ".join(f"{part}s" for part in parts))
    for place, part in enumerate(parts):
        files = sources(folder, [part])
        senses = _senses(_lines(files[-1:]))
        rank = RANKS_EACH * place
        is_a = (KIND_OF, INSTANCE_OF) if instances else (KIND_OF,)
        _add_synsets(result, _lines(files[:-1]), files[0], LETTERS[part], is_a, senses, rank)
    return result


def _lines(paths: Sequence[Traversable]) -> Iterator[tuple[str, str]]:
    """The lines of the files, each with its place, without the licence (lines that start with spaces)."""
    for path in paths:
        lines = path.read_bytes().decode("utf-8", "replace").split("\n")
        for number, line in enumerate(lines, start=1):
            if line and not line.startswith("  "):
                yield f"'{path}', line {number}", line


def _senses(lines: Iterator[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """The number of the sense that each word has in each synset, from one."""
    numbers: dict[tuple[str, str], int] = {}
    for place, line in lines:
        fields = line.split()
        try:
            count = int(fields[2])
        except (IndexError, ValueError):
            raise BadFile(f"{place}: this is not a WordNet index, it has no number of synsets.") from None
        for number, offset in enumerate(fields[-count:], start=1):
            numbers[fields[0], offset] = number
    return numbers


def _add_synsets(
    result: Builder,
    lines: Iterator[tuple[str, str]],
    path: Traversable,
    letter: str,
    is_a: tuple[str, ...],
    senses: dict[tuple[str, str], int],
    rank: int,
) -> None:
    names: dict[str, str] = {}
    links: list[tuple[str, str]] = []
    for place, line in lines:
        facts, _, gloss = line.partition(" | ")
        fields = facts.split(" ")
        try:
            offset, words, above = _synset(fields, letter, is_a)
            numbers = [senses[word.lower(), offset] for word in words]
        except (IndexError, ValueError, KeyError):
            raise BadFile(f"{place}: this is not a synset of WordNet that its index has.") from None
        names[offset] = f"{words[0].lower()}.{letter}.{numbers[0]:02d}"
        entry = result.entry(names[offset])
        entry.label = words[0].replace("_", " ")
        entry.gloss = gloss.strip()
        entry.words = {
            word.replace("_", " "): rank + number for word, number in zip(words, numbers, strict=True)
        }
        links.extend((offset, parent) for parent in above)
    if not names.keys() >= {parent for _, parent in links} | {offset for _, offset in senses}:
        raise BadFile(
            f"'{path}' is not complete: its index or an is-a link leads to a synset that it does not have."
        )
    result.links.extend((names[child], names[parent]) for child, parent in links)


def _synset(fields: list[str], letter: str, is_a: tuple[str, ...]) -> tuple[str, list[str], list[str]]:
    """The offset, the words and the offsets of the parents of one line of data."""
    count = int(fields[3], 16)
    words = fields[4 : 4 + 2 * count : 2]
    start = 4 + 2 * count
    pointers = fields[start + 1 : start + 1 + 4 * int(fields[start])]
    above = [
        target
        for symbol, target, pos in zip(pointers[::4], pointers[1::4], pointers[2::4], strict=True)
        if symbol in is_a and pos == letter
    ]
    return fields[0], words, above
