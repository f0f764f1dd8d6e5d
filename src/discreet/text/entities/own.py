"""A user's own recognisers: patterns and lists of words, as a policy file gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from discreet.errors import BadParameter
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import Find, Recogniser
from discreet.text.span import Span

_WORD = re.compile(r"\w+")
SURE = 0.99


def pattern(expression: str, *, kind: Kind = Kind.OTHER, name: str = "own pattern") -> Recogniser:
    """A recogniser of what a regular expression finds; of its group `entity` alone where it has one.

    Raises BadParameter where it is no regular expression, or one that finds nothing at all in places.
    """
    try:
        compiled = re.compile(expression)
    except (re.error, OverflowError) as problem:
        raise BadParameter(f"'{name}' is no regular expression: {problem}.") from None
    if compiled.match(""):
        raise BadParameter(f"'{name}' also finds nothing at all; let it hold at least one character.")
    group = "entity" if "entity" in compiled.groupindex else 0

    def find(text: str) -> Iterator[Span]:
        for found in compiled.finditer(text):
            if found.start(group) < found.end(group):
                yield Span(*found.span(group), kind, name, "a pattern of the policy", SURE)

    return _recogniser(name, kind, find, "What a pattern of the policy finds.")


def word_list(
    wordings: Iterable[str], *, kind: Kind = Kind.OTHER, name: str = "own list", exact: bool = False
) -> Recogniser:
    """A recogniser of the wordings of a list, as whole words; in capitals or not unless `exact`.

    A text is read once, however long the list is. Raises BadParameter where a wording holds no letter or figure.
    """
    by_first: dict[str, list[Sequence[str]]] = {}
    for wording in wordings:
        held = _words(wording, exact)
        if not held:
            raise BadParameter(f"'{name}' has an entry without a letter or figure.")
        by_first.setdefault(held[0], []).append(held)
    for entries in by_first.values():
        entries.sort(key=len, reverse=True)

    def find(text: str) -> Iterator[Span]:
        tokens = list(_WORD.finditer(text))
        for place, token in enumerate(tokens):
            for held in by_first.get(token.group() if exact else token.group().lower(), ()):
                here = tokens[place : place + len(held)]
                if [each.group() if exact else each.group().lower() for each in here] == list(held):
                    yield Span(token.start(), here[-1].end(), kind, name, "in a list of the policy", SURE)
                    break

    return _recogniser(name, kind, find, "The wordings of a list of the policy.")


def _words(wording: str, exact: bool) -> list[str]:
    return _WORD.findall(wording if exact else wording.lower())


def _recogniser(name: str, kind: Kind, find: Find, meaning: str) -> Recogniser:
    return Recogniser(name=name, kinds=(kind,), meaning=meaning, example="", languages=("any",), find=find)
