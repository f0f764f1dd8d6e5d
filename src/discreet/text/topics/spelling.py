"""Misspellings: which words of a list a word can be a slip of, by an index of what deletions leave.

Two words that are few edits apart are alike after a few letters are deleted from each (Mor and Fraenkel 1982). The
index holds what deletions leave of the words of the list, so that a look-up takes the same time whatever their number.
"""

from __future__ import annotations

from collections.abc import Iterable

LONG = 9
"""From this many letters on two edits are allowed, and one below: short words are one edit away from many others."""
LONGEST = 24
"""A word of more letters is not looked up: what deletions leave of it is too much."""


def edits_allowed(word: str) -> int:
    """How many edits a word of this length may be away from what was meant."""
    return 2 if len(word) >= LONG else 1


class SpellingIndex:
    """Words and what deletions leave of them.

    An edit is a letter left out, put in, changed for another, or swapped with the next (optimal string alignment); the
    first letter of a misspelt word is taken to be right, as it nearly always is (Yannakoudakis and Fawthrop 1983).
    """

    def __init__(self, words: Iterable[str], *, shortest: int = 5) -> None:
        self._shortest = shortest
        self._left: dict[str, list[str]] = {}
        for word in sorted(set(words)):
            if shortest - 1 <= len(word) <= LONGEST:
                for rest in _deletions(word, edits_allowed(word)):
                    self._left.setdefault(rest, []).append(word)

    def nearest(self, word: str) -> str | None:
        """The word of the index that this one is fewest edits away from; None where all are too far.

        Of several the one of the nearest length, then the first of the alphabet. The shorter of two words says how many
        edits are allowed.
        """
        if not self._shortest - 1 <= len(word) <= LONGEST:
            return None
        from rapidfuzz.distance import OSA

        best: tuple[int, int, str] | None = None
        seen: set[str] = set()
        for rest in _deletions(word, edits_allowed(word)):
            for each in self._left.get(rest, ()):
                if each in seen or each[0] != word[0]:
                    continue
                seen.add(each)
                most = min(edits_allowed(word), edits_allowed(each))
                edits = OSA.distance(word, each, score_cutoff=most)
                if edits <= most:
                    found = (edits, abs(len(each) - len(word)), each)
                    best = found if best is None else min(best, found)
        return None if best is None else best[2]


def _deletions(word: str, most: int) -> set[str]:
    """The word, and what is left of it without up to so many of its letters."""
    found, last = {word}, {word}
    for _ in range(most):
        last = {each[:place] + each[place + 1 :] for each in last for place in range(len(each))}
        found |= last
    return found
