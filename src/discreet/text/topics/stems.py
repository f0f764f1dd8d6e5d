"""Stems of English words, and which words are known or too common to tell anything."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from discreet.errors import NotInstalled

WORD = re.compile(r"[^\W_]+")
LONGEST_WORD = 64
"""What has more letters than this is no word: it is not stemmed, and no term matches it."""


@cache
def stemmer() -> Callable[[str], str]:
    """The English stemmer of Snowball (Porter 2), for words in lower case.

    Where PyStemmer is installed it does the work, some twenty times as fast and with the same stems.
    Raises NotInstalled where neither is.
    """
    try:
        import snowballstemmer
    except ImportError:
        raise NotInstalled(
            "stems of words need the library snowballstemmer: pip install 'discreet[text]'."
        ) from None
    found: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return found


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
def stop_words() -> frozenset[str]:
    """Words such as "the" and "would", which no topic is told by."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return frozenset(ENGLISH_STOP_WORDS)


@cache
def known_stems() -> frozenset[str]:
    """The stems of all single words of WordNet: what has one of them is spelt right. Raises NotInstalled."""
    from discreet.ontology.readers import wordnet_words

    to_stem = stemmer()
    return frozenset(to_stem(word) for word in wordnet_words())
