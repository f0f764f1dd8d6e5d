"""Names of organisations: what is left without legal forms, and the abbreviations that a text gives for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from discreet.text.entities.flat_text import fold
from discreet.text.entities.words.names import LEGAL_FORMS

_FURTHER_FORMS = "incorporated limited corporation company lp spa as kk pty pte slu sca se ev"
_LEGAL = frozenset(fold(each.replace(".", "")) for each in LEGAL_FORMS) | frozenset(_FURTHER_FORMS.split())
_SMALL_WORDS = "the of and for in on to de la le les des du et y e und der die das a an &"
_SMALL = frozenset(_SMALL_WORDS.split())
_WORD = re.compile(r"[\w&]+(?:['’]\w+)?")
_DOTTED = re.compile(r"\b(?:\w\.){2,}")
_ARTICLE = r"(?:the |hereinafter |hereafter )*"
_BRACKETS = re.compile(rf"\s*\(\s*{_ARTICLE}[\"“'‘]?(\w[\w&.\- ]{{0,30}}?)[\"”'’]?\s*\)")
LONGEST_BRACKETS = 60


def organisation_key(text: str) -> str:
    """The name folded, without its article, legal form, points and possessive, so that ways to write it are equal.

    >>> organisation_key("the Imagine Inc."), organisation_key("N.A.T.O.")
    ('imagine', 'nato')
    """
    closed = _DOTTED.sub(lambda found: found.group().replace(".", ""), text)
    words = [fold(re.sub(r"['’]s?$", "", word)) for word in _WORD.findall(closed)]
    while len(words) > 1 and words[0] == "the":
        words.pop(0)
    kept = list(words)
    while len(kept) > 1 and kept[-1] in _LEGAL:
        kept.pop()
    return " ".join(kept) or fold(text.strip())


def short_form(text: str, end: int, name: str) -> tuple[int, int] | None:
    """Where the abbreviation of a name that ends at `end` stands in brackets right after it; None where none does.

    Brackets hold an abbreviation if it is made of the first letters of the name, or of its first words.
    """
    found = _BRACKETS.match(text, end, end + LONGEST_BRACKETS)
    if found is None or not abbreviates(found[1], name):
        return None
    return found.span(1)


def abbreviates(short: str, name: str) -> bool:
    """Whether a short name is made of the first letters of the words of a longer one, or is its beginning.

    >>> abbreviates("NATO", "North Atlantic Treaty Organization"), abbreviates("Imagine", "Imagine Inc.")
    (True, True)
    """
    little, key = organisation_key(short), organisation_key(name)
    if not little or little == fold(name):
        return False
    if key == little or key.startswith(f"{little} "):
        return True
    letters = little.replace(" ", "")
    return len(letters) > 1 and letters in set(acronyms(name))


def acronyms(name: str) -> Iterator[str]:
    """The first letters of the words of a name, with small words and without them, with its legal form and without."""
    words = [fold(word) for word in _WORD.findall(name)]
    while words and words[0] == "the":
        words.pop(0)
    for these in (words, [word for word in words if word not in _LEGAL]):
        for chosen in (these, [word for word in these if word not in _SMALL]):
            if len(chosen) > 1:
                yield "".join(word[0] for word in chosen)


def unique_acronyms(names: Iterable[str]) -> dict[str, str]:
    """For acronyms of three letters and more that fit one name only: the key of that name."""
    found: dict[str, set[str]] = {}
    for name in names:
        for letters in acronyms(name):
            if len(letters) > 2:
                found.setdefault(letters, set()).add(organisation_key(name))
    return {letters: next(iter(keys)) for letters, keys in found.items() if len(keys) == 1}
