"""Stems of the words of phrases, and which stems are those of known words."""

from __future__ import annotations

from functools import cache

from discreet.text.words import WORD, stemmer

LONGEST_WORD = 64
"""What has more letters than this is no word: it is not stemmed, and no term matches it."""


@cache
def stem(word: str) -> str:
    """The stem of a word, whatever its case: that of "encrypting" is that of "encrypted".

    >>> stem("Weapons") == stem("weapon")
    True
    """
    return stemmer()(word.lower())


def stems_of(phrase: str) -> tuple[str, ...]:
    """The stems of the words of a phrase, whatever stands between them.

    >>> stems_of("nuclear weapons") == stems_of("Nuclear-Weapon")
    True
    """
    return tuple(stem(each) for each in WORD.findall(phrase))


@cache
def known_stems() -> frozenset[str]:
    """The stems of all single words of WordNet: what has one of them is spelt right. Raises NotInstalled."""
    from discreet.ontology.readers import wordnet_words

    to_stem = stemmer()
    return frozenset(to_stem(word) for word in wordnet_words())
