"""English nouns in a sentence: their number, their capitals and the article before them."""

from __future__ import annotations

import re

ARTICLE = re.compile(r"\b(an?)\s+\Z", re.IGNORECASE)
SOUNDS_LIKE_A_VOWEL = re.compile(r"(?:[aeiou]|hour|honest|honou?r|heir)", re.IGNORECASE)
SOUNDS_LIKE_A_CONSONANT = re.compile(r"(?:uni(?!n|m)|us[aeu]|eu|ewe|one\b|once\b|ut[ei])", re.IGNORECASE)
ADDS_ES = re.compile(r"(?:s|x|z|ch|sh)\Z")
ENDS_IN_Y = re.compile(r"[^aeiou]y\Z")
NO_PLURALS = ("s", "ss", "ics")


def plural(phrase: str) -> str:
    """The plural of a noun or of a phrase that a noun ends or that "of" follows.

    >>> plural("weapon of mass destruction"), plural("facility"), plural("craftsman")
    ('weapons of mass destruction', 'facilities', 'craftsmen')
    """
    head, of, rest = phrase.partition(" of ")
    if head.endswith("man") and not head.endswith("human"):
        head = f"{head[:-3]}men"
    elif ENDS_IN_Y.search(head):
        head = f"{head[:-1]}ies"
    elif not head.endswith("ics"):
        head += "es" if ADDS_ES.search(head) else "s"
    return head + of + rest


def is_plural(written: str, singular: str) -> bool:
    """Whether a noun as it is written is the plural of the one given, both in whatever case."""
    return written.lower() != singular.lower() and written.lower() in (
        plural(singular.lower()),
        f"{singular.lower()}s",
    )


def cased_like(written: str, new: str) -> str:
    """The new text in the case of the written one: all capitals, a first capital, or as it is.

    >>> cased_like("Pistol", "weapon"), cased_like("PISTOL", "weapon"), cased_like("pistol", "weapon")
    ('Weapon', 'WEAPON', 'weapon')
    """
    if len(written) > 1 and written.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if written[:1].isupper() else new


def article_for(new: str) -> str:
    """The indefinite article before a word, by how it most likely sounds.

    >>> article_for("weapon"), article_for("arm"), article_for("unit")
    ('a', 'an', 'a')
    """
    if SOUNDS_LIKE_A_CONSONANT.match(new):
        return "a"
    return "an" if SOUNDS_LIKE_A_VOWEL.match(new) else "a"


def article_before(text: str, start: int) -> int:
    """Where the indefinite article right before a place starts; the place itself where there is none."""
    found = ARTICLE.search(text[max(0, start - 8) : start])
    return start if found is None else start - (len(found.string) - found.start())
