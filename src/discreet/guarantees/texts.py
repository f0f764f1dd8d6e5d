"""The guarantee about sanitised text: names that were masked do not stand in the published column."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import polars as pl

from discreet.guarantees.guarantee import Guarantee, quoted
from discreet.shapes import Check, list_of, table_of, text, whole
from discreet.table import Table

_UNSEEN = "\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
_WITHOUT_SPACES = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
)
_WORD = re.compile(f"[{_WITHOUT_SPACES}]|(?:(?![{_WITHOUT_SPACES}_])[\\w\u0300-\u036f{_UNSEEN}])+")
_HIDDEN = re.compile(f"[{_UNSEEN}]")


class Word(NamedTuple):
    """A word of a text: where it stands, and how it reads, without characters that do not show."""

    start: int
    end: int
    reads: str


def words_of(text: str) -> Iterator[Word]:
    """The words of a text; in scripts that set no spaces, each sign is one.

    >>> [each.reads for each in words_of("Anna O'Neill-Wu")]
    ['Anna', 'O', 'Neill', 'Wu']
    """
    for found in _WORD.finditer(text):
        reads = found.group()
        if not reads.isascii():
            reads = unicodedata.normalize("NFKC", _HIDDEN.sub("", reads))
        if reads:
            yield Word(found.start(), found.end(), reads)


Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wordings:
    """Wordings that are looked for as whole words: some whatever their capitals, some as they are written only.

    Marks, spaces and line breaks between words do not matter. What is looked for as written is found in capitals too.
    """

    folded: frozenset[Key] = field(repr=False)
    exact: frozenset[Key] = field(repr=False)
    _lengths: Mapping[str, tuple[int, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        lengths: dict[str, set[int]] = defaultdict(set)
        for each in (*self.folded, *self.exact):
            lengths[each[0].casefold()].add(len(each))
        longest_first = {first: tuple(sorted(each, reverse=True)) for first, each in lengths.items()}
        object.__setattr__(self, "_lengths", longest_first)

    @classmethod
    def of(cls, folded: Iterable[str], exact: Iterable[str] = ()) -> Wordings:
        """Wordings to be looked for; those without a letter or a digit are left out."""
        as_written = {key for each in exact if (key := key_of(each))}
        return cls(
            folded=frozenset(key for each in folded if (key := _fold(key_of(each)))),
            exact=frozenset(as_written | {tuple(word.upper() for word in key) for key in as_written}),
        )

    def found_in(self, text: str) -> Iterator[tuple[int, int, Key]]:
        """Where wordings stand and which, from left to right, of those that begin together the longest.

        None overlaps another.
        """
        if not self._lengths:
            return
        words = list(words_of(text))
        place = 0
        while place < len(words):
            many = 1
            for length in self._lengths.get(words[place].reads.casefold(), ()):
                key = tuple(each.reads for each in words[place : place + length])
                if key in self.exact or _fold(key) in self.folded:
                    many = length
                    yield words[place].start, words[place + length - 1].end, key
                    break
            place += many


def key_of(wording: str) -> Key:
    """The words of a wording."""
    return tuple(each.reads for each in words_of(wording))


def _fold(key: Key) -> Key:
    return tuple(each.casefold() for each in key)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NoMaskedNames(Guarantee):
    """No name that was masked in columns of text stands there as whole words.

    `masked` counts what was replaced, by kind, and `not_looked_for` says in sentences what was not looked for. `policy`
    is the name of the policy that said what is sensitive, empty where none was given. The names are secret: `wordings`
    is None where the guarantee was read from a manifest, and then nobody can check it.
    """

    masked: Mapping[str, int]
    not_looked_for: tuple[str, ...] = ()
    policy: str = ""
    wordings: Wordings | None = field(default=None, repr=False)
    shape: ClassVar[Mapping[str, Check]] = {"masked": table_of(whole(0)), "not_looked_for": list_of(text)}
    later: ClassVar[Mapping[str, Check]] = {"policy": text}

    def says(self) -> str:
        kinds = ", ".join(f"{kind} {many}" for kind, many in sorted(self.masked.items()))
        replaced = f"replaced: {kinds}" if kinds else "nothing was found to replace"
        by_policy = f"; policy '{self.policy}'" if self.policy else ""
        return (
            f"no name that was masked stands as whole words in {quoted(self.columns)} ({replaced}{by_policy})"
        )

    def fault(self, published: Table) -> str:
        if self.wordings is None:
            raise TypeError("a guarantee that was read from a manifest does not know the names")
        cells = [published.frame[name].drop_nulls().cast(pl.String) for name in self.columns]
        left = sum(1 for each in cells for cell in each for _ in self.wordings.found_in(cell))
        return f"{left} places where one stands" if left else ""

    def unchecked(self, published: Table) -> str:
        if self.wordings is None:
            return "the names that were masked are secret, and not here"
        return Guarantee.unchecked(self, published)
