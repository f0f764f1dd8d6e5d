"""The wordings that must not stand in a published document: how those who are masked are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import dropwhile

from discreet.text.document import Corpus, Document, PartKind, Replacement
from discreet.text.entities.forms import NOT_LOOKED_FOR, trimmed
from discreet.text.entities.kinds import Kind
from discreet.text.entities.propagation import OrdinaryWords, words_of
from discreet.text.entities.register import Register
from discreet.text.entities.words.ordinary import is_ordinary
from discreet.text.entities.words.people import ORDINARY, SUFFIXES
from discreet.text.entities.words.titles import BEFORE_NAMES
from discreet.text.scanning.matching import shown, tells
from discreet.text.scanning.places import Places

WORD = re.compile(r"\w+")
SHORTEST = 3
"""Wordings of fewer letters, such as initials, and short numbers are masked where they were found only."""
ROUNDS = 3
"""How often a document is looked through: what stands for one wording can make another with its neighbours."""

Instead = Callable[[Kind, str, str], str]
"""What stands in the place of a wording of a kind that has a pseudonym."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protected:
    """Wordings that are looked for in what was written.

    `names` are single words that are no ordinary English, and `phrases` all others; they are looked for in any case.
    `words` are ordinary ones, such as May or Bush, looked for as they are written or in capitals. `left` are ordinary
    words that were masked as a name and also stand where a rule took them for none, with how often that is in each
    document: there they stay, and in no other document may they stand.
    """

    names: frozenset[str] = field(repr=False)
    words: frozenset[str] = field(repr=False)
    phrases: frozenset[str] = field(repr=False)
    left: Mapping[str, Mapping[str, int]] = field(repr=False)

    @property
    def strings(self) -> frozenset[str]:
        return self.names | self.words | self.phrases

    @property
    def places_left(self) -> int:
        """In how many places words stay that were masked as names elsewhere."""
        return sum(many for places in self.left.values() for many in places.values())

    @property
    def as_written(self) -> frozenset[str]:
        """The ordinary words in lower case, which are no find when they are written so."""
        return frozenset(each.lower() for each in self.words)


def wordings(register: Register) -> dict[str, tuple[Kind, str]]:
    """How those whom a register masks are written, each with its kind and the pseudonym that stands for it.

    A name with a title is also looked for without it, and the surname of a full name alone. Dates, quantities and
    demographics are masked where they were found: the same words mean something else elsewhere. What is one time the
    name of a person and one time something else is that of a person.
    """
    kept = {each.id for each in register.entities if each.kept}
    found: dict[str, tuple[Kind, str]] = {}
    for place, document in enumerate(register.corpus):
        for each in register.mentions(place):
            if each.entity in kept or each.span.kind in NOT_LOOKED_FOR:
                continue
            wording = document.text[each.span.start : each.span.end]
            kind = Kind(each.span.kind)
            for way in _ways(kind, wording):
                first = way not in found or (kind is Kind.PERSON and found[way][0] is not kind)
                if first and tells(shown(way), letters=SHORTEST):
                    found[way] = (kind, each.pseudonym)
    return found


def _ways(kind: Kind, wording: str) -> Iterator[str]:
    """A wording, the same without titles and, of a full name, the surname alone."""
    bare = without_title(wording)
    yield from (wording, bare)
    if kind is Kind.PERSON:
        words = [trimmed(each) for each in bare.split()]
        while len(words) > 1 and words[-1].lower().strip(".") in SUFFIXES:
            words.pop()
        if len(words) > 1 and words[-1][:1].isupper():
            yield words[-1]


def without_title(name: str) -> str:
    """A name without the titles before it, unless nothing is left then; else as it is.

    >>> without_title("Mr John Kelbeck"), without_title("Mr Kelbeck"), without_title("Mr President")
    ('John Kelbeck', 'Kelbeck', 'Mr President')
    """
    words = name.split()
    left = list(dropwhile(lambda word: word.lower().strip(".") in BEFORE_NAMES, words))
    return " ".join(left) if 0 < len(left) < len(words) else name


def protected(register: Register, sanitised: Corpus, *, left_out: Collection[PartKind] = ()) -> Protected:
    """The wordings to look for in the files of sanitised documents; `left_out` are kinds of parts not written."""
    found = wordings(register)
    words = frozenset(each for each in found if WORD.fullmatch(each))
    ordinary = _ordinary(found, register.corpus)
    left = _left(ordinary, sanitised, left_out)
    return Protected(
        names=words - ordinary,
        words=ordinary - left.keys(),
        phrases=frozenset(found) - words,
        left=left,
    )


def _left(
    ordinary: Collection[str], sanitised: Corpus, left_out: Collection[PartKind]
) -> dict[str, dict[str, int]]:
    """The ordinary words that still stand in sanitised documents, with how often each does in which."""
    meant = {way: each for each in sorted(ordinary) for way in (each.upper(), each)}
    left: dict[str, dict[str, int]] = {}
    for document in sanitised:
        texts = (part.text for part in document.parts if part.kind not in left_out)
        counts = Counter(word for text in texts for word in WORD.findall(text) if word in meant)
        for word, many in counts.items():
            places = left.setdefault(meant[word], {})
            places[document.name] = places.get(document.name, 0) + many
    return left


def _ordinary(found: Mapping[str, tuple[Kind, str]], original: Corpus) -> frozenset[str]:
    """Those of the single words that are ordinary English as well, by a list or as the documents write them.

    The name of a person is one still where some write it small: it is ordinary where most do, or where it is a word
    that is known for being both, as Page is.
    """
    words = {each: kind for each, (kind, _) in found.items() if WORD.fullmatch(each)}
    counts = words_of((each.text for each in original), frozenset(each.lower() for each in words))
    seen = OrdinaryWords(counts)

    def is_one(word: str, kind: Kind) -> bool:
        person = kind is Kind.PERSON and word.lower() not in ORDINARY
        return is_ordinary(word) or (seen.common(word) if person else seen.ordinary(word))

    return frozenset(each for each, kind in words.items() if is_one(each, kind))


def swept(sanitised: Corpus, register: Register, instead: Instead) -> dict[int, Document]:
    """The documents in which a masked wording still stands, without it, by their places.

    Names are found as they are usually written; "NEW york", "New-York", or a phrase that somebody typed into a decision
    is not. Nor is a lone word everywhere that was taken for a name in few places only. Ordinary words are left.
    """
    found = wordings(register)
    ordinary = _ordinary(found, register.corpus)
    texts = {each: instead(kind, each, name) for each, (kind, name) in found.items() if each not in ordinary}
    places = Places(texts)
    changed: dict[int, Document] = {}
    for place, document in enumerate(sanitised):
        for _ in range(ROUNDS):
            left = places.find(document.text)
            if not left:
                break
            document = changed[place] = document.replaced(
                Replacement(low, high, texts[each.wording] if low == each.start else "")
                for each in left
                for low, high in document.within_parts(each.start, each.end)
            )
    return changed
