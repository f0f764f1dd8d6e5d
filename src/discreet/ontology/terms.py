"""The words for concepts: which concepts a word can mean, and in what order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.ontology.links import Adjacency, Ids
from discreet.ontology.texts import Texts

SENSE = re.compile(r"(?P<word>.+)#(?P<number>[1-9][0-9]*)\Z", re.DOTALL)
BETWEEN_WORDS = re.compile(r"[\s_\-‐-―]+")
NEGATIVE = re.compile(r"-\.?\d")
SINGULARS = (
    ("ies", "y"),
    ("ves", "f"),
    ("ves", "fe"),
    ("men", "man"),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("oes", "o"),
    ("s", ""),
)
PLURALS = (("y", "ies"), ("man", "men"), ("", "s"), ("", "es"))


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """An index of words. Entries stand by normalised word, and within one word by rank of sense.

    `keys` are the normalised words, sorted; the entries of key i run from `offsets[i]` to `offsets[i + 1]`;
    `written` is each entry's word as the ontology has it, `concepts` what it stands for; `entries` leads from
    a concept to its entries.
    """

    keys: Texts
    offsets: NDArray[np.int64]
    written: Texts
    concepts: Ids
    entries: Adjacency

    @classmethod
    def of(cls, words: Iterable[tuple[str, int, int]], size: int) -> Terms:
        """The index of words given as (word, concept, rank): a lower rank is a likelier sense."""
        ranked = sorted(
            {(normalised(word), rank, concept, word) for word, concept, rank in words if word.strip()}
        )
        keys = [key for key, *_ in ranked]
        first = [place for place, key in enumerate(keys) if place == 0 or key != keys[place - 1]]
        concepts = np.array([concept for _, _, concept, _ in ranked], dtype=np.int32)
        return cls(
            Texts.of(keys[place] for place in first),
            np.array([*first, len(keys)], dtype=np.int64),
            Texts.of(word for *_, word in ranked),
            concepts,
            Adjacency.of(concepts, np.arange(len(concepts)), size),
        )

    def find(self, value: str) -> Ids:
        """The concepts the value can mean, the likeliest first; none when it is no word of the ontology.

        Tried in turn: the word as written; a numbered sense ("worker#2"); the word whatever its case,
        underscores and hyphens; the same in singular or plural.
        """
        senses = self._senses(normalised(value))
        exact = [place for place in senses if self.written[place] == value]
        if exact:
            return self._concepts(exact)
        numbered = SENSE.match(value)
        if numbered:
            every = self._concepts(self._senses(normalised(numbered["word"])))
            number = int(numbered["number"])
            return every[number - 1 : number]
        for key in (normalised(value), *_inflected(normalised(value))):
            senses = self._senses(key)
            if senses:
                return self._concepts(senses)
        return np.empty(0, dtype=np.int32)

    def words(self, concept: int) -> list[str]:
        """The words for a concept, each once, in the order of the index."""
        return list(dict.fromkeys(self.written[int(entry)] for entry in self.entries[concept]))

    def _senses(self, key: str) -> range:
        place = self.keys.find(key)
        return range(0) if place < 0 else range(int(self.offsets[place]), int(self.offsets[place + 1]))

    def _concepts(self, entries: Iterable[int]) -> Ids:
        distinct = dict.fromkeys(int(self.concepts[entry]) for entry in entries)
        return np.array(list(distinct), dtype=np.int32)


def normalised(word: str) -> str:
    """The word in lower case, with one space for each underscore, hyphen or gap; the sign of a number stays.

    >>> normalised("Farming-fishing"), normalised("skilled_worker")
    ('farming fishing', 'skilled worker')
    """
    plain = unicodedata.normalize("NFKC", word).casefold().strip()
    sign = "-" if NEGATIVE.match(plain) else ""
    return sign + BETWEEN_WORDS.sub(" ", plain).strip()


def _inflected(key: str) -> Iterator[str]:
    """Guesses at the singular, then at the plural, of the last word."""
    for ending, replacement in SINGULARS + PLURALS:
        stem = key.removesuffix(ending)
        if len(stem) > 1 and (stem != key or not ending):
            yield stem + replacement
