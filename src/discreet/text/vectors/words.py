"""From text to terms: words in lower case, without stop words, stemmed or kept to those that WordNet knows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from discreet.errors import BadParameter, UnknownName, did_you_mean
from discreet.ontology.readers.wndb import EVERY_PART, single_words
from discreet.ontology.readers.wordnet_home import wordnet_folder
from discreet.text.words import stemmer, stop_words

WORD = re.compile(r"[^\W\d_]{2,}")
"""Two letters or more, of any alphabet."""
APOSTROPHES = re.compile(r"['’](?=\w)")
PARTS = {"words": EVERY_PART, "nouns": ("noun",)}
"""What of WordNet a filter lets through."""
NOUN_ENDINGS = (
    ("ches", "ch"),
    ("shes", "sh"),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ies", "y"),
    ("men", "man"),
    ("s", ""),
)
OTHER_ENDINGS = (
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", ""),
    ("est", ""),
)
"""Endings of inflected words and what stands there in the base, tried in turn (Miller 1990: morphology of WordNet)."""
Words = Callable[[str], list[str]]


def stopped_by(name: str) -> frozenset[str]:
    """The stop words of a list: "english", or "none"."""
    if name not in ("english", "none"):
        raise UnknownName(
            f"there is no list of stop words '{name}'.{did_you_mean(name, ['english', 'none'])}"
        )
    return stop_words() if name == "english" else frozenset()


def words_of(text: str) -> list[str]:
    """The words of a text in lower case: runs of two letters or more; what follows an apostrophe is left out.

    >>> words_of("The bank's rates rose 0.5%, Mr. O'Neill's said.")
    ['the', 'bank', 'rates', 'rose', 'mr', 'neill', 'said']
    """
    plain = APOSTROPHES.sub(" ' ", unicodedata.normalize("NFKC", text).lower())
    return WORD.findall(re.sub(r" ' (?:s|t|d|m|ll|re|ve)\b", " ", plain))


def terms_by(*, stop: str, stem: str | None, wordnet: str | None) -> Words:
    """A function that gives the terms of a text.

    With `wordnet` "words" or "nouns", what WordNet does not know as such is left out, and an inflected form is taken
    for its base. Stems are not words of WordNet, so that both together are refused.
    """
    if stem is not None and wordnet is not None:
        raise BadParameter("vectorise: stems are not words of WordNet. Choose stem or wordnet, not both.")
    if wordnet not in (None, *PARTS):
        raise BadParameter(f"vectorise: wordnet must be 'words' or 'nouns'; got '{wordnet}'.")
    stopped = stopped_by(stop)
    change: Callable[[str], str] = str
    if stem is not None:
        change = stemmer(stem)
    elif wordnet is not None:
        change = known_base(single_words(wordnet_folder(), PARTS[wordnet]), wordnet == "words")

    def terms(text: str) -> list[str]:
        kept = (change(word) for word in words_of(text) if word not in stopped)
        return [term for term in kept if term and term not in stopped]

    return terms


def known_base(known: frozenset[str], verbs_too: bool) -> Callable[[str], str]:
    """A function that gives the known word that a word is or is a form of; empty where there is none."""
    rules = (*NOUN_ENDINGS, *(OTHER_ENDINGS if verbs_too else ()))

    @lru_cache(maxsize=200_000)
    def base(word: str) -> str:
        if word in known:
            return word
        forms = [word.removesuffix(end) + instead for end, instead in rules if word.endswith(end)]
        # A consonant is doubled before some endings: shipped, running.
        forms += [form[:-1] for form in forms if form[-2:-1] == form[-1:]]
        return next((form for form in forms if len(form) > 1 and form in known), "")

    return base
