"""Finding thousands of strings in a text, however they are spaced, hyphenated or split.

A text is looked at in several views, each with words between single spaces, so that a string is found as whole words by
one pass of an automaton:

- as it is, with every other character taken for a space (line breaks, marks, the dot in an address);
- with hyphens taken out, so that a word that is broken at the end of a line is whole;
- with line breaks taken out, for strings of twelve characters and more without a space;
- with digits drawn together, for numbers of six digits and more;
- with letters drawn together that stand apart, each word by itself or all of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from discreet.errors import BadParameter, NotInstalled

UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
BETWEEN = re.compile(r"[\W_]+")
HYPHEN = re.compile(r"(?<=\w)[-\u2010-\u2015\u2212]\s*(?=\w)")
BREAK = re.compile(r"(?<=\w)[ \t]*[\r\n]+[ \t]*(?=\w)")
IN_NUMBER = re.compile(r"(?<=\d)[ .\-/()\u00a0]+(?=\d)")
APART = re.compile(r"(?<!\w)\w(?:[ .\-]\w(?!\w)){3,}")
WITHOUT_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
ASCII = str.maketrans({chr(code): " " for code in range(128) if not chr(code).isalnum()})
LONG = 12
DIGITS = 6
SHORT = 3
PIECE = 4_000_000
WORD = 200
"""More characters than a word has."""
SPREAD = 8
"""How many times its length a string may take in a text, with hyphens, breaks and spaces between its letters."""


def shown(text: str) -> str:
    """The text as a reader sees it: one form of each character, and none that shows nothing.

    >>> shown("Mu\\u0308l\\u00adler")
    'Müller'
    """
    if text.isascii():
        return text
    return UNSEEN.sub("", unicodedata.normalize("NFKC", text.encode("utf-8", "replace").decode("utf-8")))


def words(text: str) -> str:
    """The words of a text between single spaces, with one at each end.

    >>> words("Dear Mr. Smith,")
    ' Dear Mr Smith '
    """
    if text.isascii():
        return f" {' '.join(text.translate(ASCII).split())} "
    return f" {BETWEEN.sub(' ', text).strip()} "


def _joined(text: str) -> str:
    return HYPHEN.sub("", text)


def _unbroken(text: str) -> str:
    return BREAK.sub("", text)


def _numbers(text: str) -> str:
    return IN_NUMBER.sub("", text)


def _together(text: str) -> str:
    return APART.sub(lambda found: "".join(each for each in found.group() if each.isalnum()), text)


def _apart(text: str) -> str:
    """Only the letters that stand apart, drawn together."""
    return " ".join(_together(each.group()) for each in APART.finditer(text))


VIEWS: tuple[Callable[[str], str], ...] = (str, _joined, _unbroken, _numbers, _together, _apart)


def automaton(patterns: Sequence[str]) -> Any:
    """What finds all patterns in one pass over a text. Raises NotInstalled."""
    try:
        from ahocorasick_rs import AhoCorasick, MatchKind
    except ModuleNotFoundError:
        raise NotInstalled(
            "looking for protected strings needs ahocorasick-rs, which is not installed. Run "
            "`pip install 'discreet[text]'`."
        ) from None
    return AhoCorasick(patterns, matchkind=MatchKind.Standard)


def tells(wording: str, *, letters: int = 2) -> bool:
    """Whether a wording is long enough to mean somebody wherever it stands: so many letters, or more with digits.

    >>> tells("Ng"), tells("S.A.", letters=3), tells("G-3a"), tells("3838"), tells("383-838")
    (True, False, True, False, True)
    """
    alphabetic, digits = sum(map(str.isalpha, wording)), sum(map(str.isdigit, wording))
    return alphabetic >= letters or (alphabetic > 0 and alphabetic + digits >= SHORT) or digits >= DIGITS


@dataclass(slots=True)
class _Automaton:
    """Patterns for one view, with the letters as they are or folded."""

    patterns: list[str]
    folded: bool
    machine: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.machine = automaton(self.patterns) if self.patterns else None

    def count(self, view: str) -> int:
        if self.machine is None:
            return 0
        return len(self.machine.find_matches_as_indexes(view, overlapping=True))


class Matcher:
    """Counts protected strings in texts.

    A string is found as whole words, whatever its capitals. One word that is among `ordinary` (lower-case words of the
    language, such as "bush"), or that is shorter than three characters, is found only as it is written, or in capitals.
    """

    __slots__ = ("_automata", "_overlap", "_same")

    def __init__(self, protected: Iterable[str], ordinary: Collection[str] = ()) -> None:
        cased: list[set[str]] = [set() for _ in VIEWS]
        folded: list[set[str]] = [set() for _ in VIEWS]
        self._overlap = WORD
        for each in protected:
            self._overlap = max(self._overlap, SPREAD * len(each))
            plain = shown(each).strip()
            word = words(plain).strip()
            if not word:
                raise BadParameter(
                    "a protected string must hold a letter or a digit, or nobody can look for it."
                )
            exact = " " not in word and (len(word) < SHORT or word.casefold() in ordinary)
            for place, form in _forms(plain):
                if exact:
                    cased[place] |= {_bounded(form), _bounded(form.upper())}
                else:
                    folded[place].add(_bounded(form).casefold())
        self._same = [
            one <= cased[0] and other <= folded[0] for one, other in zip(cased, folded, strict=True)
        ]
        self._automata = [
            (_Automaton(sorted(one), folded=False), _Automaton(sorted(other), folded=True))
            for one, other in zip(cased, folded, strict=True)
        ]

    def count(self, text: str) -> int:
        """How often protected strings are in a text, in the view that shows the most of them.

        A very long text is looked at in pieces, which overlap by more than the longest string takes.
        """
        return sum(self._in_piece(text[low:high]) for low, high in _pieces(text, self._overlap))

    def _in_piece(self, text: str) -> int:
        plain = shown(text)
        most = 0
        for place, (view, (cased, folded)) in enumerate(zip(VIEWS, self._automata, strict=True)):
            seen = view(plain)
            if place and seen == plain and self._same[place]:
                continue  # The first view has told this already.
            line = words(seen)
            found = cased.count(line) + (folded.count(line.casefold()) if folded.machine else 0)
            most = max(most, found)
        return most


def _pieces(text: str, overlap: int) -> Iterable[tuple[int, int]]:
    """Where the pieces of a text begin and end: not within a word, unless it is longer than words are."""
    low = 0
    while low < len(text):
        high = min(low + PIECE, len(text))
        far = min(high + overlap, len(text))
        while far < min(high + overlap + WORD, len(text)) and text[far].isalnum():
            far += 1
        yield low, far
        while high < min(low + PIECE + WORD, len(text)) and text[high].isalnum():
            high += 1
        low = high


def _bounded(form: str) -> str:
    """The words to look for, with the spaces around them; scripts without spaces are found inside a line too."""
    line = words(form)
    return line.strip() if WITHOUT_SPACES.search(line) else line


def _forms(plain: str) -> Iterable[tuple[int, str]]:
    """The views in which a string is looked for, and how it stands in each."""
    yield 0, plain
    yield 1, _joined(plain)
    if len(plain) >= LONG and " " not in plain:
        yield 2, plain
    numbers = _numbers(plain)
    if sum(each.isdigit() for each in numbers) >= DIGITS:
        yield 3, numbers
    yield 4, _together(plain)
    letters = words(plain).replace(" ", "")
    if len(letters) > SHORT:
        yield 5, letters
