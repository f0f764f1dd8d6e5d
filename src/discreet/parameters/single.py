"""Parameters of one value: a number, a word, yes or no."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from discreet.parameters.kind import Kind
from discreet.shown import Shown
from discreet.table import Scale

LARGEST_WHOLE = 2**53
"""Whole numbers up to here are exact in every kind of number that computes with them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole(Kind):
    """A whole number in a range; `usual` is the range a search tries, for columns on one of the `scales`."""

    at_least: int
    at_most: int | None = None
    usual: tuple[int, int] | None = None
    scales: tuple[Scale, ...] = tuple(Scale)

    def wants(self) -> str:
        if self.at_most is None:
            return f"a whole number of at least {self.at_least}"
        return f"a whole number from {self.at_least} to {self.at_most}"

    def accepts(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int):
            return False
        return self.at_least <= value <= (LARGEST_WHOLE if self.at_most is None else self.at_most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Real(Kind):
    """A finite number in a range; `above` and `below` are bounds it may not touch.

    `usual` is the range a search tries, for columns on one of the `scales`.
    """

    at_least: float | None = None
    at_most: float | None = None
    above: float | None = None
    below: float | None = None
    usual: tuple[float, float] | None = None
    scales: tuple[Scale, ...] = tuple(Scale)

    def wants(self) -> str:
        bounds = [
            ("at least", self.at_least),
            ("above", self.above),
            ("at most", self.at_most),
            ("below", self.below),
        ]
        bounds_text = " and ".join(f"{word} {bound:g}" for word, bound in bounds if bound is not None)
        return f"a number {bounds_text}".rstrip()

    def accepts(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        # A whole number can be too large to be compared as a real one; infinity and what is no number are none.
        if not abs(value) <= sys.float_info.max:
            return False
        return (
            (self.at_least is None or value >= self.at_least)
            and (self.at_most is None or value <= self.at_most)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )

    def _shown(self, value: Any, shown: Shown) -> object:
        return value if float(value) in shown.numbers() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Kind):
    """One of a few words; `not_searched` are those that a search leaves out, because they need more than a number."""

    among: tuple[str, ...]
    not_searched: tuple[str, ...] = ()

    def wants(self) -> str:
        return "one of " + ", ".join(self.among)

    def accepts(self, value: object) -> bool:
        return isinstance(value, str) and value in self.among


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag(Kind):
    """Yes or no."""

    def wants(self) -> str:
        return "true or false"

    def accepts(self, value: object) -> bool:
        return isinstance(value, bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class Word(Kind):
    """A short text, such as the name of a new category, which whoever gives it publishes."""

    def wants(self) -> str:
        return "a text that is not empty"

    def accepts(self, value: object) -> bool:
        return isinstance(value, str) and value != ""
