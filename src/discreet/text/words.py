"""The words of a text: where one ends, which say nothing of what it is about, and their stems."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from discreet.errors import NotInstalled, UnknownName, did_you_mean

WORD = re.compile(r"[^\W_]+")
"""Runs of letters and digits, of any alphabet. Vectors and names, which know better, have rules of their own."""


def words(text: str) -> list[str]:
    """The words of a text in order, in lower case; digits count as letters.

    >>> words("The NY University, near Pers1's laboratory")
    ['the', 'ny', 'university', 'near', 'pers1', 's', 'laboratory']
    """
    return WORD.findall(text.lower())


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    """English words that say nothing of what a text is about, as scikit-learn lists them, and single letters."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return frozenset(ENGLISH_STOP_WORDS) | frozenset("abcdefghijklmnopqrstuvwxyz")


@lru_cache(maxsize=8)
def stemmer(language: str = "english") -> Callable[[str], str]:
    """The function that gives the Snowball stem of a word (Porter 2 for English); each word is stemmed once.

    Raises NotInstalled, and UnknownName for a language that has no stemmer.
    """
    try:
        import snowballstemmer
    except ImportError:
        raise NotInstalled(
            "stems of words need the library snowballstemmer: pip install 'discreet[text]'."
        ) from None
    known = snowballstemmer.algorithms()
    if language not in known:
        raise UnknownName(f"there is no stemmer for '{language}'.{did_you_mean(language, known)}")
    found: Callable[[str], str] = lru_cache(maxsize=1 << 20)(snowballstemmer.stemmer(language).stemWord)
    return found


def terms(text: str) -> list[str]:
    """The stems of the words of a text, without stop words.

    >>> terms("The plans of weapons and of other weapons")
    ['plan', 'weapon', 'weapon']
    """
    stop, stem = stop_words(), stemmer()
    return [stem(word) for word in words(text) if word not in stop]
