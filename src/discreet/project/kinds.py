"""What a key of a project file may be, beyond the kinds that parameters of methods have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from discreet.parameters import Kind, Real


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels(Kind):
    """The levels of an ordinal column, as texts or as numbers."""

    def wants(self) -> str:
        return "a list of values from low to high"

    def accepts(self, value: object) -> bool:
        return isinstance(value, list) and all(isinstance(each, str | int | float) for each in value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(Kind):
    """A table from names of attacks to numbers that are not negative, and not above `at_most`."""

    at_most: float | None = None

    @property
    def limit(self) -> Real:
        """What each of the numbers must be."""
        return Real(about=self.about, at_least=0, at_most=self.at_most)

    def wants(self) -> str:
        return f"a table of attacks, for each {self.limit.wants()}"

    def accepts(self, value: object) -> bool:
        return isinstance(value, Mapping) and all(self.limit.accepts(each) for each in value.values())
