"""Rarity: terms that a corpus is full of tell little, and count less."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from discreet.text.document import Corpus
from discreet.text.policy_sections import MatchingOptions
from discreet.text.sentences import paragraphs
from discreet.text.topics.matching import Matcher
from discreet.text.topics.term import Term
from discreet.text.topics.widening import reweighed
from discreet.text.words import WORD

FEWEST = 20
"""Fewer documents say nothing about what is common; then their paragraphs are counted, if they are so many."""


def weigh_by_rarity(
    terms: Sequence[Term], corpus: Corpus, *, options: MatchingOptions | None = None
) -> tuple[Term, ...]:
    """The terms, their weights times how rare they are in the corpus: from 1, hit nowhere, to 0, hit everywhere.

    Rarity is log((N + 1) / (n + 1)) / log(N + 1), for n of N documents with a hit (Spärck Jones 1972, scaled to 1).
    What counts is what the term hits, by whatever stem: a rare word with the stem of a common one is common. Of fewer
    than FEWEST documents the paragraphs are counted; of fewer than so many paragraphs nothing is weighed down.
    """
    units = [each.text for each in corpus]
    if len(units) < FEWEST:
        units = [each.text[low:high] for each in corpus for low, high in paragraphs(each)]
    if len(units) < FEWEST:
        return tuple(terms)
    matcher = Matcher(terms, options=options)
    held = Counter(text for unit in units for text in {each.term.text for each in matcher.find(unit)})
    return reweighed(terms, [rarity(held[each.text], len(units)) for each in terms])


def rarity(held: int, of: int) -> float:
    """How rare what `held` of so many documents hold is, from 0 (all of them) to 1 (none).

    >>> rarity(0, 50), rarity(50, 50)
    (1.0, 0.0)
    """
    return math.log((of + 1) / (held + 1)) / math.log(of + 1) if of else 1.0


def frequent_words(corpus: Corpus, *, more_than: int) -> frozenset[str]:
    """The words, in lower case, that a corpus has more often than that: they are no misspellings."""
    counts = Counter(word.lower() for each in corpus for word in WORD.findall(each.text))
    return frozenset(word for word, times in counts.items() if times > more_than)
