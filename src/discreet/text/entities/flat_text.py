"""A text as names are looked for in it: accents off, lines joined, with the way back to where each letter stood."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from typing import NamedTuple

_GAP = re.compile(
    r"[^\S\n]*\n(?:[^\S\n]*\n)+\s*"  # an empty line: a name does not go across
    r"|(?<=\w)-\n[^\S\n]*(?=[a-z])"  # a word divided at the end of a line
    r"|[\u00ad\u200b-\u200d\u2060\ufeff\u0300-\u036f]+"  # what is not seen, and accents apart from their letters
    r"|[^\S\n]*\n[^\S\n]*"
    r"|[^\S\n]{2,}"
    r"|\t"
)
_SAME_AS = {"’": "'", "‘": "'", "`": "'", "´": "'", "‐": "-", "‑": "-"}


class _Accents(dict[int, str]):
    """Each letter without its accent, where that is one letter too; worked out when a letter is first seen."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        if letter in _SAME_AS:
            found = _SAME_AS[letter]
        elif code > 127 and letter.isspace():
            found = " "
        else:
            found = unicodedata.normalize("NFD", letter)[:1] if code > 127 else letter
        self[code] = found
        return found


_ACCENTS = _Accents()


class FlatText(NamedTuple):
    """The flattened text; `places` and `shifts` say from where on how many letters of the original are left out."""

    text: str
    places: list[int]
    shifts: list[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the flat text stands in the original. Nothing is added at its ends."""
        low = start + self.shifts[bisect_right(self.places, start) - 1] if self.places else start
        last = end - 1
        high = last + self.shifts[bisect_right(self.places, last) - 1] if self.places else last
        return low, high + 1


def flatten(text: str) -> FlatText:
    """The text with accents off and each gap one space; an empty line stays a line break."""
    plain = text if text.isascii() else text.translate(_ACCENTS)
    pieces: list[str] = []
    places, shifts = [0], [0]
    done = length = 0
    for gap in _GAP.finditer(plain):
        start, end = gap.span()
        found = gap.group()
        instead = "\n" if found.count("\n") > 1 else "" if found[0] not in " \t\n\r\f\v" else " "
        pieces += [plain[done:start], instead]
        length += start - done + len(instead)
        done = end
        places.append(length)
        shifts.append(end - length)
    if not pieces:
        return FlatText(plain, [0], [0])
    pieces.append(plain[done:])
    return FlatText("".join(pieces), places, shifts)


def flat(text: str) -> str:
    """A short text flattened, without space around it."""
    return flatten(text).text.strip()


def fold(text: str) -> str:
    """The text without accents and in small letters, so that Díaz, DIAZ and Diaz are written alike."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text)
    return "".join(each for each in apart if not unicodedata.combining(each)).casefold()
