"""Recognisers: functions from a text to spans, registered with what they declare of themselves.

A recogniser of a user's own, or one around another library, is registered in the same way:

    @recogniser(kinds=(Kind.CODE,), meaning="Numbers of our files.", example="see file [AB-12345].")
    def our_files(text: str) -> Iterator[Span]:
        for found in re.finditer(r"\\b[A-Z]{2}-[0-9]{5}\\b", text):
            yield Span(found.start(), found.end(), Kind.CODE, "our_files", "a file number")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TypeVar

from discreet.errors import BadParameter, NotInstalled, UnknownMethod, did_you_mean
from discreet.text.entities.kinds import Kind
from discreet.text.span import Span

Find = Callable[[str], Iterable[Span]]
F = TypeVar("F", bound=Find)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recogniser:
    """A recogniser and its facts.

    `needs` are modules that must be installed, in groups of which one is enough; `extra` is what installs them.
    `example` is a text with one find of its own in square brackets.
    """

    name: str
    kinds: tuple[Kind, ...]
    meaning: str
    example: str
    languages: tuple[str, ...] = ("en",)
    needs: tuple[tuple[str, ...], ...] = ()
    extra: str = ""
    find: Find = field(repr=False)

    @property
    def missing(self) -> tuple[str, ...]:
        """The modules that are not installed; where one of several is enough, the first of them."""
        return tuple(group[0] for group in self.needs if not any(map(_is_installed, group)))

    @property
    def not_looked_for(self) -> str:
        """What is left out because something is not installed, in a sentence; empty where all is there."""
        if not self.missing:
            return ""
        package = f"'discreet[{self.extra}]'" if self.extra else self.missing[0].replace("_", "-")
        return (
            f"{self.name} ({', '.join(self.kinds)}) was not run: {', '.join(self.missing)} is not installed. "
            f"Install it with pip install {package}."
        )


@cache
def _is_installed(module: str) -> bool:
    return find_spec(module) is not None


_RECOGNISERS: dict[str, Recogniser] = {}


def recogniser(
    *,
    kinds: Sequence[Kind],
    meaning: str,
    example: str,
    languages: Sequence[str] = ("en",),
    needs: Sequence[Sequence[str]] = (),
    extra: str = "",
) -> Callable[[F], F]:
    """A decorator that registers a function from a text to spans under its name, with its facts."""

    def register(function: F) -> F:
        name = function.__name__
        if name in _RECOGNISERS:
            raise BadParameter(f"there is a recogniser '{name}' already; give this one another name.")
        if example.count("[") != 1 or example.count("]") != 1:
            raise BadParameter(f"the example of recogniser '{name}' must hold one find in square brackets.")
        _RECOGNISERS[name] = Recogniser(
            name=name,
            kinds=tuple(kinds),
            meaning=meaning,
            example=example,
            languages=tuple(languages),
            needs=tuple(tuple(group) for group in needs),
            extra=extra,
            find=function,
        )
        return function

    return register


def unregister(name: str) -> None:
    """Takes a recogniser of the user's own away again. Raises UnknownMethod where there is none of this name."""
    find_recogniser(name)
    del _RECOGNISERS[name]


def recognisers() -> tuple[Recogniser, ...]:
    """All recognisers with their facts, those that need something that is not installed among them."""
    import_module("discreet.text.entities.recognisers")
    return tuple(_RECOGNISERS.values())


def find_recogniser(name: str) -> Recogniser:
    """The recogniser of this name. Raises UnknownMethod where there is none."""
    known = {each.name: each for each in recognisers()}
    if name not in known:
        raise UnknownMethod(f"there is no recogniser '{name}'.{did_you_mean(name, known)}")
    return known[name]


def chosen(names: Sequence[str] | None) -> tuple[Recogniser, ...]:
    """The recognisers to run: those named, or all that are installed.

    Raises UnknownMethod for a name that there is not, NotInstalled where one that was named lacks what it needs.
    """
    if names is None:
        return tuple(each for each in recognisers() if not each.missing)
    found = tuple(find_recogniser(each) for each in names)
    for each in found:
        if each.missing:
            raise NotInstalled(each.not_looked_for)
    return found
