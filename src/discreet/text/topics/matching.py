"""Matching: where the terms of topics stand in a text, by stem, whatever separates their words, and misspelt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple
from unicodedata import combining, normalize

import numpy as np
from numpy.typing import NDArray

from discreet.errors import NotInstalled
from discreet.text.policy_sections import MatchingOptions
from discreet.text.span import Span
from discreet.text.topics.patterns import Patterns, best_term
from discreet.text.topics.spelling import SpellingIndex
from discreet.text.topics.stems import known_stems, stem
from discreet.text.topics.term import Term
from discreet.text.topics.tokens import (
    JOINED_BY_HYPHEN,
    JOINED_BY_SPACE,
    JOINED_OTHERWISE,
    MOST_WORDS,
    Ids,
    Tokens,
    Vocabulary,
    tokenise,
)
from discreet.text.words import WORD, stemmer, stop_words

FOUND_BY = "topics"
MISSPELT = 0.7
"""How sure a misspelt word is, beside one that is written as the term is."""
NOT_LOOKED_UP = -1
NO_PREFIXES = frozenset("aAiI")
"""Single letters that are words of their own."""


class How(StrEnum):
    """How the words of a text are those of a term."""

    WRITTEN = "as it is written"
    STEM = "by its stem"
    SEPARATOR = "with other separators"
    MISSPELT = "misspelt"


class Hit(NamedTuple):
    """A term that stands in a text from `start` to `end`, and how it was matched."""

    start: int
    end: int
    term: Term
    how: How

    @property
    def weight(self) -> float:
        """What the hit counts."""
        return self.term.weight

    @property
    def why(self) -> str:
        """Which keyword it tells, through which relation, and how it was matched; it does not repeat the text."""
        return f"{self.term.origins[0]}; {self.how}"

    def span(self) -> Span:
        """The hit as a span, whose kind is the first of its topics."""
        sure = MISSPELT if self.how is How.MISSPELT else 1.0
        return Span(self.start, self.end, self.term.topics[0], FOUND_BY, self.why, sure)


class Matcher:
    """Terms made ready to be found in many texts. What it learns of a word, it keeps for the next text.

    A text is split into words once; each distinct word is stemmed once, so that the time for a text hardly depends on
    how many terms there are. `known` are words besides WordNet's that are spelt right, such as those that are frequent
    in a corpus. Without WordNet `looks_for_misspellings` is false.
    """

    def __init__(
        self,
        terms: Iterable[Term],
        *,
        options: MatchingOptions | None = None,
        known: Collection[str] = (),
    ) -> None:
        self.options = options or MatchingOptions()
        self.terms = tuple(terms)
        self._patterns = Patterns.of(self.terms)
        self._stemmer = stemmer()
        self._known = self._known_stems(known)
        slips = self._patterns.spelt if self._known else ()
        self._spelling = SpellingIndex(slips, shortest=self.options.shortest)
        self._start_anew()

    @property
    def looks_for_misspellings(self) -> bool:
        """Whether misspelt words are found: the policy asks for it and there is a list of words that are right."""
        return bool(self._known)

    def find(self, text: str) -> tuple[Hit, ...]:
        """The hits in a text, in order and disjoint: where some overlap the first, where some begin alike the longest.

        Guarantees: time grows as the length of the text and the number of hits.
        """
        if len(self._vocabulary) > MOST_WORDS:
            self._start_anew()
        tokens = tokenise(text, self._vocabulary)
        self._learn_words()
        stems = self._stem_of[tokens.words]
        misspelt = self._correct(tokens, stems)
        lengths = np.zeros(len(tokens), dtype=np.int32)
        which = np.full(len(tokens), -1, dtype=np.int32)
        for places, words, patterns in self._patterns.found(stems, tokens.after):
            lengths[places], which[places] = words, patterns
        self._join(tokens, lengths, which, misspelt)
        return tuple(self._hits(text, tokens, lengths, which, misspelt))

    def _start_anew(self) -> None:
        self._vocabulary = Vocabulary()
        self._stem_of: Ids = np.zeros(0, dtype=np.int32)
        self._may_be_misspelt: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self._meant: Ids = np.zeros(0, dtype=np.int32)
        self._chosen: dict[tuple[int, str, bool], tuple[Term, How]] = {}

    def _known_stems(self, known: Collection[str]) -> frozenset[str]:
        if not self.options.misspellings:
            return frozenset()
        try:
            return known_stems() | {self._stemmer(each.lower()) for each in known}
        except NotInstalled:
            return frozenset()

    def _learn_words(self) -> None:
        """The number of the stem of each new word, zero where no term has it, and whether it may be a misspelling."""
        new = self._vocabulary.words[len(self._stem_of) :]
        if not new:
            return
        stems = [self._stemmer(each.lower()) for each in new]
        numbers = self._patterns.stems
        own = np.fromiter((numbers.get(each, 0) for each in stems), np.int32, len(new))
        odd = np.fromiter(map(self._is_odd, new, stems), np.bool_, len(new))
        self._stem_of = np.concatenate([self._stem_of, own])
        self._may_be_misspelt = np.concatenate([self._may_be_misspelt, odd & (own == 0)])
        self._meant = np.concatenate([self._meant, np.full(len(new), NOT_LOOKED_UP, dtype=np.int32)])

    def _is_odd(self, word: str, stemmed: str) -> bool:
        """Whether a word is long enough, not capitalised, no stop word and not known to be spelt right."""
        return (
            bool(self._known)
            and len(word) >= self.options.shortest
            and word.islower()
            and word.isalpha()
            and word not in stop_words()
            and not any(each in self._known for each in (stemmed, *_other_forms(word)))
        )

    def _correct(self, tokens: Tokens, stems: Ids) -> NDArray[np.bool_]:
        """Puts the stem that was meant in the place of that of a rare misspelt word; says which words were."""
        times = np.bincount(tokens.words, minlength=len(self._stem_of))
        odd = self._may_be_misspelt & (times > 0) & (times <= self.options.rare)
        for word in np.flatnonzero(odd & (self._meant == NOT_LOOKED_UP)).tolist():
            self._meant[word] = self._patterns.stems.get(self._nearest(self._vocabulary.words[word]), 0)
        meant = np.where(odd, np.maximum(self._meant, 0), 0)[tokens.words]
        places = np.flatnonzero(meant)
        stems[places] = meant[places]
        misspelt = np.zeros(len(tokens), dtype=np.bool_)
        misspelt[places] = True
        return misspelt

    def _nearest(self, word: str) -> str:
        """The stem of a term that a misspelt word was meant to have; empty where there is none."""
        return self._spelling.nearest(self._stemmer(word)) or ""

    def _join(self, tokens: Tokens, lengths: Ids, which: Ids, misspelt: NDArray[np.bool_]) -> None:
        """Finds single words that are written in two: at a hyphen, or after a single letter ("e mail")."""
        words = self._vocabulary.words
        for place in self._places_to_join(tokens, lengths).tolist():
            first, second = words[tokens.words[place]], words[tokens.words[place + 1]]
            if not first or not second or first in NO_PREFIXES:
                continue
            pattern = self._patterns.single(self._stemmer((first + second).lower()))
            if pattern < 0 and tokens.after[place] == JOINED_BY_HYPHEN and self._is_slip(first, second):
                pattern = self._patterns.single(self._nearest(first + second))
                misspelt[place] |= pattern >= 0
            if pattern >= 0:
                lengths[place], which[place] = 2, pattern

    def _places_to_join(self, tokens: Tokens, lengths: Ids) -> NDArray[np.intp]:
        """The first words of pairs that a hyphen or a single letter makes one, where no phrase was found already.

        A letter after an apostrophe ends the word before it.
        """
        joined = tokens.after == JOINED_BY_HYPHEN
        letters = np.flatnonzero(tokens.ends - tokens.starts == 1)
        letters = letters[tokens.after[letters] == JOINED_BY_SPACE]
        joined[letters[(letters == 0) | (tokens.after[letters - 1] != JOINED_OTHERWISE)]] = True
        joined[-1:] = False
        places = np.flatnonzero(joined)
        return places[lengths[places] < 2]

    def _is_slip(self, first: str, second: str) -> bool:
        """Whether two words at a hyphen may be one that is misspelt: it is unknown, and so is the longer of them."""
        longer = max(first, second, key=len)
        both = first + second
        return self._stemmer(longer) not in self._known and self._is_odd(both, self._stemmer(both))

    def _hits(
        self, text: str, tokens: Tokens, lengths: Ids, which: Ids, misspelt: NDArray[np.bool_]
    ) -> Iterable[Hit]:
        places = np.flatnonzero(lengths)
        words = lengths[places]
        lasts = places + words - 1
        wrong = misspelt[places] | misspelt[lasts]
        columns = (places, lasts, tokens.starts[places], tokens.ends[lasts], which[places], wrong)
        done = -1
        for place, last, start, end, pattern, slip in zip(*(each.tolist() for each in columns), strict=True):
            if place <= done:
                continue
            done = last
            written = text[start:end]
            found = self._chosen.get((pattern, written, slip))
            if found is None:
                found = self._choose(pattern, written, slip or bool(misspelt[place : last + 1].any()))
                if len(self._chosen) < MOST_WORDS:
                    self._chosen[pattern, written, slip] = found
            yield Hit(start, end, *found)

    def _choose(self, pattern: int, written: str, misspelt: bool) -> tuple[Term, How]:
        """The term that a hit stands for, and how it was matched."""
        small = written.lower()
        term = best_term(self._patterns.terms[pattern], small)
        if misspelt:
            return term, How.MISSPELT
        if small == term.text:
            return term, How.WRITTEN
        own, others = WORD.findall(small), WORD.findall(term.text)
        if len(own) != len(others) or own == others:
            return term, How.SEPARATOR
        return term, How.STEM


def _other_forms(word: str) -> Iterator[str]:
    """What a word can come from that its stem does not tell: without accents, and superlatives."""
    if not word.isascii():
        yield stem("".join(each for each in normalize("NFKD", word) if not combining(each)))
    if word.endswith("est"):
        yield from (stem(word[:-3]), stem(word[:-2]), stem(word[:-4]))
    if word.endswith("iest"):
        yield stem(f"{word[:-4]}y")


def find_topics(text: str, terms: Iterable[Term] | Matcher) -> tuple[Hit, ...]:
    """The hits of terms in a text, in order and disjoint. For many texts, make the terms a Matcher once.

    >>> from discreet.text.topics import terms_of
    >>> [(each.start, each.how.value) for each in find_topics("Two e-mails.", terms_of(["email"]))]
    [(4, 'with other separators')]
    """
    matcher = terms if isinstance(terms, Matcher) else Matcher(terms)
    return matcher.find(text)
